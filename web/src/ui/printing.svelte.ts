// Whether the page is being printed, for what must look otherwise on paper, where nothing scrolls.
import { flushSync } from 'svelte';

class Printing {
  now = $state(false);

  constructor() {
    const root = document.documentElement.dataset;
    let theme: string | undefined;
    const print = (now: boolean) => {
      if (now) theme = root['theme'];
      root['theme'] = now ? 'light' : theme; // paper is white
      flushSync(() => (this.now = now)); // the browser takes its picture right after
    };
    addEventListener('beforeprint', () => print(true));
    addEventListener('afterprint', () => print(false));
  }
}

export const printing = new Printing();
