import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { HtmlValidate } from 'html-validate';
import jsonld from 'jsonld';
import { assertAccessible, openPage, sizes, startProgram } from './harness.mjs';

test('the hosted page of a location', async (t) => {
  const program = await startProgram(t, { demo: true });
  const { api_key: key } = await program.demoAccount();
  const answer = await fetch(`${program.url}/_api/apis/v4/local/v1/locations`, { headers: { Authorization: `Apikey ${key}` } });
  const locations = (await answer.json()).data;
  const shop = locations.find((location) => location.business_name === 'Benchmark Deli');
  const plumber = locations.find((location) => location.suppress_address);

  for (const [name, size] of Object.entries(sizes)) {
    for (const dark of [false, true]) {
      await t.test(`can be read by everybody: ${name}, ${dark ? 'dark' : 'light'}`, async (t) => {
        for (const { location_id: id } of [shop, plumber]) {
          const page = await openPage(t, program, { path: `/l/${id}`, size, dark });
          await page.getByRole('link', { name: 'Call' }).waitFor();
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= size.width, 'the page is wider than the screen');
          await assertAccessible(page);
        }
      });
    }
  }

  await t.test('opens a picture in place, and closes it', async (t) => {
    const page = await openPage(t, program, { path: `/l/${shop.location_id}` });
    await page.getByRole('img', { name: 'Coffee with the morning paper' }).click();
    const close = page.getByRole('link', { name: 'Close' });
    await close.waitFor();
    const large = page.locator('.big:target img');
    await large.evaluate((image) => image.decode());
    assert.ok((await large.evaluate((image) => image.naturalWidth)) > 640, 'the picture is small');
    await assertAccessible(page);
    await close.click();
    await close.waitFor({ state: 'hidden' });
  });

  await t.test('leads to the shops near by', async (t) => {
    const page = await openPage(t, program, { path: `/l/${shop.location_id}` });
    await page.getByRole('link', { name: 'Benchmark Deli Oakhurst' }).click();
    await page.getByRole('heading', { name: 'Benchmark Deli Oakhurst', level: 1 }).waitFor();
  });

  await t.test('is one small file of valid HTML, and what it tells search engines has a meaning', async () => {
    const validator = new HtmlValidate({ root: true, extends: ['html-validate:recommended'] });
    const document = JSON.parse(await readFile(new URL('schema-org.json', import.meta.url), 'utf8'));
    const documentLoader = async (documentUrl) => ({ documentUrl, document }); // the words that pages use, no others
    for (const { location_id: id, business_name: name } of locations) {
      const html = await (await fetch(`${program.url}/l/${id}`)).text();
      assert.ok(Buffer.byteLength(html) < 15_000, `${name} has ${Buffer.byteLength(html)} bytes`);
      const { results } = await validator.validateString(html);
      assert.deepEqual(results.flatMap(({ messages }) => messages.map(({ message }) => message)), [], name);
      const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html);
      const [business] = await jsonld.expand(JSON.parse(data), { safe: true, documentLoader }); // safe: fails where a word means nothing
      assert.deepEqual(business['@type'], ['http://schema.org/LocalBusiness']);
    }
  });

  await t.test('tells search engines what it tells people', async (t) => {
    const page = await openPage(t, program, { path: `/l/${shop.location_id}` });
    const data = JSON.parse(await page.locator('script[type="application/ld+json"]').textContent());
    assert.equal(data.name, 'Benchmark Deli');
    for (const field of ['address', 'geo', 'image', 'logo', 'openingHoursSpecification', 'paymentAccepted', 'sameAs', 'specialOpeningHoursSpecification', 'telephone']) {
      assert.ok(data[field], `${field} is missing`);
    }
    for (const address of [...data.image, data.logo]) assert.equal((await fetch(address)).status, 200, address);
  });
});
