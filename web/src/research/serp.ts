// Parts of a result page in words.
import type { components } from '../api/generated/keyword';

export type Item = components['schemas']['SerpItem'];

export const kindNames: Record<Item['type'], string> = {
  ORGANIC: 'Result',
  ADV_TOP: 'Ad above',
  ADV_BOTTOM: 'Ad below',
  FEATURED_SNIPPET: 'Featured snippet',
  LOCAL_PACK: 'Map pack',
  KNO_GRAPH: 'Knowledge panel',
  SIMILAR_QUESTIONS: 'People also ask',
  SIMILAR_QUERIES: 'Related searches',
  IMG_PACK: 'Pictures',
  VIDEO_PACK: 'Videos',
  TOP_STORIES: 'Top stories',
  SHOP_RESULTS: 'Shopping',
  AI_OVERVIEW: 'AI overview',
  OTHER: 'Other',
};

/** Whether a part of the page belongs to one of these sites: domains, hosts or beginnings of URLs. */
export function isOf(item: Pick<Item, 'url' | 'domain'>, sites: readonly string[]): boolean {
  const url = bare(item.url);
  const host = url.split('/')[0] || bare(item.domain);
  return sites.map(bare).some((site) => (site.includes('/') ? url === site || url.startsWith(site.endsWith('/') ? site : `${site}/`) : host === site || host.endsWith(`.${site}`)));
}

const bare = (url: string): string => url.trim().toLowerCase().replace(/^https?:\/\//, '').replace(/^www\./, '').replace(/(?<=^[^/]*)\/$/, '');

/** The best known authority of the page's domain, 0 to 100. */
export function authority(item: Pick<Item, 'm'>): number | undefined {
  const known = Object.values(item.m).map((m) => m.v['authority']).filter((v) => v !== undefined);
  return known.length ? Math.max(...known) : undefined;
}
