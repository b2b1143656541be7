// What a recipient of the account's mail has said, in words.
import type { components } from '../api/generated/account';

export type Recipient = components['schemas']['Recipient'];

export function saidBy(one: Recipient | undefined): string {
  if (!one) return 'is no recipient any more';
  return { waiting: 'waits for confirmation', confirmed: '', ended: 'wants no more mail' }[one.status];
}
