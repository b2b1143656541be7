// The rules of what all screens share that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, rounded } from '../src/ui/csv';
import { whatIsWrong } from '../src/ui/invalid';
import { positionTicks, ticks } from '../src/ui/ticks';
import { xlsx } from '../src/ui/xlsx';

test('what a browser finds wrong is told in our words, and in its own where we have none', () => {
  const wrong = (found: Partial<ValidityState>, value = '', type = 'text') =>
    whatIsWrong({ validity: found as ValidityState, validationMessage: 'Its own words.', value, minLength: 10, type });
  assert.equal(wrong({ valueMissing: true }), 'This is needed.');
  assert.equal(wrong({ tooShort: true }, 'short', 'password'), 'At least 10 characters; these are 5.');
  assert.equal(wrong({ typeMismatch: true }, 'somebody', 'email'), 'This is no e-mail address.');
  assert.equal(wrong({ rangeOverflow: true }, '900', 'number'), 'Its own words.');
});

test('a file has every digit of a number that is a name, and no more of a share than means anything', () => {
  const file = csv([{ cid: '8535093294774063276', share: 0.123456789012345 }], [
    { name: 'CID', value: (r) => r.cid },
    { name: 'Share', value: (r) => rounded(r.share) },
  ]);
  assert.equal(file, '\ufeffCID,Share\r\n8535093294774063276,0.1235\r\n');
  assert.equal(rounded(null), null);
});

test('an axis has at least three marks, far enough apart to be read, and positions begin at 1', () => {
  for (const pixels of [76, 190, 320]) {
    for (const high of [0.4, 1.1, 7, 9, 18, 33, 94, 110, 2600]) {
      const marks = ticks(0, high, pixels);
      assert.ok(marks.length >= 3 && marks[0] === 0 && (marks.at(-1) as number) <= high, `0 to ${high} on ${pixels}: ${marks}`);
      assert.ok((marks[1] as number) * (pixels / high) >= 16, `0 to ${high} on ${pixels}: ${marks}`);
    }
    for (const high of [3, 4, 7, 12, 21, 60, 101]) {
      const marks = positionTicks(high, pixels);
      assert.ok(marks.length >= 3 && marks[0] === 1 && (marks.at(-1) as number) <= high, `1 to ${high} on ${pixels}: ${marks}`);
    }
  }
  assert.deepEqual(positionTicks(12, 76), [1, 5, 10]);
  assert.deepEqual(ticks(0, 18, 76), [0, 5, 10, 15]);
});

test('a workbook keeps numbers, days and texts apart, and escapes what XML would read', () => {
  const book = xlsx([{ name: 'Fish & <Chips>\u0000', rank: 3, on: '2026-11-16', own: true, none: null }], [
    { name: 'Name', value: (r) => r.name },
    { name: 'Rank', value: (r) => r.rank },
    { name: 'Day', value: (r) => r.on },
    { name: 'Own', value: (r) => r.own },
    { name: 'None', value: (r) => r.none },
  ]);
  const text = new TextDecoder().decode(book);
  assert.equal(text.slice(0, 2), 'PK');
  assert.match(text, /<c r="A2" t="inlineStr"><is><t xml:space="preserve">Fish &amp; &lt;Chips&gt;<\/t>/);
  assert.match(text, /<c r="B2"><v>3<\/v>/);
  assert.match(text, /<c r="C2" s="2"><v>46342<\/v>/); // as spreadsheets count days
  assert.match(text, /<c r="D2" t="b"><v>1<\/v>/);
  assert.doesNotMatch(text, /r="E2"/);
});
