// Rich text: written by keys alone, with blocks, tables, links and pictures in it; nothing that is not touched changes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk } from './support/desk.mjs';
import { blok, doc, openText, paragraph, richSpace, savedContent, teaser, text } from './support/richspace.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const bold = { type: 'bold' };
const item = (...content) => ({ type: 'list_item', content });
const heading = (level, words) => ({ type: 'heading', attrs: { level }, content: [text(words)] });
const link = (href, more = {}) => ({ type: 'link', attrs: { href, uuid: null, anchor: null, target: null, linktype: 'url', ...more } });

/** What has the focus, by its name. */
const focused = (person) => person.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);

/** Presses keys, one after the other. */
async function press(person, ...keys) {
  for (const key of keys) await person.page.keyboard.press(key);
}

/** Puts the cursor at the end of a text of the editor. */
async function cursorBehind(person, words) {
  await person.page.locator('.rich-text').getByText(words, { exact: true }).first().click();
  await person.page.keyboard.press('End');
}

test('a page is written with keys alone, and undo takes it back with the other fields', async () => {
  const person = await desk.person('writes@example.org');
  const at = await richSpace(person);
  const box = await openText(person, at);
  const { keyboard } = person.page;
  await person.page.getByRole('textbox', { name: 'title' }).focus();
  // The toolbar is one stop on the way.
  await press(person, 'Tab', 'Tab');
  assert.equal(await focused(person), 'Text');
  await keyboard.type('# Harbour');
  await press(person, 'Enter');
  await keyboard.type('Ships **come** and *go*, `daily`.');
  await press(person, 'Enter');
  await keyboard.type('- one');
  await press(person, 'Enter', 'Control+]');
  await keyboard.type('within');
  await press(person, 'Enter', 'Control+[');
  await keyboard.type('two');
  await press(person, 'Enter', 'Enter');
  await keyboard.type('/quo');
  await person.page.getByRole('option', { name: 'Quote' }).waitFor();
  await press(person, 'Enter');
  await keyboard.type('Said');
  // To the toolbar, along it, and back.
  await press(person, 'Shift+Home', 'Alt+F10');
  assert.equal(await focused(person), 'Paragraph');
  await press(person, 'ArrowRight', 'ArrowRight');
  assert.equal(await focused(person), 'Italic');
  await press(person, 'Enter');
  assert.equal(await focused(person), 'Text');
  await press(person, 'End', 'Enter', 'Enter');
  await keyboard.type('---');
  await keyboard.type('```js ');
  await keyboard.type('let a;');
  await press(person, 'Enter');
  await keyboard.type('a;');
  await press(person, 'Escape', 'Tab');
  assert.equal(await box.evaluate((element) => element.contains(document.activeElement)), false);
  const expected = doc(
    heading(1, 'Harbour'),
    paragraph('Ships ', text('come', bold), ' and ', text('go', { type: 'italic' }), ', ', text('daily', { type: 'code' }), '.'),
    { type: 'bullet_list', content: [item(paragraph('one'), { type: 'bullet_list', content: [item(paragraph('within'))] }), item(paragraph('two'))] },
    { type: 'blockquote', content: [paragraph(text('Said', { type: 'italic' }))] },
    { type: 'horizontal_rule' },
    { type: 'code_block', attrs: { class: 'language-js' }, content: [text('let a;\na;')] },
  );
  const { text: stored, ...rest } = await savedContent(person, at);
  assert.deepEqual(stored, expected);
  assert.deepEqual(rest, { _uid: 'root', component: 'article', title: 'Harbour' });
  // One undo over all fields: the last thing first.
  await person.page.getByRole('textbox', { name: 'title' }).fill('Port');
  await press(person, 'Control+z');
  assert.equal(await person.page.getByRole('textbox', { name: 'title' }).inputValue(), 'Harbour');
  for (let steps = 0; (await box.innerText()).includes('Ships'); steps++) {
    assert.ok(steps < 100, 'undo does not reach the beginning');
    await press(person, 'Control+z');
  }
  await press(person, ...Array.from({ length: 60 }, () => 'Control+y'));
  await person.page.getByRole('textbox', { name: 'title' }).focus();
  assert.deepEqual((await savedContent(person, at)).text, expected);
  person.isSilent('written');
  await person.close();
});

test('what is not known comes back as it was, beside what is typed', async () => {
  const person = await desk.person('keeps@example.org');
  const before = doc(
    { type: 'paragraph', attrs: { textAlign: null, 'data-own': 7 }, extra: [1], content: [text('One', { type: 'comment', attrs: { thread: 't' } }), text(''), { type: 'mention', attrs: { id: 3 } }] },
    { type: 'callout', attrs: { tone: 'calm' }, content: [paragraph('within')] },
    { type: 'heading', content: [{ type: 'text', text: 'Two', odd: true }] },
    { type: 'image', attrs: { src: '//a.storyblok.com/f/1/a.png', alt: null, title: '' } },
    paragraph('Last'),
  );
  await person.page.route('https://a.storyblok.com/**', (route) => route.abort());
  const at = await richSpace(person, before);
  await openText(person, at);
  await cursorBehind(person, 'Last');
  await person.page.keyboard.type(' words');
  const { text: after } = await savedContent(person, at);
  assert.deepEqual(after, { ...before, content: [...before.content.slice(0, 4), paragraph('Last words')] });
  // In the line that is edited, too, all that is not known stays.
  await cursorBehind(person, 'One');
  await person.page.keyboard.press('Home');
  await person.page.keyboard.type('Number ');
  const [line] = (await savedContent(person, at)).text.content;
  assert.deepEqual(line, { ...before.content[0], content: [text('Number '), before.content[0].content[0], before.content[0].content[2]] });
  assert.ok(person.hasReported('Failed to load resource: net::ERR_FAILED'));
  await person.close();
});

test('a text that is built wrongly is JSON until it is repaired, and undo brings it back', async () => {
  const person = await desk.person('repairs@example.org');
  const broken = doc({ type: 'bullet_list', content: [item(text('loose')), paragraph('stray')] }, paragraph('before', { type: 'horizontal_rule' }, 'after'));
  const at = await richSpace(person, undefined, { text: broken });
  await person.goto(`/studio/${at.space}/stories/${at.story}`);
  const field = person.page.locator('[data-field=text]');
  await field.getByText('This text is not built as a rich text has to be').waitFor();
  assert.deepEqual(await field.locator('.message li').allInnerTexts(), [
    '1 × text or pictures that stand alone get a paragraph', '1 × what stands directly in a list becomes an item of it', '1 × a line of text with a block in it is divided there',
  ]);
  await field.getByRole('button', { name: 'Repair' }).click();
  await field.getByRole('textbox', { name: 'Text' }).waitFor();
  assert.deepEqual((await savedContent(person, at)).text, doc(
    { type: 'bullet_list', content: [item(paragraph('loose')), item(paragraph('stray'))] }, paragraph('before'), { type: 'horizontal_rule' }, paragraph('after'),
  ));
  await person.page.keyboard.press('Control+z');
  await field.getByText('This text is not built as a rich text has to be').waitFor();
  assert.deepEqual((await savedContent(person, at)).text, broken);
  person.isSilent('repaired');
  await person.close();
});

test('links are set, edited wherever the cursor stands in them, copied and removed', async () => {
  const person = await desk.person('links@example.org');
  const at = await richSpace(person, doc(paragraph('See ', text('the', link('https://example.org/a', { custom: { rel: 'me' }, story: 'kept' })), text(' site', bold, link('https://example.org/a', { custom: { rel: 'me' }, story: 'kept' })), ' and more')));
  const box = await openText(person, at);
  const { keyboard } = person.page;
  await cursorBehind(person, 'the site');
  await press(person, 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+k');
  const dialog = person.page.getByRole('dialog', { name: 'Link' });
  await dialog.getByRole('tab', { name: 'URL' }).waitFor();
  const address = dialog.getByRole('tabpanel').getByRole('textbox').first();
  assert.equal(await address.inputValue(), 'https://example.org/a');
  await address.fill('https://example.org/b');
  await address.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await focused(person), 'Text');
  const linked = link('https://example.org/b', { custom: { rel: 'me' }, story: 'kept' });
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('See ', text('the', linked), text(' site', linked, bold), ' and more')));
  // A copy brings its link along.
  await box.click();
  await press(person, 'Control+a');
  const copied = await box.evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
    return { html: clipboardData.getData('text/html'), plain: clipboardData.getData('text/plain') };
  });
  assert.equal(copied.plain, 'See the site and more');
  assert.match(copied.html, /<a href="https:\/\/example\.org\/b">/);
  // A new link on words that are selected.
  await press(person, 'End', 'Control+Shift+ArrowLeft', 'Control+k');
  await dialog.getByRole('tab', { name: 'URL' }).click();
  await address.fill('https://example.org/c');
  await address.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await press(person, 'Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+k');
  await dialog.getByRole('button', { name: 'Remove the link' }).click();
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('See the', text(' site', bold), ' and ', text('more', link('https://example.org/c')))));
  await keyboard.press('Escape');
  person.isSilent('links');
  await person.close();
});
