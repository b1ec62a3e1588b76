// How soon the picker shows files of a large library.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk } from '../support/desk.mjs';
import { document, upload } from '../support/files.mjs';
import { middle, within } from '../support/goals.mjs';
import { multiplyAsset } from '../support/many.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** How long the first row may take after the picker was asked for, in milliseconds. */
const FIRST_ROW = 300;

/** How long it takes in a library of so many files, in milliseconds. */
async function firstRow(person, files) {
  const { page } = person;
  const space = await desk.space(person, `Archive of ${files}`);
  const first = await upload(person, space, document('first.txt'));
  multiplyAsset(desk.server, first.id, files - 1);
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'gallery', is_root: true, schema: { picture: { type: 'asset', pos: 0, display_name: 'Picture' } } } });
  const { story } = await call(person, 'POST', `/api/v1/spaces/${space}/stories`, { story: { name: 'Home', slug: 'home', content: { component: 'gallery' } } });
  await person.goto(`/studio/${space}/stories/${story.id}`);
  const choose = page.getByRole('button', { name: 'Picture: Choose a file' });
  // The part of the studio itself is loaded once, with the first picker.
  await choose.click();
  return middle(async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await choose.waitFor();
    return choose.evaluate((button) => new Promise((resolve) => {
      const begin = performance.now();
      const look = () => (document.querySelector('dialog [data-item] .asset-name') ? resolve(performance.now() - begin) : requestAnimationFrame(look));
      button.click();
      requestAnimationFrame(look);
    }));
  });
}

test('the picker shows the first of ten thousand files at once', async () => {
  const person = await desk.person('many@example.org');
  const [one, many] = [await firstRow(person, 1), await firstRow(person, 10_000)];
  console.log(`the first row after ${Math.round(many)} ms, of one file after ${Math.round(one)}`);
  assert.ok(many <= within(FIRST_ROW, one), `${many} ms, of one file ${one}`);
  person.isSilent('many');
  await person.close();
});
