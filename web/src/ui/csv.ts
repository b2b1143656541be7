// Tables as files.
export interface CsvColumn<R> {
  name: string;
  value: (row: R) => string | number | boolean | null | undefined;
}

/** RFC 4180, with a mark that makes spreadsheets read UTF-8, and nothing that they would run as a formula. */
export function csv<R>(rows: readonly R[], columns: readonly CsvColumn<R>[]): string {
  const lines = [columns.map((c) => cell(c.name)), ...rows.map((row) => columns.map((c) => cell(c.value(row))))];
  return '\ufeff' + lines.map((line) => line.join(',')).join('\r\n') + '\r\n';
}

/** A share or mean with as many decimals as mean anything. */
export function rounded<N extends number | null | undefined>(value: N): N {
  return (typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value) as N;
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Saves a table, and offers it as a workbook; what writes that is loaded when it is first needed. */
export function saveCsv<R>(name: string, rows: readonly R[], columns: readonly CsvColumn<R>[]): void {
  save(`${name}.csv`, new Blob([csv(rows, columns)], { type: 'text/csv;charset=utf-8' }));
  void import('./xlsxoffer').then(({ offerXlsx }) => offerXlsx(name, rows, columns));
}

/** Hands a file to the browser. */
export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
