// When a campaign is collected by itself, in words and in reports a month.
export interface Schedule {
  frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY';
  interval: number;
  positions: number[]; // 1 = Monday .. 7, or days of the month
  time: string; // HH:MM at the business
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(n: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }[ordinals.select(n)];
  return `${n}${ending}`;
}

// Of an address that ends as in "…, Decatur, GA 30030"; other ones do not tell surely which part is the city.
const cityOf = (address: string): string | undefined => /,\s*([^,\d]+),\s*[A-Z]{2}\s+\d{5}\b/.exec(address)?.[1]?.trim();

/** "every Monday and Thursday at 06:00 in Decatur", whose time counts */
export function inWords(s: Schedule | undefined, address = ''): string {
  if (!s) return 'only when you press Collect';
  const days = [...s.positions].sort((a, b) => a - b);
  const city = cityOf(address);
  const at = `at ${s.time} ${city ? `in ${city}` : 'where the business is'}`;
  const every = (unit: string) => (s.interval === 1 ? `every ${unit}` : s.interval === 2 ? `every other ${unit}` : `every ${ordinal(s.interval)} ${unit}`);
  switch (s.frequency) {
    case 'DAILY':
      return `${every('day')} ${at}`;
    case 'WEEKLY': {
      const names = list.format(days.map((d) => weekdays[d - 1] ?? ''));
      return `${s.interval === 1 ? `every ${names}` : `${every('week')} on ${names}`} ${at}`;
    }
    case 'MONTHLY':
      return `on the ${list.format(days.map(ordinal))} of ${every('month')} ${at}`;
  }
}

/** How many reports a month has, on average over a year. */
export function reportsAMonth(s: Schedule | undefined): number {
  if (!s) return 0;
  const periods = { DAILY: 365 / 12, WEEKLY: 52 / 12, MONTHLY: 1 }[s.frequency] / s.interval;
  return periods * (s.frequency === 'DAILY' ? 1 : s.positions.length);
}
