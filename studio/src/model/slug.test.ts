import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf, slugOf } from './slug.ts';

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

test('an address ends with the slug, and that of a start page with its folder', () => {
  const paths = (full_slug: string, is_startpage: boolean) => [false, true].map((isStartPage) => pathOf({ full_slug, is_startpage }, 'new', isStartPage));
  assert.deepEqual(paths('blog/home', false), ['blog/new', 'blog']);
  assert.deepEqual(paths('blog/', true), ['blog/new', 'blog']);
  assert.deepEqual(paths('home', false), ['new', '']);
  assert.equal(pathOf({ full_slug: 'blog/home', is_startpage: false }, ''), 'blog/…');
});
