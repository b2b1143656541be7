// Signing in and out.
import { account, data } from '../api/client';
import { session, type Start } from '../api/start.svelte';
import { address } from '../app/router.svelte';
import { toasts } from '../ui/toast.svelte';

/** Opens the dashboard for whoever has just signed in, where they wanted to go. */
export function enter(start: Start): void {
  session.start = start;
  const back = new URL(address.query.get('back') ?? '/', location.origin);
  address.go(back.origin === location.origin ? back.href : '/', { replace: true });
}

export async function endSession(): Promise<void> {
  try {
    await data(account.DELETE('/session'));
    location.assign('/signin'); // loads anew, so that nothing of the account stays in memory
  } catch (error) {
    toasts.error(error);
  }
}
