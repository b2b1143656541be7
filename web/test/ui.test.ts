// The rules of what all screens share that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatIsWrong } from '../src/ui/invalid';

test('what a browser finds wrong is told in our words, and in its own where we have none', () => {
  const wrong = (found: Partial<ValidityState>, value = '', type = 'text') =>
    whatIsWrong({ validity: found as ValidityState, validationMessage: 'Its own words.', value, minLength: 10, type });
  assert.equal(wrong({ valueMissing: true }), 'This is needed.');
  assert.equal(wrong({ tooShort: true }, 'short', 'password'), 'At least 10 characters; these are 5.');
  assert.equal(wrong({ typeMismatch: true }, 'somebody', 'email'), 'This is no e-mail address.');
  assert.equal(wrong({ rangeOverflow: true }, '900', 'number'), 'Its own words.');
});
