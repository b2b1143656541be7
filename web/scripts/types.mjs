// Makes TypeScript types of the OpenAPI documents, so that the compiler knows every operation.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const documents = new URL('../../internal/server/testdata/openapi/', import.meta.url);
const generated = new URL('../src/api/generated/', import.meta.url);

await mkdir(generated, { recursive: true });
for (const file of (await readdir(documents)).filter((name) => name.endsWith('.json'))) {
  const types = await openapiTS(new URL(file, documents), { alphabetize: true });
  await writeFile(new URL(file.replace('.json', '.d.ts'), generated), astToString(types));
}
