import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, openPage, startProgram } from './harness.mjs';

test('every operation of the API reference can be tried with a key', async (t) => {
  const program = await startProgram(t, { demo: true });
  const { api_key: apiKey, access_token: accessToken } = await program.demoAccount();
  const page = await openPage(t, program, { path: '/docs/local', expect: [/status of 40[01]/] });

  await t.test('without one it says what to do', async () => {
    await page.getByText('GET /locations — ').click();
    await page.getByRole('button', { name: 'Send GET' }).click();
    await page.getByText('Type a key above').waitFor();
  });

  await t.test('with one it answers', async () => {
    await page.getByLabel('Try it with your key').fill(apiKey);
    const form = page.getByRole('form', { name: 'Try GET /locations', exact: true });
    await form.getByLabel('limit').fill('1');
    await form.getByRole('button', { name: 'Send GET' }).click();
    await form.getByText('200 OK').waitFor();
    const answer = JSON.parse(await form.locator('output pre').first().textContent());
    assert.equal(answer.data.length, 1);
    await assertAccessible(page);
  });

  await t.test('a body is sent as it stands', async () => {
    await page.getByText('POST /locations — ').click();
    const form = page.getByRole('form', { name: 'Try POST /locations', exact: true });
    assert.match(await form.getByLabel('Body').inputValue(), /business_name/, 'the body starts as the example');
    await form.getByLabel('Body').fill('{"business_name": "x"}');
    await form.getByRole('button', { name: 'Send POST' }).click();
    await form.getByText('400 Bad Request').waitFor();
  });

  await t.test('the other areas take their own credential', async () => {
    for (const [area, path, secret] of [['map-rank-tracker', '/campaigns', accessToken], ['keyword', '/rankwatch/trackings', apiKey]]) {
      await page.goto(`/docs/${area}`);
      await page.getByLabel('Try it with your key').fill(secret);
      await page.getByText(`GET ${path} — `).click();
      await page.getByRole('button', { name: 'Send GET' }).click();
      await page.getByText('200 OK').waitFor();
    }
  });
});
