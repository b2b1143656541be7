// What an alert rule may wait for, in the words of its editor: "When … in …".
export interface Condition {
  id: string;
  words: string; // … stands for the threshold
  threshold?: number; // what is proposed
  step?: number;
  tops?: true; // the threshold is the top 3, 10 or 20
  rival?: true; // it names a domain
}

export type Subject = 'tracking' | 'campaign' | 'location' | 'account';

export const groups: readonly { on: Subject; name: string; all: string; conditions: readonly Condition[] }[] = [
  {
    on: 'tracking',
    name: 'Keywords',
    all: 'any tracking',
    conditions: [
      { id: 'position_lost', words: 'a keyword falls by … places or more', threshold: 5 },
      { id: 'position_gained', words: 'a keyword climbs by … places or more', threshold: 5 },
      { id: 'left_top', words: 'a keyword leaves the top …', threshold: 10, tops: true },
      { id: 'entered_top', words: 'a keyword enters the top …', threshold: 10, tops: true },
      { id: 'not_found', words: 'a keyword is no longer found' },
      { id: 'snippet_won', words: 'a featured snippet is won' },
      { id: 'snippet_lost', words: 'a featured snippet is lost' },
      { id: 'rival_passed', words: 'a rival passes for a keyword', rival: true },
    ],
  },
  {
    on: 'campaign',
    name: 'Map ranks',
    all: 'any campaign',
    conditions: [
      { id: 'average_position_lost', words: 'the average position falls by … or more', threshold: 1, step: 0.1 },
      { id: 'average_position_gained', words: 'the average position improves by … or more', threshold: 1, step: 0.1 },
      { id: 'share_of_voice_lost', words: 'the share of voice falls by … points or more', threshold: 5, step: 0.1 },
      { id: 'share_of_voice_gained', words: 'the share of voice rises by … points or more', threshold: 5, step: 0.1 },
      { id: 'top3_share_lost', words: 'the share of points in the top 3 falls by … points or more', threshold: 10, step: 0.1 },
      { id: 'top3_share_gained', words: 'the share of points in the top 3 rises by … points or more', threshold: 10, step: 0.1 },
      { id: 'business_passed', words: 'another business passes' },
    ],
  },
  {
    on: 'location',
    name: 'Locations',
    all: 'any location',
    conditions: [
      { id: 'listing_changed', words: 'a listing changes' },
      { id: 'location_rejected', words: 'a directory rejects the location' },
      { id: 'location_closed', words: 'the map shows the location as closed' },
    ],
  },
  {
    on: 'account',
    name: 'Account',
    all: '',
    conditions: [
      { id: 'credits_low', words: "less than a tenth of the month's credits is left" },
      { id: 'lookups_low', words: "less than a tenth of the month's look-ups is left" },
      { id: 'budget_low', words: "less than a tenth of the month's budget is left" },
      { id: 'provider_failing', words: 'a data provider fails' },
    ],
  },
];

export function find(id: string) {
  for (const group of groups) {
    const condition = group.conditions.find((c) => c.id === id);
    if (condition) return { group, condition };
  }
  return { group: groups[0]!, condition: groups[0]!.conditions[0]! };
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
