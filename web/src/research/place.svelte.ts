// Where research looks: the place that the address names or, without one, that of the newest tracking.
import { body, keyword } from '../api/client';
import { Resource } from '../api/resource.svelte';
import { address } from '../app/router.svelte';
import { placeOfNewest } from './keywords';
import { learnPlace } from './PlacePicker.svelte';

export class ResearchPlace {
  readonly trackings = new Resource(async (signal) => {
    const newestFirst = await body(keyword.GET('/rankwatch/trackings', { signal }));
    for (const tracking of newestFirst) learnPlace(tracking.location);
    return newestFirst;
  });

  /** Undefined until it is known. */
  readonly id = $derived(address.query.get('place') ?? (this.trackings.loading ? undefined : placeOfNewest(this.trackings.value)));
  /** Sites of one's own, which are tracked. */
  readonly sites = $derived([...new Set(this.trackings.value?.map((t) => t.domain))]);
  /** Places that are tracked. */
  readonly tracked = $derived([...new Map(this.trackings.value?.map(({ location }) => [location._id, location])).values()]);
}
