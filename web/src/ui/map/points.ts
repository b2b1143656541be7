// Points of a grid on a map: which one is under the pointer, how big their discs are, how one goes from one to the next.
import { boundsOf, type Coordinates, type Spot, toWorld, type View } from './view';

/** The smallest distance between two points, as a share of the world. */
export function spacingOf(points: readonly Coordinates[]): number {
  const worlds = points.map(toWorld);
  let least = Infinity;
  for (const [i, a] of worlds.entries()) {
    for (let j = i + 1; j < worlds.length; j++) {
      const b = worlds[j] as Spot;
      const apart = Math.hypot(a.x - b.x, a.y - b.y);
      if (apart > 0 && apart < least) least = apart;
    }
  }
  return least;
}

export const largestDisc = 19; // its radius, in pixels

/** The radius of discs, in pixels: they touch at most when one is far away. */
export function discRadius(spacing: number, view: View): number {
  return Math.min(Math.max(spacing * view.worldSize * 0.4, 8), largestDisc);
}

/** Which point is at a spot, the nearest first; -1 when there is none. */
export function pointAt(points: readonly Coordinates[], spot: Spot, view: View, reach: number): number {
  let found = -1;
  let least = reach;
  for (const [i, point] of points.entries()) {
    const at = view.project(point);
    const apart = Math.hypot(at.x - spot.x, at.y - spot.y);
    if (apart <= least) {
      least = apart;
      found = i;
    }
  }
  return found;
}

/** Indexes of the points, row by row from north to south, each row from west to east. */
export function rowsOf(points: readonly Coordinates[], spacing = spacingOf(points)): number[][] {
  const worlds = points.map(toWorld);
  const y = (i: number) => worlds[i]?.y ?? 0;
  const x = (i: number) => worlds[i]?.x ?? 0;
  const rows: number[][] = [];
  for (const i of [...worlds.keys()].sort((a, b) => y(a) - y(b))) {
    const row = rows.at(-1);
    if (row && y(i) - y(row[0] as number) < spacing / 2) row.push(i);
    else rows.push([i]);
  }
  return rows.map((row) => row.sort((a, b) => x(a) - x(b)));
}

/** Where a point stands in its grid, counted from 1 in the north-west, as a map is read. */
export interface Cell {
  row: number;
  column: number;
}

const widestGrid = 21; // points to a side

/** The cells of a grid's points, of which some may be left out; undefined for points that lie in no grid. */
export function cellsOf(points: readonly Coordinates[]): Cell[] | undefined {
  const bounds = boundsOf(points);
  if (!bounds) return undefined;
  // Metres count, not degrees: rows of a grid are as long in the north as in the south.
  const middle = (bounds.west + bounds.east) / 2;
  const east = points.map(({ lat, lng }) => ((((lng - middle + 180) % 360) + 360) % 360 - 180) * Math.cos((lat * Math.PI) / 180));
  const [west, north] = [Math.min(...east), bounds.north];
  let step = Infinity;
  for (const [i, a] of points.entries()) {
    for (let j = i + 1; j < points.length; j++) {
      const apart = Math.hypot((east[i] as number) - (east[j] as number), a.lat - (points[j] as Coordinates).lat);
      if (apart > 0 && apart < step) step = apart;
    }
  }
  const places = points.map(({ lat }, i) => ({ down: (north - lat) / step, across: ((east[i] as number) - west) / step }));
  const inGrid = (steps: number) => steps < widestGrid && Math.abs(steps - Math.round(steps)) < 0.4; // rows of a wide grid are bent
  if (!places.every(({ down, across }) => inGrid(down) && inGrid(across))) return undefined;
  return places.map(({ down, across }) => ({ row: Math.round(down) + 1, column: Math.round(across) + 1 }));
}

/** What each point is called everywhere: by its row and column, or by its number where there is no grid. */
export function pointNames(points: readonly Coordinates[]): string[] {
  const cells = cellsOf(points);
  return points.map((_, i) => (cells?.[i] ? `Row ${cells[i].row}, column ${cells[i].column}` : `Point ${i + 1}`));
}

export type Way = 'left' | 'right' | 'up' | 'down';

/** The point that an arrow key leads to; the same where there is none. */
export function neighbour(rows: readonly number[][], points: readonly Coordinates[], from: number, way: Way): number {
  const r = rows.findIndex((row) => row.includes(from));
  const row = rows[r];
  if (!row) return from;
  const c = row.indexOf(from);
  if (way === 'left' || way === 'right') return row[c + (way === 'right' ? 1 : -1)] ?? from;
  const aside = (i: number) => Math.abs((points[i]?.lng ?? 0) - (points[from]?.lng ?? 0));
  const next = rows[r + (way === 'down' ? 1 : -1)] ?? [];
  return next.toSorted((a, b) => aside(a) - aside(b))[0] ?? from;
}
