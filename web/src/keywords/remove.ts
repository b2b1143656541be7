// Stops tracking keywords. They go at once and can be had back: their history is kept.
import { body, keyword } from '../api/client';
import { plural } from '../ui/format';
import { toasts } from '../ui/toast.svelte';
import type { Row } from './rows';
import type { TrackingData } from './tracking.svelte';

export async function removeKeywords(trackingId: string, rows: readonly Row[], data: TrackingData): Promise<void> {
  const params = { path: { tracking_id: trackingId } };
  const show = (shown: boolean) => {
    const removed = new Set(data.removed);
    for (const row of rows) removed[shown ? 'delete' : 'add'](row.id);
    data.removed = removed;
  };
  const undo = async () => {
    try {
      await body(keyword.POST('/rankwatch/trackings/{tracking_id}/tracked-keywords', { params, body: { keywords: rows.map((row) => row.keyword) } }));
      show(true);
      data.reload();
    } catch (error) {
      toasts.error(error);
    }
  };
  show(false);
  try {
    await body(keyword.DELETE('/rankwatch/trackings/{tracking_id}/tracked-keywords', { params, body: { tracked_keyword_ids: rows.map((row) => row.id) } }));
    toasts.show(`${plural(rows.length, 'keyword')} no longer tracked. The history is kept.`, { action: { name: 'Undo', run: () => void undo() } });
    data.reload();
  } catch (error) {
    show(true);
    toasts.error(error);
  }
}
