import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localeOf } from './times.ts';

test('a moment is told in the language of the interface, written as in the country of the reader', () => {
  assert.equal(localeOf('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB');
  assert.equal(localeOf('de', ['de-AT', 'en-GB']), 'de-AT');
  assert.equal(localeOf('de', ['en-US', 'fr']), 'de');
  assert.equal(localeOf('en', []), 'en');
});
