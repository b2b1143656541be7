// Which keywords are shown. A filter lives in the address.
import { bandOf, bands } from './bands';
import { moveOf, type Moves, type Row } from './rows';

export interface Filter {
  text: string; // in the keyword
  url: string; // in the URL that ranks
  bands: string[];
  tags: string[]; // any of these
  feature: string;
  moved: keyof Moves | '';
}

const list = (text: string | null): string[] => text?.split(',').filter(Boolean) ?? [];

export function filterOf(query: URLSearchParams): Filter {
  const moved = query.get('moved') ?? '';
  return {
    text: query.get('q') ?? '',
    url: query.get('url') ?? '',
    bands: list(query.get('band')).filter((id) => bands.some((band) => band.id === id)),
    tags: list(query.get('tags')),
    feature: query.get('feature') ?? '',
    moved: moved === 'up' || moved === 'down' || moved === 'same' ? moved : '',
  };
}

/** The filter as the address has it; names with '' are taken out of it. */
export function queryOf(filter: Filter): Record<string, string> {
  return { q: filter.text, url: filter.url, band: filter.bands.join(','), tags: filter.tags.join(','), feature: filter.feature, moved: filter.moved };
}

export const noFilter: Filter = { text: '', url: '', bands: [], tags: [], feature: '', moved: '' };

export const isFiltered = (filter: Filter): boolean => Object.values(queryOf(filter)).some((value) => value !== '');

/** Rows that match every part of the filter. */
export function filtered(rows: readonly Row[], filter: Filter): readonly Row[] {
  if (!isFiltered(filter)) return rows;
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const url = filter.url.toLowerCase();
  return rows.filter(
    (row) =>
      words.every((word) => row.keyword.toLowerCase().includes(word)) &&
      (!url || (row.url?.toLowerCase().includes(url) ?? false)) &&
      (filter.bands.length === 0 || (row.checkedAt !== null && filter.bands.includes(bandOf(row.position).id))) &&
      (filter.tags.length === 0 || row.tags.some((tag) => filter.tags.includes(tag._id))) &&
      (!filter.feature || row.features.includes(filter.feature)) &&
      (!filter.moved || (row.checkedAt !== null && moveOf(row.change) === filter.moved)),
  );
}

/** A list with a value in it, or out of it when it was there. */
export const toggled = (values: readonly string[], value: string): string[] =>
  values.includes(value) ? values.filter((v) => v !== value) : [...values, value];
