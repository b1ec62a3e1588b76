// Rich text: written by keys alone, with blocks, tables, links and pictures in it; nothing that is not touched changes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { after, before, test } from 'node:test';
import { Desk, make } from './support/desk.mjs';
import { blok, doc, openText, paragraph, pasteInto, richSpace, savedContent, teaser, text } from './support/richspace.mjs';

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

/** Waits until the browser has moved its selection, which it does after the key, and has told the editor. */
async function selected(person, words) {
  await person.page.waitForFunction((all) => getSelection().toString() === all, words);
  await person.page.evaluate(() => new Promise(requestAnimationFrame));
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
  while (await person.page.getByRole('button', { name: 'Redo' }).isEnabled()) await press(person, 'Control+y');
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

test('blocks that were cut are the same again where they come back, also when the part for tables has come meanwhile', async () => {
  const person = await desk.person('back@example.org');
  const at = await richSpace(person, doc(paragraph('One'), blok('one', teaser('t1', 'First')), paragraph('Two')));
  await openText(person, at);
  const { page } = person;
  await cursorBehind(person, 'One');
  await press(person, 'Control+a', 'Control+x');
  await page.getByRole('toolbar', { name: 'Format: Text' }).getByRole('button', { name: 'Insert', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Table', exact: true }).click();
  await page.locator('.rich-text th').first().waitFor();
  await press(person, 'Control+End', 'Control+v');
  await page.getByRole('group', { name: 'Teaser: First' }).first().waitFor();
  const { content } = (await savedContent(person, at)).text;
  assert.deepEqual(content.map(({ type }) => type), ['table', 'paragraph', 'blok', 'paragraph']);
  assert.equal(content[2].attrs.body[0]._uid, 't1');
  person.isSilent('back');
  await person.close();
});

test('what is not known is copied with the blocks in it, within the text and into another story', async () => {
  const person = await desk.person('copies@example.org');
  const callout = (...bodies) => ({ type: 'callout', attrs: { tone: 'calm' }, content: bodies });
  const at = await richSpace(person, doc(callout(blok('one', teaser('t1', 'First'))), paragraph('Last')));
  const box = await openText(person, at);
  await box.click();
  await press(person, 'Control+a');
  const copied = await clipboardOf(box, 'copy');
  await press(person, 'Control+End');
  await selected(person, '');
  await pasteInto(box, copied);
  await person.page.keyboard.type(' words');
  const named = (value) => ({ headlines: JSON.stringify(value).match(/"headline":"\w+"/g), uids: new Set(JSON.stringify(value).match(/"_uid":"[^"]+"/g)) });
  const { text: twice } = await savedContent(person, at);
  assert.deepEqual(twice.content.map(({ type }) => type), ['callout', 'paragraph', 'callout', 'paragraph']);
  assert.equal(named(twice).headlines.length, 2);
  assert.equal(named(twice).uids.size, 2, 'the copy has blocks of its own');
  const other = { ...at, story: (await make(person, at.space, { name: 'Other', slug: 'other', content: { component: 'article', title: 'Other' } })).id };
  const there = await openText(person, other);
  await there.click();
  await pasteInto(there, copied);
  await person.page.keyboard.type(' words');
  const { text: pasted } = await savedContent(person, other);
  assert.deepEqual(pasted.content.at(-1), paragraph('Last words'));
  assert.equal(named(pasted).headlines[0], '"headline":"First"');
  assert.notEqual(pasted.content[0].content[0].attrs.body[0]._uid, 't1');
  person.isSilent('copies');
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

test('a value that is no document is JSON until it is repaired, and what a repair leaves out is told', async () => {
  const person = await desk.person('nodoc@example.org');
  const at = await richSpace(person, undefined, { text: 'Plain\nwords', short: [paragraph('Listed'), null] });
  const { page } = person;
  await person.goto(`/studio/${at.space}/stories/${at.story}`);
  const [field, short] = ['text', 'short'].map((name) => page.locator(`[data-field=${name}]`));
  await field.getByText('This text is not built as a rich text has to be').waitFor();
  assert.deepEqual(await field.locator('.message li').allInnerTexts(), ['1 × plain text becomes a text', '1 × what is no document gets one around it']);
  assert.equal(await field.getByText('Left out would be').count(), 0);
  await short.getByText('Left out would be: null').waitFor();
  await person.look('rich-nodoc');
  await field.getByRole('button', { name: 'Repair' }).click();
  await field.getByRole('textbox', { name: 'Text' }).waitFor();
  await short.getByRole('button', { name: 'Repair' }).click();
  await short.getByRole('textbox', { name: 'Short' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  const content = await savedContent(person, at);
  assert.deepEqual(content.text, doc(paragraph('Plain'), paragraph('words')));
  assert.deepEqual(content.short, doc(paragraph('Listed!')));
  person.isSilent('nodoc');
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
  const copied = await clipboardOf(box, 'copy');
  assert.equal(copied['text/plain'], 'See the site and more');
  assert.match(copied['text/html'], /<a href="https:\/\/example\.org\/b">/);
  // A new link on words that are selected.
  await press(person, 'End', 'Control+Shift+ArrowLeft');
  await selected(person, 'more');
  await press(person, 'Control+k');
  await dialog.getByRole('tab', { name: 'URL' }).click();
  await address.fill('https://example.org/c');
  await address.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await box.locator('a').first().click();
  await person.page.waitForFunction(() => getSelection().anchorNode?.parentElement?.closest('a')?.textContent.startsWith('the'));
  await person.page.evaluate(() => new Promise(requestAnimationFrame));
  await press(person, 'Control+k');
  await dialog.getByRole('button', { name: 'Remove the link' }).click();
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('See the', text(' site', bold), ' and ', text('more', link('https://example.org/c')))));
  await keyboard.press('Escape');
  person.isSilent('links');
  await person.close();
});

test('blocks in the text are blocks: put in, written in, moved by keys and dragged, removed, and brought back', async () => {
  const person = await desk.person('bloks@example.org');
  const nested = { _uid: 'n1', component: 'text_block', text: doc(paragraph('Deep'), blok('b3', teaser('t4', 'Deepest'))) };
  const at = await richSpace(person, doc(paragraph('Before'), blok('b1', teaser('t1', 'First'), teaser('t2', 'Second')), paragraph('Between'), blok('b2', teaser('t3', 'Third'), nested), paragraph('After')));
  const box = await openText(person, at);
  const { page } = person;
  const { keyboard } = page;
  const cardNamed = (name) => page.getByRole('group', { name, exact: true });
  const uids = (value) => value.content.map((node) => (node.type === 'blok' ? node.attrs.body.map(({ _uid }) => _uid) : (node.content?.[0]?.text ?? '')));
  const stored = async () => uids((await savedContent(person, at)).text);
  // The cards are where the text has them, and in the outline.
  await cardNamed('Teaser: First').waitFor();
  assert.equal(await cardNamed('Teaser: First').evaluate((card) => card.closest('.rich-text') !== null), true);
  assert.deepEqual((await page.getByRole('treeitem').allInnerTexts()).map((row) => row.trim().split(/\s+/).slice(0, 2).join(' ')), ['Article Harbour', 'Teaser text', 'Teaser text', 'Teaser text', 'Text block', 'Teaser Deepest']);
  // What is typed in a card is in the text, and the text stays as it is.
  await cardNamed('Teaser: First').getByRole('button').first().click();
  await page.getByRole('textbox', { name: 'Headline' }).fill('Written');
  await cardNamed('Teaser: Written').waitFor();
  // Alt with arrows moves a block in its list; its last one takes the node with it.
  await cardNamed('Teaser: Second').getByRole('button').first().focus();
  await press(person, 'Alt+ArrowUp');
  assert.deepEqual(await stored(), ['Before', ['t2', 't1'], 'Between', ['t3', 'n1'], 'After']);
  await dragTo(person, cardNamed('Teaser: Second').locator('.block-head').first(), cardNamed('Teaser: Third'));
  assert.deepEqual(await stored(), ['Before', ['t1'], 'Between', ['t2', 't3', 'n1'], 'After']);
  await dragTo(person, cardNamed('Teaser: Written').locator('.block-head').first(), cardNamed('Teaser: Third'));
  assert.deepEqual(await stored(), ['Before', 'Between', ['t2', 't1', 't3', 'n1'], 'After']);
  await press(person, 'Control+z', 'Control+z');
  assert.deepEqual(await stored(), ['Before', ['t2', 't1'], 'Between', ['t3', 'n1'], 'After']);
  // Backspace beside it selects it first, then removes it; undo brings it back with what was written.
  await cursorBehind(person, 'Between');
  await press(person, 'Home', 'Backspace');
  assert.equal(await page.locator('.rich-blok.ProseMirror-selectednode').count(), 1);
  await press(person, 'Alt+ArrowDown');
  assert.deepEqual(await stored(), ['Before', 'Between', ['t2', 't1'], ['t3', 'n1'], 'After']);
  await press(person, 'Backspace');
  assert.deepEqual(await stored(), ['Before', 'Between', ['t3', 'n1'], 'After']);
  await press(person, 'Control+z');
  await cardNamed('Teaser: Written').waitFor();
  assert.deepEqual(await stored(), ['Before', 'Between', ['t2', 't1'], ['t3', 'n1'], 'After']);
  // A new one, of those that the field allows.
  await cursorBehind(person, 'Before');
  await press(person, 'Enter');
  await keyboard.type('/blo');
  await page.getByRole('option', { name: 'Block', exact: true }).waitFor();
  await press(person, 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a block' });
  await dialog.waitFor();
  assert.deepEqual(await dialog.getByRole('option').allInnerTexts(), ['Teaser', 'Text block']);
  await press(person, 'Enter');
  await cardNamed('Teaser').waitFor();
  const after = await savedContent(person, at);
  const [, made] = after.text.content;
  assert.deepEqual(Object.keys(made.attrs), ['id', 'body']);
  assert.equal(made.attrs.body[0].component, 'teaser');
  assert.match(made.attrs.body[0]._uid, /^[0-9a-f-]{36}$/);
  // A rich text in a block of a rich text is written like any other.
  await cardNamed('Text block: Deep').getByRole('button').first().click();
  const inner = page.getByRole('textbox', { name: 'Inner text' });
  await inner.getByText('Deep', { exact: true }).click();
  await press(person, 'End');
  await keyboard.type('er');
  assert.equal(await box.evaluate((element) => element.contains(document.activeElement) && element !== document.activeElement), true);
  await cardNamed('Teaser: Deepest').waitFor();
  const deep = (await savedContent(person, at)).text.content.at(-2).attrs.body[1];
  assert.deepEqual(deep, { ...nested, text: doc(paragraph('Deeper'), nested.text.content[1]) });
  // A copy of the text has blocks of its own; what was cut and comes back keeps them.
  await cursorBehind(person, 'After');
  await press(person, 'Control+a');
  const copied = await clipboardOf(box, 'cut');
  await pasteInto(box, copied);
  const [, , third] = (await savedContent(person, at)).text.content.filter(({ type }) => type === 'blok');
  assert.deepEqual(third.attrs.body.map(({ _uid }) => _uid), ['t3', 'n1']);
  await press(person, 'Control+End');
  await selected(person, '');
  await pasteInto(box, copied);
  const all = (await savedContent(person, at)).text.content.filter(({ type }) => type === 'blok').flatMap(({ attrs }) => attrs.body.map(({ _uid }) => _uid));
  assert.equal(all.length, 10);
  assert.equal(new Set(all).size, 10);
  person.isSilent('blocks');
  await person.close();
});

test('blocks are dragged from one text into another: they move there, as one step, and never into themselves', async () => {
  const person = await desk.person('dragged@example.org');
  const nested = { _uid: 'n1', component: 'text_block', text: doc(paragraph('Deep'), blok('b3', teaser('t4', 'Deepest'))) };
  const at = await richSpace(person, doc(paragraph('Before'), blok('b1', teaser('t1', 'First')), blok('b2', nested)), { short: doc(paragraph('Brief')) });
  await openText(person, at);
  const { page } = person;
  const cardNamed = (name) => page.getByRole('group', { name, exact: true });
  const headOf = (name) => page.locator('.rich-blok-inner').filter({ has: cardNamed(name) }).last().locator('[data-node-head]').first();
  /** What is where: the outer text, and the one within it. */
  const stored = async () => {
    const { text: outer } = await savedContent(person, at);
    const inner = outer.content.flatMap(({ attrs }) => attrs?.body ?? []).find(({ _uid }) => _uid === 'n1');
    const shape = ({ content }) => content.map((node) => (node.type === 'blok' ? `${node.attrs.id}: ${node.attrs.body.map(({ _uid }) => _uid)}` : node.content?.[0]?.text));
    return [shape(outer), shape(inner.text)];
  };
  const before = [['Before', 'b1: t1', 'b2: n1'], ['Deep', 'b3: t4']];
  await cardNamed('Text block: Deep').getByRole('button').first().click();
  const inner = page.getByRole('textbox', { name: 'Inner text' });
  await inner.waitFor();
  assert.deepEqual(await stored(), before);

  await headOf('Teaser: First').dragTo(inner.getByText('Deep', { exact: true }));
  const [left, taken] = await stored();
  assert.deepEqual([left, taken.toSorted()], [['Before', 'b2: n1'], ['Deep', 'b1: t1', 'b3: t4']]);
  await cardNamed('Teaser: First').waitFor();
  await press(person, 'Control+z');
  assert.deepEqual(await stored(), before);
  await press(person, 'Control+Shift+z');
  assert.deepEqual(await stored(), [left, taken]);
  await press(person, 'Control+z');
  assert.deepEqual(await stored(), before);

  // Out of the inner one.
  await headOf('Teaser: Deepest').dragTo(page.getByText('Before', { exact: true }));
  const [outer, within] = await stored();
  assert.deepEqual([outer.toSorted(), within], [['Before', 'b1: t1', 'b2: n1', 'b3: t4'], ['Deep']]);
  await press(person, 'Control+z');
  assert.deepEqual(await stored(), before);

  // Not into itself, and not where none may be.
  await headOf('Text block: Deep').dragTo(inner.getByText('Deep', { exact: true }));
  assert.deepEqual(await stored(), before);
  await headOf('Teaser: First').dragTo(page.getByText('Brief', { exact: true }));
  assert.deepEqual(await stored(), before);
  // With Ctrl it is a copy, whose blocks are new.
  await headOf('Teaser: First').hover();
  await page.mouse.down();
  await page.keyboard.down('Control');
  await inner.getByText('Deep', { exact: true }).hover();
  await inner.getByText('Deep', { exact: true }).hover({ position: { x: 4, y: 4 } });
  await page.mouse.up();
  await page.keyboard.up('Control');
  const [kept, copies] = await stored();
  assert.deepEqual([kept, copies.length, copies.includes('b1: t1')], [before[0], 3, false]);
  person.isSilent('dragged');
  await person.close();
});

/** What the browser has on its clipboard after a copy or cut. */
function clipboardOf(locator, kind) {
  return locator.evaluate((element, type) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
    return Object.fromEntries([...clipboardData.types].map((one) => [one, clipboardData.getData(one)]));
  }, kind);
}

/** Drags by the mouse, to the upper half of a card. */
async function dragTo(person, source, target) {
  await source.hover();
  await person.page.mouse.down();
  const { x, y, width } = await target.boundingBox();
  await person.page.mouse.move(x + width / 2, y + 12, { steps: 5 });
  await person.page.mouse.move(x + width / 2, y + 6);
  await person.page.mouse.up();
}

test('a table is made and worked on by keys; Tab leaves behind its last cell', async () => {
  const person = await desk.person('tables@example.org');
  const cell = (words, attrs = { colspan: 1, rowspan: 1, colwidth: null }) => ({ type: 'tableCell', attrs, content: [paragraph(words)] });
  const wide = { type: 'table', content: [{ type: 'tableRow', content: [cell('wide', { colspan: 1, rowspan: 1, colwidth: [320] })] }] };
  const at = await richSpace(person, doc(wide, paragraph('End')));
  const box = await openText(person, at);
  const { page } = person;
  const { keyboard } = page;
  const act = async (name) => {
    await press(person, 'Alt+F10');
    await page.getByRole('toolbar', { name: 'Format: Text' }).getByRole('button', { name: 'Table', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name, exact: true }).press('Enter');
  };
  await cursorBehind(person, 'End');
  await press(person, 'Enter');
  await keyboard.type('/tab');
  await page.getByRole('option', { name: 'Table' }).waitFor();
  await press(person, 'Enter');
  await box.locator('th').nth(2).waitFor();
  for (const words of ['A', 'B', 'C', 'd', 'e']) {
    await keyboard.type(words);
    await press(person, 'Tab');
  }
  await keyboard.type('f');
  await act('Remove the row');
  await keyboard.type('x');
  await act('Column after');
  await press(person, 'Shift+Tab');
  await act('Remove the column');
  await act('Row below');
  const rows = async () => (await savedContent(person, at)).text.content.at(-2).content.map((row) => row.content.map(({ type, content }) => `${type === 'tableHeader' ? '*' : ''}${content[0].content?.[0].text ?? ''}`));
  await rows();
  // Cells are merged and divided.
  await box.locator('th').first().click();
  await box.locator('th').first().hover();
  await page.mouse.down();
  await box.locator('th').nth(1).hover();
  await page.mouse.up();
  await act('Merge cells');
  assert.equal(await box.locator('table').nth(1).locator('th').first().getAttribute('colspan'), '2');
  await act('Split the cell');
  assert.equal(await box.locator('table').nth(1).locator('th').first().getAttribute('colspan'), null);
  // The other table, whose width somebody has set, is as it was.
  const stored = (await savedContent(person, at)).text;
  assert.deepEqual(stored.content[0], wide);
  // Tab goes to the next cell, and leaves behind the last one; Esc, then Tab leaves at once.
  await box.locator('table').nth(1).locator('td').last().click();
  await press(person, 'Shift+Tab', 'Tab', 'Tab');
  assert.equal(await box.evaluate((element) => element.contains(document.activeElement)), false);
  await box.locator('table').nth(1).locator('th').first().click();
  await press(person, 'Escape', 'Tab');
  assert.equal(await box.evaluate((element) => element.contains(document.activeElement)), false);
  person.isSilent('tables');
  await person.close();
});

/** What a program has put on the clipboard. */
const pasted = (name) => readFileSync(new URL(`pasted/${name}.html`, import.meta.url), 'utf8');
const table = (...rows) => ({
  type: 'table',
  content: rows.map((row) => ({ type: 'tableRow', content: row.map((content) => ({ type: 'tableCell', attrs: { colspan: 1, rowspan: 1, colwidth: null }, content: [content] })) })),
});
const coloured = (color) => ({ type: 'textStyle', attrs: { color } });

test('items of a list are put in and out by the toolbar, and by the keys right of P whatever is on them', async () => {
  const person = await desk.person('indent@example.org');
  const list = (...items) => ({ type: 'bullet_list', content: items });
  const flat = doc(list(item(paragraph('One')), item(paragraph('Two'))));
  const nested = doc(list(item(paragraph('One'), list(item(paragraph('Two'))))));
  const at = await richSpace(person, flat);
  const box = await openText(person, at);
  const { page } = person;
  const menu = page.getByRole('toolbar', { name: 'Format: Text' }).getByRole('button', { name: 'List item' });
  const choose = async (name) => {
    await menu.click();
    await page.getByRole('menuitem', { name }).click();
  };
  await cursorBehind(person, 'Two');
  await choose('One level in');
  assert.deepEqual((await savedContent(person, at)).text, nested);
  await choose('One level out');
  assert.deepEqual((await savedContent(person, at)).text, flat);
  // As a German keyboard sends them.
  const key = (code, name, shiftKey) => box.evaluate((element, init) => element.dispatchEvent(new KeyboardEvent('keydown', { ...init, ctrlKey: true, bubbles: true, cancelable: true })), { code, key: name, shiftKey });
  await key('BracketRight', '*', true);
  assert.deepEqual((await savedContent(person, at)).text, nested);
  await key('BracketLeft', 'ü', false);
  assert.deepEqual((await savedContent(person, at)).text, flat);
  await page.goto(`${page.url().split('?')[0]}?dialog=keys`);
  await page.getByRole('dialog').getByText('In a rich text, an item of a list one level in or out.').waitFor();
  await person.look('rich-keys');
  person.isSilent('indent');
  await person.close();
});

test('what Word, Docs, sheets, pages and Markdown put on the clipboard is pasted as text with formats', async () => {
  const person = await desk.person('pastes@example.org');
  const at = await richSpace(person, doc(paragraph()));
  const box = await openText(person, at);
  const { page } = person;
  await page.route('https://images.example.org/**', (route) => route.abort());
  const dialog = page.getByRole('dialog', { name: 'Pictures in what you paste' });
  /** The text after it was pasted into an empty one. */
  const after = async (data, hasPicture = false) => {
    await box.click();
    await press(person, 'Control+a', 'Backspace', 'Control+Alt+0');
    await pasteInto(box, data);
    // A picture of Word stays with Word.
    if (hasPicture) await dialog.getByRole('button', { name: 'Insert' }).click();
    // Markdown is read by a part that comes when it is needed.
    await box.getByText(/The end|Cranes|Ada|three/).first().waitFor();
    return (await savedContent(person, at)).text.content;
  };
  assert.deepEqual(await after({ 'text/html': pasted('word'), 'text/plain': 'The harbour' }, true), [
    heading(1, 'The harbour'),
    paragraph('Ships ', text('come', bold), ' and ', text('go', { type: 'italic' }), ', ', text('daily', { type: 'underline' }), ', says ', text('the table', link('https://example.org/times')), '. ',
      text('Red', coloured('rgb(192, 0, 0)')), ' and ', text('marked', { type: 'highlight', attrs: { color: 'yellow' } }), '.'),
    { type: 'bullet_list', content: [item(paragraph('Cranes'), { type: 'bullet_list', content: [item(paragraph('small ones'))] }), item(paragraph('Quays'))] },
    { type: 'ordered_list', attrs: { order: 1 }, content: [item(paragraph('First'))] },
    table([paragraph('Ship'), paragraph('Tons')]),
    paragraph('The end'),
  ]);
  assert.deepEqual(await after({ 'text/html': pasted('docs') }), [
    heading(1, 'The harbour'),
    paragraph('Ships ', text('come', bold), ' and ', text('go', { type: 'italic' }), text(' red', { type: 'strike' }, coloured('rgb(204, 0, 0)')), text('times', link('https://example.org/times'), { type: 'underline' }, coloured('rgb(17, 85, 204)'))),
    { type: 'bullet_list', content: [item(paragraph('Cranes'))] },
  ]);
  assert.deepEqual(await after({ 'text/html': pasted('sheets') }), [
    table([paragraph(text('Ship', bold)), paragraph(text('Tons', bold))], [paragraph('Ada'), paragraph('1200')]),
  ]);
  assert.deepEqual(await after({ 'text/plain': '## A heading\n\n- **one** and [two](https://example.org)\n- three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n' }), [
    heading(2, 'A heading'),
    { type: 'bullet_list', content: [item(paragraph(text('one', bold), ' and ', text('two', link('https://example.org')))), item(paragraph('three'))] },
    { type: 'table', content: [['a', 'b'], ['1', '2']].map((row, index) => ({ type: 'tableRow', content: row.map((words) => ({ type: index === 0 ? 'tableHeader' : 'tableCell', attrs: { colspan: 1, rowspan: 1, colwidth: null }, content: [paragraph(words)] })) })) },
  ]);
  // Pictures only after asking; scripts and traps never.
  await box.click();
  await press(person, 'Control+a', 'Backspace');
  await pasteInto(box, { 'text/html': pasted('page') });
  await dialog.getByText('The text has a picture from elsewhere.').waitFor();
  await dialog.getByRole('button', { name: 'Keep its address' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual((await savedContent(person, at)).text.content, [
    heading(2, 'A page'),
    paragraph('With ', text('bold', bold), ', ', text('code', { type: 'code' }), ' and a trap, ', text('mail', link('ann@example.org', { linktype: 'email' })), '.'),
    { type: 'blockquote', content: [paragraph('Said')] },
    { type: 'code_block', attrs: { class: 'language-js' }, content: [text('let a;\na;')] },
    paragraph({ type: 'image', attrs: { src: 'https://images.example.org/a.png', alt: 'A crane', title: null } }),
  ]);
  // A field that allows little gets little.
  const short = page.getByRole('textbox', { name: 'Short' });
  await short.click();
  await pasteInto(short, { 'text/html': pasted('word') });
  assert.deepEqual((await savedContent(person, at)).short.content, [
    paragraph('The harbour'),
    paragraph('Ships ', text('come', bold), ' and go, daily, says ', text('the table', link('https://example.org/times')), '. Red and marked.'),
    ...['Cranes', 'small ones', 'Quays', 'First', 'Ship\tTons', 'The end'].map((words) => paragraph(words)),
  ]);
  assert.ok(person.hasReported('Failed to load resource: net::ERR_FAILED'));
  person.isSilent('pasted');
  await person.close();
});

test('a part of the editor that cannot be loaded is told, and the text goes on', async () => {
  const person = await desk.person('parts@example.org');
  const at = await richSpace(person, doc(paragraph('Words')));
  const box = await openText(person, at);
  const { page } = person;
  await page.route(/\/assets\/studio\/(EmojiDialog|tablework)\./, (route) => route.abort());
  const toolbar = page.getByRole('toolbar', { name: 'Format: Text' });
  await cursorBehind(person, 'Words');
  await toolbar.getByRole('button', { name: 'Emoji' }).click();
  const dialog = page.getByRole('dialog', { name: 'Emoji' });
  await dialog.getByText('This part of the editor could not be loaded.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await toolbar.getByRole('button', { name: 'Insert', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Table', exact: true }).click();
  await page.getByRole('status').getByText('This part of the editor could not be loaded.').waitFor();
  await box.press('End');
  await page.keyboard.type(' stay');
  assert.deepEqual((await savedContent(person, at)).text, doc(paragraph('Words stay')));
  while (person.hasReported('Failed to load resource: net::ERR_FAILED'));
  person.isSilent('parts');
  await person.close();
});

for (const language of ['en', 'de']) {
  test(`the text, its dialogs and menus in ${language}: nothing is cut off, and axe finds nothing`, async () => {
    const person = await desk.person(`rich-looks-${language}@example.org`, { language });
    const list = { type: 'bullet_list', content: [item(paragraph('one')), item(paragraph('two'))] };
    const grid = { type: 'table', content: [['A', 'B'], ['1', '2']].map((row) => ({ type: 'tableRow', content: row.map((words) => ({ type: words < 'A' ? 'tableCell' : 'tableHeader', content: [paragraph(words)] })) })) };
    const at = await richSpace(person, doc(
      heading(2, 'The harbour'),
      paragraph('Ships ', text('come', bold), ', ', text('go', link('https://example.org')), ', ', text('red', coloured('#b00020')), ', ', text('lead', { type: 'styled', attrs: { class: 'lead' } }), ', ', text('place', { type: 'anchor', attrs: { id: 'p' } }), '.'),
      blok('b1', teaser('t1', 'First')), list, { type: 'blockquote', content: [paragraph('Said')] }, { type: 'code_block', content: [text('let a;')] }, grid, { type: 'callout' }, paragraph('End'),
    ), { short: doc(text('loose')) });
    const { page } = person;
    await person.goto(`/studio/${at.space}/stories/${at.story}`);
    const box = page.locator('[data-field=text] .rich-text');
    await box.waitFor();
    await page.waitForFunction(() => document.querySelector('.json-view')?.shadowRoot);
    await person.look('rich-text');
    await box.getByText('go', { exact: true }).click();
    const toolbar = page.getByRole('toolbar').first();
    const opener = toolbar.locator('.tool-menu button');
    for (const [index, name] of ['line', 'more', 'align'].entries()) {
      await opener.nth(index).click();
      await page.getByRole('menu').waitFor();
      await person.look(`rich-menu-${name}`);
      await page.keyboard.press('Escape');
    }
    await box.getByText('go', { exact: true }).click();
    for (const [key, name] of [['Control+k', 'link']]) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await person.look(`rich-dialog-${name}`);
      await page.keyboard.press('Escape');
    }
    for (const tool of [2, 3]) {
      await toolbar.locator('.tool').nth(-tool).click();
      await page.getByRole('dialog').waitFor();
      await person.look(`rich-dialog-insert-${tool}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await box.getByText('End', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.type('/');
    await page.getByRole('listbox').waitFor();
    await person.look('rich-slash');
    await person.close();
  });
}

/** Kilobytes of script, compressed, of a story that has a rich text. */
const WITH_TEXT = 290;

test('a story with a rich text loads within its budget; Markdown, tables and emoji come when they are needed', async () => {
  const person = await desk.person('rich-bytes@example.org');
  const at = await richSpace(person, doc(paragraph('Text')));
  const sizes = new Map();
  person.page.on('response', (response) => {
    if (response.request().resourceType() === 'script') sizes.set(response.url(), response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  await openText(person, at);
  const all = await Promise.all(sizes.values());
  const sum = all.reduce((one, other) => one + other, 0);
  assert.ok(sum <= WITH_TEXT * 1024, `${sum} bytes of script`);
  assert.deepEqual([...sizes.keys()].filter((url) => /parse|tablework|Emoji|codemirror/.test(url)), []);
  person.isSilent('bytes');
  await person.close();
});

test('a field offers what its schema says: styles, alignment, direction, colours, anchors, or little', async () => {
  const person = await desk.person('toolbar@example.org');
  const at = await richSpace(person, doc(paragraph('Words here')), { short: doc(paragraph('Short')) });
  const box = await openText(person, at);
  const { page } = person;
  const short = page.getByRole('toolbar', { name: 'Format: Short' });
  await short.waitFor();
  assert.deepEqual(await short.getByRole('button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['Bold', 'Link']);
  await page.getByRole('textbox', { name: 'Short' }).click();
  await press(person, 'Control+a', 'Control+i', 'Control+Alt+1', 'Control+b');
  await page.keyboard.type('- ~~no~~ /');
  assert.equal(await page.getByRole('option', { name: 'Heading 1' }).count(), 0);
  await press(person, 'Escape', 'Shift+Home', 'Control+b');
  const toolbar = page.getByRole('toolbar', { name: 'Format: Text' });
  const choose = async (menu, name) => {
    await toolbar.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await box.click();
  await press(person, 'Control+a');
  await choose('More', 'Style: Lead');
  await choose('Align', 'Centre');
  await choose('Align', 'Right to left');
  await choose('More', 'Text colour');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Colour, as in CSS' }).fill('teal');
  await press(person, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await choose('More', 'Anchor');
  await page.getByRole('dialog').getByRole('textbox').fill('words');
  await press(person, 'Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await choose('More', 'Superscript');
  await press(person, 'End');
  await toolbar.getByRole('button', { name: 'Emoji' }).click();
  await page.getByRole('dialog').getByRole('searchbox').fill('rocket');
  await press(person, 'Enter');
  const content = await savedContent(person, at);
  const format = [{ type: 'superscript' }, { type: 'textStyle', attrs: { color: 'teal' } }, { type: 'anchor', attrs: { id: 'words' } }, { type: 'styled', attrs: { class: 'lead' } }];
  assert.deepEqual(content.text, doc({ type: 'paragraph', attrs: { textAlign: 'center', dir: 'rtl' }, content: [text('Words here🚀', ...format)] }));
  assert.deepEqual(content.short, doc(paragraph(text('- ~~no~~ /', bold))));
  // What the browser and the story do by keys has names in the toolbar too.
  const words = async () => (await savedContent(person, at)).text.content.map((node) => node.content?.map(({ text: own }) => own).join('') ?? '');
  await box.click();
  await press(person, 'Control+a');
  await choose('More', 'Copy');
  await press(person, 'End', 'Enter', 'Control+v');
  assert.deepEqual(await words(), ['Words here🚀', 'Words here🚀']);
  await press(person, 'Control+a');
  await choose('More', 'Cut');
  assert.deepEqual(await words(), ['']);
  await choose('More', 'Undo');
  assert.deepEqual(await words(), ['Words here🚀', 'Words here🚀']);
  assert.equal(await box.evaluate((element) => element === document.activeElement), true);
  await choose('More', 'Redo');
  assert.deepEqual(await words(), ['']);
  await person.look('rich-toolbar');
  person.isSilent('toolbar');
  await person.close();
});
