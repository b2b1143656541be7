// The rules of the location and research screens that need no browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { doubt, likelyBounds } from '../src/locations/around';
import { opennessOf, pastMidnight, secondRange, switched, weekTold } from '../src/locations/hours';
import { fitInto, judge } from '../src/locations/pictures';
import { changedFields, creationOf, inputOf, noWeek, profileOf } from '../src/locations/profile';
import { isSite, meaning, months, narrowed, placeOfNewest, type Idea } from '../src/research/keywords';
import { isOf } from '../src/research/serp';

const nineToFive = { from: '09:00', to: '17:00' };

test('a week is told in one line', () => {
  const week = { ...noWeek(), monday_hours: [nineToFive], tuesday_hours: [nineToFive], saturday_hours: [{ from: '00:00', to: '00:00' }] };
  assert.equal(weekTold(week), 'Mon–Tue 09:00–17:00 · Sat 24 hours');
  assert.equal(weekTold(noWeek()), 'No hours yet');
});

test('a day that is switched keeps its hours, or takes those of another', () => {
  assert.deepEqual(switched([], 'open'), [nineToFive]);
  assert.deepEqual(switched([], 'open', [{ from: '10:00', to: '12:00' }]), [{ from: '10:00', to: '12:00' }]);
  assert.equal(opennessOf(switched([nineToFive], 'all-day')), 'all-day');
  assert.deepEqual(switched([nineToFive], 'closed'), []);
});

test('hours past midnight, and a second range within the day', () => {
  assert.ok(pastMidnight({ from: '20:00', to: '02:00' }));
  assert.ok(!pastMidnight(nineToFive));
  assert.ok(!pastMidnight({ from: '', to: '02:00' }));
  assert.deepEqual(secondRange({ from: '09:00', to: '13:00' }), { from: '14:00', to: '18:00' });
  assert.deepEqual(secondRange({ from: '09:00', to: '23:30' }), { from: '22:00', to: '23:59' });
});

test('only what changed is sent, and what was emptied is cleared', () => {
  const saved = profileOf({ business_name: 'Deli', description: 'Sandwiches.', business_hours: { ...noWeek(), monday_hours: [nineToFive] }, country: 'US' });
  const values = structuredClone(saved);
  assert.deepEqual(changedFields(saved, values), []);
  values.description = '';
  values.business_hours = noWeek();
  values.coordinates = { latitude: 33.7, longitude: null };
  const changed = changedFields(saved, values);
  assert.deepEqual(changed, ['description', 'coordinates', 'business_hours']);
  assert.deepEqual(inputOf(values, changed), { description: null, business_hours: null, coordinates: { latitude: 33.7, longitude: null } });
  assert.deepEqual(creationOf(profileOf({ business_name: 'Deli' })), { business_name: 'Deli', suppress_address: false });
});

test('pictures are scaled into their bounds, cropped where a side would be too short, never enlarged', () => {
  assert.deepEqual(fitInto('PHOTO', 6000, 3000), { x: 0, y: 0, width: 6000, height: 3000, toWidth: 5000, toHeight: 2500 });
  const panorama = fitInto('COVER', 8000, 400);
  assert.deepEqual([panorama?.toWidth, panorama?.toHeight], [2120, 270]);
  assert.ok(panorama && panorama.x > 0 && panorama.width < 8000);
  assert.equal(fitInto('PROFILE', 249, 600), undefined);
  assert.deepEqual(judge('PHOTO', { type: 'image/png', size: 1000 }, 300, 300), {});
  assert.ok(judge('PHOTO', { type: 'image/webp', size: 1000 }, 300, 300).fit, 'another format is redrawn');
  assert.ok(judge('PHOTO', { type: 'image/jpeg', size: 5 << 20 }, 300, 300).fit, 'a heavy file is redrawn');
  assert.match(judge('COVER', { type: 'image/jpeg', size: 1 }, 300, 300).problem ?? '', /300×300.*480×270/);
});

test('research begins in the place of the newest tracking, or anywhere', () => {
  assert.equal(placeOfNewest([{ location: { _id: 7 } }, { location: { _id: 8 } }]), '7');
  assert.equal(placeOfNewest([]), '0');
});

test('a site is told from words', () => {
  for (const site of ['example.com', 'https://www.example.com/menu', 'müller.de', 'a.b.co.uk:8080']) assert.ok(isSite(site), site);
  for (const words of ['deli', 'deli decatur', 'no. 1 pizza', 'example.com deli', '3.5']) assert.ok(!isSite(words), words);
});

test('ideas are narrowed by words and figures; one without a figure is kept unless it is asked for', () => {
  const idea = (kw: string, sv: number | null, seo: number | null) => ({ _id: kw, kw, sv, seo }) as Idea;
  const ideas = [idea('deli decatur', 100, 20), idea('best deli', null, null), idea('pizza', 900, 80)];
  const names = (words: string, leastVolume: number, mostDifficulty: number) => narrowed(ideas, { words, leastVolume, mostDifficulty }).map((k) => k.kw);
  assert.deepEqual(names('deli', 0, 100), ['deli decatur', 'best deli']);
  assert.deepEqual(names('', 100, 100), ['deli decatur', 'pizza']);
  assert.deepEqual(names('', 0, 50), ['deli decatur']);
});

test('months begin at 0, and twelve are shown', () => {
  const year = Array.from({ length: 14 }, (_, i) => [2025 + Math.floor(i / 12), i % 12, i]);
  const shown = months(year);
  assert.equal(shown.length, 12);
  assert.deepEqual(shown[0], { name: 'Mar 2025', searches: 2 });
});

test('results of a site, of its hosts, and of the start of a URL', () => {
  const at = (url: string) => ({ url, domain: '' });
  assert.ok(isOf(at('https://www.example.com/menu'), ['example.com']));
  assert.ok(isOf(at('https://shop.example.com/'), ['example.com']));
  assert.ok(!isOf(at('https://notexample.com/'), ['example.com']));
  assert.ok(isOf(at('https://example.com/shop/a'), ['example.com/shop']));
  assert.ok(!isOf(at('https://example.com/shopping'), ['example.com/shop']));
  assert.ok(!isOf(at('https://example.com/'), []));
});

test('what figures mean is said in the words of the API document', async () => {
  const document = JSON.parse(await readFile(new URL('../../internal/server/testdata/openapi/keyword.json', import.meta.url), 'utf8'));
  const told = document.components.schemas.RankedKeyword.properties;
  for (const name of ['sv', 'cpc', 'ppc', 'seo', 'position'] as const) assert.equal(meaning[name], told[name].description, name);
});

test('a map begins where other locations are, and a pin far from those of its city is in doubt', () => {
  const own = [
    { city: 'Decatur', country: 'US', at: { lat: 33.77, lng: -84.29 } },
    { city: 'Macon', country: 'US', at: { lat: 32.84, lng: -83.63 } },
  ];
  const around = (city: string, country: string) => likelyBounds(own, city, country);
  assert.ok((around(' decatur', 'US')?.south ?? 0) > 33 && (around('Decatur', 'US')?.north ?? 90) < 34, 'the city');
  assert.ok((around('Athens', 'US')?.south ?? 90) < 32.84 && (around('Athens', 'US')?.north ?? 0) > 33.77, 'the country');
  assert.ok((around('Decatur', 'FR')?.west ?? -90) > -10, 'a country without any');
  assert.ok((around('', 'NZ')?.east ?? 0) - (around('', 'NZ')?.west ?? 0) < 20, 'a country on both sides of the date line');
  assert.equal(around('', 'XX'), undefined);
  assert.equal(doubt({ lat: 33.75, lng: -84.3 }, own, 'Decatur', 'US'), '');
  assert.match(doubt({ lat: 33.77, lng: 84.29 }, own, 'Decatur', 'US'), /km from your other locations in Decatur.*minus sign/);
  assert.match(doubt({ lat: 33.77, lng: 84.29 }, own, 'Athens', 'US'), /km from the country of the address/);
  assert.equal(doubt({ lat: 33.95, lng: -83.36 }, own, 'Athens', 'US'), '');
});
