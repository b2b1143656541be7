// What the screens of one tracking show, asked for together.
import { body, keyword } from '../api/client';
import { Resource } from '../api/resource.svelte';
import type { components } from '../api/generated/keyword';
import type { Period } from './days';
import { rowsOf, tagsOf } from './rows';
import { daysOf } from './site';

type Schemas = components['schemas'];

const checkedSoon = 30 * 60; // seconds in which new keywords are looked for, if all is well
const everyFew = 4000; // milliseconds

interface Asked {
  period: Period;
  tags: string[]; // whose figures the charts show; none are all
  shareToken?: string;
}

export class TrackingData {
  readonly detail: Resource<Schemas['TrackingDetail']>;
  readonly stats: Resource<Schemas['Stats']>;
  private readonly tagged: Resource<Schemas['Stats']>;
  /** Keywords that are taken out while the program is still being told. */
  removed = $state.raw<ReadonlySet<string>>(new Set());

  constructor(id: string, asked: () => Asked) {
    const path = { tracking_id: id };
    // Each by itself: when anything else of the address changes, nothing is asked for again.
    const { from, to } = $derived(asked().period);
    const tags = $derived(asked().tags.join());
    const query = { share_token: asked().shareToken };
    const stats = (signal: AbortSignal, only: { tag_ids?: string[] } = {}) =>
      body(keyword.POST('/rankwatch/trackings/{tracking_id}/stats', { params: { path, query }, body: { from, to, ...only }, signal }));
    this.detail = new Resource((signal) => body(keyword.GET('/rankwatch/trackings/{tracking_id}/detail', { params: { path, query }, signal })), { early: true });
    this.stats = new Resource((signal) => stats(signal), { early: true });
    this.tagged = new Resource((signal) => (tags ? stats(signal, { tag_ids: tags.split(',') }) : undefined));
    this.charted = $derived(tags ? this.tagged.value : this.stats.value);
    $effect(() => {
      if (this.waiting === 0) return;
      const timer = setInterval(() => document.hidden || this.reload(), everyFew);
      return () => clearInterval(timer);
    });
  }

  /** Figures of the charts: of the keywords with the tags that are filtered by. */
  readonly charted: Schemas['Stats'] | undefined;
  readonly days = $derived.by(() => daysOf(this.charted?.stats.timeframes ?? {}));

  readonly rows = $derived.by(() => {
    if (!this.detail.value || !this.stats.value) return undefined;
    const kept = this.detail.value.keywords.filter((k) => !this.removed.has(k._id));
    return rowsOf(kept, this.stats.value.keywords);
  });
  readonly tags = $derived(tagsOf(this.rows ?? []));

  /** New keywords whose first check is still to come. */
  readonly waiting = $derived.by(() => {
    const since = Date.now() / 1000 - checkedSoon;
    return this.detail.value?.keywords.filter((k) => k.last_checked_at === null && k.created_at > since).length ?? 0;
  });

  get error() {
    return this.detail.error ?? this.stats.error;
  }

  reload = (): void => {
    this.detail.reload();
    this.stats.reload();
    this.tagged.reload();
  };
}
