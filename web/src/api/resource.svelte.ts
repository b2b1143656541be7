// Data of a screen that follows what it depends on.
import { untrack } from 'svelte';
import { type ApiError, failure } from './client';

/**
 * Loads whenever what `load` reads synchronously changes, and drops answers that come too late. While the
 * next answer is awaited the last one stays, so that nothing jumps.
 */
export class Resource<T> {
  value = $state.raw<T | undefined>();
  error = $state.raw<ApiError | undefined>();
  loading = $state(true);
  /** True when loading has taken long enough to be shown. */
  slow = $state(false);
  private turn = $state(0);

  /** Early: asked for before the screen is built, which takes about as long as an answer; what `load` reads must be there by then. */
  constructor(load: (signal: AbortSignal) => Promise<T> | undefined, options: { early?: boolean } = {}) {
    const ask = () => {
      void this.turn;
      const abort = new AbortController();
      const timer = setTimeout(() => (this.slow = true), 300);
      const answer = load(abort.signal);
      untrack(() => this.follow(answer, abort.signal, timer));
      return () => {
        clearTimeout(timer);
        abort.abort();
      };
    };
    if (options.early) $effect.pre(ask);
    else $effect(ask);
  }

  /** Loads again. */
  reload = (): void => {
    this.turn++;
  };

  private follow(answer: Promise<T> | undefined, signal: AbortSignal, timer: ReturnType<typeof setTimeout>): void {
    const done = () => {
      clearTimeout(timer);
      this.loading = this.slow = false;
    };
    if (!answer) {
      done();
      return;
    }
    this.loading = true;
    answer.then(
      (value) => {
        if (signal.aborted) return;
        this.value = value;
        this.error = undefined;
        done();
      },
      (error: unknown) => {
        if (signal.aborted) return;
        this.error = failure(error);
        done();
      },
    );
  }
}
