// The rows of the table of keywords: what is tracked, and what was found.
import type { components } from '../api/generated/keyword';

type Schemas = components['schemas'];
export type Tag = Schemas['Tag'];

const sparkDays = 30;

export interface Row {
  id: string;
  keyword: string;
  url: string | null;
  tags: readonly Tag[];
  position: number | null; // null: not found, or not looked for while checkedAt is null
  change: number | null;
  best: number | null;
  history: readonly (number | null)[]; // oldest first
  volume: number | null;
  visits: number | null;
  visitsChange: number | null;
  features: readonly string[];
  checkedAt: number | null; // Unix seconds
}

/** Joins the keywords of a tracking with their figures; one without figures has not been checked yet. */
export function rowsOf(keywords: readonly Schemas['DetailKeyword'][], stats: readonly Schemas['KeywordStats'][]): Row[] {
  const figures = new Map(stats.map((one) => [one._id, one]));
  return keywords.map((k) => {
    const found = figures.get(k._id);
    return {
      id: k._id,
      keyword: k.kw,
      url: k.url,
      tags: k.tags,
      position: found?.rank.last ?? null,
      change: found?.rank_change ?? null,
      best: found?.rank.best ?? null,
      history: found?.rank_history.slice(0, sparkDays).reverse() ?? [],
      volume: found?.search_volume ?? null,
      visits: found?.estimated_visits ?? null,
      visitsChange: found?.estimated_visits_change ?? null,
      features: found ? featuresOf(found) : [],
      checkedAt: found?.last_checked_at ?? k.last_checked_at,
    };
  });
}

const featureNames: Record<string, string> = {
  ADV_TOP: 'Ads above',
  ADV_BOTTOM: 'Ads below',
  FEATURED_SNIPPET: 'Featured snippet',
  LOCAL_PACK: 'Map pack',
  KNO_GRAPH: 'Knowledge panel',
  SIMILAR_QUESTIONS: 'Questions',
  SIMILAR_QUERIES: 'Related searches',
  IMG_PACK: 'Images',
  VIDEO_PACK: 'Videos',
  TOP_STORIES: 'Top stories',
  SHOP_RESULTS: 'Shopping',
  AI_OVERVIEW: 'AI overview',
};

export const featureName = (type: string): string => featureNames[type] ?? 'Other';

// What is the site's own comes first and says so.
function featuresOf(found: Schemas['KeywordStats']): string[] {
  const own = [found.map_pack.rank !== null ? `Map pack ${found.map_pack.rank}` : '', found.feat_snippet.isRanking ? 'Own snippet' : ''];
  return [...own.filter(Boolean), ...found.serp_features.filter((type) => type !== 'ORGANIC').map(featureName)];
}

/** Tags that keywords have, each once, by name. */
export function tagsOf(rows: readonly Row[]): Tag[] {
  const all = new Map(rows.flatMap((row) => row.tags.map((tag) => [tag._id, tag])));
  return [...all.values()].sort((a, b) => a.name.localeCompare(b.name));
}

export interface Moves {
  up: number;
  down: number;
  same: number;
}

export function movesOf(rows: readonly Row[]): Moves {
  const moves = { up: 0, down: 0, same: 0 };
  for (const { change } of rows) moves[moveOf(change)]++;
  return moves;
}

export const moveOf = (change: number | null): keyof Moves => (!change ? 'same' : change > 0 ? 'up' : 'down');
