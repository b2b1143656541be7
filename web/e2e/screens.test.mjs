// Every screen that app/screens.ts lists, and the API's reference, with the demo's data: can everybody read it, does it fit, does it stand still?
// TRIGPOINT_SCREENSHOTS=folder keeps a picture of each, in both sizes, light and dark.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { assertAccessible, openPage, screenshot, signInToDemo, sizes, startProgram } from './harness.mjs';

const list = await readFile(new URL('../src/app/screens.ts', import.meta.url), 'utf8');
const patterns = [...list.matchAll(/pattern: '([^']+)'/g)].map(([, pattern]) => pattern).concat('/docs');

test('every screen', { timeout: 1_800_000 }, async (t) => {
  assert.ok(patterns.length > 20, `only ${patterns.length} screens were found in app/screens.ts`);
  const program = await startProgram(t, { demo: true });
  const open = await addresses(program);

  await Promise.all(
    Object.entries(sizes).map(([name, size]) =>
      t.test(name, async (t) => {
        const page = await openPage(t, program, { path: '/signin', size });
        await page.addInitScript(() => {
          globalThis.shifts = [];
          new PerformanceObserver((entries) => {
            for (const { value, hadRecentInput, sources } of entries.getEntries()) {
              if (!hadRecentInput) globalThis.shifts.push({ value, moved: sources.map(({ node }) => (node?.parentElement ?? node)?.outerHTML?.slice(0, 160)) });
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await signInToDemo(page);
        for (const pattern of patterns) {
          await t.test(pattern, async () => {
            await page.emulateMedia({ colorScheme: 'light' });
            await page.goto(open[pattern] ?? (pattern.includes(':') ? assert.fail(`say in addresses() which ${pattern} is opened`) : pattern));
            await complete(page);
            const file = `${pattern.replaceAll('/', '-').replaceAll(':', '').slice(1) || 'overview'}-${name}`;
            await screenshot(page, `${file}-light`);
            const { shifts, wide } = await page.evaluate(() => ({ shifts: globalThis.shifts, wide: document.scrollingElement.scrollWidth - innerWidth }));
            assert.ok(wide <= 0, `${wide} pixels wider than the screen`);
            const moved = shifts.reduce((sum, { value }) => sum + value, 0);
            assert.ok(moved < 0.1, `it jumps while it loads, by ${moved.toFixed(3)}: ${JSON.stringify(shifts, null, 1)}`);
            await assertAccessible(page);
            await page.emulateMedia({ colorScheme: 'dark' });
            await screenshot(page, `${file}-dark`);
            await assertAccessible(page, { rules: ['color-contrast'] });
          });
        }
      }),
    ),
  );
});

/** Waits until a screen shows what it was opened for. */
async function complete(page) {
  await page.locator('main h1, main h2').first().waitFor({ state: 'attached' });
  await page.waitForFunction(() => !document.querySelector('main .skeleton, main [aria-busy=true]'));
  await page.evaluate(() => document.fonts.ready.then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))));
}

/** Addresses of screens that show one record, by their pattern. */
async function addresses(program) {
  const { api_key: key, access_token: token } = await program.demoAccount();
  const ask = async (path, headers, change) => {
    const answer = await fetch(`${program.url}/_api${path}`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(change ? { method: 'PATCH', body: JSON.stringify(change) } : {}),
    });
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return answer.json();
  };
  const maps = (path, change) => ask(`/apis/v4/map-rank-tracker/v0/campaigns${path}`, { Authorization: `Bearer ${token}` }, change);
  const keywords = (path, change) => ask(`/v3/rankwatch/trackings${path}`, { 'X-Access-Token': key }, change);

  const [location] = (await ask('/apis/v4/local/v1/locations', { Authorization: `Apikey ${key}` })).data;
  const [campaign] = (await maps('')).data.content;
  const [tracking] = await keywords('');
  const campaignToken = (await maps(`/${campaign.id}`, { shared: true })).data.sharingStatus.shareToken;
  const trackingToken = (await keywords(`/${tracking._id}`, { shared: true })).tracking.share_token;
  return {
    '/maps/:id': `/maps/${campaign.id}`,
    '/maps/:id/settings': `/maps/${campaign.id}/settings`,
    '/keywords/:id': `/keywords/${tracking._id}`,
    '/keywords/:id/:keywordId': `/keywords/${tracking._id}/${tracking.tracked_keyword_ids[0]}`,
    '/locations/:id': `/locations/${location.location_id}`,
    '/shared/campaign/:id': `/shared/campaign/${campaign.id}?share_token=${campaignToken}`,
    '/shared/tracking/:id': `/shared/tracking/${tracking._id}?share_token=${trackingToken}`,
  };
}
