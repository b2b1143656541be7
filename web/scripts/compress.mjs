// Packs what is built once and well, so that the program never packs it while it serves.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const assets = new URL('../dist/assets/', import.meta.url);
const packable = /\.(js|mjs|css|json|svg|map)$/;

for (const file of (await readdir(assets)).filter((name) => packable.test(name))) {
  const plain = await readFile(new URL(file, assets));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  await writeFile(new URL(`${file}.br`, assets), await promisify(brotliCompress)(plain, options));
  await writeFile(new URL(`${file}.gz`, assets), await promisify(gzip)(plain, { level: 9 }));
}
