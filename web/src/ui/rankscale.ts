// The colours of ranks, the same in the dashboard, in pictures and in the terminal.
import scale from '../../../internal/rankscale/scale.json';
import { preferences } from '../app/preferences.svelte';

export interface Band {
  from: number;
  to: number | null; // null: and beyond
  fill: string;
  ink: string; // of the number on it
}

/** The bands of the palette that was chosen, best first. Reading it in a template follows the choice. */
export function bands(): Band[] {
  return scale.bands.map((band, i) => ({ ...band, ...(scale.palettes[preferences.palette][i] as { fill: string; ink: string }) }));
}

export const bandOf = (rank: number, of: readonly Band[] = bands()): Band => of.find((b) => b.to === null || rank <= b.to) as Band;

export const bandName = ({ from, to }: Band): string => (to === null ? '20+' : `${from}–${to}`);
