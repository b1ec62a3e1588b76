// Blocks on the clipboard: several at once, by keys, pointer and menus, within a story, into another space and another browser; and presets.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { picture, upload } from './support/files.mjs';
import { card, cards, CONTENT, join, open, stateIs, stored, storySpace, toggle, told } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** Chooses from the menu of a card. */
async function choose(person, name, act) {
  await card(person, name).getByRole('button', { name: /^Actions for/ }).first().click();
  await person.page.getByRole('menuitem', { name: act, exact: true }).click();
}

const BODY = ['Grid', 'Text: A rich text', 'carousel: Of a component that is gone'];
const selection = (person) => person.page.getByRole('group', { name: 'Selected blocks' });
const keys = (person, ...names) => names.reduce((before, name) => before.then(() => person.page.keyboard.press(name)), Promise.resolve());
const uidsIn = (value) => JSON.stringify(value).match(/"_uid":"[^"]+"/g);

test('several blocks are selected by keys and pointer, and copied, cut, moved and removed at once', async () => {
  const person = await desk.person('many@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await toggle(person, 'Grid').focus();
  await keys(person, 'Shift+ArrowDown');
  await selection(person).getByText('Blocks selected: 2').waitFor();
  await person.look('selection');
  // Cut by the browser's own event: they stay until they are pasted, and then move as they are.
  await keys(person, 'ControlOrMeta+x');
  await told(person, 'Blocks cut: 2. They stay here until they are pasted.');
  await cards(person, 'body', BODY);
  await toggle(person, BODY[2]).focus();
  await keys(person, 'ControlOrMeta+v');
  await cards(person, 'body', [BODY[2], BODY[0], BODY[1]]);
  await stateIs(person, /^Saved \d/);
  assert.deepEqual(uidsIn((await stored(person, at)).content).toSorted(), uidsIn(CONTENT).toSorted());
  await keys(person, 'ControlOrMeta+z');
  await cards(person, 'body', BODY);
  // By pointer, from one to another, and one more or less; Esc lets go.
  await toggle(person, 'Grid').click({ modifiers: ['ControlOrMeta'] });
  await toggle(person, BODY[2]).click({ modifiers: ['Shift'] });
  await selection(person).getByText('Blocks selected: 3').waitFor();
  await toggle(person, BODY[1]).click({ modifiers: ['ControlOrMeta'] });
  await selection(person).getByText('Blocks selected: 2').waitFor();
  await selection(person).getByRole('button', { name: 'Remove' }).click();
  await cards(person, 'body', [BODY[1]]);
  await person.page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await cards(person, 'body', BODY);
  await toggle(person, 'Grid').focus();
  await keys(person, 'ControlOrMeta+a');
  await selection(person).getByText('Blocks selected: 3').waitFor();
  await keys(person, 'Escape');
  await selection(person).waitFor({ state: 'detached' });
  // Two go down together, and have copies.
  await keys(person, 'Shift+Space', 'ArrowDown', 'Shift+Space', 'Alt+ArrowDown');
  await cards(person, 'body', [BODY[2], BODY[0], BODY[1]]);
  await keys(person, 'd');
  await cards(person, 'body', [BODY[2], BODY[0], BODY[1], BODY[0], BODY[1]]);
  await stateIs(person, /^Saved \d/);
  const uids = uidsIn((await stored(person, at)).content);
  assert.equal(new Set(uids).size, uids.length);
  person.isSilent('many');
  await person.close();
});

test('what does not fit is named with the reason, and put elsewhere', async () => {
  const person = await desk.person('fit@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at, '?at=body%2F0%2Fcolumns%2F0&uid=teaser-1');
  // A button and a teaser: a page takes the one only.
  await toggle(person, 'Button: Read more').press('c');
  // The letter has written to the system's clipboard as well.
  await person.page.evaluate(() => localStorage.clear());
  await open(person, at);
  await toggle(person, 'Grid').press('ControlOrMeta+v');
  const dialog = person.page.getByRole('dialog', { name: 'Not everything fits here' });
  await dialog.getByText('Content takes only: Grid, Teaser, Text.').waitFor();
  await person.look('paste-left');
  await dialog.getByRole('combobox', { name: 'Button: Read more' }).selectOption({ label: 'Teaser: Second › buttons' });
  await dialog.getByRole('button', { name: 'Put them there' }).click();
  await stateIs(person, /^Saved \d/);
  const { content } = await stored(person, at);
  assert.deepEqual(content.body[0].columns[1].buttons.map(({ label }) => label), ['Read more']);
  assert.notEqual(content.body[0].columns[1].buttons[0]._uid, 'button-1');
  // What was copied is there still; a list that is full says so.
  await open(person, at, '?at=body%2F0%2Fcolumns%2F1&uid=teaser-2');
  await toggle(person, 'Button: Read more').press('ControlOrMeta+v');
  await toggle(person, 'Button: Read more').first().press('ControlOrMeta+v');
  await dialog.getByText('buttons has no room for more.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  person.isSilent('fit');
  await person.close();
});

test('a cut that is pasted elsewhere is a copy, and its source offers to remove it', async () => {
  const person = await desk.person('cut@example.org');
  const at = await storySpace(person, 'Newsroom');
  const other = await make(person, at.space, { name: 'Other', slug: 'other', content: { _uid: 'other', component: 'landing', title: 'Other', body: [] } });
  await open(person, at);
  await choose(person, 'Grid', 'Cut');
  const bar = person.page.getByRole('group', { name: 'Blocks that were cut' });
  await bar.getByText('Pasted in this story they move').waitFor();
  await person.look('cut');
  // In another tab, which has the same clipboard.
  const page = await person.context.newPage();
  await page.goto(`${person.origin}/studio/${at.space}/stories/${other.id}`);
  await page.getByRole('button', { name: 'Paste: Content' }).click();
  await page.getByRole('group', { name: 'Grid', exact: true }).waitFor();
  await bar.getByText('They were pasted into Other and are still here.').waitFor();
  await cards(person, 'body', BODY);
  await bar.getByRole('button', { name: 'Remove here' }).click();
  await cards(person, 'body', BODY.slice(1));
  await stateIs(person, /^Saved \d/);
  await page.locator('.state-line').getByText(/^Saved \d/).waitFor();
  const [copy] = (await stored(person, { ...at, story: other.id })).content.body;
  assert.equal(copy.columns.length, 2);
  assert.notEqual(copy._uid, 'grid-1');
  // Left and opened again, the source knows still.
  await toggle(person, BODY[1]).press('x');
  await open(person, { ...at, story: other.id });
  await toggle(person, 'Grid').press('v');
  await cards(person, 'body', ['Grid', BODY[1]]);
  await stateIs(person, /^Saved \d/);
  await open(person, at);
  await bar.getByRole('button', { name: 'Keep them here' }).click();
  await bar.waitFor({ state: 'detached' });
  await cards(person, 'body', BODY.slice(1));
  person.isSilent('cut');
  await person.close();
});

/** Has the page paste what another browser would: the HTML alone. */
const pasteHtml = (person, html) => person.page.evaluate((text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/html', text);
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}, html);

/** What the page writes when it copies. */
const copied = (person) => person.page.evaluate(() => {
  const clipboardData = new DataTransfer();
  document.activeElement.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return Object.fromEntries([...clipboardData.types].map((type) => [type, clipboardData.getData(type)]));
});

test('blocks go to another space in another browser; what leads back is listed', async () => {
  const ann = await desk.person('source@example.org');
  const from = await storySpace(ann, 'Harbours');
  const { uuid } = await make(ann, from.space, { name: 'About', slug: 'about', content: { component: 'landing', title: 'About' } });
  const component = { name: 'card', display_name: 'Card', is_nestable: true, schema: { label: { type: 'text' }, link: { type: 'multilink', display_name: 'Link' }, picture: { type: 'asset', display_name: 'Picture' } } };
  await call(ann, 'POST', `/api/v1/spaces/${from.space}/components`, { component });
  const link = { linktype: 'story', id: uuid, cached_url: 'about', fieldtype: 'multilink', url: '' };
  const picture = { id: 4, alt: '', filename: `${ann.origin}/f/${from.space}/crane.png`, fieldtype: 'asset' };
  const content = { _uid: 'r', component: 'landing', title: 'Cards', body: [{ _uid: 'g', component: 'grid', columns: [{ _uid: 'c', component: 'card', label: 'Two & "three"', link, picture }, { _uid: 'x', component: 'only_here', text: 'Kept' }] }] };
  const source = await make(ann, from.space, { name: 'Cards', slug: 'cards', content });
  await open(ann, { ...from, story: source.id });
  await toggle(ann, 'Grid').focus();
  const texts = await copied(ann);
  assert.deepEqual(Object.keys(texts).toSorted(), ['application/x-lectern-blocks+json', 'text/html', 'text/plain']);
  assert.equal(texts['text/plain'], ['Grid', '  Card', '    Two & "three"', '  only_here', '    Kept'].join('\n'));

  const bob = await desk.person('target@example.org');
  const to = await storySpace(bob, 'Offices');
  await call(bob, 'POST', `/api/v1/spaces/${to.space}/components`, { component });
  await open(bob, to);
  await toggle(bob, BODY[2]).focus();
  await pasteHtml(bob, '<p>Just a text</p>');
  await told(bob, 'There are no blocks on the clipboard.');
  await pasteHtml(bob, texts['text/html']);
  await cards(bob, 'body', [...BODY, 'Grid']);
  await bob.page.getByText('Blocks from Harbours: 1. Some of it leads back there.').waitFor();
  await bob.page.getByRole('button', { name: 'Look at it' }).click();
  const dialog = bob.page.getByRole('dialog', { name: 'What is not in this space, but in Harbours' });
  await dialog.getByText('This space does not have these components: only_here.').waitFor();
  await dialog.getByText('Story of the other space: about').waitFor();
  await dialog.getByText('File of the other space: crane.png').waitFor();
  await bob.look('paste-foreign');
  await dialog.getByRole('button', { name: 'Card › Link' }).click();
  await bob.page.locator('[data-field="body/3/columns/0/link"]').waitFor();
  await stateIs(bob, /^Saved \d/);
  const [pasted] = (await stored(bob, to)).content.body.slice(-1);
  assert.deepEqual([pasted.columns[0].link, pasted.columns[0].picture, pasted.columns[1].text], [link, picture, 'Kept']);
  // One of a component that this space does not have is asked about.
  await open(ann, { ...from, story: source.id }, '?at=body%2F0&uid=g');
  await toggle(ann, 'only_here: Kept').focus();
  const single = (await copied(ann))['text/html'];
  await open(bob, to);
  await toggle(bob, BODY[2]).focus();
  await pasteHtml(bob, single);
  await bob.page.getByRole('dialog').getByText('This space has no component only_here.').waitFor();
  ann.isSilent('source');
  bob.isSilent('target');
  await ann.close();
  await bob.close();
});

test('a block becomes a preset, which others add, update and begin with', async () => {
  const person = await desk.person('preset@example.org');
  const at = await storySpace(person, 'Newsroom');
  const asset = await upload(person, at.space, picture('quay.png', 200, 100));
  await upload(person, at.space, picture('hidden.png', 200, 100), { is_private: 'true' });
  await open(person, at, '?at=body%2F0&uid=grid-1');
  await choose(person, 'Teaser: First', 'Save as preset …');
  const dialog = person.page.getByRole('dialog', { name: 'Preset for Teaser' });
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'First');
  await dialog.getByLabel('Name').fill('');
  await dialog.getByRole('button', { name: 'Save the preset' }).click();
  await dialog.getByText('Please fill this in.').waitFor();
  await dialog.getByLabel('Name').fill('With a button');
  await dialog.getByLabel('Description').fill('Leads somewhere');
  // Its picture is one of the library, and one that others see.
  const pick = async (name) => {
    await dialog.getByRole('button', { name: 'Picture: Choose a file' }).click();
    await person.page.getByRole('dialog', { name: 'Choose a file' }).getByText(name).click();
  };
  await pick('hidden.png');
  await dialog.getByText('This file is private, so nobody would see it there.').waitFor();
  assert.equal(await dialog.getByRole('textbox', { name: 'Picture' }).inputValue(), '');
  await pick('quay.png');
  await person.page.waitForFunction((url) => [...document.querySelectorAll('dialog input')].some(({ value }) => value === url), asset.filename);
  await person.look('preset');
  await dialog.getByRole('button', { name: 'Save the preset' }).click();
  await person.page.getByText('The preset With a button was saved.').waitFor();
  await person.page.getByRole('link', { name: 'Add a block: columns' }).click();
  const add = person.page.getByRole('dialog', { name: 'Add a block' });
  const option = add.getByRole('option', { name: 'Teaser: With a button Leads somewhere' });
  await option.waitFor();
  await person.page.waitForFunction(() => document.querySelector('.add-choice img')?.naturalWidth > 0);
  // Made small: the file has 200 pixels across.
  assert.ok((await option.locator('img').evaluate(({ naturalWidth }) => naturalWidth)) <= 128);
  await person.look('preset-picture');
  await option.click();
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second', 'Teaser: First']);
  await choose(person, 'Teaser: Second', 'Save as preset …');
  await dialog.getByLabel('Save it as').selectOption({ label: 'Update With a button' });
  await dialog.getByRole('button', { name: 'Update the preset' }).click();
  await person.page.getByText('The preset With a button was updated.').waitFor();
  await stateIs(person, /^Saved \d/);
  const { content } = await stored(person, at);
  const uids = uidsIn(content);
  assert.equal(new Set(uids).size, uids.length);
  const { presets } = await call(person, 'GET', `/api/v1/spaces/${at.space}/presets`);
  assert.deepEqual(presets.map(({ name, description, image, preset }) => [name, description, image, preset.headline]), [['With a button', 'Leads somewhere', asset.filename, 'Second']]);
  // What the component says its new blocks begin with.
  const { components } = await call(person, 'GET', `/api/v1/spaces/${at.space}/components`);
  const teaser = components.find(({ name }) => name === 'teaser');
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/components/${teaser.id}`, { component: { preset_id: presets[0].id } });
  const editor = await desk.person('preset-editor@example.org');
  await join(person, editor, 'preset-editor@example.org', at.space, 'editor');
  await open(editor, at, '?dialog=add&into=body/0/columns&index=0');
  await editor.page.getByRole('dialog').getByRole('option', { name: 'Teaser', exact: true }).click();
  await stateIs(editor, /^Saved \d/);
  await open(editor, at, '?at=body%2F0&uid=grid-1');
  await cards(editor, 'body/0/columns', ['Teaser: Second', 'Teaser: First', 'Teaser: Second', 'Teaser: First']);
  // An editor adds presets, and an administrator makes them.
  await card(editor, 'Grid').or(card(editor, 'Teaser: First')).first().getByRole('button', { name: /^Actions for/ }).first().click();
  await editor.page.getByRole('menuitem', { name: 'Copy' }).waitFor();
  assert.equal(await editor.page.getByRole('menuitem', { name: 'Save as preset …' }).count(), 0);
  person.isSilent('preset');
  await editor.close();
  await person.close();
});
