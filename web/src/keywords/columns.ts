// The columns of the table of keywords.
import type { CsvColumn } from '../ui/csv';
import type { Column } from '../ui/Table.svelte';
import { definitions } from './definitions';
import type { Row } from './rows';

const beyond = 1000; // what was looked for and not found stands below every position

export const columns: readonly Column<Row>[] = [
  { id: 'keyword', name: 'Keyword', width: 140, grow: true, sort: (row) => row.keyword },
  { id: 'position', name: 'Position', width: 80, end: true, definition: definitions.position, sort: (row) => row.position ?? (row.checkedAt === null ? null : beyond) },
  { id: 'change', name: 'Change', width: 76, end: true, largestFirst: true, definition: definitions.change, sort: (row) => row.change },
  { id: 'best', name: 'Best', width: 70, end: true, hideOnPhone: true, definition: definitions.best, sort: (row) => row.best },
  { id: 'trend', name: '30 days', width: 124, hideOnPhone: true },
  { id: 'url', name: 'URL', width: 190, hideOnPhone: true, definition: definitions.url, sort: (row) => row.url },
  { id: 'volume', name: 'Volume', width: 88, end: true, largestFirst: true, hideOnPhone: true, definition: definitions.volume, sort: (row) => row.volume },
  { id: 'visits', name: 'Visits', width: 80, end: true, largestFirst: true, hideOnPhone: true, definition: definitions.keywordVisits, sort: (row) => row.visits },
  { id: 'features', name: 'Features', width: 160, hideOnPhone: true, definition: definitions.features, sort: (row) => row.features.join() || null },
  { id: 'tags', name: 'Tags', width: 170, hideOnPhone: true, sort: (row) => row.tags.map((tag) => tag.name).join() || null },
  { id: 'checked', name: 'Checked', width: 120, hideOnPhone: true, largestFirst: true, sort: (row) => row.checkedAt },
];

export const usualColumns = ['position', 'change', 'best', 'trend', 'url', 'volume', 'visits', 'tags'];

const day = (seconds: number) => new Date(seconds * 1000).toISOString();

export const csvColumns: readonly CsvColumn<Row>[] = [
  { name: 'Keyword', value: (row) => row.keyword },
  { name: 'Position', value: (row) => row.position },
  { name: 'Change', value: (row) => row.change },
  { name: 'Best position', value: (row) => row.best },
  { name: 'URL', value: (row) => row.url },
  { name: 'Searches a month', value: (row) => row.volume },
  { name: 'Estimated visits', value: (row) => row.visits },
  { name: 'Features', value: (row) => row.features.join(', ') },
  { name: 'Tags', value: (row) => row.tags.map((tag) => tag.name).join(', ') },
  { name: 'Checked', value: (row) => row.checkedAt && day(row.checkedAt) },
];

/** What of a URL tells pages of a site apart. */
export function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url);
    return decodeURI(pathname + search);
  } catch {
    return url;
  }
}
