import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathIn, translatedSlugsChange, translatedSlugsOf } from './translatedslugs.ts';

const before = translatedSlugsOf({ translated_slugs: [{ lang: 'de', name: 'Start', slug: 'start' }, { lang: 'fr', name: null, slug: 'maison' }] });

test('only the languages that differ are written, and one without both has none of its own', () => {
  assert.deepEqual(translatedSlugsChange(before, before), []);
  assert.deepEqual(translatedSlugsChange(before, { ...before, de: { name: ' Start ', slug: 'start' } }), []);
  assert.deepEqual(translatedSlugsChange(before, { de: { name: '', slug: ' ' }, fr: { name: 'Maison', slug: '' }, it: { name: '', slug: 'casa' } }), [
    { lang: 'de', _destroy: true },
    { lang: 'fr', name: 'Maison', slug: null },
    { lang: 'it', name: null, slug: 'casa' },
  ]);
});

test('a path in a language is that of the folders there, with the own slug or that of the default language', () => {
  const story = { slug: 'home', full_slug: 'about/home', localized_paths: [{ lang: 'de', path: 'ueber/start' }] };
  assert.equal(pathIn(story, 'de', ' anfang '), '/de/ueber/anfang');
  assert.equal(pathIn(story, 'de', ''), '/de/ueber/home');
  assert.equal(pathIn(story, 'fr', ''), '/fr/about/home');
});
