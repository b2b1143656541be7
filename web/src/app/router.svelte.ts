// The address is the state: a path names the screen, the query what is shown on it.
class Address {
  private url = $state.raw(new URL(location.href));
  private stays: ((href: string) => boolean) | undefined;

  get path(): string {
    return this.url.pathname;
  }

  get query(): URLSearchParams {
    return this.url.searchParams;
  }

  get href(): string {
    return this.url.pathname + this.url.search;
  }

  constructor() {
    addEventListener('popstate', () => this.moved());
    addEventListener('click', (event) => this.follow(event));
    // A link that is pointed at, or reached with the keyboard, has its screen loaded before it is pressed.
    for (const nearing of ['pointerover', 'focusin']) addEventListener(nearing, (event) => void linkedScreen(event)?.load().catch(() => undefined));
  }

  /** Opens another screen; `anyway` without asking one that has something to keep. */
  go(href: string, options: { replace?: boolean; keepScroll?: boolean; anyway?: boolean } = {}): void {
    const next = new URL(href, location.origin);
    const moved = next.pathname !== this.url.pathname;
    if (moved && !options.anyway && this.stays?.(next.pathname + next.search)) return;
    history[options.replace ? 'replaceState' : 'pushState'](null, '', next);
    this.url = next;
    if (moved && !options.keepScroll) scrollTo(0, 0);
  }

  /** Changes the query of this screen; undefined and '' take a name away. */
  set(change: Record<string, string | number | undefined>, options: { push?: boolean } = {}): void {
    this.go(this.with(change), { replace: !options.push, keepScroll: true });
  }

  /** This address with another query. */
  with(change: Record<string, string | number | undefined>): string {
    const next = new URLSearchParams(this.url.searchParams);
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    const query = next.toString();
    return this.url.pathname + (query ? `?${query}` : '');
  }

  /** Asks a screen with unsaved work before it is left: true stays on it, and the screen goes on by itself. */
  beforeLeaving(stays: (href: string) => boolean): () => void {
    this.stays = stays;
    return () => (this.stays = undefined);
  }

  private moved(): void {
    const next = new URL(location.href);
    if (next.pathname !== this.url.pathname && this.stays?.(next.pathname + next.search)) history.pushState(null, '', this.url);
    else this.url = next;
  }

  // Links of the dashboard open without loading it again; others, and those opened apart, as ever.
  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = linkOf(event);
    if (!link || !linkedScreen(event)) return;
    event.preventDefault();
    this.go(link.href);
  }
}

const linkOf = (event: Event): HTMLAnchorElement | null | undefined => (event.target as Element | null)?.closest?.('a');

/** The screen that the link of an event opens; none where the browser opens it. */
function linkedScreen(event: Event): Screen | undefined {
  const link = linkOf(event);
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin || link.getAttribute('href')?.startsWith('#')) return undefined;
  return screenAt(link.pathname)?.screen;
}

export interface Screen {
  pattern: string; // with :names
  title: string;
  load: () => Promise<{ default: import('svelte').Component<any> }>;
  section?: string; // of the navigation
  open?: boolean; // to those who have not signed in
  bare?: boolean; // without the navigation
}

let screens: Screen[] = [];

export function register(list: Screen[]): void {
  screens = list;
}

export interface Match {
  screen: Screen;
  params: Record<string, string>;
}

export function screenAt(path: string): Match | undefined {
  for (const screen of screens) {
    const params = match(screen.pattern, path);
    if (params) return { screen, params };
  }
  return undefined;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const want = pattern.split('/');
  const have = path.replace(/\/$/, '').split('/');
  if (want.length !== have.length && pattern !== '/') return undefined;
  if (pattern === '/') return path === '/' ? {} : undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of want.entries()) {
    const given = have[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given);
    else if (part !== given) return undefined;
  }
  return params;
}

export const address = new Address();
