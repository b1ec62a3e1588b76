// What the image service makes, as a browser shows it: each format has the colours and the transparency of the original.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './studio/support/desk.mjs';
import { upload } from './studio/support/files.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** Columns of equal width: red, green, blue, and one through which one sees halfway; what is above them cannot be seen. */
const COLUMNS = [[220, 30, 40, 255], [20, 160, 60, 255], [30, 60, 200, 255], [240, 200, 40, 128]];
const [WIDTH, HEIGHT] = [160, 80];

/** The picture as PNG. */
const original = (page) => page.evaluate(async ([columns, width, height]) => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  columns.forEach(([red, green, blue, alpha], at) => {
    context.fillStyle = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
    context.fillRect((at * width) / columns.length, height / 2, width / columns.length, height / 2);
  });
  return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())];
}, [COLUMNS, WIDTH, HEIGHT]);

/** The pixels in the middle of each column, of the upper and of the lower half. */
const middles = (page, bytes, type) => page.evaluate(async ([data, mime, count]) => {
  const picture = await createImageBitmap(new Blob([new Uint8Array(data)], { type: mime }), { premultiplyAlpha: 'none' });
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(picture, 0, 0);
  const at = (column, part) => [...context.getImageData(Math.floor(((column + 0.5) * width) / count), Math.floor(height * part), 1, 1).data];
  const columns = Array.from({ length: count }, (_, column) => column);
  return { width, height, upper: columns.map((column) => at(column, 0.25)), lower: columns.map((column) => at(column, 0.75)) };
}, [[...bytes], type, COLUMNS.length]);

for (const format of ['avif', 'webp', 'png', 'jpeg']) {
  test(`a picture in ${format} has the colours and the transparency of its original`, async () => {
    const person = await desk.person(`${format}@example.org`);
    const space = await desk.space(person, 'Pictures');
    const buffer = Buffer.from(await original(person.page));
    const { filename } = await upload(person, space, { name: 'columns.png', mimeType: 'image/png', buffer });
    const answer = await person.context.request.get(`${filename}/m/${WIDTH / 2}x0/filters:format(${format}):quality(90)`);
    assert.equal(answer.status(), 200, await answer.text());
    const type = answer.headers()['content-type'];
    assert.equal(type, `image/${format}`);
    const { width, height, upper, lower } = await middles(person.page, await answer.body(), type);
    assert.deepEqual([width, height], [WIDTH / 2, HEIGHT / 2]);
    const isOpaque = format === 'jpeg';
    // Where a format has no transparency, white shows through.
    const seen = ([red, green, blue, alpha]) => (isOpaque ? [...[red, green, blue].map((part) => 255 - ((255 - part) * alpha) / 255), 255] : [red, green, blue, alpha]);
    COLUMNS.map(seen).forEach((expected, at) => assert.ok(expected.every((part, index) => Math.abs(part - lower[at][index]) <= 14), `${lower[at]} instead of ${expected}`));
    for (const pixel of upper) assert.ok(isOpaque ? pixel.every((part) => part >= 245) : pixel[3] <= 10, `${pixel} where nothing is seen`);
    await person.close();
  });
}
