// Private files in stories: an editor sees them wherever they are named, and content keeps the URL without a signature.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { picture, upload } from './support/files.mjs';
import { open, saved, stored } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const isLoaded = (image) => image.evaluate((element) => new Promise((resolve) => {
  const look = () => (element.naturalWidth > 0 ? resolve() : element.addEventListener('load', look, { once: true }));
  look();
}));

test('private pictures are shown in rich text, Markdown and fields of old content, and content keeps their URLs', async () => {
  const person = await desk.person('private@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const [vault, plan] = await Promise.all(['vault.png', 'the plan.png'].map((name) => upload(person, space, picture(name, 40, 30), { is_private: 'true' })));
  const schema = { title: { type: 'text', pos: 0 }, body: { type: 'richtext', pos: 1 }, notes: { type: 'markdown', pos: 2 }, old: { type: 'image', pos: 3 } };
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'report', is_root: true, schema } });
  const image = (src) => ({ type: 'paragraph', content: [{ type: 'text', text: 'See ' }, { type: 'image', attrs: { src, alt: 'A vault' } }] });
  const content = {
    component: 'report', title: 'Report', body: { type: 'doc', content: [image(vault.filename), image('https://elsewhere.invalid/none.png')] }, notes: `![A plan](${plan.filename})`, old: plan.filename,
  };
  const { id } = await make(person, space, { name: 'Report', slug: 'report', content });
  // A file of another server stays what it is.
  await page.route('https://elsewhere.invalid/**', (route) => route.fulfill({ status: 404, body: '' }));
  await open(person, { space, story: id });
  const text = page.getByRole('textbox', { name: 'body' });
  await isLoaded(text.locator('img').first());
  await isLoaded(page.locator('.file-use .thumbnail img'));
  await page.getByRole('button', { name: 'Preview' }).first().click();
  await isLoaded(page.locator('.markdown-preview img'));
  await text.locator('img').first().click();
  await page.getByRole('toolbar', { name: /body/ }).getByRole('button', { name: /^Picture/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Picture' });
  await isLoaded(dialog.locator('img'));
  assert.equal(await dialog.getByLabel('URL').inputValue(), vault.filename);
  await page.keyboard.press('Escape');
  await person.look('studio-private-pictures');
  // What is typed beside them leaves them as they were.
  await text.locator('p').first().click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('Home');
  await page.keyboard.type('Please ');
  await saved(person);
  const { body, notes, old } = (await stored(person, { space, story: id })).content;
  assert.equal(body.content[0].content[0].text, 'Please See ');
  assert.deepEqual(body.content[0].content[1], content.body.content[0].content[1]);
  assert.deepEqual([notes, old, body.content[1]], [content.notes, content.old, content.body.content[1]]);
  await person.close();
});
