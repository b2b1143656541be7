// Opening hours: what the editors do with them, and how they are told in words.
import type { Range, Week } from './profile';

export type Day = keyof Week;

export const days: { field: Day; name: string; short: string }[] = [
  { field: 'monday_hours', name: 'Monday', short: 'Mon' },
  { field: 'tuesday_hours', name: 'Tuesday', short: 'Tue' },
  { field: 'wednesday_hours', name: 'Wednesday', short: 'Wed' },
  { field: 'thursday_hours', name: 'Thursday', short: 'Thu' },
  { field: 'friday_hours', name: 'Friday', short: 'Fri' },
  { field: 'saturday_hours', name: 'Saturday', short: 'Sat' },
  { field: 'sunday_hours', name: 'Sunday', short: 'Sun' },
];

export type Openness = 'closed' | 'open' | 'all-day';

const allDay: Range = { from: '00:00', to: '00:00' };
export const usual: Range = { from: '09:00', to: '17:00' };

export function opennessOf(ranges: readonly Range[]): Openness {
  if (ranges.length === 0) return 'closed';
  return ranges.length === 1 && ranges[0]?.from === allDay.from && ranges[0].to === allDay.to ? 'all-day' : 'open';
}

/** The ranges of a day that was switched; what it had is kept where it can be. */
export function switched(ranges: readonly Range[], to: Openness, like: readonly Range[] = [usual]): Range[] {
  if (to === 'closed') return [];
  if (to === 'all-day') return [{ ...allDay }];
  return opennessOf(ranges) === 'open' ? copied(ranges) : copied(opennessOf(like) === 'open' ? like : [usual]);
}

export const copied = (ranges: readonly Range[]): Range[] => ranges.map((r) => ({ ...r }));

/** A second range after the first: from an hour later, four hours long, within the day. */
export function secondRange(first: Range | undefined): Range {
  const start = Math.min((minutes(first?.to ?? '') ?? 780) + 60, 22 * 60);
  return { from: clock(start), to: clock(Math.min(start + 240, 23 * 60 + 59)) };
}

/** An end at or before its start is on the next day. */
export function pastMidnight(range: Range): boolean {
  const [from, to] = [minutes(range.from), minutes(range.to)];
  return from !== undefined && to !== undefined && to <= from;
}

function minutes(time: string): number | undefined {
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute);
}

const clock = (at: number): string => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;

export function told(ranges: readonly Range[]): string {
  const openness = opennessOf(ranges);
  if (openness !== 'open') return openness === 'closed' ? 'closed' : '24 hours';
  return ranges.map((r) => `${r.from}–${r.to}`).join(', ');
}

/** A week in one line: days with the same hours stand together. */
export function weekTold(week: Week): string {
  const groups: { first: string; last: string; told: string }[] = [];
  for (const day of days) {
    const hours = told(week[day.field]);
    const group = groups.at(-1);
    if (group?.told === hours) group.last = day.short;
    else groups.push({ first: day.short, last: day.short, told: hours });
  }
  const open = groups.filter((g) => g.told !== 'closed');
  if (open.length === 0) return 'No hours yet';
  return open.map((g) => `${g.first === g.last ? g.first : `${g.first}–${g.last}`} ${g.told}`).join(' · ');
}
