import { test } from 'node:test';
import { assertAccessible, openPage, screenshot, signInToDemo, startProgram } from './harness.mjs';

test('the demo is one click away', async (t) => {
  const program = await startProgram(t, { demo: true });
  const page = await openPage(t, program);
  await signInToDemo(page);
  await page.getByRole('heading', { level: 1, name: 'What changed' }).waitFor();
  await assertAccessible(page);
  await screenshot(page, 'overview');
});
