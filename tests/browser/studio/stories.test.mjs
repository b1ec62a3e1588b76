// The tree of folders and the list of stories: finding, making, renaming, ordering, moving, publishing, deleting.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** The names in the list, from top to bottom, once they are these. */
async function names(person, expected) {
  const read = () => person.page.getByRole('grid').getByRole('row').evaluateAll((rows) => rows.slice(1).map((row) => row.getAttribute('aria-label')));
  await person.page.waitForFunction((wanted) => {
    const rows = [...document.querySelectorAll('[role=grid] [data-row] [role=row]')].map((row) => row.getAttribute('aria-label'));
    return JSON.stringify(rows) === JSON.stringify(wanted);
  }, expected).catch(async () => assert.deepEqual(await read().catch(() => []), expected));
}

const row = (person, name) => person.page.getByRole('row', { name, exact: true });

/** Chooses from the menu of a row. */
async function choose(person, name, act) {
  await row(person, name).getByRole('button', { name: `Actions for ${name}` }).click();
  await person.page.getByRole('menuitem', { name: act, exact: true }).click();
}

const told = (person, text) => person.page.getByRole('status').getByText(text, { exact: true }).waitFor();

test('an editor makes a folder and a story, and finds them again', async () => {
  const person = await desk.person('make@example.org');
  const space = await desk.space(person, 'Newsroom');
  await person.goto(`/studio/${space}`);
  await person.page.getByText('This space has no stories yet.').waitFor();
  await person.page.getByRole('link', { name: 'New folder' }).click();
  const dialog = person.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Über uns');
  assert.equal(await dialog.getByLabel('Slug').inputValue(), 'ueber-uns');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await names(person, ['Über uns']);
  await told(person, 'Über uns was created.');
  // The tree has it as well; it leads there.
  await person.page.getByRole('treeitem', { name: 'Über uns' }).getByRole('link').click();
  await person.page.getByRole('heading', { name: 'Über uns', level: 1 }).waitFor();
  await person.page.getByText('Nothing is here yet.').waitFor();
  await person.page.getByRole('link', { name: 'New story' }).click();
  await dialog.getByLabel('Name').fill('Team');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await names(person, ['Team']);
  assert.match(await row(person, 'Team').innerText(), /team\s+Page\s+Draft\s+Ann Bee/);
  // The tree says how much is in the folder.
  await person.page.getByRole('treeitem', { name: 'Über uns 1', exact: true }).waitFor();
  const { stories } = await call(person, 'GET', `/api/v1/spaces/${space}/stories?story_only=1`);
  assert.deepEqual(stories.map((story) => [story.full_slug, story.content_type]), [['ueber-uns/team', 'page']]);
  person.isSilent('make');
  await person.close();
});

test('a refusal stands where it belongs, and nothing typed goes away', async () => {
  const person = await desk.person('refused@example.org');
  const space = await desk.space(person, 'Newsroom');
  await make(person, space, { name: 'Home', slug: 'home' });
  await person.goto(`/studio/${space}/stories?dialog=new-story`);
  const dialog = person.page.getByRole('dialog', { name: 'New story' });
  await dialog.getByLabel('Name').fill('Home');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const slug = dialog.getByLabel('Slug');
  await dialog.getByText('There is already something with this slug here.').waitFor();
  assert.equal(await slug.getAttribute('aria-invalid'), 'true');
  assert.equal(await slug.evaluate((input) => input === document.activeElement), true);
  assert.deepEqual([await dialog.getByLabel('Name').inputValue(), await slug.inputValue()], ['Home', 'home']);
  await slug.fill('home-2');
  await slug.press('Enter');
  await names(person, ['Home', 'Home']);
  // Without a connection it is said, and the dialog stays.
  await person.page.getByRole('link', { name: 'New story' }).click();
  await dialog.getByLabel('Name').fill('Offline');
  await person.context.setOffline(true);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('The server cannot be reached.').waitFor();
  await person.context.setOffline(false);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await names(person, ['Offline', 'Home', 'Home']);
  // A folder that is not there is told, and goes on to be when its list has come.
  let letListCome;
  const isTold = new Promise((resolve) => (letListCome = resolve));
  await person.page.route(/with_parent=999999/, (route) => isTold.then(() => route.continue()));
  await person.goto(`/studio/${space}/stories?folder=999999`);
  const alert = person.page.getByRole('alert').getByText('It is not there any more.', { exact: false });
  await alert.waitFor();
  const list = person.page.waitForResponse(/with_parent=999999/);
  letListCome();
  await (await list).finished();
  await person.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.equal(await alert.count(), 1);
  await person.close();
});

test('every list is an address: filters, order, folder, and the way back', async () => {
  const person = await desk.person('filters@example.org');
  const space = await desk.space(person, 'Newsroom');
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  const old = await make(person, space, { name: 'Alpha', slug: 'z', tag_list: ['red'] });
  await make(person, space, { name: 'Beta', slug: 'b', parent_id: blog.id });
  await call(person, 'POST', `/api/v1/spaces/${space}/stories/${old.id}/publish`);
  const news = await make(person, space, { name: 'News', slug: 'n', parent_id: blog.id });
  await call(person, 'POST', `/api/v1/spaces/${space}/stories/${news.id}/publish`);
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${news.id}`, { story: { content: { component: 'page', title: 'Later' } } });
  await person.goto(`/studio/${space}/stories`);
  await names(person, ['Blog', 'Alpha']);
  await person.page.getByRole('link', { name: 'Slug' }).click();
  assert.equal(person.path, `/studio/${space}/stories?sort=slug`);
  await person.page.getByRole('link', { name: 'Slug' }).click();
  await names(person, ['Alpha', 'Blog']);
  await person.page.getByRole('searchbox').fill('bet');
  await person.page.getByRole('searchbox').press('Enter');
  await names(person, ['Beta']);
  assert.match(await row(person, 'Beta').innerText(), /blog\/b/);
  await person.page.goBack();
  await names(person, ['Alpha', 'Blog']);
  assert.equal(person.path, `/studio/${space}/stories?sort=slug&order=desc`);
  for (const [address, found] of [['?state=published', ['Alpha']], ['?state=draft', ['Beta']], ['?tag=red', ['Alpha']], ['?state=changed', ['News']], ['?type=page', ['Alpha', 'Beta', 'News']], [`?folder=${blog.id}`, ['Beta', 'News']]]) {
    await person.goto(`/studio/${space}/stories${address}`);
    await names(person, found);
  }
  // By what stands in the other columns; a third click goes back to the order of the folder.
  await person.goto(`/studio/${space}/stories?search=e`);
  await names(person, ['Beta', 'News']);
  for (const [column, first, second] of [['State', ['Beta', 'News'], ['News', 'Beta']], ['Type', undefined, undefined], ['Author', undefined, undefined]]) {
    const head = person.page.getByRole('columnheader', { name: column });
    await head.getByRole('link').click();
    await person.page.locator(`[aria-sort=ascending]`).filter({ hasText: column }).waitFor();
    if (first) await names(person, first);
    await head.getByRole('link').click();
    await person.page.locator(`[aria-sort=descending]`).filter({ hasText: column }).waitFor();
    if (second) await names(person, second);
  }
  assert.equal(await person.page.getByRole('alert').count(), 0);
  await person.page.getByRole('columnheader', { name: 'Author' }).getByRole('link').click();
  assert.equal(person.path, `/studio/${space}/stories?search=e`);
  await person.goto(`/studio/${space}/stories?search=nothing`);
  await person.page.getByText('Nothing fits.').waitFor();
  await person.page.getByRole('link', { name: 'Clear' }).click();
  await names(person, ['Blog', 'Alpha']);
  await person.page.getByRole('combobox', { name: 'State' }).selectOption('Published');
  await names(person, ['Alpha']);
  await person.page.getByRole('combobox', { name: 'State' }).selectOption('Changed since');
  await names(person, ['News']);
  person.isSilent('filters');
  await person.close();
});

test('stories are renamed, duplicated, moved, published, unpublished, deleted and brought back', async () => {
  const person = await desk.person('acts@example.org');
  const space = await desk.space(person, 'Newsroom');
  await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  await make(person, space, { name: 'Home', slug: 'home' });
  await person.goto(`/studio/${space}/stories`);
  const dialog = person.page.getByRole('dialog');
  await choose(person, 'Home', 'Rename …');
  await dialog.getByLabel('Name').fill('Start');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await names(person, ['Blog', 'Start']);
  await choose(person, 'Start', 'Duplicate …');
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Start (copy)');
  await dialog.getByRole('button', { name: 'Duplicate' }).click();
  await told(person, 'Start (copy) was created as a copy.');
  await names(person, ['Start (copy)', 'Blog', 'Start']);
  await choose(person, 'Start (copy)', 'Move to …');
  await dialog.getByLabel('Blog').check();
  await dialog.getByRole('button', { name: 'Move here' }).click();
  await names(person, ['Blog', 'Start']);
  await choose(person, 'Start', 'Publish …');
  await dialog.getByText('Readers see the current draft at home from now on.').waitFor();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await row(person, 'Start').getByText('Published', { exact: true }).filter({ visible: true }).waitFor();
  await choose(person, 'Start', 'Unpublish …');
  await dialog.getByRole('button', { name: 'Unpublish' }).click();
  await row(person, 'Start').getByText('Draft', { exact: true }).filter({ visible: true }).waitFor();
  await choose(person, 'Blog', 'Delete …');
  // What the tree reads then is on its way until it has read itself again with the folder.
  const { promise: isBack, resolve: back } = Promise.withResolvers();
  const branch = /with_parent=0&folder_only=1/;
  const onItsWay = async (route) => {
    const response = await route.fetch();
    await isBack;
    await route.fulfill({ response });
  };
  await person.page.route(branch, onItsWay, { times: 1 });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await names(person, ['Start']);
  const readAgain = person.page.waitForResponse((response) => branch.test(response.url()));
  await person.page.getByRole('status').getByRole('button', { name: 'Bring back' }).click();
  await names(person, ['Blog', 'Start']);
  await readAgain;
  back();
  await person.page.getByRole('treeitem', { name: 'Blog' }).getByRole('link').click();
  await names(person, ['Start (copy)']);
  await choose(person, 'Start (copy)', 'Delete …');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await person.page.getByText('Nothing is here yet.').waitFor();
  await person.page.getByRole('link', { name: 'Trash' }).click();
  await names(person, ['Start (copy)']);
  await choose(person, 'Start (copy)', 'Bring back');
  await person.page.getByText('The trash is empty.').waitFor();
  person.isSilent('acts');
  await person.close();
});

test('by the keyboard alone: the tree, the list, order, and a dialog', async () => {
  const person = await desk.person('keys@example.org');
  const space = await desk.space(person, 'Newsroom');
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  await make(person, space, { name: '2026', slug: '2026', is_folder: true, parent_id: blog.id });
  await make(person, space, { name: 'Home', slug: 'home' });
  await make(person, space, { name: 'About', slug: 'about' });
  await person.goto(`/studio/${space}/stories`);
  await names(person, ['Blog', 'Home', 'About']);
  const { keyboard } = person.page;
  const focused = () => person.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  // F6 goes from the frame to the tree and to the list.
  await keyboard.press('F6');
  assert.equal(await person.page.getByRole('searchbox').evaluate((field) => field === document.activeElement), true);
  await keyboard.press('F6');
  assert.equal(await focused(), 'Folders');
  await keyboard.press('ArrowRight');
  await person.page.getByRole('treeitem', { name: '2026' }).waitFor();
  await keyboard.press('ArrowDown');
  const current = () => person.page.getByRole('tree').evaluate((tree) => document.getElementById(tree.getAttribute('aria-activedescendant'))?.textContent.trim());
  assert.equal(await current(), '2026');
  assert.equal(await person.page.getByRole('treeitem', { name: '2026' }).getAttribute('aria-level'), '2');
  await keyboard.press('ArrowLeft');
  assert.equal(await current(), 'Blog 1');
  await keyboard.press('F6');
  assert.equal(await focused(), 'Blog');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  assert.equal(await focused(), 'About');
  await keyboard.press('Alt+ArrowUp');
  await names(person, ['Blog', 'About', 'Home']);
  await person.page.getByText('About, 2 of 3').waitFor();
  assert.equal(await focused(), 'About');
  await keyboard.press('Alt+ArrowUp');
  await names(person, ['About', 'Blog', 'Home']);
  await keyboard.press('F2');
  await person.page.getByRole('dialog', { name: 'Rename About' }).waitFor();
  await keyboard.type('About us');
  await keyboard.press('Enter');
  await names(person, ['About us', 'Blog', 'Home']);
  // The focus is where it was before the dialog.
  assert.equal(await focused(), 'About us');
  await keyboard.press('Delete');
  await person.page.getByRole('dialog').waitFor();
  await keyboard.press('Escape');
  await person.page.getByRole('dialog').waitFor({ state: 'detached' });
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await person.page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
  await keyboard.press('?');
  await person.page.getByRole('dialog', { name: 'Keys' }).waitFor();
  person.isSilent('keys');
  await person.close();
});

test('by dragging: another order, and into a folder of the list or of the tree', async () => {
  const person = await desk.person('drag@example.org');
  const space = await desk.space(person, 'Newsroom');
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  for (const name of ['One', 'Two', 'Three']) await make(person, space, { name, slug: name.toLowerCase() });
  await make(person, space, { name: 'One', slug: 'one', parent_id: blog.id });
  await person.goto(`/studio/${space}/stories`);
  await names(person, ['Blog', 'One', 'Two', 'Three']);
  const drag = (name, to, position) => row(person, name).dragTo(to, { sourcePosition: { x: 200, y: 8 }, targetPosition: position });
  await drag('Three', row(person, 'One'), { x: 200, y: 3 });
  await names(person, ['Blog', 'Three', 'One', 'Two']);
  await drag('Three', row(person, 'Two'), { x: 200, y: 38 });
  await names(person, ['Blog', 'One', 'Two', 'Three']);
  await drag('Two', row(person, 'Blog'), { x: 200, y: 20 });
  await told(person, 'Two was moved.');
  await names(person, ['Blog', 'One', 'Three']);
  await drag('Three', person.page.getByRole('treeitem', { name: 'Blog' }), { x: 100, y: 18 });
  await names(person, ['Blog', 'One']);
  // A folder that has the slug already refuses it, and says so.
  await drag('One', person.page.getByRole('treeitem', { name: 'Blog' }), { x: 100, y: 18 });
  await told(person, 'There is already something with this slug here. Choose another one.');
  await names(person, ['Blog', 'One']);
  const { stories } = await call(person, 'GET', `/api/v1/spaces/${space}/stories?with_parent=${blog.id}`);
  assert.deepEqual(stories.map((story) => story.name).sort(), ['One', 'Three', 'Two']);
  person.isSilent('drag');
  await person.close();
});

test('a tree of many folders is loaded as it is opened, and only what is in sight is in the document', async () => {
  const person = await desk.person('many@example.org');
  const space = await desk.space(person, 'Newsroom');
  for (let number = 0; number < 104; number += 8) {
    await Promise.all(Array.from({ length: 8 }, (_, index) => make(person, space, { name: `Folder ${number + index}`, slug: `f${number + index}`, is_folder: true })));
  }
  await person.goto(`/studio/${space}/stories`);
  const tree = person.page.getByRole('tree');
  await tree.focus();
  await person.page.keyboard.press('End');
  const more = person.page.getByRole('treeitem', { name: 'More folders' });
  await more.waitFor();
  assert.equal(await more.getAttribute('aria-setsize'), '104');
  assert.ok((await person.page.getByRole('treeitem').count()) < 60);
  // What is renamed while more are on their way is read again together with them.
  const { promise: isOver, resolve: over } = Promise.withResolvers();
  const second = /folder_only=1.*&page=2/;
  const onItsWay = async (route) => {
    await isOver;
    await route.abort();
  };
  await person.page.route(second, onItsWay, { times: 1 });
  const asked = person.page.waitForRequest(second);
  await person.page.keyboard.press('Enter');
  await asked;
  await choose(person, 'Folder 0', 'Rename …');
  await person.page.getByRole('dialog').getByLabel('Name').fill('First');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await more.waitFor({ state: 'detached' });
  over();
  await tree.focus();
  await person.page.keyboard.press('Home');
  await person.page.getByRole('treeitem', { name: 'First' }).waitFor();
  await person.page.keyboard.press('End');
  await person.page.locator('[role=treeitem][aria-posinset="104"]').waitFor();
  person.isSilent('many');
  await person.close();
});

test('a list of many stories scrolls as one of few does: pages come as they are seen, and only rows in sight are in the document', async () => {
  const person = await desk.person('long@example.org');
  const space = await desk.space(person, 'Newsroom');
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  for (let number = 0; number < 240; number += 12) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => make(person, space, { name: `Story ${String(number + index).padStart(3, '0')}`, slug: `s${number + index}`, parent_id: blog.id })));
  }
  const asked = [];
  person.page.on('request', (request) => {
    const page = /\/stories\?page=(\d+)&.*with_parent=/.exec(request.url());
    if (page) asked.push(Number(page[1]));
  });
  const folder = `/studio/${space}/stories?folder=${blog.id}&sort=name`;
  await person.goto(folder);
  const { page } = person;
  const grid = page.getByRole('grid');
  await row(person, 'Story 000').waitFor();
  await page.getByText('240 in all').waitFor();
  assert.deepEqual([await grid.getAttribute('aria-rowcount'), await row(person, 'Story 001').getAttribute('aria-rowindex'), asked], ['241', '3', [1]]);
  assert.ok((await grid.getByRole('row').count()) < 60);
  // By keys to the end: what lies between is not asked for.
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await page.keyboard.press('F6');
  await page.keyboard.press('End');
  await row(person, 'Story 239').waitFor();
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  assert.deepEqual([await focused(), asked.toSorted()], ['Story 239', [1, 5]]);
  await page.keyboard.press('PageUp');
  assert.equal(await focused(), 'Story 229');
  // The row with the focus stays when the pointer scrolls away from it, and goes on from there.
  await page.mouse.wheel(0, -20_000);
  await row(person, 'Story 000').waitFor();
  assert.equal(await focused(), 'Story 229');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(), 'Story 228');
  // In the middle, page by page; the heads of the columns stay in sight.
  await page.evaluate(() => scrollTo(0, 0.5 * document.body.scrollHeight));
  await row(person, 'Story 118').waitFor();
  assert.ok(await page.getByRole('columnheader', { name: 'Name' }).evaluate((head) => head.getBoundingClientRect().top > 0 && head.getBoundingClientRect().bottom < 100));
  // Who opens a story and comes back is where they were.
  await row(person, 'Story 118').getByRole('link').click();
  await page.locator('.block-fields').waitFor();
  await page.goBack();
  await row(person, 'Story 118').waitFor();
  assert.ok(await row(person, 'Story 118').evaluate((shown) => shown.getBoundingClientRect().top > 0 && shown.getBoundingClientRect().bottom < innerHeight));
  // What is deleted is gone, and what was beyond it takes its place.
  await choose(person, 'Story 118', 'Delete …');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await row(person, 'Story 118').waitFor({ state: 'detached' });
  assert.equal(await row(person, 'Story 119').getAttribute('aria-rowindex'), '120');
  await page.getByText('239 in all').waitFor();
  person.isSilent('long');
  await person.close();
});

test('a viewer sees all and changes nothing', async () => {
  const owner = await desk.person('owner@example.org');
  const space = await desk.space(owner, 'Newsroom');
  await make(owner, space, { name: 'Home', slug: 'home' });
  const viewer = await desk.person('viewer@example.org');
  const { collaborator } = await call(owner, 'POST', `/api/v1/spaces/${space}/collaborators`, { email: 'viewer@example.org', role: 'viewer' });
  await viewer.page.goto(collaborator.invitation.link);
  await viewer.press('Join');
  assert.equal(viewer.path, '/studio?done=joined');
  assert.match(await viewer.page.locator('main').innerText(), /You are a member of the space now\.[^]*Newsroom[^]*Reading/);
  await viewer.press('Newsroom', 'link');
  await names(viewer, ['Home']);
  assert.equal(await viewer.page.getByRole('link', { name: 'New story' }).count(), 0);
  await row(viewer, 'Home').getByRole('button').click();
  assert.deepEqual(await viewer.page.getByRole('menuitem').allInnerTexts(), ['Open']);
  await viewer.goto(`/studio/${space}/stories?dialog=new-story`);
  await names(viewer, ['Home']);
  assert.equal(await viewer.page.getByRole('dialog').count(), 0);
  viewer.isSilent('viewer');
  await viewer.close();
  await owner.close();
});
