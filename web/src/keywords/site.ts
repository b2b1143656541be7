// A tracking in the words of the screens, and how it has done lately.
import type { components } from '../api/generated/keyword';
import { plusDays, type Day } from './days';

type Schemas = components['schemas'];
export type Tracking = Schemas['Tracking'];
export type DayStats = Schemas['StatsItem'];

export const deviceName = (platform: number): string => (platform === 2 ? 'Mobile' : 'Desktop');

/** Where the place is searched from, short: the town and its region. */
export const placeName = (label: string): string => label.split(', ').slice(0, 2).join(', ');

/** As alerts and mailed reports name it: a domain may be tracked in several places, and on both devices. */
export const trackingName = (t: Tracking): string => `${t.domain} · ${t.location.label} · ${deviceName(t.platform_id).toLowerCase()}`;

export interface Standing {
  tracking: Tracking;
  latest: DayStats | undefined; // of the newest day with checks
  change: number | null; // of the visibility index, within a week
  trend: (number | null)[]; // visibility by day, oldest first
}

/** How trackings stand, those that moved most within a week first. */
export function standings(trackings: readonly Tracking[]): Standing[] {
  return trackings.map(standing).sort((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));
}

function standing(tracking: Tracking): Standing {
  const days = daysOf(tracking.stats?.timeframes ?? {});
  const checked = days.filter(([, stats]) => stats.keywords_with_history > 0);
  const [last, latest] = checked.at(-1) ?? [];
  const before = last && checked.findLast(([day]) => day <= plusDays(last, -7))?.[1];
  return {
    tracking,
    latest,
    change: latest && before ? latest.visibility_index - before.visibility_index : null,
    trend: days.map(([, stats]) => (stats.keywords_with_history > 0 ? stats.visibility_index : null)),
  };
}

/** Figures by day, oldest first. */
export const daysOf = (timeframes: Record<Day, DayStats>): [Day, DayStats][] => Object.entries(timeframes).sort(([a], [b]) => (a < b ? -1 : 1));

export const usualDepth = 100; // results that a check looks at, unless the tracking says otherwise

/** Where a tracking is read with its token. */
export const shareLink = (id: string, token: string): string => `${location.origin}/shared/tracking/${id}?share_token=${encodeURIComponent(token)}`;
