import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadableUrl, partUrl, partWithin, sizeOfPicture, thumbnailUrl } from './pictures.ts';

const BASE = 'https://cms.example.org';
const OWN = `${BASE}/f/1/640x480/0191/photo.jpg`;

test('a picture of this server is made to fit, at twice the size that it is shown at', () => {
  assert.equal(thumbnailUrl(OWN, BASE, 150, 120), `${OWN}/m/fit-in/300x240`);
  // A signature stays behind what the image service is asked for.
  assert.equal(thumbnailUrl(`${OWN}?expires=1&signature=a`, BASE, 10, 10), `${OWN}/m/fit-in/20x20?expires=1&signature=a`);
  assert.equal(thumbnailUrl(OWN.replace('.jpg', '.gif'), BASE, 10, 10), `${OWN.replace('.jpg', '.gif')}/m/fit-in/20x20/filters:format(png)`);
  assert.equal(thumbnailUrl(OWN, BASE, 9000, 10), `${OWN}/m/fit-in/4000x20`);
});

test('a picture of another server is shown as it is, by https where no scheme is named', () => {
  const cases: [string, string | undefined][] = [
    ['//a.storyblok.com/f/1/2x3/a/b.png', 'https://a.storyblok.com/f/1/2x3/a/b.png'],
    ['https://cms.example.org.evil.test/f/1/a.png', 'https://cms.example.org.evil.test/f/1/a.png'],
    ['/logo.svg', undefined], ['logo.svg', undefined], ['javascript:alert(1)', undefined], ['data:image/png;base64,AA', undefined], ['///x', undefined], ['', undefined],
  ];
  for (const [url, shown] of cases) {
    assert.equal(thumbnailUrl(url, BASE, 10, 10), shown, url);
    assert.equal(loadableUrl(url), shown, url);
  }
});

test('the size of a picture stands in its URL; a photo that was turned is as it is shown', () => {
  assert.deepEqual(sizeOfPicture(OWN, { width: 300, height: 225 }), { width: 640, height: 480 });
  assert.deepEqual(sizeOfPicture(OWN, { width: 225, height: 300 }), { width: 480, height: 640 });
  assert.deepEqual(sizeOfPicture('https://other.test/a.png', { width: 30, height: 20 }), { width: 30, height: 20 });
  assert.deepEqual(sizeOfPicture(`${BASE}/f/1/x/0191/a.svg`, { width: 30, height: 20 }), { width: 30, height: 20 });
});

test('a part lies within its picture', () => {
  const number = fc.double({ min: -5000, max: 5000, noNaN: true });
  const side = fc.integer({ min: 1, max: 4000 });
  fc.assert(fc.property(number, number, number, number, side, side, (left, top, width, height, across, down) => {
    const part = partWithin({ left, top, width, height }, { width: across, height: down });
    assert.ok(part.left >= 0 && part.top >= 0 && part.width >= 1 && part.height >= 1);
    assert.ok(part.left + part.width <= across && part.top + part.height <= down);
    assert.ok(Object.values(part).every(Number.isInteger));
  }));
  assert.equal(partUrl(`${OWN}?expires=1`, { left: 10, top: 20, width: 30, height: 40 }), `${OWN}/m/10x20:40x60/filters:quality(92)?expires=1`);
});
