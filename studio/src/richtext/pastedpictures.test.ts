import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileWithin, placeOf } from './pastedpictures.ts';

test('a picture is on the web, in the text, or nowhere', () => {
  const cases = [
    ['https://example.org/a.png', 'web'], ['//example.org/a.png', 'web'], ['HTTP://example.org/a', 'web'],
    ['data:image/png;base64,AAAA', 'text'], ['data:image/svg+xml,%3Csvg/%3E', 'text'], ['DATA:image/gif;base64,', 'text'],
    ['file:///C:/Users/a/clip_image001.png', 'nowhere'], ['cid:image001.png@01D9', 'nowhere'], ['blob:https://example.org/5', 'nowhere'],
    ['data:text/html,<script>', 'nowhere'], ['javascript:alert(1)', 'nowhere'], ['/a.png', 'nowhere'], ['', 'nowhere'],
  ];
  for (const [address, place] of cases) assert.equal(placeOf(address!), place, address);
});

test('a picture in the text is a file', async () => {
  const png = fileWithin('data:image/png;base64,iVBORw0=', 'picture-1');
  assert.deepEqual([png.name, png.type, [...new Uint8Array(await png.arrayBuffer())]], ['picture-1.png', 'image/png', [137, 80, 78, 71, 13]]);
  assert.equal(fileWithin('data:image/JPEG;base64,AA==', 'p').name, 'p.jpg');
  const svg = fileWithin('data:image/svg+xml;charset=utf-8,%3Csvg%3E%C3%A4%3C/svg%3E', 'p');
  assert.deepEqual([svg.name, await svg.text()], ['p.svg', '<svg>ä</svg>']);
  for (const broken of ['data:image/png;base64,***', 'data:image/svg+xml,%E0%A4%A']) assert.throws(() => fileWithin(broken, 'p'));
});
