// Blocks of a story: adding, moving by keys, by buttons and by dragging, copying within and between stories, removing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { card, cards, CONTENT, open, stateIs, stored, storySpace, toggle, told } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const BODY = ['Grid', 'Text: A rich text', 'carousel: Of a component that is gone'];

/** Chooses from the menu of a card. */
async function choose(person, name, act) {
  await card(person, name).getByRole('button', { name: /^Actions for/ }).first().click();
  await person.page.getByRole('menuitem', { name: act, exact: true }).click();
}

/** Drags a card, by the events of the browser, to the upper or lower half of another one. */
async function drag(person, from, to, half) {
  const source = card(person, from).locator('.block-head').first();
  const target = await card(person, to).boundingBox();
  await source.hover();
  await person.page.mouse.down();
  const [x, y] = [target.x + target.width / 2, target.y + (half === 'upper' ? 6 : target.height - 6)];
  await person.page.mouse.move(x, y - 3, { steps: 5 });
  await person.page.mouse.move(x, y);
  await person.page.mouse.up();
}

test('only what a list allows can be added, with its default values, and as many as fit', async () => {
  const person = await desk.person('add@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await person.page.getByRole('link', { name: 'Add a block: Content' }).click();
  const dialog = person.page.getByRole('dialog', { name: 'Add a block' });
  assert.deepEqual(await dialog.getByRole('option').allInnerTexts(), ['Grid', 'Teaser', 'Text']);
  assert.match(person.path, /\?dialog=add&into=body&index=3$/);
  await dialog.getByRole('combobox').fill('teas');
  assert.deepEqual(await dialog.getByRole('option').allInnerTexts(), ['Teaser']);
  await dialog.getByRole('combobox').press('Shift+Enter');
  await dialog.getByRole('combobox').press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await cards(person, 'body', [...BODY, 'Teaser: New teaser', 'Teaser: New teaser']);
  // The new one is open, and has the focus.
  assert.equal(await person.page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'true');
  await person.page.keyboard.press('d');
  await cards(person, 'body', [...BODY, 'Teaser: New teaser', 'Teaser: New teaser', 'Teaser: New teaser']);
  // Six are enough.
  await person.page.locator('[data-field=body]').getByText('No more blocks fit here.').waitFor();
  assert.equal(await person.page.getByRole('link', { name: 'Add a block: Content' }).count(), 0);
  await stateIs(person, /^Saved \d/);
  const { body } = (await stored(person, at)).content;
  const made = body.slice(3);
  assert.deepEqual(made.map(({ _uid, ...rest }) => rest), Array(3).fill({ component: 'teaser', headline: 'New teaser', buttons: [] }));
  assert.equal(new Set(made.map(({ _uid }) => _uid)).size, 3);
  person.isSilent('add');
  await person.close();
});

test('presets, groups and tags say what can be added', async () => {
  const person = await desk.person('groups@example.org');
  const { space } = await call(person, 'POST', '/api/v1/spaces', { name: 'Groups' });
  const api = `/api/v1/spaces/${space.id}`;
  const { component_group: outer } = await call(person, 'POST', `${api}/component_groups`, { component_group: { name: 'Media' } });
  const { component_group: inner } = await call(person, 'POST', `${api}/component_groups`, { component_group: { name: 'Pictures', parent_id: outer.id } });
  const { internal_tag: tag } = await call(person, 'POST', `${api}/internal_tags`, { internal_tag: { name: 'Wide', object_type: 'component' } });
  const component = async (more) => (await call(person, 'POST', `${api}/components`, { component: { is_root: false, is_nestable: true, schema: { caption: { type: 'text', pos: 0 } }, ...more } })).component;
  const picture = await component({ name: 'picture', display_name: 'Picture', component_group_uuid: inner.uuid });
  await component({ name: 'video', display_name: 'Video', component_group_uuid: outer.uuid, internal_tag_ids: [String(tag.id)] });
  await component({ name: 'quote', display_name: 'Quote' });
  await call(person, 'POST', `${api}/presets`, { preset: { name: 'Sunset', component_id: picture.id, preset: { _uid: 'p', component: 'picture', caption: 'A sunset' } } });
  const lists = {
    grouped: { type: 'bloks', pos: 0, restrict_components: true, restrict_type: 'groups', component_group_whitelist: [outer.uuid] },
    tagged: { type: 'bloks', pos: 1, restrict_components: true, restrict_type: 'tags', component_tag_whitelist: [tag.id] },
    others: { type: 'bloks', pos: 2, restrict_components: true, restrict_type: '', component_denylist: ['quote'] },
    all: { type: 'bloks', pos: 3 },
  };
  await component({ name: 'page', is_root: true, is_nestable: false, schema: lists });
  const story = await make(person, space.id, { name: 'Home', slug: 'home', content: { component: 'page' } });
  const at = { space: space.id, story: story.id };
  const dialog = person.page.getByRole('dialog');
  for (const [list, names] of [
    ['grouped', ['Video', 'Picture', 'Picture: Sunset']],
    ['tagged', ['Video']],
    ['others', ['Video', 'Picture', 'Picture: Sunset']],
    ['all', ['Video', 'Picture', 'Picture: Sunset', 'Quote']],
  ]) {
    await open(person, at, `?dialog=add&into=${list}`);
    await dialog.getByRole('option').first().waitFor();
    assert.deepEqual(await dialog.getByRole('option').allInnerTexts(), names, list);
  }
  assert.deepEqual(await dialog.locator('.add-group').allInnerTexts(), ['Media', 'Pictures', 'Other']);
  await dialog.getByRole('option', { name: 'Picture: Sunset' }).click();
  await cards(person, 'all', ['Picture: A sunset']);
  await stateIs(person, /^Saved \d/);
  const [made] = (await stored(person, at)).content.all;
  assert.deepEqual([made.component, made.caption, made._uid !== 'p'], ['picture', 'A sunset', true]);
  person.isSilent('groups');
  await person.close();
});

test('blocks are moved by keys, from the menu, and by dragging, within and between lists', async () => {
  const person = await desk.person('move@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await toggle(person, 'Grid').press('Alt+ArrowDown');
  await cards(person, 'body', [BODY[1], BODY[0], BODY[2]]);
  await told(person, 'Grid, 2 of 3');
  // The focus goes along.
  await person.page.keyboard.press('Alt+ArrowDown');
  await cards(person, 'body', [BODY[1], BODY[2], BODY[0]]);
  await person.page.keyboard.press('Alt+ArrowDown');
  await choose(person, 'Grid', 'Move up');
  await cards(person, 'body', [BODY[1], BODY[0], BODY[2]]);
  await drag(person, 'Grid', 'Text: A rich text', 'upper');
  await cards(person, 'body', BODY);
  await toggle(person, 'Grid').click();
  await drag(person, 'Teaser: Second', 'Teaser: First', 'upper');
  await cards(person, 'body/0/columns', ['Teaser: Second', 'Teaser: First']);
  await drag(person, 'Teaser: First', 'carousel: Of a component that is gone', 'upper');
  await cards(person, 'body', [BODY[0], BODY[1], 'Teaser: First', BODY[2]]);
  await cards(person, 'body/0/columns', ['Teaser: Second']);
  // A page takes no button, and no block comes into itself.
  await toggle(person, 'Teaser: First').click();
  await drag(person, 'Button: Read more', 'Text: A rich text', 'upper');
  await drag(person, 'Grid', 'Teaser: Second', 'upper');
  await cards(person, 'body', [BODY[0], BODY[1], 'Teaser: First', BODY[2]]);
  await stateIs(person, /^Saved \d/);
  const { body } = (await stored(person, at)).content;
  assert.deepEqual(body.map(({ _uid }) => _uid), ['grid-1', 'text-1', 'teaser-1', 'old-1']);
  // Each step is undone by itself; in the end nothing was changed.
  for (let step = 0; step < 6; step += 1) await person.page.keyboard.press('ControlOrMeta+z');
  await cards(person, 'body', BODY);
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second']);
  await stateIs(person, /^Saved \d/);
  person.isSilent('move');
  await person.close();
});

test('blocks are moved out of their block and into another one by keys', async () => {
  const person = await desk.person('nest@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await toggle(person, 'Grid').click();
  await toggle(person, 'Teaser: Second').press('Alt+ArrowLeft');
  await cards(person, 'body', [BODY[0], 'Teaser: Second', BODY[1], BODY[2]]);
  await told(person, 'Teaser, 2 of 4');
  // Into the grid before it, which is open; the focus goes along.
  await person.page.keyboard.press('Alt+ArrowRight');
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second']);
  // The teaser before it takes buttons alone.
  await person.page.keyboard.press('Alt+ArrowRight');
  await person.page.getByText('This does not fit here: Teaser.').waitFor();
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second']);
  await person.page.keyboard.press('Escape');
  assert.equal(await person.page.evaluate(() => document.activeElement.closest('.block-card').getAttribute('aria-label')), 'Grid');
  await stateIs(person, /^Saved/);
  assert.deepEqual((await stored(person, at)).content, CONTENT);
  person.isSilent('nest');
  await person.close();
});

test('single letters can be turned off', async () => {
  const person = await desk.person('letters@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at, '?dialog=keys');
  const dialog = person.page.getByRole('dialog', { name: 'Keys' });
  await dialog.getByRole('checkbox', { name: /^Keys that are a single letter/ }).uncheck();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await toggle(person, 'Grid').press('d');
  await toggle(person, 'Grid').press('x');
  await toggle(person, 'Grid').press('?');
  // With Ctrl they are no single letters.
  await toggle(person, 'Grid').press('ControlOrMeta+c');
  await told(person, 'Grid was copied.');
  await cards(person, 'body', BODY);
  assert.equal(await dialog.count(), 0);
  await open(person, at, '?dialog=keys');
  assert.equal(await dialog.getByRole('checkbox').isChecked(), false);
  person.isSilent('letters');
  await person.close();
});

test('blocks are cut, copied and pasted, within a story and into another one', async () => {
  const person = await desk.person('paste@example.org');
  const at = await storySpace(person, 'Newsroom');
  const other = await make(person, at.space, { name: 'Other', slug: 'other', content: { _uid: 'other', component: 'landing', title: 'Other', body: [] } });
  await open(person, at);
  await toggle(person, 'Grid').click();
  await toggle(person, 'Teaser: First').press('c');
  await told(person, 'Teaser was copied.');
  await toggle(person, 'Teaser: Second').press('ControlOrMeta+v');
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second', 'Teaser: First']);
  // What is cut stays until it is pasted.
  await toggle(person, 'Teaser: Second').press('x');
  await told(person, 'Teaser was cut. It stays here until it is pasted.');
  await cards(person, 'body/0/columns', ['Teaser: First', 'Teaser: Second', 'Teaser: First']);
  await stateIs(person, /^Saved \d/);
  const uids = JSON.stringify((await stored(person, at)).content).match(/"_uid":"[^"]+"/g);
  assert.equal(new Set(uids).size, uids.length);
  await open(person, { space: at.space, story: other.id });
  await person.page.getByRole('button', { name: 'Paste: Content' }).click();
  await cards(person, 'body', ['Teaser: Second']);
  await stateIs(person, /^Saved \d/);
  assert.deepEqual((await stored(person, { space: at.space, story: other.id })).content.body.map(({ headline }) => headline), ['Second']);
  await toggle(person, 'Teaser: Second').click();
  await person.page.getByRole('button', { name: 'Paste: buttons' }).click();
  await person.page.getByRole('dialog').getByText('buttons takes only: Button.').waitFor();
  person.isSilent('paste');
  await person.close();
});

test('what was removed can be taken back, and the focus stays in the list', async () => {
  const person = await desk.person('remove@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await toggle(person, 'Text: A rich text').press('Delete');
  await cards(person, 'body', [BODY[0], BODY[2]]);
  assert.equal(await person.page.evaluate(() => document.activeElement.closest('.block-card').getAttribute('aria-label')), BODY[2]);
  await person.page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await cards(person, 'body', BODY);
  // A notice about something else than the last step would take back that one: it goes.
  await toggle(person, 'Text: A rich text').press('Delete');
  await person.page.getByText('Text was removed.').waitFor();
  await person.page.getByLabel('title', { exact: true }).fill('Changed');
  await person.page.getByText('Text was removed.').waitFor({ state: 'detached' });
  // The form of a block that goes leads to what it was in.
  await open(person, at, '?at=body%2F0%2Fcolumns%2F1&uid=teaser-2');
  await person.page.getByRole('treeitem', { name: /^Teaser Second/ }).waitFor();
  await person.page.getByRole('tree').press('Delete');
  await person.page.getByRole('heading', { name: 'Teaser', level: 2 }).waitFor({ state: 'detached' });
  await person.page.waitForFunction(() => !location.search.includes('teaser-2'));
  await stateIs(person, /^Saved \d/);
  const expected = structuredClone(CONTENT);
  assert.equal((await stored(person, at)).content.body[0].columns.length, expected.body[0].columns.length - 1);
  person.isSilent('remove');
  await person.close();
});
