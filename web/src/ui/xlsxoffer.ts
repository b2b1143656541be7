// After a table was saved as CSV: the same as a workbook, one press away.
import type { CsvColumn } from './csv';
import { toasts } from './toast.svelte';
import { saveXlsx } from './xlsx';

export function offerXlsx<R>(name: string, rows: readonly R[], columns: readonly CsvColumn<R>[]): void {
  toasts.show('Saved as CSV.', { action: { name: 'Save as XLSX, too', run: () => saveXlsx(name, rows, columns) } });
}
