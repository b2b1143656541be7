// The order of a table in the address: `sort=volume`, or `sort=-volume` for the largest first.
import type { Sort } from '../ui/Table.svelte';

export function readSort(query: URLSearchParams): Sort | undefined {
  const text = query.get('sort');
  return text ? { column: text.replace(/^-/, ''), descending: text.startsWith('-') } : undefined;
}

export const writeSort = (sort: Sort): { sort: string } => ({ sort: `${sort.descending ? '-' : ''}${sort.column}` });
