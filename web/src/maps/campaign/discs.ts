// How ranks and their differences look on the map.
import type { Disc } from '../../ui/map/discs';
import type { Band } from '../../ui/rankscale';
import { type Grid, ranksWon } from './ranks';

export interface Inks {
  better: string;
  worse: string;
  plain: string; // of what is hollow
}

/** A disc a point: its rank, and a ring where it has changed since the report before. */
export function rankDiscs(grid: Grid, before: Grid | undefined, bandOf: (rank: number) => Band, inks: Inks): Disc[] {
  const won = ranksWon(grid, before);
  return grid.report.positions.map((rank, i) => {
    if (rank === null) return hollow(inks);
    const { fill, ink } = bandOf(rank);
    const change = won[i] ?? 0;
    return {
      text: rank > 20 ? '20+' : String(rank), fill, ink,
      ...(change > 0 ? { ring: inks.better, mark: 'up' as const } : change < 0 ? { ring: inks.worse, mark: 'down' as const } : {}),
    };
  });
}

export const hollow = (inks: Inks): Disc => ({ text: '', fill: '', ink: inks.plain });

// Blue is better and orange worse, which all eyes tell apart; the more, the darker.
const steps = [
  { least: 8, better: ['#0b4f8a', '#ffffff'], worse: ['#9a3f06', '#ffffff'] },
  { least: 4, better: ['#5aa5e0', '#04203a'], worse: ['#ee9442', '#2e1300'] },
  { least: 1, better: ['#bfe0f8', '#0b3557'], worse: ['#fbd9b2', '#4e2500'] },
] as const;
const same = { fill: '#e3e7e6', ink: '#39433f' };

/** The looks of differences, for the legend. */
export const differenceBands = [
  ...steps.map((s, i) => ({ name: `▲ ${s.least}${i === 0 ? '+' : `–${(steps[i - 1]?.least ?? 0) - 1}`}`, fill: s.better[0], ink: s.better[1] })),
  { name: '=', ...same },
  ...steps.toReversed().map((s, i) => ({ name: `▼ ${s.least}${i === 2 ? '+' : `–${(steps[1 - i]?.least ?? 0) - 1}`}`, fill: s.worse[0], ink: s.worse[1] })),
];

/** A disc a point: ranks won or lost. */
export function differenceDiscs(won: readonly (number | undefined)[], inks: Inks): Disc[] {
  return won.map((change) => {
    if (change === undefined) return hollow(inks);
    if (change === 0) return { text: '=', ...same };
    const [fill, ink] = steps.find((s) => Math.abs(change) >= s.least)?.[change > 0 ? 'better' : 'worse'] ?? [same.fill, same.ink];
    return { text: `${change > 0 ? '▲' : '▼'}${Math.abs(change)}`, fill, ink };
  });
}
