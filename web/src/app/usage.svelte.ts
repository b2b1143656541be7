// What the account has left, shown on every screen: asked for once, and again after something was spent.
import type { components } from '../api/generated/account';

type Usage = components['schemas']['Usage'];

export interface Allowance {
  used: number;
  limit: number;
  resets_at: string;
  runs_out_at: string | null;
}

class Kept {
  value = $state.raw<Usage | undefined>();
  private ask: (() => Promise<Usage>) | undefined;

  load(ask: () => Promise<Usage>): void {
    if (this.ask) return;
    this.ask = ask;
    this.reload();
  }

  reload = (): void => {
    // The bar does without it when it cannot be had; the screen tells what is wrong.
    this.ask?.().then((value) => (this.value = value), () => undefined);
  };
}

export const usage = new Kept();
