import { test } from 'node:test';
import { assertAccessible, openPage, startProgram } from './harness.mjs';

test('the API reference can be read', async (t) => {
  const program = await startProgram(t);
  const page = await openPage(t, program, { path: '/docs/local' });
  await page.getByRole('heading', { name: 'Trigpoint locations' }).waitFor();
  await assertAccessible(page);
});
