// Tables as workbooks: one sheet, packed without compression, with numbers as numbers and days as days.
import type { CsvColumn } from './csv';
import { save } from './csv';

type Value = string | number | boolean | null | undefined;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaged = 'http://schemas.openxmlformats.org/package/2006';

/** A workbook of one sheet, its first row bold and fixed. */
export function xlsx<R>(rows: readonly R[], columns: readonly CsvColumn<R>[]): Uint8Array<ArrayBuffer> {
  const lines = [columns.map((c, i) => text(place(i, 1), c.name, 1)), ...rows.map((row, n) => columns.map((c, i) => cell(place(i, n + 2), c.value(row))))];
  const sheet =
    `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>` +
    lines.map((line, n) => `<row r="${n + 1}">${line.join('')}</row>`).join('') +
    '</sheetData></worksheet>';
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  return zip([
    [
      '[Content_Types].xml',
      `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    ],
    ['_rels/.rels', `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`],
    ['xl/workbook.xml', `${declaration}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Table" sheetId="1" r:id="r1"/></sheets></workbook>`],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="${packaged}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    ],
    ['xl/worksheets/sheet1.xml', sheet],
  ]);
}

export function saveXlsx<R>(name: string, rows: readonly R[], columns: readonly CsvColumn<R>[]): void {
  save(`${name}.xlsx`, new Blob([xlsx(rows, columns)], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }));
}

/** Letters of a column and number of a row, such as AB3. */
function place(column: number, row: number): string {
  let letters = '';
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters;
  return letters + row;
}

const firstDay = Date.UTC(1899, 11, 30); // from which spreadsheets count days

function cell(at: string, value: Value): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  if (typeof value === 'number') return Number.isFinite(value) ? `<c r="${at}"><v>${value}</v></c>` : '';
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
  return Number.isNaN(day) ? text(at, value, 0) : `<c r="${at}" s="2"><v>${(day - firstDay) / 86_400_000}</v></c>`;
}

function text(at: string, value: string, style: number): string {
  // eslint-disable-next-line no-control-regex -- what XML cannot hold
  const clean = value.slice(0, 32_767).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
  const escaped = clean.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<c r="${at}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** An archive of files, each as it is. */
function zip(files: readonly (readonly [name: string, content: string])[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = new TextEncoder().encode(path);
    const data = new TextEncoder().encode(content);
    // Version, flags (UTF-8), no compression, time and day (1980), sum, sizes, length of the name, no extra field.
    const about = numbers([20, 2], [0x800, 2], [0, 2], [0, 2], [0x21, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [name.length, 2], [0, 2]);
    parts.push(numbers([0x04034b50, 4]), about, name, data);
    directory.push(numbers([0x02014b50, 4], [20, 2]), about, numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name);
    offset += 4 + about.length + name.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  return joined([...parts, ...directory, numbers([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2])]);
}

/** Numbers of so many bytes each, the low ones first. */
function numbers(...all: [value: number, bytes: number][]): Uint8Array {
  return Uint8Array.from(all.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, i) => (value >>> (8 * i)) & 0xff)));
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const sums = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc32(data: Uint8Array): number {
  let sum = ~0;
  for (const byte of data) sum = sums[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
