// A collection that is started here, or was under way when the screen was opened: how far it is, second by second.
import { data, maps } from '../../api/client';
import { usage } from '../../app/usage.svelte';
import { toasts } from '../../ui/toast.svelte';
import type { Collecting } from './types';

export class Collection {
  progress = $state.raw<Collecting | null>(null);
  starting = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(
    private readonly id: string,
    private readonly done: () => void,
  ) {}

  async start(): Promise<void> {
    this.starting = true;
    try {
      await data(maps.PUT('/campaigns/{campaign_id}/collect', { params: { path: { campaign_id: this.id }, header: { 'Idempotency-Key': crypto.randomUUID() } } }));
      usage.reload();
      await this.look();
    } catch (error) {
      toasts.error(error);
    } finally {
      this.starting = false;
    }
  }

  /** Follows a collection that the view has told of. */
  follow(progress: Collecting | null): void {
    if (!progress || this.timer || this.over) return;
    this.progress = progress;
    this.timer = setTimeout(this.look, 1000);
  }

  stop(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private look = async (): Promise<void> => {
    this.timer = undefined;
    try {
      const { collecting, status } = await data(maps.GET('/campaigns/{campaignId}/progress', { params: { path: { campaignId: this.id } } }));
      if (this.over) return;
      this.progress = collecting;
      if (!collecting) {
        if (status === 'FAILED') toasts.show('The collection failed; its credits were given back.', { kind: 'error' });
        else toasts.show('The new report is here.');
        usage.reload();
        this.done();
        return;
      }
    } catch {
      // it is asked again; the screen tells when the server is gone
    }
    if (!this.over) this.timer = setTimeout(this.look, 1000);
  };
}
