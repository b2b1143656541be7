// What the account has left, shown on every screen: asked for once, and again after something was spent.
import { account, type ApiError, data, failure } from '../api/client';
import type { components } from '../api/generated/account';

export type Allowance = components['schemas']['MonthlyUse'];

const fresh = 5000; // milliseconds in which an answer is not asked for again

class Usage {
  value = $state.raw<components['schemas']['Usage'] | undefined>();
  error = $state.raw<ApiError | undefined>();
  private askedAt = 0;

  /** Asks unless it has just been asked. */
  refresh(): void {
    if (Date.now() - this.askedAt > fresh) this.reload();
  }

  reload = (): void => {
    this.askedAt = Date.now();
    data(account.GET('/usage')).then(
      (value) => {
        this.value = value;
        this.error = undefined;
      },
      (error: unknown) => (this.error = failure(error)), // the bar does without; the screen of it tells
    );
  };
}

export const usage = new Usage();
