// Keywords: tracked, read, marked, and shown to a customer.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { download, openPage, parseCsv, signInToDemo, startProgram } from './harness.mjs';

test('keywords', { timeout: 1_200_000 }, async (t) => {
  const program = await startProgram(t, { demo: true });
  const page = await openPage(t, program, { path: '/signin' });
  const table = page.getByRole('table', { name: 'Tracked keywords' });
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') });
  let made; // the address of the new tracking
  await signInToDemo(page);

  await t.test('tracks a list of keywords, told before what it takes', async () => {
    await page.goto('/keywords/new');
    await page.getByLabel('Site').fill('https://benchmark-deli.example/shop');
    await page.getByRole('textbox', { name: 'Keywords' }).fill('bread decatur\nbagels\nBagels\nsoup of the day');
    await page.getByText('3 keywords, 1 repeated left out').waitFor();
    await page.getByRole('button', { name: 'Track · 3 look-ups' }).click();
    await page.getByRole('heading', { name: 'benchmark-deli.example/shop' }).waitFor();
    await table.getByText('soup of the day').waitFor();
    assert.equal(await rows.count(), 3);
    made = page.url();
  });

  await t.test('the address keeps filters and order', async () => {
    await page.goto('/keywords');
    await page.getByRole('link', { name: 'benchmark-deli.example', exact: true }).first().click();
    await table.waitFor();
    const all = Number(await table.getAttribute('aria-rowcount')) - 1;
    assert.ok(all > 50, `the demo tracks ${all} keywords`);
    const asked = [];
    const note = (request) => asked.push(request.url());
    page.on('request', note);
    await page.getByRole('searchbox', { name: 'Find keywords' }).fill('deli');
    await page.getByText(new RegExp(`of ${all} keywords`)).waitFor();
    assert.deepEqual(asked, [], 'what is here already is filtered, not asked for again');
    page.off('request', note);
    await table.getByRole('button', { name: 'Keyword', exact: true }).click();
    const first = await rows.first().getByRole('link').first().textContent();
    await page.reload();
    await table.waitFor();
    assert.equal(await rows.first().getByRole('link').first().textContent(), first);
    assert.match(first, /deli/);
  });

  await t.test('exports all that matches, not only what is drawn', async () => {
    await page.getByRole('button', { name: /^Clear all/ }).click();
    const file = await download(page, () => page.getByRole('button', { name: 'Export CSV' }).first().click());
    assert.equal(parseCsv(await readFile(file, 'utf8')).length, Number(await table.getAttribute('aria-rowcount')), 'a row a keyword, and the head');
  });

  await t.test('tags keywords and filters by the tag', async () => {
    await rows.nth(0).getByRole('checkbox').check();
    await rows.nth(1).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of a new tag').fill('Breakfast');
    await dialog.getByRole('button', { name: 'Make and tag' }).click();
    await dialog.getByText('2 keywords', { exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('combobox', { name: 'Filter by tag' }).selectOption({ label: 'Breakfast' });
    await page.getByText(/^2 of \d+ keywords/).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
  });

  await t.test('remarks on a day', async () => {
    await page.getByRole('button', { name: 'Add a remark' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What happened').fill('New menu on the site');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('New menu on the site').first().waitFor();
  });

  await t.test('j and k go through the rows, Enter opens one', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    const name = await rows.first().getByRole('link').first().textContent();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.goBack();
    await table.waitFor();
  });

  await t.test('/ finds everything', async () => {
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('benchmark');
    await page.getByRole('option', { name: /Benchmark/ }).first().waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('is shared by the link that it has from the start, until that is revoked', async (t) => {
    await page.goto(made);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const link = await dialog.locator('code').textContent();
    const guest = await openPage(t, program, { path: link, expect: [/status of 40[134]/] });
    await guest.getByRole('table', { name: 'Tracked keywords' }).waitFor();
    assert.equal(await guest.getByRole('button', { name: 'Add keywords' }).count(), 0, 'a guest changes nothing');
    await dialog.getByRole('button', { name: 'Revoke the link' }).click();
    await dialog.getByRole('button', { name: 'Make a link' }).waitFor();
    await guest.reload();
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });
});
