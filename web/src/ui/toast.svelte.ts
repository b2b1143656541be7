// Short messages at the foot of the page; what can be undone offers it there.
export interface Toast {
  id: number;
  text: string;
  kind: 'info' | 'error';
  action?: { name: string; run: () => void };
  gone?: () => void; // it is no longer shown, for whatever reason
}

class Toasts {
  list = $state.raw<Toast[]>([]);
  private next = 1;

  show(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> & { seconds?: number } = {}): number {
    const { kind = 'info', seconds = options.action ? 8 : 5, ...rest } = options;
    const id = this.next++;
    for (const old of this.list.slice(0, -2)) this.drop(old.id);
    this.list = [...this.list, { id, text, kind, ...rest }];
    setTimeout(() => this.drop(id), seconds * 1000);
    return id;
  }

  error(error: unknown): void {
    this.show(error instanceof Error ? error.message : String(error), { kind: 'error', seconds: 8 });
  }

  /** Says that something is done, which is done only when the message has gone without Undo being pressed. */
  undoable(text: string, { undo, commit }: { undo: () => void; commit: () => void }): void {
    let open = true;
    const settle = (act: () => void) => {
      if (!open) return;
      open = false;
      removeEventListener('pagehide', done);
      act();
    };
    const done = () => settle(commit);
    this.show(text, { action: { name: 'Undo', run: () => settle(undo) }, gone: done });
    addEventListener('pagehide', done);
  }

  drop(id: number): void {
    const toast = this.list.find((t) => t.id === id);
    this.list = this.list.filter((t) => t !== toast);
    toast?.gone?.();
  }
}

export const toasts = new Toasts();
