// Keywords as people bring them: typed, pasted from a sheet, or in a file.
export interface KeywordList {
  keywords: string[];
  repeated: number; // left out, since they were there already
  problems: { keyword: string; reason: string }[];
}

const mostCharacters = 80;
const mostWords = 10;

/** Reads one keyword a line; a single line may hold several with commas between them. */
export function parseKeywords(text: string): KeywordList {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  const found = lines.length === 1 ? (lines[0] ?? '').split(/[,;\t]/) : lines.map((line) => line.split('\t')[0] ?? '');
  const result: KeywordList = { keywords: [], repeated: 0, problems: [] };
  const seen = new Set<string>();
  for (const one of found) {
    const keyword = one.trim().replaceAll(/\s+/g, ' ');
    if (!keyword) continue;
    const reason = wrong(keyword);
    if (seen.has(keyword.toLowerCase())) result.repeated++;
    else if (reason) result.problems.push({ keyword, reason });
    else result.keywords.push(keyword);
    seen.add(keyword.toLowerCase());
  }
  return result;
}

function wrong(keyword: string): string {
  const characters = [...keyword].length;
  const words = keyword.split(' ').length;
  if (characters > mostCharacters) return `has ${characters} characters; at most ${mostCharacters} can be searched for`;
  if (words > mostWords) return `has ${words} words; at most ${mostWords} can be searched for`;
  return '';
}

export interface KeywordFile {
  keywords: string[];
  planner: boolean; // an export of a keyword planner, whose figures the program can keep
  left: string[]; // the names of columns that are not taken
}

/** Reads a file of keywords: its column named keyword, or else its first. */
export function parseFile(bytes: ArrayBuffer): KeywordFile {
  const lines = decode(bytes).split(/\r?\n/).filter((line) => line.trim());
  const head = lines.findIndex((line) => cells(line, separator(line)).some(isKeywordHead));
  const mark = separator(lines[Math.max(head, 0)] ?? ''); // one for the whole file: other lines may hold the others as text
  const names = head < 0 ? [] : cells(lines[head] ?? '', mark).map((name) => name.trim());
  const column = Math.max(names.findIndex(isKeywordHead), 0);
  const planner = names.some((name) => /avg\. monthly searches/i.test(name));
  return {
    keywords: lines.slice(head + 1).map((line) => cells(line, mark)[column]?.trim() ?? '').filter(Boolean),
    planner,
    left: planner ? [] : names.filter((name, i) => name && i !== column),
  };
}

const isKeywordHead = (cell: string): boolean => /^(keywords?|search term|query|top queries)$/i.test(cell.trim());

// Planners write UTF-16, with a mark at the start that tells.
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** What stands between the cells of a line: a tab, a semicolon or a comma, whichever is outside quotes. */
function separator(line: string): string {
  const bare = line.replaceAll(/"(?:[^"]|"")*"/g, '');
  return ['\t', ';', ','].find((mark) => bare.includes(mark)) ?? ',';
}

/** The cells of a line, with quotes around those that hold the separator. */
function cells(line: string, mark: string): string[] {
  const cell = new RegExp(`${mark}(?:"((?:[^"]|"")*)"|([^${mark}]*))`, 'g');
  return [...`${mark}${line}`.matchAll(cell)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
