// Positions as people think of them: first, on the podium, on the first page, and so on.
import type { components } from '../api/generated/keyword';

type Distribution = components['schemas']['RankDistribution'];
export type BandId = `${keyof Distribution}`;

export interface Band {
  id: BandId;
  name: string;
  last: number; // position
}

export const bands: readonly Band[] = [
  { id: '1', name: '1', last: 1 },
  { id: '3', name: '2–3', last: 3 },
  { id: '10', name: '4–10', last: 10 },
  { id: '20', name: '11–20', last: 20 },
  { id: '100', name: '21–100', last: 100 },
  { id: 'rest', name: 'Beyond', last: Infinity },
];

/** The band of a position; one that was not found is beyond. */
export function bandOf(position: number | null): Band {
  return bands.find((band) => (position ?? Infinity) <= band.last) as Band;
}

/** Keywords at this position or better. */
export function upTo(distribution: Distribution, last: number): number {
  return bands.filter((band) => band.last <= last).reduce((sum, band) => sum + distribution[band.id], 0);
}

export const counted = (distribution: Distribution): number => bands.reduce((sum, band) => sum + distribution[band.id], 0);
