// Where research looks: the place that the address names or, without one, that of the newest tracking.
import { body, keyword } from '../api/client';
import { Resource } from '../api/resource.svelte';
import { address } from '../app/router.svelte';
import { placeOfNewest } from './keywords';
import { learnPlace } from './PlacePicker.svelte';

export class ResearchPlace {
  private readonly named = $derived(address.query.get('place') ?? undefined);
  private readonly unnamed = $derived(this.named === undefined);
  private readonly trackings = new Resource(async (signal) => {
    if (!this.unnamed) return [];
    const newestFirst = await body(keyword.GET('/rankwatch/trackings', { signal }));
    learnPlace(newestFirst[0]?.location);
    return newestFirst;
  });

  /** Undefined until it is known. */
  readonly id = $derived(this.named ?? (this.trackings.loading ? undefined : placeOfNewest(this.trackings.value)));
}
