// The rules of the keyword screens that need no browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { bandOf, counted, upTo } from '../src/keywords/bands';
import { daysBetween, noon, periodOf, plusDays } from '../src/keywords/days';
import { definitions } from '../src/keywords/definitions';
import { filtered, filterOf, isFiltered, noFilter, queryOf, toggled } from '../src/keywords/filter';
import { belongs, rankLine, stretches } from '../src/keywords/history';
import { parseFile, parseKeywords } from '../src/keywords/keywordlist';
import { movesOf, rowsOf, tagsOf, type Row, type Tag } from '../src/keywords/rows';

const tag = (id: string, name = id): Tag => ({ _id: id, name, color: '#000000', tracking_id: 't', created_at: 0 });

function row(keyword: string, change: Partial<Row> = {}): Row {
  return {
    id: keyword, keyword, url: null, tags: [], position: null, change: null, best: null, history: [], volume: null, visits: null, visitsChange: null,
    features: [], checkedAt: 1, ...change,
  };
}

test('pasted keywords: lines, commas, repeated ones, and those that cannot be searched for', () => {
  assert.deepEqual(parseKeywords('pizza decatur\r\n  Deli   near me \n\npizza Decatur\n').keywords, ['pizza decatur', 'Deli near me']);
  assert.equal(parseKeywords('pizza\nPIZZA').repeated, 1);
  assert.deepEqual(parseKeywords('pizza, deli; bagels').keywords, ['pizza', 'deli', 'bagels']);
  assert.deepEqual(parseKeywords('pizza, hot\ndeli').keywords, ['pizza, hot', 'deli'], 'a comma is part of a keyword where each has a line');
  assert.deepEqual(parseKeywords('pizza\t1900\ndeli\t880').keywords, ['pizza', 'deli'], 'pasted from a sheet, the first column counts');
  const wrong = parseKeywords(`a b c d e f g h i j k\n${'x'.repeat(81)}\nfine`);
  assert.deepEqual(wrong.keywords, ['fine']);
  assert.match(wrong.problems[0]?.reason ?? '', /11 words/);
  assert.match(wrong.problems[1]?.reason ?? '', /81 characters/);
});

test('files of keywords: with and without a head, quoted, and from a planner', () => {
  const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  assert.deepEqual(parseFile(bytes('pizza,1900\ndeli,880\n')), { keywords: ['pizza', 'deli'], left: [], planner: false });
  assert.deepEqual(parseFile(bytes('Volume,Keyword\n,pizza\n880,"deli, ""best"" of town"\n')).keywords, ['pizza', 'deli, "best" of town']);
  const planner = 'Keyword Stats 2026-11-08\n1 Oct - 1 Nov\nKeyword\tCurrency\tAvg. monthly searches\npizza\tUSD\t1900\n';
  const utf16 = new Uint8Array([0xff, 0xfe, ...[...planner].flatMap((c) => [c.charCodeAt(0), 0])]);
  assert.deepEqual(parseFile(utf16.buffer), { keywords: ['pizza'], left: [], planner: true });
});

test('files of keywords: the head decides the separator, and columns that are not taken are named', () => {
  const read = (text: string) => parseFile(new TextEncoder().encode(text).buffer as ArrayBuffer);
  const found = read('keyword,tags\nbread atlanta,bakery;local\n"rolls, fresh",bakery\n');
  assert.deepEqual(found, { keywords: ['bread atlanta', 'rolls, fresh'], left: ['tags'], planner: false });
  assert.deepEqual(read('"rolls, fresh";bakery\nbread, white;bakery\n').keywords, ['rolls, fresh', 'bread, white']);
});

test('bands: every position has one, and those not found are beyond', () => {
  const names = [1, 2, 3, 4, 10, 11, 20, 21, 100, 101, null].map((position) => bandOf(position).id);
  assert.deepEqual(names, ['1', '3', '3', '10', '10', '20', '20', '100', '100', 'rest', 'rest']);
  const distribution = { '1': 4, '3': 3, '10': 2, '20': 1, '100': 5, rest: 6 };
  assert.equal(upTo(distribution, 10), 9);
  assert.equal(counted(distribution), 21);
});

test('days: presets, dates of one\'s own, and addresses that make no sense', () => {
  const now = '2026-11-16';
  const period = (query: string) => periodOf(new URLSearchParams(query), now);
  assert.deepEqual(period(''), { from: '2026-10-18', to: now });
  assert.deepEqual(period('days=7'), { from: '2026-11-10', to: now });
  assert.deepEqual(period('days=8'), { from: '2026-10-18', to: now }, 'a span that is not offered is the usual one');
  assert.deepEqual(period('from=2026-09-01&to=2026-09-30'), { from: '2026-09-01', to: '2026-09-30' });
  assert.deepEqual(period('from=2026-09-31x'), { from: '2026-10-18', to: now });
  assert.equal(daysBetween(period('from=2020-01-01').from, now), 399, 'no more days than the program answers for');
  assert.equal(plusDays('2026-02-28', 1), '2026-03-01');
  assert.equal(new Date(noon('2026-11-08') * 1000).toISOString(), '2026-11-08T12:00:00.000Z');
});

test('filters: every part narrows, and an address tells all of it', () => {
  const rows = [
    row('pizza decatur', { position: 2, change: 3, tags: [tag('brand')], url: 'https://site.example/Pizza', features: ['Map pack'] }),
    row('deli decatur', { position: 14, change: -2, tags: [tag('food')] }),
    row('bagels', { change: 0 }),
    row('new one', { checkedAt: null }),
  ];
  const found = (query: string) => filtered(rows, filterOf(new URLSearchParams(query))).map((r) => r.keyword);
  assert.equal(filtered(rows, noFilter), rows, 'without a filter nothing is copied');
  assert.deepEqual(found('q=DECATUR pizza'), ['pizza decatur']);
  assert.deepEqual(found('url=/pizza'), ['pizza decatur']);
  assert.deepEqual(found('band=20,rest'), ['deli decatur', 'bagels'], 'what was not looked for is in no band');
  assert.deepEqual(found('tags=brand,food'), ['pizza decatur', 'deli decatur']);
  assert.deepEqual(found('feature=Map pack'), ['pizza decatur']);
  assert.deepEqual(found('moved=down'), ['deli decatur']);
  assert.deepEqual(found('q=decatur&moved=up&band=3'), ['pizza decatur']);
  const filter = filterOf(new URLSearchParams('q=a&url=b&band=1,3&tags=x,y&feature=f&moved=up'));
  assert.deepEqual(filterOf(new URLSearchParams(queryOf(filter))), filter);
  assert.equal(isFiltered(filterOf(new URLSearchParams('band=9&moved=sideways'))), false);
  assert.deepEqual(toggled(['a', 'b'], 'a'), ['b']);
  assert.deepEqual(toggled(['a'], 'b'), ['a', 'b']);
});

test('rows: figures join their keywords, newest last, and what is ours is named first', () => {
  const keyword = { _id: 'k1', kw: 'pizza', kwId: 'x', url: null, tags: [tag('b', 'Beta'), tag('a', 'Alpha')], created_at: 0, is_deleted: false, last_checked_at: null };
  const stats = {
    _id: 'k1', rank: { last: 4, avg: 5, best: 3 }, rank_change: 2, search_volume: 1900, estimated_visits: 12, estimated_visits_change: 1,
    rank_history: Array.from({ length: 90 }, (_, i) => i + 1), serp_features: ['ORGANIC', 'LOCAL_PACK'], map_pack: { rank: 2, url: null, hasUrl: false },
    feat_snippet: { isRanking: true, serpRank: null, url: null }, last_checked_at: 7,
  };
  const [first, second] = rowsOf([keyword, { ...keyword, _id: 'k2' }], [stats as never]);
  assert.equal(first?.history.length, 30);
  assert.equal(first?.history.at(-1), 1, 'the newest day is last');
  assert.deepEqual(first?.features, ['Map pack 2', 'Own snippet', 'Map pack']);
  assert.equal(second?.checkedAt, null, 'a keyword without figures has not been checked');
  assert.deepEqual(movesOf([row('a', { change: 2 }), row('b', { change: -1 }), row('c')]), { up: 1, down: 1, same: 1 });
  assert.deepEqual(tagsOf(first ? [first, first] : []).map((t) => t.name), ['Alpha', 'Beta']);
});

test('history: gaps stay gaps, and URLs that take over begin a stretch', () => {
  const check = (date: string, rank: number | null, url: string | null) =>
    ({ date, rank, url, is_more_url: false, map_pack_rank: null, is_feat_snippet: false, serp_features: [], estimated_visits: null });
  const checks = [check('2026-11-01', 4, 'https://a.example/'), check('2026-11-02', 3, 'https://a.example/'), check('2026-11-04', 9, 'https://a.example/b'), check('2026-11-05', null, null)];
  assert.deepEqual(rankLine(checks, { from: '2026-11-01', to: '2026-11-05' }).ranks, [4, 3, null, 9, null]);
  assert.deepEqual(stretches(checks), [
    { url: 'https://a.example/', from: '2026-11-01', to: '2026-11-02', best: 3 },
    { url: 'https://a.example/b', from: '2026-11-04', to: '2026-11-04', best: 9 },
    { url: null, from: '2026-11-05', to: '2026-11-05', best: null },
  ]);
});

test('a URL belongs to its domain, its subdomains, and to a path only below it', () => {
  assert.equal(belongs('https://www.site.example/menu', 'site.example'), true);
  assert.equal(belongs('https://othersite.example/', 'site.example'), false);
  assert.equal(belongs('https://site.example/shop/shoes', 'site.example/shop'), true);
  assert.equal(belongs('https://site.example/shopping', 'site.example/shop'), false);
  assert.equal(belongs('', 'site.example'), false);
});

test('definitions are those of the API document', async () => {
  const document = JSON.parse(await readFile(new URL('../../internal/server/testdata/openapi/keyword.json', import.meta.url), 'utf8'));
  const said = (schema: string, property: string) => document.components.schemas[schema].properties[property].description;
  assert.deepEqual(definitions, {
    visibility: said('StatsItem', 'visibility_index'),
    performance: said('StatsItem', 'performance_index'),
    visits: said('StatsItem', 'estimated_visits'),
    position: said('KeywordStats', 'rank'),
    change: said('KeywordStats', 'rank_change'),
    best: said('RankSummary', 'best'),
    volume: said('KeywordStats', 'search_volume'),
    keywordVisits: said('KeywordStats', 'estimated_visits'),
    features: said('KeywordStats', 'serp_features'),
    url: said('DetailKeyword', 'url'),
  });
});
