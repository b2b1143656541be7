// Figures and dates as people read them, in the words of their browser's language where it only concerns
// digits, and in English where sentences are made of them.
const whole = new Intl.NumberFormat('en');
const tenth = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const moment = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export const none = '–'; // what stands where a figure is not known

type Maybe = number | null | undefined;
const known = (n: Maybe): n is number => n !== null && n !== undefined && !Number.isNaN(n);

export const count = (n: Maybe): string => (known(n) ? whole.format(Math.round(n)) : none);
export const compact = (n: Maybe): string => (known(n) ? short.format(n) : none);
export const one = (n: Maybe): string => (known(n) ? tenth.format(n) : none);
export const percent = (n: Maybe): string => (known(n) ? `${n > 0 && n < 10 ? tenth.format(n) : whole.format(Math.round(n))}%` : none);
export const dollars = (n: Maybe): string => (known(n) ? money.format(n) : none);

/** A rank of the map: beyond 20 it is not counted. */
export const mapRank = (n: Maybe): string => (known(n) ? (n > 20 ? '20+' : whole.format(n)) : none);

type When = string | number | Date; // numbers are Unix seconds, as area C writes them
const asDate = (when: When): Date => (typeof when === 'number' ? new Date(when * 1000) : new Date(when));

export const date = (when: When | null | undefined): string => (when ? day.format(asDate(when)) : none);
/** A tick of a time axis; the year is plain from what stands around it. */
export const dayOfAxis = (seconds: number): string => dayMonth.format(asDate(seconds));
export const dateTime = (when: When | null | undefined): string => (when ? moment.format(asDate(when)) : none);

/** A day, and for today the time: what has been and what is to come may both be today. */
export const dayOrTime = (when: string | null | undefined, now = new Date()): string =>
  when && date(when) === date(now) ? `today ${clock.format(asDate(when))}` : date(when);

/** The times of those moments that share their day with another one; the day alone tells the others apart. */
export function timesWithinDays(all: readonly string[]): Map<string, string> {
  const moments = [...new Set(all)];
  const days = new Map<string, number>();
  for (const when of moments) days.set(date(when), (days.get(date(when)) ?? 0) + 1);
  return new Map(moments.filter((when) => (days.get(date(when)) ?? 0) > 1).map((when) => [when, clock.format(asDate(when))]));
}

export function since(when: When, now = new Date()): string {
  const seconds = (asDate(when).getTime() - now.getTime()) / 1000;
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60],
  ];
  for (const [unit, size] of steps) if (Math.abs(seconds) >= size) return ago.format(Math.round(seconds / size), unit);
  return 'just now';
}

/** A length in metres, short. */
export const metres = (m: number): string => (m < 1000 ? `${whole.format(Math.round(m))} m` : `${(m < 10_000 ? tenth : whole).format(m / 1000)} km`);

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${whole.format(n)} ${n === 1 ? one : many}`;
}
