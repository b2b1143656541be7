// Ranks at the points of a grid, and what became of them: the rules of the screen that need no browser.
import type { Business, Report, ViewPoint } from './types';

export const beyond = 21; // what a rank beyond the first 20 counts as

/** A report of one business with the points it was made at. */
export interface Grid {
  report: Report;
  points: readonly ViewPoint[];
}

export function gridOf(pointSets: readonly (readonly ViewPoint[])[], report: Report | undefined): Grid | undefined {
  const points = report && pointSets[report.pointSet];
  return report && points ? { report, points } : undefined;
}

/** Ranks of another grid at the points of this one; undefined where it has no such point, null where it was not searched. */
export function ranksAt(points: readonly ViewPoint[], of: Grid | undefined): (number | null | undefined)[] {
  if (!of) return points.map(() => undefined);
  if (of.points === points) return of.report.positions;
  const byPoint = new Map(of.points.map((p, i) => [p.id, of.report.positions[i] ?? null]));
  return points.map((p) => byPoint.get(p.id));
}

/** Ranks won at each point against another grid, negative when lost; undefined where one of the two is not known. */
export function ranksWon(grid: Grid, against: Grid | undefined): (number | undefined)[] {
  const other = ranksAt(grid.points, against);
  return grid.report.positions.map((rank, i) => {
    const before = other[i];
    return rank === null || before === null || before === undefined ? undefined : before - rank;
  });
}

/** The report of a date, or the last one before it; the newest without a date. */
export function reportAt(reports: readonly Report[], date: string | undefined): number {
  if (!date) return reports.length - 1;
  const wanted = Date.parse(date);
  const found = reports.findLastIndex((r) => Date.parse(r.date) <= wanted);
  return found < 0 && reports.length > 0 ? 0 : found;
}

/** The report that is nearest in time to a date; the newest where the date cannot be read. */
export function nearestTo(reports: readonly Report[], date: string): number {
  const wanted = Date.parse(date);
  const away = (r: Report | undefined) => Math.abs(Date.parse(r?.date ?? '') - wanted);
  return reports.reduce((best, r, i) => (away(r) < away(reports[best]) ? i : best), reports.length - 1);
}

/** How an address names a business: its cid, or one of its place ids. */
export const businessRef = (business: Business): string => business.cid || (business.placeIds[0] ?? '');

export const businessQuery = (ref: string | undefined): { cid?: string; placeIds?: string[] } =>
  !ref ? {} : /^\d+$/.test(ref) ? { cid: ref } : { placeIds: [ref] };

export const isBusiness = (business: Business, ref: string | undefined): boolean =>
  ref !== undefined && ref !== '' && (business.cid === ref || business.placeIds.includes(ref));

/** How long a report is shown while they are played, so that many do not take longer than half a minute. */
export const stepOf = (reports: number): number => Math.min(Math.max(30_000 / Math.max(reports, 1), 250), 900);
