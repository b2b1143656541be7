// What figures mean, in the words of the API document; a test holds them to it.
export const definitions = {
  visibility: 'As performance_index with every keyword weighing the same.',
  performance: 'Estimated visits as a percentage of performance_total; 0 when no keyword has a volume.',
  visits: "Visits a month expected at the day's ranks: the sum of search volume x CTR(rank).",
  position: 'Position; null when not in the checked depth.',
  change: 'First rank of the range minus the last: positive is better. A page beyond the first 100 counts as 101; null when the target never ranked.',
  best: 'Best position.',
  volume: 'Searches a month; null when unknown.',
  keywordVisits: 'Visits a month at the last rank.',
  features: 'Types of items on the page of the last check.',
  url: 'What ranked at the last check up to the day asked for.',
} as const;
