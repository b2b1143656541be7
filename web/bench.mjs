// Measures the dashboard in Chromium on the demo, on 1,000 keywords and on 10,000 campaigns: sizes, first paint, waves of
// requests, when a screen that is opened can be used, frames.
// Chromium draws in software where there is no graphics card, so frames are the least that a person will see.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Program } from './e2e/program.mjs';

const data = await mkdtemp(join(tmpdir(), 'trigpoint-bench-'));
const program = new Program(data, true, { TRIGPOINT_LOG_LEVEL: 'info' });
await program.start();
const executablePath = execFileSync(new URL('../scripts/chromium', import.meta.url).pathname, { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
const { api_key: key, access_token: token } = await program.demoAccount();

const ask = async (path, headers, body) => {
  const answer = await fetch(program.url + path, { method: body ? 'POST' : 'GET', headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) }, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};
const campaigns = (await ask('/_api/apis/v4/map-rank-tracker/v0/campaigns?size=100', { Authorization: `Bearer ${token}` })).data.content;
const widest = campaigns.toSorted((a, b) => b.pointsNumber - a.pointsNumber)[0];
const place = widest.business.placeIds[0];
const words = ['deli', 'bagels', 'pizza', 'coffee', 'sandwiches', 'salads', 'soup', 'catering', 'breakfast', 'lunch'];
const many = Array.from({ length: 1000 }, (_, i) => `${words[i % 10]} ${words[Math.floor(i / 10) % 10]} ${i}`);
const { tracking } = await ask('/_api/v3/rankwatch/trackings', { 'X-Access-Token': key }, { domain: 'many-words.example', location_id: 4191124, platform_id: 1, keywords: many });
// The first checks run in the same program: what is measured begins when they are done.
const unchecked = async () => (await ask(`/_api/v3/rankwatch/trackings/${tracking._id}/detail`, { 'X-Access-Token': key })).keywords.some((k) => k.last_checked_at === null);
while (await unchecked()) await new Promise((later) => setTimeout(later, 250));

/** A page that is signed in, with what it has fetched since it was last asked. */
async function signedIn() {
  const page = await (await browser.newContext({ baseURL: program.url, viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto('/signin');
  await page.getByRole('button', { name: /demo/i }).click();
  await page.waitForURL((url) => url.pathname === '/');
  return page;
}

/** Opens a screen in a fresh profile, so that nothing is cached: bytes of JavaScript, first paint, and how requests followed each other. */
async function open(path, ready) {
  const page = await signedIn();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.clearBrowserCache');
  let scripts = 0;
  const kinds = new Map();
  cdp.on('Network.responseReceived', ({ requestId, response }) => kinds.set(requestId, response.url));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => /\.m?js$/.test(kinds.get(requestId) ?? '') && (scripts += encodedDataLength));
  const calls = [];
  page.on('requestfinished', (request) => request.url().includes('/_api/') && !request.url().endsWith('/usage') && calls.push(request.timing()));
  const began = performance.now();
  await page.goto(path);
  await page.locator(ready).first().waitFor();
  const shown = performance.now() - began;
  await page.waitForLoadState('networkidle');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
  const firstAnswer = Math.min(...calls.map((t) => t.startTime + t.responseEnd));
  const waves = calls.length < 2 ? 'one wave' : calls.some((t) => t.startTime > firstAnswer + 5) ? 'more than one wave' : 'one wave';
  console.log(`${path.replace(/[0-9a-f-]{32,}/, '…').padEnd(16)} JavaScript ${(scripts / 1024).toFixed(0).padStart(4)} KB   first paint ${paint.toFixed(0).padStart(4)} ms   data shown ${shown.toFixed(0).padStart(5)} ms   API requests beside the bar's: ${calls.length}, ${waves}`);
  return page;
}

/** Frames a second while something moves for two seconds. */
async function frames(page, name, move) {
  const counting = page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = [];
        const next = (now) => (times.push(now), now - times[0] < 2000 ? requestAnimationFrame(next) : resolve(times));
        requestAnimationFrame(next);
      }),
  );
  await move();
  const times = await counting;
  const gaps = times.slice(1).map((t, i) => t - times[i]).sort((a, b) => a - b);
  console.log(`${name.padEnd(34)} ${(1000 / gaps[Math.floor(gaps.length / 2)]).toFixed(0)} frames a second at the median, the slowest twentieth ${gaps[Math.floor(gaps.length * 0.95)].toFixed(0)} ms a frame`);
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Presses a link of a screen several times and tells, from the press: when what is looked for stands there, and when a filter that
 * is then typed has answered. Both in milliseconds, the median; and how long the page's own thread worked for it.
 */
async function press(page, { from, link, ready, filter }) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => 1000 * (await cdp.send('Performance.getMetrics')).metrics.find((m) => m.name === 'TaskDuration').value;
  const times = [];
  for (let i = 0; i < 7; i++) {
    await page.goto(from);
    await page.locator(link).first().hover();
    await page.waitForLoadState('networkidle');
    const before = await worked();
    const [shown, answered] = await page.locator(link).first().evaluate(
      (anchor, { ready, filter }) =>
        new Promise((resolve) => {
          const began = performance.now();
          const until = (done, then) => (done() ? then(performance.now() - began) : requestAnimationFrame(() => until(done, then)));
          anchor.click();
          until(
            () => document.querySelectorAll(ready).length > 0,
            (shown) => {
              if (!filter) return resolve([shown, shown]);
              const input = document.querySelector(filter.input);
              input.value = filter.text;
              input.dispatchEvent(new Event('input', { bubbles: true }));
              until(() => [...document.querySelectorAll('[role=status]')].some((n) => n.textContent.includes(filter.says)), (answered) => resolve([shown, answered]));
            },
          );
        }),
      { ready, filter },
    );
    times.push([shown, answered, (await worked()) - before]);
  }
  return [0, 1, 2].map((i) => median(times.slice(1).map((t) => t[i])).toFixed(0));
}

/** Makes campaigns until the account has so many, a few at a time. */
async function haveCampaigns(number) {
  const auth = { Authorization: `Bearer ${token}` };
  let { totalElements: have } = (await ask('/_api/apis/v4/map-rank-tracker/v0/campaigns?size=1', auth)).data;
  const make = async () => {
    while (have < number) await ask('/_api/apis/v4/map-rank-tracker/v0/campaigns', auth, { name: `Campaign ${++have}`, placeId: place, keywords: ['deli'] });
  };
  await Promise.all(Array.from({ length: 16 }, make));
}

await (await open('/', 'h2:has-text("Map ranks")')).context().close();
await (await open('/maps', '[role=table] [role=cell] a')).context().close();
const table = await open(`/keywords/${tracking._id}`, '[role=table] [role=row] [role=cell] a, [role=table] [role=row]:nth-child(5)');
await frames(table, 'scrolling 1,000 keywords', async () => {
  const grid = table.getByRole('table').last();
  for (let i = 0; i < 30; i++) {
    await grid.evaluate((node) => node.scrollBy(0, 220));
    await table.waitForTimeout(40);
  }
});
const [rows, answered, busy] = await press(table, {
  from: '/keywords',
  link: `a[href="/keywords/${tracking._id}"]`,
  ready: '[role=table][aria-label="Tracked keywords"] [role=row]:nth-child(10) [role=cell]',
  filter: { input: 'input[aria-label="Find keywords"]', text: 'coffee 9', says: 'of 1,000 keywords' },
});
console.log(`1,000 keywords, pressed in the list: rows after ${rows} ms, a filter has answered after ${answered} ms; ${busy} ms of work for both`);
await table.context().close();
const map = await open(`/maps/${widest.id}`, '[role=grid] button');
await frames(map, `panning ${widest.pointsNumber} discs`, async () => {
  await map.mouse.move(500, 400);
  await map.mouse.down();
  for (let i = 0; i < 60; i++) await map.mouse.move(500 + 120 * Math.sin(i / 5), 400 + 80 * Math.cos(i / 5));
  await map.mouse.up();
});
await frames(map, `playing reports of ${widest.pointsNumber} discs`, () => map.keyboard.press(' '));
await map.context().close();

const list = await signedIn();
for (const number of [100, 10_000]) {
  await haveCampaigns(number);
  const [shown, , work] = await press(list, { from: '/', link: 'nav a[href="/maps"]', ready: '[role=table][aria-label="Campaigns"] [role=cell] a' });
  console.log(`${number.toLocaleString('en')} campaigns, pressed in the bar: listed after ${shown} ms; ${work} ms of work`);
}

await browser.close();
await program.stop();
await rm(data, { recursive: true, force: true });
