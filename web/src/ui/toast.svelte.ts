// Short messages at the foot of the page; what can be undone offers it there.
export interface Toast {
  id: number;
  text: string;
  kind: 'info' | 'error';
  action?: { name: string; run: () => void };
}

class Toasts {
  list = $state.raw<Toast[]>([]);
  private next = 1;

  show(text: string, options: { kind?: Toast['kind']; action?: Toast['action']; seconds?: number } = {}): number {
    const id = this.next++;
    this.list = [...this.list.slice(-2), { id, text, kind: options.kind ?? 'info', ...(options.action ? { action: options.action } : {}) }];
    setTimeout(() => this.drop(id), (options.seconds ?? (options.action ? 8 : 5)) * 1000);
    return id;
  }

  error(error: unknown): void {
    this.show(error instanceof Error ? error.message : String(error), { kind: 'error', seconds: 8 });
  }

  drop(id: number): void {
    this.list = this.list.filter((t) => t.id !== id);
  }
}

export const toasts = new Toasts();
