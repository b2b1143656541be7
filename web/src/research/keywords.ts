// Keywords of research: their figures in words, and what narrows a list of them.
import type { components } from '../api/generated/keyword';

export type Keyword = components['schemas']['Keyword'];
export type Idea = Keyword & { position?: number | null };

// What the figures mean, in the words of the API document.
export const meaning = {
  sv: 'Searches a month, mean of the last year.',
  cpc: 'Cost of a click, USD.',
  ppc: 'Competition in paid search, 0 to 100.',
  seo: 'Difficulty of ranking, 0 to 100: from the newest result page or, where that tells too little, as a data provider says.',
  position: 'Organic position on the newest result page, or as a data provider says; null when it does not rank.',
  trend: 'Searches by month, oldest first.',
};

/** The place of the first of trackings, which come newest first; '0' is anywhere. */
export function placeOfNewest(trackings: readonly { location: { _id: number } }[] = []): string {
  return String(trackings[0]?.location._id ?? 0);
}

/** A domain or the start of a URL, as against words that people search for. */
export function isSite(text: string): boolean {
  return /^(https?:\/\/)?([\p{L}\p{N}-]+\.)+\p{L}{2,}(:\d+)?(\/\S*)?$/u.test(text.trim());
}

export interface IdeaFilter {
  words: string;
  leastVolume: number;
  mostDifficulty: number; // 100: all
}

/** A keyword without a figure is kept unless the figure is asked for. */
export function narrowed(ideas: readonly Idea[], filter: IdeaFilter): Idea[] {
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  return ideas.filter(
    (k) =>
      words.every((w) => k.kw.toLowerCase().includes(w)) &&
      (filter.leastVolume <= 0 || (k.sv ?? -1) >= filter.leastVolume) &&
      (filter.mostDifficulty >= 100 || (k.seo ?? 101) <= filter.mostDifficulty),
  );
}

export interface Month {
  name: string;
  searches: number;
}

const monthName = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The last twelve known months. */
export function months(msv: readonly (readonly number[])[]): Month[] {
  return msv.slice(-12).map(([year = 0, month = 0, searches = 0]) => ({ name: monthName.format(Date.UTC(year, month)), searches }));
}

export function difficultyInWords(seo: number | null): string {
  if (seo === null) return 'unknown';
  return seo < 30 ? 'easy' : seo < 55 ? 'moderate' : seo < 75 ? 'hard' : 'very hard';
}
