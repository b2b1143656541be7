// Telling the program to track keywords, and what it says against some of them.
import { body, keyword, type ApiError } from '../api/client';
import { toasts } from '../ui/toast.svelte';

/** What is wrong with keywords, each named by its words in place of its number. */
export function keywordProblems(error: ApiError | undefined, keywords: readonly string[]): string {
  return (error?.problems ?? [])
    .filter((problem) => problem.field?.startsWith('keywords'))
    .map((problem) => problem.message.replace(/^keywords\[(\d+)\]/, (_, i) => `“${keywords[Number(i)] ?? ''}”`))
    .join(' ');
}

/** Keeps the figures of a planner's export. Tracking goes on without them. */
export async function keepFigures(file: File, location: number): Promise<void> {
  try {
    const text = await file.text();
    await body(
      keyword.POST('/keywordtool/keyword-imports', {
        params: { query: { location_id: location } },
        headers: { 'Content-Type': file.name.endsWith('.tsv') || text.includes('\t') ? 'text/tab-separated-values' : 'text/csv' },
        body: file as never,
        bodySerializer: (bytes: unknown) => bytes as BodyInit,
      }),
    );
  } catch (error) {
    toasts.error(error);
  }
}
