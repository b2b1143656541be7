// The category catalogue of a country, asked for once.
import { body, local } from '../api/client';
import type { components } from '../api/generated/local';

export type Category = components['schemas']['Category'];

const page = 1000;
const asked = new Map<string, Promise<Category[]>>();

export function categoriesOf(country: string): Promise<Category[]> {
  let answer = asked.get(country);
  if (!answer) {
    answer = load(country);
    answer.catch(() => asked.delete(country)); // asked again next time
    asked.set(country, answer);
  }
  return answer;
}

async function load(country: string): Promise<Category[]> {
  const ask = (offset: number) => body(local.GET('/categories', { params: { query: { country, limit: page, offset } } }));
  const first = await ask(0);
  const rest: Promise<{ data: Category[] }>[] = [];
  for (let offset = page; offset < (first.meta.total ?? 0); offset += page) rest.push(ask(offset));
  return [first, ...(await Promise.all(rest))].flatMap((answer) => answer.data);
}

/** A name to show before the catalogue is there: amenity.fast_food becomes Fast food. */
export function nameFromId(id: string): string {
  const words = (id.split('.').at(-1) ?? id).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
