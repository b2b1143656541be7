// Keys that do something, as long as nothing is being typed. `?` lists those of the screen.
import { untrack } from 'svelte';

export interface Shortcut {
  keys: string[]; // as KeyboardEvent.key says them
  does: string;
  run: () => void;
}

class Shortcuts {
  list = $state.raw<Shortcut[]>([]);

  constructor() {
    addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event)) return;
      const found = this.list.findLast((s) => s.keys.includes(event.key));
      if (!found) return;
      event.preventDefault();
      found.run();
    });
  }
}

function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)) return true;
  if (target.tagName === 'INPUT') return !['checkbox', 'radio', 'button', 'range'].includes((target as HTMLInputElement).type);
  // A button is pressed by space or Enter, a link by Enter, and a dialog or an open list keeps its keys to itself.
  const presses = event.key === 'Enter' ? 'a, button, summary' : event.key === ' ' ? 'button, summary' : '';
  return (presses !== '' && target.closest(presses) !== null) || document.querySelector('dialog[open], [popover=auto]:popover-open') !== null;
}

export const shortcuts = new Shortcuts();

/** Adds shortcuts for as long as the component that calls it is shown. */
export function useShortcuts(...added: Shortcut[]): void {
  $effect(() => {
    shortcuts.list = [...untrack(() => shortcuts.list), ...added];
    return () => {
      shortcuts.list = shortcuts.list.filter((s) => !added.includes(s));
    };
  });
}
