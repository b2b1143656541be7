// Reads tiles out of a PMTiles file (version 3) that is served with ranges, for MapLibre: the source's url is
// pmtiles:// followed by the file's address.
import type { AddProtocolAction } from 'maplibre-gl';

interface Archive {
  root: Entry[];
  leaves: number; // where directories below the root begin
  tiles: number; // where tiles begin
  minzoom: number;
  maxzoom: number;
  attribution: string;
  directories: Map<number, Promise<Entry[]>>;
}

export interface Entry {
  tile: number;
  run: number; // 0 names a directory further down
  offset: number;
  length: number;
}

const archives = new Map<string, Promise<Archive>>();

/** MapLibre's protocol handler: a description of the file, or one of its tiles. */
export const readTile: AddProtocolAction = async (request, abort) => {
  const [, path = '', z, x, y] = /^pmtiles:\/\/(.*?)(?:\/(\d+)\/(\d+)\/(\d+))?$/.exec(request.url) ?? [];
  const file = new URL(path, location.origin).href;
  let opening = archives.get(file);
  if (!opening) archives.set(file, (opening = openArchive(file)));
  const archive = await opening.catch((error: unknown) => {
    archives.delete(file); // the next one tries again
    throw error;
  });
  if (z === undefined) {
    const { minzoom, maxzoom, attribution } = archive;
    return { data: { tilejson: '3.0.0', tiles: [`pmtiles://${path}/{z}/{x}/{y}`], minzoom, maxzoom, attribution } };
  }
  const found = await find(file, archive, tileNumber(Number(z), Number(x), Number(y)));
  const data = found ? await unpack(await read(file, archive.tiles + found.offset, found.length, abort.signal)) : new Uint8Array();
  return { data: data.buffer };
};

async function openArchive(file: string): Promise<Archive> {
  const start = await read(file, 0, 16_384);
  const header = new DataView(start.buffer);
  const at = (offset: number) => Number(header.getBigUint64(offset, true));
  const part = async (offset: number, length: number) =>
    unpack(offset + length <= start.length ? start.slice(offset, offset + length) : await read(file, offset, length));
  const [root, about] = await Promise.all([part(at(8), at(16)), part(at(24), at(32))]);
  const told = JSON.parse(new TextDecoder().decode(about)) as { attribution?: string };
  return {
    root: directory(root), leaves: at(40), tiles: at(56),
    minzoom: header.getUint8(100), maxzoom: header.getUint8(101), attribution: told.attribution ?? '', directories: new Map(),
  };
}

async function find(file: string, archive: Archive, tile: number): Promise<Entry | undefined> {
  let entries = archive.root;
  for (let depth = 0; depth < 4; depth++) {
    const entry = entries.findLast((e) => e.tile <= tile);
    if (!entry || (entry.run > 0 && tile >= entry.tile + entry.run)) return undefined;
    if (entry.run > 0) return entry;
    let below = archive.directories.get(entry.offset);
    if (!below) archive.directories.set(entry.offset, (below = read(file, archive.leaves + entry.offset, entry.length).then(unpack).then(directory)));
    entries = await below;
  }
  return undefined;
}

async function read(file: string, offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(file, { headers: { Range: `bytes=${offset}-${offset + length - 1}` }, ...(signal ? { signal } : {}) });
  if (response.status !== 206) throw new Error(`The map's tiles answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

// Directories and tiles are packed by gzip or not at all.
async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** The entries of a directory: columns of variable-length numbers. */
export function directory(bytes: Uint8Array): Entry[] {
  let at = 0;
  const next = (): number => {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const column = (length: number) => Array.from({ length }, next);
  const size = next();
  const [steps, runs, lengths, offsets] = [column(size), column(size), column(size), column(size)];
  const entries: Entry[] = [];
  for (let i = 0, tile = 0; i < size; i++) {
    tile += steps[i] ?? 0;
    const before = entries[i - 1];
    const told = offsets[i] ?? 0; // 0: right after the one before
    entries.push({ tile, run: runs[i] ?? 0, length: lengths[i] ?? 0, offset: told === 0 && before ? before.offset + before.length : told - 1 });
  }
  return entries;
}

/** Tiles are numbered along a Hilbert curve, zoom after zoom. */
export function tileNumber(z: number, x: number, y: number): number {
  let number = (4 ** z - 1) / 3;
  for (let half = 2 ** (z - 1); half >= 1; half /= 2) {
    const right = (x & half) > 0 ? 1 : 0;
    const low = (y & half) > 0 ? 1 : 0;
    number += half * half * ((3 * right) ^ low);
    if (low === 0) {
      if (right === 1) [x, y] = [half - 1 - (x % half), half - 1 - (y % half)];
      [x, y] = [y, x];
    }
  }
  return number;
}
