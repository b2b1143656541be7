// Makes TypeScript of the OpenAPI documents: types, so that the compiler knows every operation, and the words that
// say what a figure means, so that the dashboard says the same (each a constant, so that only those used are sent).
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const documents = new URL('../../internal/server/testdata/openapi/', import.meta.url);
const generated = new URL('../src/api/generated/', import.meta.url);

await mkdir(generated, { recursive: true });
for (const file of (await readdir(documents)).filter((name) => name.endsWith('.json'))) {
  const name = file.replace('.json', '');
  const types = await openapiTS(new URL(file, documents), { alphabetize: true });
  await writeFile(new URL(`${name}.d.ts`, generated), astToString(types));
  const { components } = JSON.parse(await readFile(new URL(file, documents), 'utf8'));
  await writeFile(new URL(`${name}-words.ts`, generated), words(components.schemas));
}

/** `export const Competitor_shareOfVoice = '…'` for every property that is described. */
function words(schemas) {
  const lines = [];
  for (const [schema, { properties = {} }] of Object.entries(schemas)) {
    for (const [property, { description }] of Object.entries(properties)) {
      if (description && /^\w+$/.test(property)) lines.push(`export const ${schema}_${property} = ${JSON.stringify(description)};`);
    }
  }
  return lines.join('\n') + '\n';
}
