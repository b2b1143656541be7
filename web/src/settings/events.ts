// The kinds of events that a webhook can be told of, by the part of the product that they happen in.
import { events } from '../api/generated/account-words';

const parts: Record<string, string> = { campaign: 'Map ranks', report: 'Map ranks', tracking: 'Keywords', listing: 'Locations', location: 'Locations' };

const partOf = (kind: string): string => parts[kind.split('.')[0] ?? ''] ?? 'Account';

/** A test is told to every webhook, so that nobody chooses it. */
const chosen = events.filter(({ kind }) => kind !== 'webhook.tested');

export const eventGroups = ['Map ranks', 'Keywords', 'Locations', 'Account'].map((name) => ({ name, events: chosen.filter(({ kind }) => partOf(kind) === name) }));

/** When an event of the kind happens, as a sentence. */
export const whenOf = (kind: string): string => events.find((event) => event.kind === kind)?.when ?? '';
