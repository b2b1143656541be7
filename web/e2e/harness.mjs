// Drives the real program with a real browser. A test asks for a program and for pages; both end with it, and a page
// fails its test when the browser complained: an error in the console, something that the policy refused, or a request
// to another host.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { Program } from './program.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Desktop and phone, the two sizes that every screen is made for. */
export const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

/**
 * Starts the program on a free port, with a data folder of its own.
 * @param {import('node:test').TestContext} t
 * @param {{demo?: boolean, env?: Record<string, string>}} [options]
 */
export async function startProgram(t, { demo = false, env = {} } = {}) {
  const data = await mkdtemp(join(tmpdir(), 'trigpoint-e2e-'));
  if (demo && process.env.TRIGPOINT_DEMO_DATA) await cp(process.env.TRIGPOINT_DEMO_DATA, data, { recursive: true });
  const program = new Program(data, demo, env);
  t.after(async () => {
    await Promise.all(program.pages.map((page) => page.context().close())); // before the program, or they miss it
    const gone = program.ended;
    await program.stop();
    await rm(data, { recursive: true, force: true });
    assert.ok(!gone, `the program ended by itself with ${gone}:\n${program.log}`);
  });
  await program.start();
  return program;
}

const patience = 180_000; // what is sure to come may take a while on a busy machine

let browser; // once it is asked for, a promise
after(async () => (await browser)?.close());

function launch() {
  browser ??= chromium.launch({
    executablePath: execFileSync(join(root, 'scripts/chromium'), { encoding: 'utf8' }).trim(),
    args: process.getuid() === 0 ? ['--no-sandbox'] : [], // as root, such as in a container, Chromium runs only without its sandbox
    timeout: patience,
  });
  return browser;
}

/**
 * Opens a page in a profile of its own.
 * @param {import('node:test').TestContext} t
 * @param {{url: string}} program
 * @param {{path?: string, size?: {width: number, height: number}, dark?: boolean, expect?: RegExp[]}} [options]
 *   expect: complaints of the browser that belong to the story, such as /status of 401/
 */
export async function openPage(t, program, { path = '/', size = sizes.desktop, dark = false, expect = [] } = {}) {
  const context = await (await launch()).newContext({
    baseURL: program.url,
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  program.pages.push(page);
  const complaints = new Set();
  const complain = (text) => expect.some((known) => known.test(text)) || complaints.add(text);
  page.on('console', (message) => message.type() === 'error' && complain(`console: ${message.text()} (${message.location().url})`));
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(program.url).origin) complain(`request to another host: ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    assert.ok(complaints.size === 0, `the browser complained:\n${[...complaints].join('\n')}`);
  });
  await page.goto(path);
  return page;
}

/** Signs in to the demo by its one click. */
export async function signInToDemo(page) {
  await page.goto('/signin');
  await page.getByRole('button', { name: /demo/i }).click();
  await page.waitForURL((url) => url.pathname !== '/signin');
}

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails on what keeps people with a screen reader or a keyboard out: axe's serious and critical faults.
 * @param {import('playwright-core').Page} page
 * @param {{rules?: string[]}} [options] rules: only these, such as color-contrast when nothing but colours has changed
 */
export async function assertAccessible(page, { rules } = {}) {
  await page.evaluate(`if (!globalThis.axe) { ${axeSource} }`); // past the policy, which lets no inline script run
  const { violations } = await page.evaluate(
    (rules) => globalThis.axe.run(document, { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }),
    rules,
  );
  const faults = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target}: ${failureSummary}`).join('\n')}`);
  assert.equal(faults.join('\n'), '', `axe on ${page.url()}`);
}

/** Keeps a picture of the page below TRIGPOINT_SCREENSHOTS, when that is set. */
export async function screenshot(page, name) {
  const folder = process.env.TRIGPOINT_SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The path of the file that the browser saves when something is done. */
export async function download(page, act) {
  const [saved] = await Promise.all([page.waitForEvent('download'), act()]);
  return saved.path();
}

/** Rows of an RFC 4180 file. */
export function parseCsv(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}
