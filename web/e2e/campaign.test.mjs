// Map ranks: a campaign from the search for its business to the picture that a customer is shown.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { download, openPage, parseCsv, signInToDemo, sizes, startProgram } from './harness.mjs';

test('map ranks', { timeout: 1_200_000 }, async (t) => {
  const program = await startProgram(t, { demo: true });
  const page = await openPage(t, program, { path: '/signin' });
  const slider = page.getByRole('slider', { name: 'Report' });
  const at = () => slider.getAttribute('aria-valuenow').then(Number);
  const shows = (report) => slider.and(page.locator(`[aria-valuenow="${report}"]`)).waitFor();
  await signInToDemo(page);

  await t.test('creates a campaign on the map, collects and watches it', async () => {
    await page.goto('/maps/new');
    await page.getByRole('button', { name: 'Business:' }).click();
    await page.getByRole('combobox', { name: 'Search Business' }).fill('bakery');
    await page.getByRole('option', { name: /Bakery/ }).first().click();
    const told = page.getByText(/points? × /);
    await told.getByText('0 credits').waitFor();

    const [centre, edge] = ['Centre', 'Edge'].map((name) => page.getByRole('button', { name: `${name} of the grid` }));
    const before = await centre.boundingBox();
    const off = await drag(page, edge, -120, 0);
    assert.ok(off.x < 2 && off.y < 2, `the edge stays where it was dropped; it is off by ${off.x}, ${off.y} pixels`);
    assert.deepEqual(await centre.boundingBox(), before, 'the map does not move with it');
    assert.notEqual(await page.getByLabel('reaching').inputValue(), '1.5');
    const astray = await drag(page, centre, 60, -40);
    assert.ok(astray.x < 2 && astray.y < 2, `the centre stays where it was dropped; it is off by ${astray.x}, ${astray.y} pixels`);

    await centre.click(); // the disc under the handle
    await page.getByText('1 left out').waitFor();
    const [from, to] = await Promise.all([centre.boundingBox(), edge.boundingBox()]);
    const middle = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
    await page.mouse.click((middle.x + to.x - 25) / 2, middle.y); // the disc between centre and edge, whose handle stands beside its place
    await page.getByText('2 left out').waitFor();
    await page.getByRole('button', { name: 'Fewer points' }).click();
    await page.getByRole('button', { name: /^Row 1, column 1/ }).press('Enter');
    await page.getByText('1 left out').waitFor();

    await page.getByRole('textbox', { name: 'Keywords' }).fill('bread');
    await page.getByRole('textbox', { name: 'Keywords' }).press('Enter');
    await page.getByRole('textbox', { name: 'Keywords' }).fill('cake');
    await page.getByRole('textbox', { name: 'Keywords' }).press('Enter');
    await told.filter({ hasText: '8 points × 2 keywords = 16 credits a report' }).waitFor();
    await page.getByRole('button', { name: 'Create · 16 credits' }).click();
    await page.waitForURL(/\/maps\/[0-9a-f-]{32,36}$/);
    await page.getByRole('button', { name: /^Collect · 16 credits/ }).first().waitFor();
    await slider.and(page.locator('[aria-valuetext*="average position"]')).waitFor();
    assert.equal(await at(), 1, 'the first report is shown by itself');
  });

  await t.test('steps and plays through the reports by the keyboard', async () => {
    await page.goto('/maps');
    await page.getByRole('link', { name: /Benchmark Deli/ }).first().click();
    await slider.and(page.locator('[aria-valuetext*="average position"]')).waitFor();
    const last = await at();
    assert.ok(last > 3, `the demo has ${last} reports`);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/date=/);
    const before = page.url();
    await page.keyboard.press('ArrowLeft');
    await shows(last - 2);
    await page.waitForURL((url) => url.href !== before);
    await page.reload();
    await shows(last - 2); // the address keeps the report
    await page.keyboard.press(' ');
    await shows(last); // it plays to the newest
    await page.getByRole('button', { name: 'Play the reports' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys of this screen' }).getByText('Play the reports').waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('a press on a disc lists who is found there', async () => {
    const map = page.getByRole('grid').first();
    await map.getByRole('button').first().press('Enter');
    await page.getByRole('heading', { name: 'Row 1, column 1' }).waitFor();
    await page.getByRole('tabpanel').getByRole('listitem').nth(5).waitFor();
    await page.waitForURL(/point=/);
    const rival = page.getByRole('tabpanel').getByRole('listitem').filter({ hasNotText: 'mine' }).first().getByRole('button');
    const name = await rival.locator('strong').textContent();
    await rival.click();
    await page.getByRole('button', { name: `Business: ${name}` }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /^Business: .* \(mine\)$/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  await t.test('compares two dates, and shows their difference', async () => {
    await page.keyboard.press('c');
    await page.getByRole('group', { name: 'Comparison' }).waitFor();
    await page.waitForURL(/with=/);
    await page.getByRole('grid').nth(1).waitFor();
    assert.equal(await page.getByRole('grid').count(), 2, 'two maps side by side');
    const { searchParams: named } = new URL(page.url());
    assert.ok(Date.parse(named.get('with')) < Date.parse(named.get('date')), `the address names both dates: ${page.url()}`);
    await page.getByRole('button', { name: 'Difference' }).click();
    await page.getByText(/^Ranks won from/).first().waitFor();
    assert.equal(await page.getByRole('grid').count(), 1);
    await page.getByRole('button', { name: 'End the comparison' }).click();
  });

  await t.test('exports the map as a picture and every table as a file', async () => {
    const more = page.getByRole('button', { name: 'More', exact: true });
    const picture = await download(page, async () => {
      await more.click();
      await page.getByRole('menuitem', { name: 'Save the map as PNG' }).click();
    });
    const bytes = await readFile(picture);
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    assert.ok(bytes.readUInt32BE(16) >= 1000, `the picture is ${bytes.readUInt32BE(16)} pixels wide`);

    const points = await download(page, async () => {
      await more.click();
      await page.getByRole('menuitem', { name: 'Export points as CSV' }).click();
    });
    const [head, ...rows] = parseCsv(await readFile(points, 'utf8'));
    assert.deepEqual(head.slice(0, 4), ['Row from the north', 'Column from the west', 'Latitude', 'Longitude']);
    assert.deepEqual(rows[0].slice(0, 2), ['1', '1'], 'from the north-west');
    assert.equal(rows.length, await page.getByRole('gridcell').count(), 'a row a point');

    const competitors = await download(page, () => page.getByRole('button', { name: 'Export CSV' }).click());
    assert.ok(parseCsv(await readFile(competitors, 'utf8')).length > 10);
  });

  await t.test('is printed with every competitor', async () => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 }); // of A4 between its margins
    const rows = page.getByRole('table', { name: 'Competitors' }).getByRole('row');
    assert.ok((await rows.count()) > 10 && (await rows.last().isVisible()), 'all rows are on paper');
    await page.setViewportSize(sizes.desktop);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  });

  await t.test('is shared by a link that can be revoked', async (t) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = await dialog.locator('code').textContent();
    const guest = await openPage(t, program, { path: link, expect: [/status of 40[134]/] });
    await guest.getByRole('slider', { name: 'Report' }).waitFor();
    await guest.getByRole('grid').waitFor();
    assert.equal(await guest.getByRole('button', { name: /^Collect/ }).count(), 0, 'a guest spends nothing');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Make a link' }).waitFor();
    await guest.reload();
    await guest.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  });
});

/** Drags something; tells how far from the pointer it lies in the end. */
async function drag(page, locator, dx, dy) {
  await locator.hover({ trial: true }); // which waits until it stands still
  const box = await locator.boundingBox();
  const [x, y] = [box.x + 8, box.y + box.height / 2]; // what it says may become shorter
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
  const now = await locator.boundingBox();
  return { x: Math.abs(now.x - box.x - dx), y: Math.abs(now.y - box.y - dy) };
}
