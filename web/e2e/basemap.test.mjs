import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPage, signInToDemo, startProgram } from './harness.mjs';
import { writeTinyMap } from './tinymap.mjs';

test('a PMTiles file lies under the grid, light and dark', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trigpoint-map-'));
  t.after(() => rm(folder, { recursive: true }));
  const tiles = join(folder, 'town.pmtiles');
  await writeTinyMap(tiles);
  const program = await startProgram(t, { demo: true, env: { TRIGPOINT_MAP_STYLE: tiles } });
  for (const dark of [false, true]) {
    const page = await openPage(t, program, { dark });
    await signInToDemo(page);
    const style = page.waitForResponse((answer) => answer.url().endsWith(`theme=${dark ? 'dark' : 'light'}`));
    await page.goto('/maps/new');
    await style;
    await page.locator('.tiles.shown').waitFor();
    await page.getByRole('link', { name: 'OpenStreetMap' }).waitFor();
  }
});
