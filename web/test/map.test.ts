// The rules of the maps that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceBands, differenceDiscs, rankDiscs } from '../src/maps/campaign/discs';
import { inRows } from '../src/maps/campaign/picture';
import { pointRows } from '../src/maps/campaign/pointsfile';
import { businessQuery, gridOf, isBusiness, nearestTo, ranksAt, ranksWon, reportAt, stepOf } from '../src/maps/campaign/ranks';
import type { Business, Report, ViewPoint } from '../src/maps/campaign/types';
import { directory, tileNumber } from '../src/ui/map/pmtiles';
import { date, dayOrTime, timesWithinDays } from '../src/ui/format';
import { cellsOf, discRadius, neighbour, pointAt, pointNames, rowsOf, spacingOf } from '../src/ui/map/points';
import { boundsOf, marginOf, scaleBar, View } from '../src/ui/map/view';
import { destination, distanceTo, type Grid, pointsOf } from '../src/maps/wizard/grid';
import { readPoint, writePoint } from '../src/maps/wizard/near';
import { inWords } from '../src/maps/wizard/schedule';

const decatur = { lat: 33.7744675, lng: -84.2950871 };
const square = Array.from({ length: 9 }, (_, i) => ({ lat: decatur.lat + Math.floor(i / 3) * 0.005, lng: decatur.lng + (i % 3) * 0.006 }));
const pane = new View().resized(800, 600);
const evenly = { top: 40, right: 40, bottom: 40, left: 40 };

test('a view projects and unprojects to the same place, and zooms around the pointer', () => {
  const view = pane.fitted(boundsOf(square)!, evenly);
  const spot = view.project(decatur);
  const back = view.unproject(spot);
  assert.ok(Math.abs(back.lat - decatur.lat) < 1e-9 && Math.abs(back.lng - decatur.lng) < 1e-9);
  const closer = view.zoomed(1.5, spot).project(decatur);
  assert.ok(Math.hypot(closer.x - spot.x, closer.y - spot.y) < 1e-6);
  const panned = view.panned(30, -12).project(decatur);
  assert.ok(Math.hypot(panned.x - spot.x - 30, panned.y - spot.y + 12) < 1e-6);
});

test('fitting shows all points within the margins', () => {
  const view = pane.fitted(boundsOf(square)!, { ...evenly, bottom: 90 });
  for (const point of square) {
    const { x, y } = view.project(point);
    assert.ok(x > 39 && x < 761 && y > 39 && y < 511, `${x}, ${y}`);
  }
});

test('a fitted grid leaves room for the buttons: at the right of a wide pane, at the foot of a tall one', () => {
  for (const [width, height] of [[1050, 690], [390, 435], [525, 600], [188, 330]] as const) {
    const view = new View().resized(width, height).fitted(boundsOf(square)!, marginOf(width, height));
    const radius = discRadius(spacingOf(square), view);
    for (const point of square) {
      const { x, y } = view.project(point);
      const underButtons = width > height ? x + radius > width - 48 && y - radius < 124 : y + radius > height - 52;
      assert.ok(!underButtons && x > radius && x < width - radius && y > radius, `${width}x${height}: a disc at ${x}, ${y}`);
    }
  }
});

test('a grid over the date line stays together', () => {
  const fiji = [{ lat: -17, lng: 179.99 }, { lat: -17, lng: -179.99 }];
  const bounds = boundsOf(fiji)!;
  assert.ok(Math.abs(bounds.east - bounds.west - 0.02) < 1e-9);
  const view = pane.fitted(bounds, evenly);
  for (const point of fiji) assert.ok(view.shows(view.project(point)));
});

test('the scale bar is a round length that is as long as it says', () => {
  const bar = scaleBar(pane.fitted(boundsOf(square)!, evenly), 120);
  assert.match(String(bar.metres), /^[125]0*$/);
  assert.ok(bar.pixels <= 120 && bar.pixels > 40);
});

test('arrow keys go from point to point by their place, and the pointer finds a disc', () => {
  const rows = rowsOf(square);
  assert.deepEqual(rows, [[6, 7, 8], [3, 4, 5], [0, 1, 2]]);
  assert.equal(neighbour(rows, square, 4, 'up'), 7);
  assert.equal(neighbour(rows, square, 4, 'left'), 3);
  assert.equal(neighbour(rows, square, 2, 'right'), 2);
  assert.equal(neighbour(rows, square, 1, 'down'), 1);
  const view = pane.fitted(boundsOf(square)!, evenly);
  const radius = discRadius(spacingOf(square), view);
  assert.equal(pointAt(square, view.project(square[5]!), view, radius), 5);
  assert.equal(pointAt(square, { x: 1, y: 1 }, view, radius), -1);
});

test('points are called by row and column from the north-west, also where some are left out', () => {
  assert.deepEqual(pointNames(square).slice(0, 3), ['Row 3, column 1', 'Row 3, column 2', 'Row 3, column 3']);
  const cut = square.filter((_, i) => i !== 6 && i !== 3);
  assert.deepEqual(cellsOf(cut)?.at(-1), { row: 1, column: 3 });
  assert.deepEqual(cellsOf(cut)?.[3], { row: 2, column: 2 }, 'the first of its row is still in its column');
  const wide = pointsOf({ side: 21, distance: 160, unit: 'KM', centre: { lat: 60.2, lng: 179.9 } });
  assert.deepEqual(cellsOf(wide), wide.map((_, i) => ({ row: 21 - Math.floor(i / 21), column: (i % 21) + 1 })), 'in the far north, over the date line');
  const scattered = [decatur, destination(decatur, 0.1, 0), destination(decatur, 0.45, 0.75)];
  assert.deepEqual(pointNames(scattered), ['Point 1', 'Point 2', 'Point 3']);
});

test('tiles are numbered along the curve of the PMTiles specification', () => {
  const known: [number, number, number, number][] = [[0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 1, 2], [1, 1, 1, 3], [1, 1, 0, 4], [2, 0, 0, 5], [12, 3423, 1763, 19078479]];
  for (const [z, x, y, number] of known) assert.equal(tileNumber(z, x, y), number, `${z}/${x}/${y}`);
});

test('a directory of tiles is read column by column; offset 0 follows the entry before', () => {
  // Two entries: tiles 5 and 5+300, runs 1 and 2, lengths 10 and 200, offset 0 and right after.
  const bytes = new Uint8Array([2, 5, 0xac, 0x02, 1, 2, 10, 0xc8, 0x01, 1, 0]);
  assert.deepEqual(directory(bytes), [{ tile: 5, run: 1, length: 10, offset: 0 }, { tile: 305, run: 2, length: 200, offset: 10 }]);
});

const points: ViewPoint[] = ['a', 'b', 'c'].map((id, index) => ({ id, index, coordinates: { lat: index, lng: 0 } }));
const report = (date: string, positions: (number | null)[], pointSet = 0): Report => ({ date, pointSet, positions, averagePosition: 1, shareOfVoice: 1, foundShare: 1, top3Share: 1 });
const inks = { better: '#0f0', worse: '#f00', plain: '#999' };
const bandOf = (rank: number) => (rank > 20 ? { from: 21, to: null, fill: '#333', ink: '#fff' } : { from: 1, to: 20, fill: '#fff', ink: '#000' });

test('ranks won are counted by the point, also where the points have changed', () => {
  const now = gridOf([points], report('2026-11-08T06:00:00Z', [3, 21, null]))!;
  const then = gridOf([[points[1]!, points[0]!]], report('2026-11-01T06:00:00Z', [15, 5]))!;
  assert.deepEqual(ranksAt(points, then), [5, 15, undefined]);
  assert.deepEqual(ranksWon(now, then), [2, -6, undefined]);
  assert.deepEqual(ranksWon(now, undefined), [undefined, undefined, undefined]);
});

test('discs tell the rank, what changed, and what could not be searched', () => {
  const now = gridOf([points], report('2026-11-08T06:00:00Z', [3, 21, null]))!;
  const then = gridOf([points], report('2026-11-01T06:00:00Z', [5, 15, 2]))!;
  const [better, beyond, unknown] = rankDiscs(now, then, bandOf, inks);
  assert.deepEqual(better, { text: '3', fill: '#fff', ink: '#000', ring: '#0f0', mark: 'up' });
  assert.deepEqual(beyond, { text: '20+', fill: '#333', ink: '#fff', ring: '#f00', mark: 'down' });
  assert.deepEqual(unknown, { text: '', fill: '', ink: '#999' });
  assert.deepEqual(differenceDiscs([2, -6, 0, undefined], inks).map((d) => d.text), ['▲2', '▼6', '=', '']);
  assert.deepEqual(differenceBands.map((b) => b.name), ['▲ 8+', '▲ 4–7', '▲ 1–3', '=', '▼ 1–3', '▼ 4–7', '▼ 8+']);
});

test('the file of points is read as the map is', () => {
  const points: ViewPoint[] = square.map((coordinates, index) => ({ id: String(index), index, coordinates }));
  const now = gridOf([points], report('2026-11-08T06:00:00Z', [1, 2, 3, 4, 5, 6, 7, 8, 9]))!;
  const rows = pointRows(now, undefined);
  assert.deepEqual(rows.map((r) => r.rank), [7, 8, 9, 4, 5, 6, 1, 2, 3]);
  assert.deepEqual(rows[0]?.cell, { row: 1, column: 1 });
});

test('reports of one day are told apart by their time, and only they', () => {
  const [alone, morning, evening] = ['2026-11-07T12:00:00Z', '2026-11-08T12:03:00Z', '2026-11-08T12:45:00Z'] as const;
  const times = timesWithinDays([alone, morning, evening, evening]);
  assert.deepEqual([...times.keys()], [morning, evening], date(alone));
  assert.match(times.get(morning) ?? '', /^\d\d:03$/);
});

test('the legend of a picture goes on in another row where it has no room', () => {
  assert.deepEqual(inRows([40, 40, 60], 150, 5).map((s) => s.row), [0, 0, 0]);
  assert.deepEqual(inRows([40, 40, 60], 149, 5), [{ x: 0, row: 0 }, { x: 45, row: 0 }, { x: 0, row: 1 }]);
  assert.deepEqual(inRows([400], 149, 5), [{ x: 0, row: 0 }]);
});

test('a date finds its report, or the last one before it', () => {
  const reports = ['2026-10-01T06:00:00Z', '2026-11-01T06:00:00Z'].map((d) => report(d, []));
  assert.equal(reportAt(reports, undefined), 1);
  assert.equal(reportAt(reports, '2026-10-15T00:00:00Z'), 0);
  assert.equal(reportAt(reports, '2020-01-01T00:00:00Z'), 0);
  assert.equal(reportAt([], '2020-01-01T00:00:00Z'), -1);
});

test('an address names a business by its cid or a place id', () => {
  const business = { cid: '742', placeIds: ['ChIJx'], name: '', address: '', coordinates: { lat: 0, lng: 0 } } satisfies Business;
  assert.deepEqual(businessQuery('742'), { cid: '742' });
  assert.deepEqual(businessQuery('ChIJx'), { placeIds: ['ChIJx'] });
  assert.deepEqual(businessQuery(undefined), {});
  assert.ok(isBusiness(business, 'ChIJx') && isBusiness(business, '742') && !isBusiness({ ...business, cid: '' }, ''));
});

test('playing many reports takes no longer than half a minute', () => {
  assert.equal(stepOf(5), 900);
  assert.ok(stepOf(104) * 104 <= 30_001);
});

test('a point is read as people write it, and nothing else is', () => {
  for (const text of ['33.7748, -84.2963', '33.7748 -84.2963', ' 33.7748;-84.2963 ']) assert.deepEqual(readPoint(text), { lat: 33.7748, lng: -84.2963 });
  for (const text of ['', 'Decatur', '33.7748', '91, 0', '0, 181', '1, 2, 3']) assert.equal(readPoint(text), undefined, text);
  assert.equal(writePoint(readPoint('-7, 110.5')!), '-7.0000, 110.5000');
});

test('an address that names a report which is not there leads to the nearest', () => {
  const reports = ['2026-01-05', '2026-01-12', '2026-01-19'].map((day) => ({ date: `${day}T06:00:00Z` }) as Report);
  for (const [asked, found] of [['2026-01-01', 0], ['2026-01-10', 1], ['2026-01-13T00:00:00Z', 1], ['2027-01-01', 2], ['yesterday', 2]] as const) assert.equal(nearestTo(reports, asked), found, asked);
  assert.equal(nearestTo([], '2026-01-01'), -1);
});

test('an edge that is dragged reaches as far as it was dropped, in round steps that the eye does not see', () => {
  const grid: Grid = { side: 5, distance: 1.5, unit: 'KM', centre: decatur };
  for (const km of [0.3, 1.237, 9.9, 120]) {
    const found = distanceTo(destination(decatur, km, 0), grid, km / 100);
    assert.ok(Math.abs(found - km) <= km / 200, `${km}: ${found}`);
  }
  assert.equal(distanceTo(destination(decatur, 1.237, 0), grid, 0.012), 1.24);
  assert.equal(distanceTo(destination(decatur, 1.609344, 0), { ...grid, unit: 'MI' }, 0.01), 1);
  assert.equal(distanceTo(destination(decatur, -3, 0), grid, 0.01), 0.05, 'past the centre');
});

test('a schedule names the city whose time counts, and none where the address does not tell it surely', () => {
  const words = (address?: string) => inWords({ frequency: 'WEEKLY', interval: 1, positions: [1], time: '06:00' }, address);
  assert.equal(words('2211 Vellford Place, Suite 4, Decatur, GA 30030, USA'), 'every Monday at 06:00 in Decatur');
  for (const unclear of [undefined, '', '12 Rue de Rivoli, 75001 Paris']) assert.equal(words(unclear), 'every Monday at 06:00 where the business is');
});

test('a moment of today is told by its time, any other by its day', () => {
  const now = new Date(2026, 10, 16, 9, 30);
  assert.equal(dayOrTime(new Date(2026, 10, 16, 18, 0).toISOString(), now), 'today 18:00');
  assert.equal(dayOrTime(new Date(2026, 10, 17, 0, 0).toISOString(), now), '17 Nov 2026');
  assert.equal(dayOrTime(undefined, now), '–');
});
