// The checks of one keyword, as charts and lists want them.
import type { components } from '../api/generated/keyword';
import { daysBetween, noon, plusDays, type Day, type Period } from './days';

type DayCheck = components['schemas']['DayCheck'];

export interface RankLine {
  times: number[]; // Unix seconds, a day each
  ranks: (number | null)[]; // null: not found, or not checked
}

/** Ranks of every day of a period; days without a check are gaps. */
export function rankLine(checks: readonly DayCheck[], period: Period): RankLine {
  const ranks = new Map(checks.map((check) => [check.date, check.rank]));
  const days = Array.from({ length: daysBetween(period.from, period.to) + 1 }, (_, i) => plusDays(period.from, i));
  return { times: days.map(noon), ranks: days.map((day) => ranks.get(day) ?? null) };
}

export interface Stretch {
  url: string | null; // null: the site was not found
  from: Day;
  to: Day;
  best: number | null;
}

/** Stretches of days on which the same URL ranked, oldest first. */
export function stretches(checks: readonly DayCheck[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { date, url, rank } of checks) {
    const last = all.at(-1);
    if (!last || last.url !== url) all.push({ url, from: date, to: date, best: rank });
    else Object.assign(last, { to: date, best: better(last.best, rank) });
  }
  return all;
}

const better = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.min(a, b));

/** Tells whether a URL belongs to a site: a domain, a host, or all below a path. */
export function belongs(url: string, site: string): boolean {
  const [host = '', ...path] = site.split('/');
  try {
    const { hostname, pathname } = new URL(url);
    const below = `/${path.join('/')}`;
    return (hostname === host || hostname.endsWith(`.${host}`)) && (path.length === 0 || pathname === below || pathname.startsWith(below.endsWith('/') ? below : `${below}/`));
  } catch {
    return false;
  }
}
