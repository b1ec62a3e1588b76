import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from './slug.ts';

test('a slug is what people write into an address', () => {
  for (const [name, slug] of [
    ['Home', 'home'],
    ['  About us!  ', 'about-us'],
    ['Größe & Maße', 'groesse-masse'],
    ['Crème brûlée', 'creme-brulee'],
    ['100 % Wolle', '100-wolle'],
    ['О нас', 'о-нас'],
    ['日本語', '日本語'],
    ['…', ''],
    ['a/b\\c', 'a-b-c'],
    ['x'.repeat(200), 'x'.repeat(120)],
  ] as const) {
    assert.equal(slugOf(name), slug, name);
  }
});
