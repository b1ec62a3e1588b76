// Pictures come into a rich text by paste, by drop and from the library; none comes into the library unasked, and none is left out unsaid.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { picture, png, upload } from './support/files.mjs';
import { doc, openText, paragraph, pasteInto, richSpace, savedContent } from './support/richspace.mjs';
import { signInAgain } from './support/session.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** The others are ProseMirror's, for the cursor. */
const IMG = 'img:not(.ProseMirror-separator)';
const dataUrl = (bytes) => `data:image/png;base64,${bytes.toString('base64')}`;
const assetsOf = async (person, { space }) => (await call(person, 'GET', `/api/v1/spaces/${space}/assets`)).assets;
/** The pictures of the text, as they are stored. */
const storedPictures = async (person, at) => JSON.parse(JSON.stringify((await savedContent(person, at)).text.content)).flatMap((node) => [node, ...(node.content ?? [])]).filter(({ type }) => type === 'image');
const nameOf = ({ attrs }) => attrs.src.split('/').at(-1);

/** Pastes a file, or drops it at the beginning of what the locator shows; Word puts HTML beside it. */
const give = (locator, act, name, bytes, html = '') => locator.evaluate((element, [kind, called, all, beside]) => {
  const data = new DataTransfer();
  if (beside) data.setData('text/html', beside);
  data.items.add(new File([new Uint8Array(all)], called, { type: 'image/png' }));
  const { left, top } = element.getBoundingClientRect();
  const event = kind === 'paste'
    ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true, clientX: left + 2, clientY: top + 8 });
  element.dispatchEvent(event);
}, [act, name, [...bytes], html]);

test('pictures of a pasted text are taken into the library after asking, and what cannot be is told', async () => {
  const person = await desk.person('pasted-pictures@example.org');
  const at = await richSpace(person, doc(paragraph()));
  const box = await openText(person, at);
  const dialog = person.page.getByRole('dialog', { name: 'Pictures in what you paste' });
  const file = 'file:///C:/Users/ann/AppData/Local/Temp/msohtmlclip1/01/clip_image002.png';
  await box.click();
  await pasteInto(box, { 'text/html': `<p>Before <img src="${dataUrl(png(8, 8))}" alt="A crane"> after</p><p><img src="${file}">The end</p>` });
  await dialog.getByText('The text has a picture from elsewhere.').waitFor();
  await dialog.getByText(/^Pictures left out: 1\./).waitFor();
  await person.look('rich-pasted');
  // What has no address cannot keep it.
  assert.equal(await dialog.getByRole('button', { name: 'Keep its address' }).count(), 0);
  await dialog.getByRole('button', { name: 'Copy it into the library' }).click();
  await dialog.waitFor({ state: 'detached' });
  const [asset, ...more] = await assetsOf(person, at);
  assert.deepEqual([asset.short_filename, more], ['picture-1.png', []]);
  const [{ attrs }] = await storedPictures(person, at);
  assert.deepEqual([attrs.id, attrs.src, attrs.alt], [asset.id, asset.filename, 'A crane']);
  assert.ok((await savedContent(person, at)).text.content.some(({ content }) => content?.[0].text === 'The end'));

  // A picture that is broken is told, and the text comes without it.
  await box.press('Control+a');
  await pasteInto(box, { 'text/html': `<p>Torn <img src="${dataUrl(png(8, 8).subarray(0, 60))}"> picture</p>` });
  await dialog.getByRole('button', { name: 'Copy it into the library' }).click();
  await dialog.getByText(/^Pictures that could not be taken into the library and are left out: 1\./).waitFor();
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await dialog.waitFor({ state: 'detached' });
  await box.getByText('Torn picture').waitFor();
  assert.deepEqual(await storedPictures(person, at), []);
  assert.equal((await assetsOf(person, at)).length, 1);

  // Where none can be read there is nothing to choose.
  await box.press('Control+a');
  await pasteInto(box, { 'text/html': `<p>Word <img src="${file}"> alone</p>` });
  await dialog.getByText(/^Pictures left out: 1\./).waitFor();
  assert.deepEqual(await dialog.getByRole('button').allTextContents(), ['Insert']);
  await person.page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await box.getByText('Word alone').waitFor();
  person.isSilent('pasted-pictures');
  await person.close();
});

test('files are pasted and dropped where they belong, one is chosen in the library, and undo takes each back', async () => {
  const person = await desk.person('files@example.org');
  const { page } = person;
  const at = await richSpace(person, doc(paragraph('First line'), paragraph('Second line')));
  const asset = await upload(person, at.space, picture('quay.png'), { alt: 'A quay' });
  const box = await openText(person, at);
  const picker = page.getByRole('dialog', { name: /^Choose/ });
  const names = async () => (await storedPictures(person, at)).map(nameOf);
  /** What was given is picked as soon as it is uploaded. */
  const insert = async () => {
    await picker.getByRole('button', { name: 'Insert (1)' }).click();
    await picker.waitFor({ state: 'detached' });
  };

  await box.getByText('Second line').click();
  await page.keyboard.press('End');
  // Word gives a picture as a file, beside a name that only Word knows.
  await give(box, 'paste', 'pasted.png', png(20, 10), '<img src="file:///C:/Temp/clip_image002.png">');
  await insert();
  await box.locator(IMG).waitFor();
  assert.deepEqual((await savedContent(person, at)).text.content[1].content.map(({ type }) => type), ['text', 'image']);
  assert.deepEqual(await names(), ['pasted.png']);

  await give(box.getByText('First line'), 'drop', 'dropped.png', png(20, 10));
  await insert();
  await box.locator(IMG).nth(1).waitFor();
  assert.deepEqual((await savedContent(person, at)).text.content[0].content.map(({ type }) => type), ['image', 'text']);
  assert.deepEqual(await names(), ['dropped.png', 'pasted.png']);

  await box.press('Control+Home');
  await page.getByRole('toolbar', { name: /Text/ }).getByRole('button', { name: 'Picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Picture', exact: true });
  await dialog.getByRole('button', { name: 'Choose from the library' }).click();
  await picker.getByText('quay.png').click();
  assert.equal(await dialog.getByLabel('Text for who cannot see it').inputValue(), 'A quay');
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await box.locator(IMG).nth(2).waitFor();
  const chosen = (await storedPictures(person, at)).find((one) => nameOf(one) === 'quay.png');
  assert.deepEqual([chosen.attrs.id, chosen.attrs.src, chosen.attrs.alt], [asset.id, asset.filename, 'A quay']);

  for (const left of [2, 1, 0]) {
    await page.keyboard.press('Control+z');
    await page.waitForFunction(([img, count]) => document.querySelectorAll(`.rich-text ${img}`).length === count, [IMG, left]);
  }
  assert.deepEqual((await savedContent(person, at)).text.content, [paragraph('First line'), paragraph('Second line')]);
  person.isSilent('files');
  await person.close();
});

test('a paste that asks still or copies still when the connection or the session ends, or the screen is left, loses no text', async () => {
  const email = 'under-way@example.org';
  const person = await desk.person(email);
  const { page, context } = person;
  const at = await richSpace(person, doc(paragraph('First')));
  const box = await openText(person, at);
  const dialog = page.getByRole('dialog', { name: 'Pictures in what you paste' });
  const html = (text) => ({ 'text/html': `<p>${text} <img src="${dataUrl(png(8, 8))}"> end</p>` });
  const texts = async () => (await savedContent(person, at)).text.content.map(({ content }) => (content ?? []).map(({ text }) => text ?? '*').join(''));
  /** Pastes behind everything, and begins to copy the picture, which gets nowhere until it is let go. */
  const copying = async (text) => {
    const { promise: isOver, resolve: letGo } = Promise.withResolvers();
    const { promise: isSent, resolve: sent } = Promise.withResolvers();
    await page.route('**/api/v1/spaces/*/assets', async (route) => {
      if (route.request().method() === 'POST') {
        sent();
        await isOver;
      }
      await route.continue().catch(() => {});
    });
    await box.press('Control+End');
    await page.keyboard.press('Enter');
    await pasteInto(box, html(text));
    await dialog.getByRole('button', { name: 'Copy it into the library' }).click();
    await isSent;
    return async () => {
      letGo();
      await page.unroute('**/api/v1/spaces/*/assets');
    };
  };

  let letGo = await copying('Offline');
  await context.setOffline(true);
  await letGo();
  await dialog.getByText(/^Pictures that could not be taken into the library and are left out: 1\./).waitFor();
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await box.getByText('Offline end').waitFor();
  await context.setOffline(false);
  assert.deepEqual(await texts(), ['First', 'Offline  end']);

  // Who is signed out signs in again, and the picture is there.
  letGo = await copying('Signed out');
  await context.clearCookies();
  await letGo();
  await signInAgain(person, email);
  await dialog.waitFor({ state: 'detached' });
  await box.locator(IMG).waitFor();
  assert.deepEqual(await texts(), ['First', 'Offline  end', 'Signed out * end']);

  // Who leaves the story before the answer takes the text without its pictures along.
  await person.goto(`/studio/${at.space}/stories`);
  await page.getByRole('link', { name: 'Harbour' }).click();
  await box.press('Control+End');
  await page.keyboard.press('Enter');
  await pasteInto(box, html('Left'));
  await dialog.waitFor();
  await page.goBack();
  await page.getByRole('row', { name: 'Harbour' }).waitFor();
  await openText(person, at);
  await box.getByText('Left end').waitFor();
  assert.deepEqual((await texts()).at(-1), 'Left  end');
  await person.close();
});
