// The screen of a story: an editor finds it, changes it, and publishes it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { card, CONTENT, join, open, stateIs, stored, storySpace, toggle } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const WORDS = {
  en: { open: 'Open', publish: 'Publish', saved: /^Saved \d/, unsaved: 'unsaved', dialog: 'Publish Home?', look: 'Worth a look', published: 'Home is published.', label: 'label', outline: 'Outline' },
  de: { open: 'Öffnen', publish: 'Veröffentlichen', saved: /^Gespeichert um \d/, unsaved: 'ungespeichert', dialog: 'Home veröffentlichen?', look: 'Einen Blick wert', published: 'Home ist veröffentlicht.', label: 'label', outline: 'Gliederung' },
};

for (const language of ['en', 'de']) {
  const w = WORDS[language];

  test(`an editor finds a story, changes a block three levels deep, and publishes it, in ${language}`, async () => {
    const person = await desk.person(`walk-${language}@example.org`, { language });
    const at = await storySpace(person, 'Newsroom');
    await person.goto(`/studio/${at.space}/stories`);
    await person.page.getByRole('link', { name: 'Home', exact: true }).click();
    await person.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    assert.equal(person.path, `/studio/${at.space}/stories/${at.story}`);
    assert.equal(await person.page.title(), 'Home · Newsroom · Studio');
    // A grid in the page, a teaser in the grid, and a button in the teaser.
    await toggle(person, 'Grid').click();
    await card(person, 'Teaser: First').getByRole('link', { name: w.open }).click();
    assert.equal(person.path, `/studio/${at.space}/stories/${at.story}?at=body%2F0%2Fcolumns%2F0&uid=teaser-1`);
    await person.page.getByRole('heading', { name: 'Teaser', level: 2 }).waitFor();
    await toggle(person, 'Button: Read more').click();
    const { promise: looked, resolve: haveLooked } = Promise.withResolvers();
    await person.page.route('**/api/v1/spaces/*/stories/*', async (route) => {
      if (route.request().method() === 'PUT') await looked;
      await route.continue();
    });
    await person.page.getByLabel(w.label).fill('Read it now');
    assert.equal(await person.page.title(), `● ${w.unsaved} · Home · Newsroom · Studio`);
    haveLooked();
    await stateIs(person, w.saved);
    assert.equal(await person.page.title(), 'Home · Newsroom · Studio');
    await person.page.getByRole('button', { name: w.publish, exact: true }).click();
    const dialog = person.page.getByRole('dialog', { name: w.dialog });
    await dialog.getByText(w.look).waitFor();
    await dialog.getByRole('button', { name: w.publish, exact: true }).click();
    await person.page.getByRole('status').getByText(w.published).waitFor();
    const story = await stored(person, at);
    assert.equal(story.published && !story.unpublished_changes, true);
    const expected = structuredClone(CONTENT);
    expected.body[0].columns[0].buttons[0].label = 'Read it now';
    assert.deepEqual(story.content, expected);
    person.isSilent('walk');
    await person.close();
  });
}

test('the same with the keyboard alone', async () => {
  const person = await desk.person('keys@example.org');
  const at = await storySpace(person, 'Newsroom');
  await person.goto(`/studio/${at.space}/stories`);
  await person.page.getByRole('row', { name: 'Home' }).waitFor();
  const { keyboard } = person.page;
  const focused = (name) => person.page.waitForFunction((wanted) => document.activeElement?.textContent?.includes(wanted) || document.activeElement?.getAttribute('aria-label') === wanted, name);
  await person.page.getByRole('row', { name: 'Home' }).focus();
  await keyboard.press('Enter');
  await person.page.getByRole('tree', { name: 'Outline' }).waitFor();
  // From the bar of the studio to the outline, and there to the button: Grid, Teaser, Button.
  await keyboard.press('F6');
  await keyboard.press('F6');
  await focused('Outline');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await keyboard.press(key);
  await person.page.getByRole('heading', { name: 'Button', level: 2 }).waitFor();
  await keyboard.press('F6');
  await person.page.waitForFunction(() => document.activeElement?.matches('#main input'));
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('By keys');
  await keyboard.press('ControlOrMeta+s');
  await stateIs(person, /^Saved \d/);
  await keyboard.press('ControlOrMeta+Shift+Enter');
  const dialog = person.page.getByRole('dialog', { name: 'Publish Home?' });
  await dialog.getByText('Worth a look').waitFor();
  await focused('Publish');
  await keyboard.press('Enter');
  await person.page.getByRole('status').getByText('Home is published.').waitFor();
  const story = await stored(person, at);
  assert.equal(story.content.body[0].columns[0].buttons[0].label, 'By keys');
  assert.equal(story.published, true);
  // A published version and a saved one: what was typed in between is in neither more often.
  const { versions } = await call(person, 'GET', `/api/v1/spaces/${at.space}/stories/${at.story}/versions`);
  assert.ok(versions.length <= 3, JSON.stringify(versions));
  person.isSilent('keys');
  await person.close();
});

test('everything can be undone and done again, also all at once', async () => {
  const person = await desk.person('undo@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  const title = person.page.getByLabel('title', { exact: true });
  await title.fill('Changed');
  await toggle(person, 'Text: A rich text').press('Alt+ArrowUp');
  await toggle(person, 'carousel: Of a component that is gone').press('Delete');
  await person.page.getByText('carousel was removed.').waitFor();
  const names = () => person.page.locator('.story-form > .block-fields .blocks').first().locator(':scope > li > .block-card').evaluateAll((cards) => cards.map((one) => one.getAttribute('aria-label')));
  assert.deepEqual(await names(), ['Text: A rich text', 'Grid']);
  for (let step = 0; step < 3; step += 1) await person.page.keyboard.press('ControlOrMeta+z');
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Welcome');
  assert.deepEqual(await names(), ['Grid', 'Text: A rich text', 'carousel: Of a component that is gone']);
  for (let step = 0; step < 3; step += 1) await person.page.keyboard.press('ControlOrMeta+Shift+z');
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Changed');
  assert.deepEqual(await names(), ['Text: A rich text', 'Grid']);
  await person.page.getByRole('button', { name: 'More actions for this story' }).click();
  await person.page.getByRole('menuitem', { name: 'Undo all since opening' }).click();
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Welcome');
  assert.deepEqual(await names(), ['Grid', 'Text: A rich text', 'carousel: Of a component that is gone']);
  await person.page.keyboard.press('ControlOrMeta+s');
  await person.page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  assert.deepEqual((await stored(person, at)).content, CONTENT);
  await person.page.keyboard.press('ControlOrMeta+z');
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Changed');
  person.isSilent('undo');
  await person.close();
});

test('what no schema names is shown, and kept', async () => {
  const person = await desk.person('stray@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await person.page.getByText('Other fields').click();
  await person.page.locator('[data-field=stray]').waitFor();
  await toggle(person, 'carousel: Of a component that is gone').click();
  const unknown = card(person, 'carousel: Of a component that is gone');
  await unknown.getByText('This space has no component carousel.').waitFor();
  await unknown.locator('[data-field="body/2/slides"]').waitFor();
  // A block within a rich text is in the outline, and its form opens.
  await person.page.getByRole('treeitem', { name: /Within the text/ }).getByRole('link').click();
  await person.page.getByLabel('headline').fill('Changed within the text');
  await stateIs(person, /^Saved \d/);
  const expected = structuredClone(CONTENT);
  expected.body[1].text.content[1].attrs.body[0].headline = 'Changed within the text';
  assert.deepEqual((await stored(person, at)).content, expected);
  person.isSilent('stray');
  await person.close();
});

test('a viewer sees all and changes nothing', async () => {
  const owner = await desk.person('owner@example.org');
  const at = await storySpace(owner, 'Newsroom');
  const viewer = await desk.person('viewer@example.org');
  await join(owner, viewer, 'viewer@example.org', at.space, 'viewer');
  const writes = [];
  viewer.page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/validate')) writes.push(`${request.method()} ${request.url()}`);
  });
  await open(viewer, at);
  await viewer.page.getByText('You may look at this story and not change it.').waitFor();
  assert.equal(await viewer.page.getByLabel('title', { exact: true }).isEditable(), false);
  assert.equal(await viewer.page.getByRole('button', { name: 'Publish' }).count(), 0);
  assert.equal(await viewer.page.getByRole('link', { name: 'Add a block' }).count(), 0);
  await toggle(viewer, 'Grid').press('Delete');
  await toggle(viewer, 'Grid').press('Alt+ArrowDown');
  await viewer.page.keyboard.press('ControlOrMeta+s');
  await viewer.page.keyboard.press('ControlOrMeta+Shift+Enter');
  await viewer.page.getByRole('button', { name: 'More actions for this story' }).click();
  assert.deepEqual(await viewer.page.getByRole('menuitem').allInnerTexts(), ['History', 'Draft as JSON']);
  await viewer.page.getByRole('menuitem', { name: 'History' }).click();
  await viewer.page.getByRole('dialog', { name: 'History of Home' }).getByRole('listitem').first().waitFor();
  assert.equal(await viewer.page.getByRole('button', { name: /^Restore/ }).count(), 0);
  assert.deepEqual(writes, []);
  assert.deepEqual(await viewer.page.evaluate(() => indexedDB.databases()), []);
  viewer.isSilent('viewer');
  await viewer.close();
  await owner.close();
});

test('a folder is its list, and a story in the trash can be brought back', async () => {
  const person = await desk.person('elsewhere@example.org');
  const at = await storySpace(person, 'Newsroom');
  const api = `/api/v1/spaces/${at.space}/stories`;
  const { story: folder } = await call(person, 'POST', api, { story: { name: 'Blog', slug: 'blog', is_folder: true } });
  await person.goto(`/studio/${at.space}/stories/${folder.id}`);
  await person.page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
  assert.equal(person.path, `/studio/${at.space}/stories?folder=${folder.id}`);
  await call(person, 'DELETE', `${api}/${at.story}`);
  await person.goto(`/studio/${at.space}/stories/${at.story}`);
  await person.page.getByText('This story is in the trash.').waitFor();
  await person.page.getByRole('button', { name: 'Bring back' }).click();
  await person.page.locator('.block-fields').first().waitFor();
  await person.goto(`/studio/${at.space}/stories/999999`);
  await person.page.getByText('It is not there any more.').waitFor();
  // What was made is one step away.
  await person.goto(`/studio/${at.space}/stories?dialog=new-story`);
  await person.page.getByRole('dialog').getByLabel('Name').fill('Fresh');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await person.page.getByText('Fresh was created.').waitFor();
  await person.page.getByRole('button', { name: 'Open', exact: true }).click();
  await person.page.getByRole('heading', { name: 'Fresh', level: 1 }).waitFor();
  person.isSilent('elsewhere');
  await person.close();
});
