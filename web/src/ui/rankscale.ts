// The colours of ranks, the same in the dashboard, in pictures and in the terminal.
import { preferences } from '../app/preferences.svelte';

export interface Band {
  from: number;
  to: number | null; // null: and beyond
  fill: string;
  ink: string; // of the number on it
}

const palettes: Record<'default' | 'blue-orange', [fill: string, ink: string][]> = {
  default: [['#86d66b', '#0c2a08'], ['#c3cf3f', '#2a2c00'], ['#e5a823', '#332000'], ['#dd7a1f', '#2b1200'], ['#c23b2e', '#ffffff'], ['#59626b', '#ffffff']],
  'blue-orange': [['#9fd0ff', '#062a4d'], ['#5aa9ee', '#04223f'], ['#f2b36b', '#3a1d00'], ['#d9812f', '#2b1200'], ['#a8500f', '#ffffff'], ['#555d66', '#ffffff']],
};
const edges: [number, number | null][] = [[1, 3], [4, 7], [8, 10], [11, 15], [16, 20], [21, null]];

/** The bands of the palette that was chosen, best first. Reading it in a template follows the choice. */
export function bands(): Band[] {
  return palettes[preferences.palette].map(([fill, ink], i) => {
    const [from, to] = edges[i] ?? [21, null];
    return { from, to, fill, ink };
  });
}

export const bandOf = (rank: number, of: readonly Band[] = bands()): Band => of.find((b) => b.to === null || rank <= b.to) as Band;

export const bandName = ({ from, to }: Band): string => (to === null ? '20+' : `${from}–${to}`);
