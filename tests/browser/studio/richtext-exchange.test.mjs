// How a rich text comes from elsewhere and goes there: the system's clipboard, Markdown, files; and keys that come at once after the focus.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Desk } from './support/desk.mjs';
import { doc, openText, paragraph, richSpace, savedContent, text } from './support/richspace.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const bold = { type: 'bold' };
const heading = (level, words) => ({ type: 'heading', attrs: { level }, content: [text(words)] });

/** Chooses a tool of the menu `More` of the text. */
async function choose({ page }, name) {
  await page.getByRole('toolbar', { name: 'Format: Text' }).getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Presses keys, one after the other. */
async function press({ page }, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

test('the clipboard is pasted by the toolbar; where the browser refuses, the key that does it is told', async () => {
  const person = await desk.person('clipboard-tool@example.org');
  const at = await richSpace(person, doc(paragraph(text('Words', bold))));
  const box = await openText(person, at);
  const { page } = person;
  await box.click();
  await press(person, 'Control+a', 'Control+c', 'End', 'Enter');
  await page.context().clearPermissions();
  await choose(person, 'Paste');
  await page.getByText('The browser does not let this page read the clipboard.').waitFor();
  assert.equal((await savedContent(person, at)).text.content.length, 2);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(person, 'Paste');
  await box.getByText('Words').nth(1).waitFor();
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph(text('Words', bold)), paragraph(text('Words', bold))));
  assert.equal(await page.getByText('The browser does not let this page').count(), 0);
  person.isSilent('clipboard');
  await person.close();
});

test('Markdown and files become text where the cursor is, and the text becomes a file of Markdown', async () => {
  const person = await desk.person('exchange@example.org');
  const at = await richSpace(person, doc(paragraph('First')));
  const box = await openText(person, at);
  const { page } = person;
  const read = async (name, buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await choose(person, 'Import a file');
    await (await chooser).setFiles({ name, mimeType: '', buffer: Buffer.from(buffer) });
  };
  await box.click();
  await press(person, 'End', 'Enter');
  await choose(person, 'Paste Markdown');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Markdown' }).fill('## Title\n\nSome **bold** words');
  await person.look('rich-markdown');
  await page.getByRole('dialog').getByRole('button', { name: 'Insert' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press(person, 'Enter');
  await read('page.html', '<h3>From a page</h3><p>as <b>HTML</b></p>');
  await box.getByText('as HTML').waitFor();
  await press(person, 'Enter');
  await read('notes.md', '- one\n- two');
  await box.getByText('two').waitFor();
  const content = (await savedContent(person, at)).text;
  assert.deepEqual(content.content.slice(0, 5), [
    paragraph('First'), heading(2, 'Title'), paragraph(text('Some '), text('bold', bold), text(' words')), heading(3, 'From a page'), paragraph(text('as '), text('HTML', bold)),
  ]);
  assert.deepEqual(content.content[5].content.map((item) => item.content[0].content[0].text), ['one', 'two']);

  for (const [name, buffer, why] of [
    ['large.txt', Buffer.alloc((1 << 20) + 1, 'x'), 'This file is too large: 1 MB at most.'],
    ['word.txt', Buffer.from([0x50, 0x4b, 0xff, 0xfe]), 'This file cannot be read. Choose Markdown, plain text or HTML in UTF-8.'],
  ]) {
    await read(name, buffer);
    await page.getByText(why).waitFor();
  }
  assert.deepEqual((await savedContent(person, at)).text, content);

  const download = page.waitForEvent('download');
  await choose(person, 'Export as Markdown');
  const file = await download;
  assert.equal(file.suggestedFilename(), 'Text.md');
  assert.equal(await readFile(await file.path(), 'utf8'), 'First\n\n## Title\n\nSome **bold** words\n\n### From a page\n\nas **HTML**\n\n- one\n- two');
  assert.deepEqual((await savedContent(person, at)).text, content);
  await press(person, 'Control+z', 'Control+z', 'Control+z');
  person.isSilent('exchange');
  await person.close();
});

test('a key that comes at once after Tab stands where the cursor was', async () => {
  const person = await desk.person('at-once@example.org');
  const at = await richSpace(person, doc(paragraph('Words')));
  await openText(person, at);
  const title = person.page.getByRole('textbox', { name: 'title' });
  await title.click();
  await press(person, 'Tab', 'Tab', 'End');
  const keyboard = await person.page.context().newCDPSession(person.page);
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  for (const digit of ['1', '2', '3']) {
    // A field with a cursor of its own; from there by its toolbar into the text, one key behind the other, without an answer in between.
    await title.click();
    const keys = [tab, tab, { key: digit, text: digit }].flatMap((key) => [{ type: 'keyDown', ...key }, { type: 'keyUp', ...key, text: undefined }]);
    await Promise.all(keys.map((event) => keyboard.send('Input.dispatchKeyEvent', event)));
  }
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('Words123')));
  person.isSilent('at once');
  await person.close();
});
