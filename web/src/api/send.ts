// Requests that outlive a session that has ended and a server that is gone for a while.
import { session } from './start.svelte';
import { server } from './server.svelte';

let renewed: Promise<boolean> | undefined;
let finish: ((signedIn: boolean) => void) | undefined;

/** Waits until the person has signed in again over the screen, or has given up. */
function renewal(): Promise<boolean> {
  session.expired = true;
  renewed ??= new Promise((resolve) => (finish = resolve));
  return renewed;
}

/** Ends the waiting; the sign-in dialog calls it. */
export function endRenewal(signedIn: boolean): void {
  session.expired = false;
  finish?.(signedIn);
  renewed = finish = undefined;
}

export async function send(request: Request): Promise<Response> {
  const again = request.clone();
  let response = await reach(request);
  if (response.status === 401 && session.account && !request.url.endsWith('/session') && !request.url.includes('share_token=')) {
    if (await renewal()) response = await reach(again);
  }
  return response;
}

/** A read waits for the server to come back; a change fails, since nobody knows whether it was done. */
async function reach(request: Request): Promise<Response> {
  if (request.method === 'DELETE') return fetch(request, { keepalive: true }); // those that could be undone are sent when the page is left
  if (request.method !== 'GET') return fetch(request);
  for (;;) {
    try {
      const response = await fetch(request.clone());
      server.here();
      return response;
    } catch (error) {
      if (request.signal.aborted) throw error;
      await server.back(request.signal);
    }
  }
}
