// From an empty store to a published location: what the owner of a business does on the first day, and what may go wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage, startProgram } from './harness.mjs';

const email = 'owner@example.com';
const password = 'copper kettle on the stove';

async function signIn(page) {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();
}

test('the first day', { timeout: 1_200_000 }, async (t) => {
  const program = await startProgram(t);
  const [link] = await program.prints(/http\S+\/setup\?token=\S+/);
  const page = await openPage(t, program, { path: link, expect: [/status of (40[01]|503)/, /ERR_(CONNECTION_\w+|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/] });
  let key;

  await t.test('the printed link makes the first account, once', async (t) => {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByText('At least 10 characters; these are 5.').waitFor();
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();

    const stranger = await openPage(t, program, { path: link });
    await stranger.getByRole('heading', { name: 'It is set up already' }).waitFor();
  });

  await t.test('signs out, and in again where it wanted to go', async () => {
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: /^Sign out/ }).click();
    await page.waitForURL('**/signin');
    await page.goto('/settings/tokens');
    await page.waitForURL('**/signin?back=*');
    await signIn(page);
    await page.waitForURL('**/settings/tokens');
  });

  await t.test('makes a key, whose line works when it is pasted', async () => {
    await page.getByRole('button', { name: 'New key or token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /API key/ }).check();
    await dialog.getByLabel('Name').fill('The till');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const [, line] = await Promise.all([dialog.getByText('Keep this now').waitFor(), dialog.locator('code', { hasText: 'curl' }).first().textContent()]);
    const [, header, value, url] = /^curl -H '([^:]+): ([^']+)' '([^']+)'$/.exec(line) ?? assert.fail(`not a line to paste: ${line}`);
    const answer = await fetch(url, { headers: { [header]: value } });
    assert.equal(answer.status, 200, await answer.text());
    key = value;
    await dialog.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('cell', { name: 'The till', exact: true }).waitFor();
  });

  await t.test('creates a location with a photo, and its page shows it', async (t) => {
    await page.goto('/locations/new');
    await page.getByLabel('Business name').fill('Copper Kettle');
    await page.getByRole('button', { name: 'Category:' }).click();
    await page.getByRole('combobox', { name: 'Search Category' }).fill('cafe');
    await page.getByRole('option').first().click();
    await page.getByLabel('Street and number').fill('12 Baker Street');
    await page.getByLabel('City').fill('London');
    await page.getByLabel('Postal code').fill('W1U 3BW');
    await page.getByLabel('Phone').fill('020 7946 0958');
    await page.getByRole('button', { name: 'Create location' }).click();
    await page.getByRole('heading', { name: 'Copper Kettle', level: 1 }).waitFor();

    await page.getByLabel('Picture files').setInputFiles({ name: 'room.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await page.getByRole('textbox', { name: 'Caption' }).fill('The front room');
    await page.getByRole('textbox', { name: 'Caption' }).press('Enter');
    const [hosted] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Open the page' }).click()]);
    t.after(() => hosted.close());
    await hosted.getByRole('heading', { name: 'Copper Kettle', level: 1 }).waitFor();
    await hosted.getByRole('img').first().waitFor();
  });

  await t.test('a session that ends in mid-form loses nothing', async (t) => {
    await page.getByLabel('Description').fill('Tea in copper kettles since 1987.');
    const elsewhere = await openPage(t, program, { path: '/signin?back=/settings' });
    await signIn(elsewhere);
    await elsewhere.getByRole('button', { name: 'End it' }).click();
    await elsewhere.getByRole('button', { name: 'End it' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in and go on' }).click();
    await page.getByRole('region', { name: 'Save' }).waitFor({ state: 'detached' });
    const { data } = await (await fetch(`${program.url}/_api/apis/v4/local/v1${new URL(page.url()).pathname}`, { headers: { Authorization: key } })).json();
    assert.equal(data.description, 'Tea in copper kettles since 1987.');
  });

  await t.test('a server that is gone for a while is waited for', async () => {
    await page.getByRole('link', { name: 'Locations', exact: true }).first().click();
    await page.getByText('Copper Kettle').first().waitFor();
    await program.stop();
    await page.getByRole('searchbox').first().fill('kettle');
    await page.getByRole('alert').getByText('The server does not answer').waitFor();
    await program.start();
    await page.getByRole('alert').getByText('The server does not answer').waitFor({ state: 'detached' });
    await page.getByText('Copper Kettle').first().waitFor();
  });

  await t.test('a page of somebody else changes nothing with my session', async () => {
    const [cookie] = await page.context().cookies();
    const ask = (origin) =>
      fetch(`${program.url}/_api/apis/v4/account/v1/credentials`, {
        method: 'POST',
        headers: { Cookie: `${cookie.name}=${cookie.value}`, 'Content-Type': 'application/json', Origin: origin },
        body: JSON.stringify({ kind: 'key', name: 'Stolen' }),
      });
    assert.equal((await ask('https://evil.example')).status, 403);
    assert.ok((await ask(program.url)).ok, 'my own page may');
  });

  await t.test('ten wrong passwords: whoever tries is told to wait', async (t) => {
    const stranger = await openPage(t, program, { path: '/signin', expect: [/status of 4(01|29)/] });
    await stranger.getByLabel('E-mail').fill(email);
    const button = stranger.getByRole('button', { name: /^Sign in$|^Try again in/ });
    let answer;
    for (let i = 0; i < 11 && answer?.status() !== 429; i++) {
      await stranger.getByLabel('Password', { exact: true }).fill(`guess number ${i}`);
      [answer] = await Promise.all([stranger.waitForResponse('**/session'), button.click()]);
    }
    assert.equal(answer.status(), 429, 'somebody may guess for ever');
    await stranger.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor();
  });
});
