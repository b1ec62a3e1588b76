import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaFieldsOf, urlOfValue, valueOfAsset, type Asset } from './assets.ts';
import { emptiedFile, isDecorativeHere, isFileValue, NO_FILE, pickedValue, typedValue, withDecorative } from './assetvalues.ts';

const asset = {
  id: 9, filename: 'https://cms.example.org/f/1/2x3/a/crane.png', alt: 'A crane', title: null, copyright: 'Ada', source: null, focus: '1x2:2x3', meta_data: { place: 'Kiel' },
} as unknown as Asset;
const old = '//a.storyblok.com/f/1/2x3/a/crane.png';

test('a picked file brings what is told of it, and names of it what content names', () => {
  const value = valueOfAsset(asset);
  assert.deepEqual(value, {
    id: 9, alt: 'A crane', name: '', focus: '1x2:2x3', title: '', source: '', filename: asset.filename, copyright: 'Ada', fieldtype: 'asset', meta_data: { place: 'Kiel' }, is_external_url: false,
  });
  assert.ok(isFileValue(value) && isFileValue(NO_FILE));
});

test('fields of the older types hold the URL; an old text in a field for assets is replaced by an object', () => {
  assert.equal(pickedValue('image', old, asset), asset.filename);
  assert.equal(pickedValue('file', undefined, asset), asset.filename);
  assert.deepEqual(pickedValue('image', { filename: old }, asset), valueOfAsset(asset));
  assert.deepEqual(pickedValue('asset', old, asset), valueOfAsset(asset));
});

test('a URL that is typed leaves the rest of the value, and an old text a text', () => {
  assert.equal(typedValue('asset', old, '/logo.svg'), '/logo.svg');
  assert.equal(typedValue('image', '', 'https://b.test/a.png'), 'https://b.test/a.png');
  assert.deepEqual(typedValue('asset', undefined, 'https://b.test/a.png'), { ...NO_FILE, filename: 'https://b.test/a.png', is_external_url: true });
  assert.deepEqual(typedValue('asset', { id: 3, alt: 'A', filename: 'x', unknown: [1] }, 'y'), { id: null, alt: 'A', filename: 'y', unknown: [1], is_external_url: true });
});

test('what was removed is empty in its own kind', () => {
  assert.deepEqual(emptiedFile('asset', valueOfAsset(asset)), NO_FILE);
  assert.deepEqual(emptiedFile('asset', ''), NO_FILE);
  assert.equal(emptiedFile('asset', old), '');
  assert.equal(emptiedFile('image', old), '');
});

test('a picture that is marked as decorative has no text, and what else is known of it stays', () => {
  const marked = withDecorative(valueOfAsset(asset), true);
  assert.deepEqual([marked.alt, marked.meta_data, isDecorativeHere(marked)], ['', { place: 'Kiel', decorative: true }, true]);
  const unmarked = withDecorative(marked, false);
  assert.deepEqual([unmarked.meta_data, isDecorativeHere(unmarked)], [{ place: 'Kiel' }, false]);
});

test('a value names its URL, whatever it is', () => {
  assert.deepEqual([old, { filename: old }, { filename: null }, null, undefined, []].map((value) => urlOfValue(value)), [old, old, '', '', '', '']);
});

test('the space’s own fields are read however they were written', () => {
  assert.deepEqual(metaFieldsOf(['place', { name: 'licence', display_name: 'Licence' }, { key: 'year' }, { type: 'text' }, 'place', null, 7]), [
    { name: 'place', label: 'place' }, { name: 'licence', label: 'Licence' }, { name: 'year', label: 'year' }, { name: '7', label: '7' },
  ]);
});
