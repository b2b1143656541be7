// Days as area C writes them, YYYY-MM-DD in UTC, and the stretch of days that a screen shows.
export type Day = string;

export interface Period {
  from: Day;
  to: Day;
}

export const spans = [7, 30, 90, 365];
export const usualSpan = 30;
export const longestSpan = 400; // that the program answers for

export const today = (now = new Date()): Day => now.toISOString().slice(0, 10);
export const plusDays = (day: Day, days: number): Day => today(new Date(Date.parse(day) + days * 86_400_000));
export const daysBetween = (from: Day, to: Day): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Noon of a day in Unix seconds: the same date wherever on earth it is shown. */
export const noon = (day: Day): number => Date.parse(day) / 1000 + 43_200;

/** The days that an address asks for: `days` up to today, or `from` and `to`. */
export function periodOf(query: URLSearchParams, now = today()): Period {
  const from = dayOf(query.get('from'));
  const to = dayOf(query.get('to')) ?? now;
  if (from && from <= to) return { from: daysBetween(from, to) < longestSpan ? from : plusDays(to, 1 - longestSpan), to };
  return { from: plusDays(now, 1 - spanOf(query)), to: now };
}

/** The span that an address asks for; one that is not offered is the usual one. */
export function spanOf(query: URLSearchParams): number {
  const days = Number(query.get('days'));
  return spans.includes(days) ? days : usualSpan;
}

function dayOf(text: string | null): Day | undefined {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}
