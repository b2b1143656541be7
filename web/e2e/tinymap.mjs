// Writes a PMTiles file whose every tile is land, with a pond in the middle.
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const varint = (n) => (n < 128 ? [n] : [(n % 128) | 128, ...varint(Math.floor(n / 128))]);
const bytes = (field, content) => [...varint(field * 8 + 2), ...varint(content.length), ...content];
const number = (field, n) => [...varint(field * 8), ...varint(n)];
const text = (field, words) => bytes(field, [...Buffer.from(words)]);
const zigzag = (n) => varint(n < 0 ? -2 * n - 1 : 2 * n);

/** A layer of a vector tile with one square. */
function square(layer, kind, from, size) {
  const ring = [9, ...zigzag(from), ...zigzag(from), 26, ...[size, 0, 0, size, -size, 0].flatMap(zigzag), 15];
  const feature = [...bytes(2, [0, 0]), ...number(3, 3), ...bytes(4, ring)];
  return bytes(3, [...number(15, 2), ...text(1, layer), ...bytes(2, feature), ...text(3, 'kind'), ...bytes(4, text(1, kind)), ...number(5, 4096)]);
}

export async function writeTinyMap(path) {
  const maxzoom = 4;
  const tile = gzipSync(Buffer.from([...square('earth', 'earth', -64, 4224), ...square('water', 'lake', 1024, 2048)]));
  const everyTile = (4 ** (maxzoom + 1) - 1) / 3;
  const directory = gzipSync(Buffer.from([1, 0, everyTile, tile.length, 1].flatMap(varint))); // one entry: from 0, all the same
  const about = gzipSync('{}');
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header[7] = 3;
  const places = [127, directory.length, 127 + directory.length, about.length, 127 + directory.length + about.length, 0, 127 + directory.length + about.length, tile.length, everyTile, 1, 1];
  places.forEach((place, i) => header.writeBigUInt64LE(BigInt(place), 8 + 8 * i));
  header.set([1, 2, 2, 1, 0, maxzoom], 96); // clustered; packed by gzip; vector tiles
  header.writeInt32LE(-180e7, 102);
  header.writeInt32LE(-85e7, 106);
  header.writeInt32LE(180e7, 110);
  header.writeInt32LE(85e7, 114);
  await writeFile(path, Buffer.concat([header, directory, about, tile]));
}
