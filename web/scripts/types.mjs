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
  const { components, webhooks = {} } = JSON.parse(await readFile(new URL(file, documents), 'utf8'));
  await writeFile(new URL(`${name}-words.ts`, generated), words(components.schemas) + events(webhooks));
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

/** What webhooks can be told of: every kind of event, with the sentence that says when it happens. */
function events(webhooks) {
  const kinds = Object.entries(webhooks).map(([kind, { post }]) => ({ kind, when: post.summary }));
  return kinds.length > 0 ? `export const events = ${JSON.stringify(kinds)};\n` : '';
}
