import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asset } from './assets.ts';
import { acceptOf, isOfKinds, isPicture, kindOfAsset, kindOfName, kindsOfWords, lacksAlt, nameOfFile } from './filekinds.ts';

test('a file is named by the end of its URL', () => {
  const cases: [string, string][] = [
    ['https://a.test/f/1/2x3/a/my%20photo.JPG', 'my photo.JPG'], ['//a.test/f/a/b.png/m/600x0/filters:quality(70)', 'b.png'], ['/img/a.svg?v=1#x', 'a.svg'],
    ['a%zz.png', 'a%zz.png'], ['', ''],
  ];
  for (const [url, name] of cases) assert.equal(nameOfFile(url), name, url);
});

test('the kind of a file is that of its name', () => {
  assert.deepEqual(['a.PNG', 'b.mp4', 'c.ogg', 'd.pdf', 'e.exe', 'f', 'https://a.test/b.svg/m/10x0'].map(kindOfName), ['image', 'video', 'audio', 'text', undefined, undefined, 'image']);
  assert.deepEqual(['a.png', 'a.pdf', 'a'].map((short_filename) => kindOfAsset({ short_filename })), ['image', 'text', 'other']);
});

test('a field takes the kinds that it names, all without a name, and what tells no kind', () => {
  assert.deepEqual(kindsOfWords(['images', 'texts', 'others', '']), ['image', 'text']);
  assert.equal(isOfKinds('a.png', ['image']), true);
  assert.equal(isOfKinds('a.pdf', ['image']), false);
  assert.equal(isOfKinds('a.pdf', []), true);
  assert.equal(isOfKinds('a.blend', ['image']), true);
  assert.match(acceptOf(['image', 'text']), /^image\/\*,\.csv,.*\.pdf/);
});

test('a picture without a text lacks it, unless it is decorative', () => {
  const picture = { short_filename: 'a.png', alt: '', meta_data: {} } as Asset;
  assert.equal(lacksAlt(picture), true);
  assert.equal(lacksAlt({ ...picture, alt: 'A crane' }), false);
  assert.equal(lacksAlt({ ...picture, meta_data: { decorative: true } }), false);
  assert.equal(lacksAlt({ ...picture, short_filename: 'a.mp4' }), false);
  assert.deepEqual(['a.png', 'a.avif', 'a.tif', 'a.pdf'].map(isPicture), [true, true, false, false]);
});
