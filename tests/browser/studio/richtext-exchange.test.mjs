// How a rich text comes from elsewhere and goes there: the system's clipboard, Markdown, files; and keys that come at once after the focus.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { blok, doc, openText, paragraph, pasteInto, richSpace, savedContent, teaser, text } from './support/richspace.mjs';

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

/** What the page writes when a text is copied. */
const copiedFrom = (box) => box.evaluate((element) => {
  const clipboardData = new DataTransfer();
  element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return Object.fromEntries([...clipboardData.types].map((type) => [type, clipboardData.getData(type)]));
});

test('blocks that are pasted into a text are blocks of it; what does not fit is told, and a cut is offered for removal where it is from', async () => {
  const person = await desk.person('blocks-into@example.org');
  const at = await richSpace(person, doc(paragraph('Words')));
  const { page } = person;
  const component = { name: 'landing', is_root: true, is_nestable: false, schema: { body: { type: 'bloks', display_name: 'Content' } } };
  await call(person, 'POST', `/api/v1/spaces/${at.space}/components`, { component });
  const body = [teaser('t1', 'First'), { _uid: 'b1', component: 'button', label: 'Press' }];
  const cards = await make(person, at.space, { name: 'Cards', slug: 'cards', content: { _uid: 'cards', component: 'landing', body } });
  const box = await openText(person, at);
  const source = await person.context.newPage();
  await source.goto(`${person.origin}/studio/${at.space}/stories/${cards.id}`);
  await source.getByRole('group', { name: 'Teaser: First', exact: true }).getByRole('button').first().focus();
  await source.keyboard.press('Shift+ArrowDown');
  await source.keyboard.press('Control+x');
  await source.getByText('Blocks cut: 2. Pasted in this story they move').waitFor();

  await page.bringToFront();
  await box.click();
  await press(person, 'End', 'Control+v');
  const dialog = page.getByRole('dialog', { name: 'Not everything fits here' });
  await dialog.getByText('Text takes only: Teaser, Text block.').waitFor();
  await dialog.getByText('Button: Press').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { content } = (await savedContent(person, at)).text;
  assert.deepEqual(content.map(({ type }) => type), ['paragraph', 'blok', 'paragraph']);
  assert.deepEqual(content[1].attrs.body.map(({ headline }) => headline), ['First']);
  assert.notEqual(content[1].attrs.body[0]._uid, 't1');
  await page.getByRole('group', { name: 'Teaser: First' }).first().waitFor();
  await press(person, 'Control+z');
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('Words')));
  // By the toolbar, too.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(person, 'Paste');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Teaser: First' }).first().waitFor();
  await press(person, 'Control+z');
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('Words')));
  // They are in the story that they were cut from, and can be removed there.
  await source.bringToFront();
  const bar = source.getByRole('group', { name: 'Blocks that were cut' });
  await bar.getByText('They were pasted into Harbour and are still here.').waitFor();
  await bar.getByRole('button', { name: 'Remove here' }).waitFor();
  await source.close();
  // A text without blocks has none, and says so.
  await page.getByRole('textbox', { name: 'Short' }).click();
  await press(person, 'Control+v');
  await dialog.getByText('Short takes no blocks in its text.').first().waitFor();
  await person.look('rich-blocks-left');
  await dialog.getByRole('button', { name: 'Close' }).click();
  assert.equal((await savedContent(person, at)).short, undefined);
  person.isSilent('blocks-into');
  await person.close();
});

test('a text of another space says what leads back there, and a field what it leaves out', async () => {
  const person = await desk.person('foreign-text@example.org');
  const { page } = person;
  await page.route('https://images.example.org/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>' }));
  const from = await richSpace(person, undefined);
  const link = { type: 'link', attrs: { href: '/about', uuid: from.uuid, anchor: null, target: null, linktype: 'story' } };
  const picture = { type: 'image', attrs: { src: 'https://images.example.org/crane.png', alt: '', title: '' } };
  const content = { component: 'article', title: 'All', text: doc(paragraph('A ', text('link', link), text(' twice', link, bold), picture), blok('one', { ...teaser('t1', 'First') }), paragraph('End')) };
  const all = await make(person, from.space, { name: 'All', slug: 'all', content });
  const box = await openText(person, { ...from, story: all.id });
  await box.getByText('End').click();
  await press(person, 'Control+a');
  const copied = await copiedFrom(box);
  const to = await richSpace(person, doc(paragraph()));
  const there = await openText(person, to);
  await there.click();
  await pasteInto(there, copied);
  await page.getByText('Some of this text leads back to Writers.').waitFor();
  await page.getByText('Some of this text leads back to Writers.').waitFor();
  await page.getByRole('button', { name: 'Look at it' }).click();
  const dialog = page.getByRole('dialog', { name: 'What is not in this space, but in Writers' });
  assert.deepEqual(await dialog.getByRole('listitem').locator('p').allInnerTexts(), ['Story of the other space: /about', 'File of the other space: crane.png']);
  await person.look('rich-foreign');
  await dialog.getByRole('button', { name: 'Article › Text' }).first().click();
  await dialog.waitFor({ state: 'detached' });
  const pasted = (await savedContent(person, to)).text.content;
  assert.deepEqual(pasted[0], content.text.content[0]);
  assert.notEqual(pasted[1].attrs.body[0]._uid, 't1');
  // So do blocks of another space, and those of a component that is only there stay out.
  const blocks = [{ _uid: 'x1', component: 'text_block', text: doc(paragraph(text('Linked', link))) }, { _uid: 'x2', component: 'only_there' }];
  await pasteInto(there, { 'application/x-lectern-blocks+json': JSON.stringify({ format: 2, id: 'c1', origin: person.origin, space: { id: from.space, name: 'Writers' }, story: all.id, blocks, cut: [] }) });
  const left = page.getByRole('dialog', { name: 'Not everything fits here' });
  await left.getByText('This space has no component only_there.').waitFor();
  await left.getByText('Story of the other space: /about').waitFor();
  await left.getByRole('button', { name: 'Close' }).click();
  await left.waitFor({ state: 'detached' });
  await page.getByRole('group', { name: 'Text block: Linked' }).first().waitFor();
  // A field says what it leaves out.
  const short = page.getByRole('textbox', { name: 'Short' });
  await short.click();
  await pasteInto(short, copied);
  await page.getByText('Left out, because this field does not allow it: 1 × picture, 1 × block. Some of this text leads back to Writers.').waitFor();
  await press(person, 'Control+a', 'Backspace');
  await pasteInto(short, { 'text/html': '<p>One <img src="https://images.example.org/a.png"> <a href="https://example.org">link</a></p><table><tr><td>a</td><td>b</td></tr></table>' });
  await page.getByText('Left out, because this field does not allow it: 1 × picture, 1 × table (its text is there).').waitFor();
  person.isSilent('foreign-text');
  await person.close();
});

test('cells of a spreadsheet are a table, or lines, and no picture; what a field has no place for takes the place of nothing', async () => {
  const person = await desk.person('cells@example.org');
  const { page } = person;
  const at = await richSpace(person, doc(paragraph()));
  const box = await openText(person, at);
  const short = page.getByRole('textbox', { name: 'Short' });
  /** As a spreadsheet does: HTML, text, and a picture of the cells. */
  const paste = (locator, data) => locator.evaluate((element, given) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(given)) clipboardData.setData(type, value);
    clipboardData.items.add(new File([Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (one) => one.charCodeAt(0))], 'image.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
  const cells = { 'text/html': '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body><!--StartFragment--><table><tr><td>Ship</td><td>Tons</td></tr><tr><td>Ada</td><td>1200</td></tr></table><!--EndFragment--></body></html>', 'text/plain': 'Ship\tTons\r\nAda\t1200\r\n' };
  await box.click();
  await paste(box, cells);
  await box.getByText('1200').waitFor();
  await short.click();
  await paste(short, cells);
  await page.getByText('Left out, because this field does not allow it: 1 × table (its text is there).').waitFor();
  // Without HTML, as some programs copy.
  await press(person, 'Enter');
  await paste(short, { 'text/plain': 'Eva\t90' });
  await short.getByText('Eva').waitFor();
  let content = await savedContent(person, at);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(content.text.content[0].content.map((row) => row.content.map((one) => one.content[0].content[0].text)), [['Ship', 'Tons'], ['Ada', '1200']]);
  assert.deepEqual(content.short, doc(paragraph('Ship\tTons'), paragraph('Ada\t1200'), paragraph('Eva\t90')));
  // A picture is none, and what is selected stays.
  await press(person, 'Control+a');
  await paste(short, {});
  await page.getByText('Left out, because this field does not allow it: 1 × picture.').waitFor();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await short.click();
  await press(person, 'Control+a');
  await paste(short, { 'text/html': '<img src="https://images.example.org/a.png">' });
  await page.getByText('Left out, because this field does not allow it: 1 × picture.').waitFor();
  await press(person, 'End');
  await page.keyboard.type('!');
  content = await savedContent(person, at);
  assert.deepEqual(content.short.content[2], paragraph('Eva\t90!'));
  // In a text with pictures it is one.
  await page.getByRole('textbox', { name: 'Text', exact: true }).click();
  await paste(box, {});
  await page.getByRole('dialog', { name: 'Choose files' }).getByText('image.png').first().waitFor();
  person.isSilent('cells');
  await person.close();
});
