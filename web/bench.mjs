// Measures the dashboard in Chromium on the demo and on 1,000 keywords: sizes, first paint, waves of requests, frames.
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
const words = ['deli', 'bagels', 'pizza', 'coffee', 'sandwiches', 'salads', 'soup', 'catering', 'breakfast', 'lunch'];
const many = Array.from({ length: 1000 }, (_, i) => `${words[i % 10]} ${words[Math.floor(i / 10) % 10]} ${i}`);
const { tracking } = await ask('/_api/v3/rankwatch/trackings', { 'X-Access-Token': key }, { domain: 'many-words.example', location_id: 4191124, platform_id: 1, keywords: many });

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
await table.context().close();
const map = await open(`/maps/${widest.id}`, '[role=grid] button');
await frames(map, `panning ${widest.pointsNumber} discs`, async () => {
  await map.mouse.move(500, 400);
  await map.mouse.down();
  for (let i = 0; i < 60; i++) await map.mouse.move(500 + 120 * Math.sin(i / 5), 400 + 80 * Math.cos(i / 5));
  await map.mouse.up();
});
await frames(map, `playing reports of ${widest.pointsNumber} discs`, () => map.keyboard.press(' '));

await browser.close();
await program.stop();
await rm(data, { recursive: true, force: true });
