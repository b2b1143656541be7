// The rules of what all screens share that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, rounded } from '../src/ui/csv';
import { whatIsWrong } from '../src/ui/invalid';

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
