// The library of files and its picker: uploading, finding, telling about files, and naming them in stories.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { brokenPicture, document, picture, png, upload } from './support/files.mjs';
import { multiplyAsset } from './support/many.mjs';
import { signInAgain } from './support/session.mjs';
import { saved } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open({ APP_ASSET_MAX_MB: '1' })));
after(() => desk?.close());

const file = (person, name) => person.page.getByRole('gridcell', { name, exact: true });
const told = (person, text) => person.page.getByRole('status').getByText(text, { exact: true }).waitFor();
const assetsOf = async (person, space, query = '') => (await call(person, 'GET', `/api/v1/spaces/${space}/assets?per_page=100${query}`)).assets;

/** The names of the files that are shown, once they are these. */
async function names(person, expected) {
  const read = () => person.page.locator('[role=grid] [data-item]').evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
  await person.page.waitForFunction((wanted) => {
    const shown = [...document.querySelectorAll('[role=grid] [data-item]')].map((item) => item.getAttribute('aria-label'));
    return JSON.stringify(shown) === JSON.stringify(wanted);
  }, expected).catch(async () => assert.deepEqual(await read(), expected));
}

test('ten files are uploaded at once, of which two fail; each is told for itself, and asks for its text', async () => {
  const person = await desk.person('upload@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  await person.goto(`/studio/${space}/stories`);
  await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByText('No files are here yet.').waitFor();
  const files = Array.from({ length: 8 }, (_, index) => (index < 4 ? picture(`ship-${index}.png`) : document(`list-${index}.txt`)));
  await page.locator('input[type=file]').setInputFiles([...files, document('huge.txt', 1_500_000), brokenPicture('torn.png')]);
  await told(person, '8 of 10 uploaded. 2 failed.');
  const uploads = page.getByRole('region', { name: 'Uploads' });
  const line = (name) => uploads.getByRole('listitem').filter({ hasText: name });
  await line('torn.png').getByText('The image is broken: it cannot be read.').waitFor();
  await line('huge.txt').getByText(/too large/).waitFor();
  assert.equal((await assetsOf(person, space)).length, 8);
  // The text of a picture is asked for, or that it needs none.
  const alt = uploads.getByLabel('Alt text ship-0.png');
  const { promise: isTyped, resolve: haveTyped } = Promise.withResolvers();
  await page.route('**/assets/*', async (route) => {
    if (route.request().method() === 'PUT') await isTyped;
    await route.continue();
  });
  await alt.fill('A ship');
  await alt.press('Enter');
  // What is typed while that is saved stays.
  await alt.fill('A ship at the pier');
  haveTyped();
  await told(person, 'ship-0.png was saved.');
  assert.equal(await alt.inputValue(), 'A ship at the pier');
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await alt.press('Enter');
  await saved;
  await uploads.getByRole('checkbox', { name: 'Decorative ship-1.png' }).check();
  await told(person, 'ship-1.png was saved.');
  await person.look('assets-uploads');
  const [ship, decorative] = ['ship-0.png', 'ship-1.png'].map((name) => async () => (await assetsOf(person, space)).find((asset) => asset.short_filename === name));
  assert.equal((await ship()).alt, 'A ship at the pier');
  assert.deepEqual([(await decorative()).alt || '', (await decorative()).meta_data], ['', { decorative: true }]);
  await uploads.getByRole('button', { name: 'Close the list' }).click();
  await uploads.waitFor({ state: 'detached' });
  person.isSilent('upload');
  await person.close();
});

test('an upload is cancelled and begun again, goes on elsewhere in the studio, and takes pasted and dropped files', async () => {
  const person = await desk.person('again@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  let release;
  let held;
  let isCut = false;
  const hold = () => (held = new Promise((resolve) => (release = resolve)));
  hold();
  await page.route('**/api/v1/spaces/*/assets', async (route) => {
    if (route.request().method() === 'POST') await held;
    await (isCut ? route.abort() : route.continue()).catch(() => {});
  });
  await person.goto(`/studio/${space}/assets`);
  await page.getByText('No files are here yet.').waitFor();
  await page.locator('input[type=file]').setInputFiles([picture('slow.png')]);
  await page.getByRole('button', { name: 'slow.png: cancel the upload' }).click();
  await page.getByText('Cancelled').waitFor();
  release();
  await page.getByRole('button', { name: 'slow.png: try again' }).click();
  await told(person, '1 of 1 uploaded.');
  const give = (type, name) => page.evaluate(([type, name]) => {
    const data = new DataTransfer();
    data.items.add(new File(['text'], name, { type: 'text/plain' }));
    const target = document.querySelector('.asset-browser');
    if (type === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    else target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [type, name]);
  // Cells of a spreadsheet come with a picture of them, which is no file of the person.
  const isTaken = (html) => page.evaluate((own) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', own);
    clipboardData.items.add(new File(['x'], 'image.png', { type: 'image/png' }));
    return !document.querySelector('.asset-browser').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  assert.equal(await isTaken('<table><tr><td>Ship</td></tr></table>'), false);
  await give('paste', 'pasted.txt');
  await told(person, '2 of 2 uploaded.');
  await give('drop', 'dropped.txt');
  await told(person, '3 of 3 uploaded.');
  await names(person, ['dropped.txt', 'pasted.txt', 'slow.png']);
  await page.getByRole('button', { name: 'Close the list' }).click();
  hold();
  await page.locator('input[type=file]').setInputFiles([document('late.txt')]);
  await page.getByRole('button', { name: 'late.txt: cancel the upload' }).waitFor();
  await page.getByRole('link', { name: 'Stories' }).click();
  await page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor();
  release();
  await told(person, '1 of 1 uploaded.');
  assert.equal((await assetsOf(person, space))[0].short_filename, 'late.txt');
  // One that fails when nothing shows it any more is not lost either: it is tried again from where one is.
  await page.getByRole('link', { name: 'Assets' }).click();
  await names(person, ['late.txt', 'dropped.txt', 'pasted.txt', 'slow.png']);
  hold();
  await page.locator('input[type=file]').setInputFiles([document('lost.txt'), { ...document('empty.txt'), buffer: Buffer.alloc(0) }]);
  await page.getByRole('button', { name: 'lost.txt: cancel the upload' }).waitFor();
  await page.getByRole('link', { name: 'Stories' }).click();
  await page.getByRole('heading', { name: 'Stories', level: 1 }).waitFor();
  isCut = true;
  release();
  await told(person, '0 of 2 uploaded. 2 failed.');
  isCut = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await told(person, '1 of 2 uploaded. 1 failed.');
  assert.equal((await assetsOf(person, space))[0].short_filename, 'lost.txt');
  assert.ok(person.hasReported('Failed to load resource: net::ERR_FAILED'));
  person.isSilent('again');
  await person.close();
});

test('an upload fails alone without a connection, and waits while the session has ended', async () => {
  const email = 'lost@example.org';
  const person = await desk.person(email);
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  await person.goto(`/studio/${space}/assets`);
  await page.getByText('No files are here yet.').waitFor();
  await person.context.setOffline(true);
  await page.locator('input[type=file]').setInputFiles([picture('ship.png')]);
  await page.getByRole('region', { name: 'Uploads' }).getByText('The server cannot be reached.').waitFor();
  await person.context.setOffline(false);
  for (const name of ['session', 'csrf_token']) await person.context.clearCookies({ name });
  await page.getByRole('button', { name: 'ship.png: try again' }).click();
  await signInAgain(person, email);
  await told(person, '1 of 1 uploaded.');
  assert.equal((await assetsOf(person, space)).length, 1);
  assert.ok(person.hasReported('Failed to load resource: net::ERR_INTERNET_DISCONNECTED'));
  person.isSilent('lost');
  await person.close();
});

test('what is set or typed while something else of the file is saved stays', async () => {
  const person = await desk.person('meanwhile@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const asset = await upload(person, space, picture('quay.png', 200, 100));
  await person.goto(`/studio/${space}/assets?asset=${asset.id}`);
  const detail = page.getByRole('dialog', { name: 'quay.png' });
  const area = detail.getByRole('button', { name: 'Focus point' });
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.naturalWidth > 0);
  const { promise: released, resolve: release } = Promise.withResolvers();
  await page.route(`**/assets/${asset.id}`, async (route) => {
    if (route.request().method() === 'PUT') await released;
    await route.continue();
  });
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await detail.getByLabel('Copyright').fill('Ada');
  await area.focus();
  await sent;
  await area.press('Shift+ArrowRight');
  await detail.getByText('60 % from the left, 51 % from the top').waitFor();
  await detail.getByLabel('Source').fill('The archive');
  // Each tag comes to those before, also where these are not saved yet.
  const tags = detail.getByRole('combobox', { name: 'Tags' });
  for (const name of ['harbour', 'fog']) {
    await tags.fill(name);
    await tags.press('Enter');
    await page.waitForFunction(() => document.activeElement?.value === '');
  }
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  release();
  await saved;
  await told(person, 'Saved.');
  // The next step begins where the one before has led.
  await area.press('Shift+ArrowRight');
  await detail.getByText('70 % from the left, 51 % from the top').waitFor();
  for (const name of ['harbour', 'fog']) await detail.getByRole('button', { name: `${name}: remove` }).waitFor();
  // A tag that is typed and not chosen is one all the same.
  await tags.fill('quays');
  await area.focus();
  // What does not rest yet is saved before the dialog closes.
  await area.press('Shift+ArrowRight');
  await page.keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  const [found] = await assetsOf(person, space);
  const tagNames = found.internal_tags_list.map(({ name }) => name).toSorted();
  assert.deepEqual([found.copyright, found.source, found.focus, tagNames], ['Ada', 'The archive', '160x50:161x51', ['fog', 'harbour', 'quays']]);
  person.isSilent('meanwhile');
  await person.close();
});

test('files are found, opened, changed, moved, tagged and deleted by keys alone', async () => {
  const person = await desk.person('keys@example.org');
  const { page } = person;
  const { keyboard } = page;
  const space = await desk.space(person, 'Harbours');
  for (const name of ['crane.png', 'dock.png', 'quay.png']) await upload(person, space, picture(name, 200, 100));
  await upload(person, space, document('plan.txt'));
  await person.goto(`/studio/${space}/assets`);
  await names(person, ['plan.txt', 'quay.png', 'dock.png', 'crane.png']);
  await file(person, 'plan.txt').focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  const detail = page.getByRole('dialog', { name: 'quay.png' });
  await detail.getByLabel('Alt text', { exact: true }).fill('A quay in the fog');
  await detail.getByLabel('Copyright').fill('Ada');
  // The point is moved by the arrow keys: ten steps from the middle, and one up.
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.naturalWidth > 0);
  await detail.getByRole('button', { name: 'Focus point' }).focus();
  await keyboard.press('Shift+ArrowRight');
  await keyboard.press('ArrowUp');
  await detail.getByText('60 % from the left, 50 % from the top').waitFor();
  const tags = detail.getByRole('combobox', { name: 'Tags' });
  await tags.fill('harbour');
  await page.getByRole('option', { name: 'New tag “harbour”' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await detail.getByRole('button', { name: 'harbour: remove' }).waitFor();
  await person.look('assets-detail');
  await keyboard.press('Escape');
  await detail.waitFor({ state: 'detached' });
  const [quay] = (await assetsOf(person, space)).filter(({ short_filename }) => short_filename === 'quay.png');
  assert.deepEqual([quay.alt, quay.copyright, quay.focus, quay.internal_tags_list.map(({ name }) => name)], ['A quay in the fog', 'Ada', '120x49:121x50', ['harbour']]);
  // The focus is where it was.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'quay.png');

  // A folder, and two files into it.
  await page.getByRole('link', { name: 'New folder' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Name').fill('Photos');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Photos', level: 1 }).waitFor();
  await page.getByText('No files are here yet.').waitFor();
  await page.getByRole('link', { name: 'All files' }).press('Enter');
  await file(person, 'quay.png').focus();
  await keyboard.press('Space');
  await keyboard.press('ArrowRight');
  await keyboard.press('Space');
  await told(person, '2 selected');
  await person.look('assets-selected');
  await page.getByRole('button', { name: 'Move to …' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Folder').selectOption({ label: 'Photos' });
  await page.getByRole('button', { name: 'Move here' }).press('Enter');
  await told(person, '2 moved: Photos');
  await page.getByRole('link', { name: 'Photos', exact: true }).press('Enter');
  await names(person, ['quay.png', 'dock.png']);

  // To the trash and back.
  await file(person, 'dock.png').focus();
  await keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete dock.png?' }).getByRole('button', { name: 'Delete' }).press('Enter');
  await names(person, ['quay.png']);
  await page.getByRole('link', { name: 'Trash' }).press('Enter');
  await names(person, ['dock.png']);
  await file(person, 'dock.png').focus();
  await keyboard.press('Space');
  await page.getByRole('button', { name: 'Bring back' }).press('Enter');
  await page.getByText('The trash is empty.').waitFor();
  await page.getByRole('link', { name: 'Photos', exact: true }).press('Enter');
  await names(person, ['quay.png', 'dock.png']);

  // A search is of all folders; it is part of the address.
  await keyboard.press('/');
  await keyboard.type('plan');
  await names(person, ['plan.txt']);
  await page.waitForURL(/search=plan/);
  // Who pauses behind a word goes on with the next one.
  const search = page.getByRole('searchbox', { name: 'Name, text, tag …' });
  await search.fill('quay ');
  await names(person, ['quay.png']);
  assert.equal(await search.inputValue(), 'quay ');
  person.isSilent('keys');
  await person.close();
});

/** How many rows may be in the document, however many files there are. */
const MOST_ROWS = 120;

test('ten thousand files scroll as a hundred do', async () => {
  const person = await desk.person('many@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Archive');
  const first = await upload(person, space, document('first.txt'));
  multiplyAsset(desk.server, first.id, 9_999);
  await person.goto(`/studio/${space}/stories`);
  await page.getByRole('link', { name: 'Assets' }).click();
  await page.getByText('10000 files').waitFor();
  await file(person, 'first.txt').focus();
  await page.keyboard.press('End');
  await file(person, 'copy-09999.txt').waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'copy-09999.txt');
  assert.ok((await page.locator('[role=grid] [role=row]').count()) <= MOST_ROWS);
  await page.keyboard.press('Home');
  await file(person, 'first.txt').waitFor();
  await page.getByRole('searchbox', { name: 'Name, text, tag …' }).fill('copy-05000');
  await names(person, ['copy-05000.txt']);
  // Ctrl+A selects what was read; the rest is offered, and what is done is done with all.
  await page.getByRole('searchbox', { name: 'Name, text, tag …' }).fill('copy-00');
  await page.getByText('999 files').waitFor();
  await file(person, 'copy-00001.txt').focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Select all 999' }).click();
  await told(person, '999 selected');
  assert.equal(await page.getByRole('button', { name: 'Select all 999' }).count(), 0);
  await file(person, 'copy-00001.txt').focus();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await told(person, '999 files were deleted.');
  assert.deepEqual(await assetsOf(person, space, '&search=copy-00'), []);
  person.isSilent('many');
  await person.close();
});

const OLD = '//old.example.org/f/1/300x200/abc/crane.png';
const SCHEMA = {
  picture: { type: 'asset', display_name: 'Picture', filetypes: ['images'], translatable: true, pos: 0 },
  teaser: { type: 'asset', display_name: 'Teaser', allow_external_url: true, pos: 1 },
  pictures: { type: 'multiasset', display_name: 'Pictures', maximum_entries: 3, pos: 2 },
  banner: { type: 'asset', display_name: 'Banner', allow_external_url: true, pos: 5 },
  logo: { type: 'image', display_name: 'Logo', pos: 3 },
  plan: { type: 'file', display_name: 'Plan', pos: 4 },
};

/** A space with a story that has a field of each type for files, and with some files, of which two are in a folder. */
async function storySpace(person) {
  const space = await desk.space(person, 'Harbours', { languages: [{ code: 'de', name: 'German' }] });
  const at = `/api/v1/spaces/${space}`;
  const { asset_folder: folder } = await call(person, 'POST', `${at}/asset_folders`, { asset_folder: { name: 'Photos' } });
  const schema = { ...SCHEMA, picture: { ...SCHEMA.picture, asset_folder_id: folder.id } };
  await call(person, 'POST', `${at}/components`, { component: { name: 'gallery', is_root: true, schema } });
  const assets = {};
  for (const name of ['dock.png', 'quay.png']) assets[name] = await upload(person, space, picture(name, 200, 100), { asset_folder_id: String(folder.id), alt: `The ${name.split('.')[0]}` });
  assets['plan.txt'] = await upload(person, space, document('plan.txt'));
  const picked = { id: 7, alt: 'A crane', filename: 'https://old.example.org/f/1/300x200/abc/crane.png', fieldtype: 'asset', unknown: [1] };
  const content = { component: 'gallery', teaser: '/logo.svg', pictures: [picked], logo: OLD, plan: '' };
  const { story } = await call(person, 'POST', `${at}/stories`, { story: { name: 'Home', slug: 'home', content } });
  return { space, story: story.id, assets, picked, content: { ...content, _uid: story.content._uid } };
}

async function openStory(person, space, story, query = '') {
  await person.page.route('https://old.example.org/**', (route) => route.fulfill({ contentType: 'image/png', body: png(30, 20) }));
  await person.goto(`/studio/${space}/stories/${story}${query}`);
  // The editor of files is loaded when its field is shown.
  await person.page.getByRole('group', { name: 'Picture', exact: true }).locator('.file-area').waitFor();
}

const contentOf = async (person, space, story) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story.content;

test('fields name files of the library, and what is told of them at one place is told there alone', async () => {
  const person = await desk.person('fields@example.org');
  const { page } = person;
  const { space, story, assets, picked, content } = await storySpace(person);
  await openStory(person, space, story);
  const field = (name) => page.getByRole('group', { name, exact: true });
  await person.look('assets-fields');

  // The picker begins in the folder of the field, and offers pictures alone.
  await field('Picture').getByRole('button', { name: 'Picture: Choose a file' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose a file' });
  await names(person, ['quay.png', 'dock.png']);
  await person.look('assets-picker');
  await picker.getByText('dock.png').click();
  await picker.waitFor({ state: 'detached' });
  await field('Picture').getByText('Details here').click();
  const alt = field('Picture').getByLabel('Alt text', { exact: true });
  assert.equal(await alt.inputValue(), 'The dock');
  await alt.fill('Where the ships sleep');
  // A spreadsheet copies a picture of its cells beside their text, which is meant in a field for text.
  const isLeft = await alt.evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Cells');
    clipboardData.items.add(new File(['x'], 'cells.png', { type: 'image/png' }));
    return input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  assert.ok(isLeft);
  const point = field('Picture').getByRole('button', { name: 'Focus point' });
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.naturalWidth > 0);
  const box = await point.boundingBox();
  await page.mouse.click(box.x + box.width * 0.25, box.y + box.height * 0.5);
  await field('Picture').getByText(/^25 % from the left/).waitFor();

  // Old texts stay texts until a file takes their place.
  await field('Teaser').getByRole('textbox', { name: 'Teaser: URL' }).fill('/other.svg');
  await field('Logo').getByRole('link', { name: 'crane.png, opens in a new tab' }).waitFor();
  await field('Plan').getByRole('button', { name: 'Plan: Choose a file' }).click();
  await page.getByRole('dialog').getByText('plan.txt').click();

  // Several in an order, the second before the first.
  await field('Pictures').getByRole('button', { name: 'Pictures: Add files' }).click();
  const many = page.getByRole('dialog', { name: 'Choose files' });
  await many.getByText('quay.png').click();
  await many.getByText('dock.png').click();
  await many.getByRole('button', { name: 'Insert (2)' }).click();
  await field('Pictures').getByRole('button', { name: 'quay.png: move up' }).press('Alt+ArrowUp');
  const order = () => field('Pictures').getByRole('link').allInnerTexts();
  assert.deepEqual(await order(), ['quay.png', 'crane.png', 'dock.png']);
  await field('Pictures').getByRole('button', { name: 'dock.png: remove' }).click();

  // A private file opens by the URL that is signed.
  await upload(person, space, picture('vault.png', 40, 30), { is_private: 'true' });
  await field('Pictures').getByRole('button', { name: 'Pictures: Add files' }).click();
  await many.getByText('vault.png').click();
  await many.getByRole('button', { name: 'Insert (1)' }).click();
  const opened = page.context().waitForEvent('page');
  await field('Pictures').getByRole('link', { name: 'vault.png, opens in a new tab' }).click();
  const tab = await opened;
  await tab.locator('img').waitFor();
  assert.notEqual(new URL(tab.url()).search, '');
  assert.equal(await tab.locator('img').evaluate(({ naturalWidth }) => naturalWidth), 40);
  await tab.close();
  await field('Pictures').getByRole('button', { name: 'vault.png: remove' }).click();

  const value = ({ id, filename, alt }, more = {}) => ({
    id, filename, alt, name: '', focus: '', title: '', source: '', copyright: '', fieldtype: 'asset', meta_data: {}, is_external_url: false, ...more,
  });
  await saved(person);
  const stored = await contentOf(person, space, story);
  const { focus } = stored.picture;
  assert.match(focus, /^50x\d+:51x\d+$/);
  assert.deepEqual(stored, {
    ...content,
    picture: value(assets['dock.png'], { alt: 'Where the ships sleep', focus }),
    teaser: '/other.svg',
    pictures: [value(assets['quay.png']), picked],
    plan: assets['plan.txt'].filename,
  });

  // A translation has a file, and texts, of its own.
  await page.getByRole('combobox', { name: /Language/ }).selectOption('de');
  await field('Picture').getByRole('button', { name: 'Translate' }).click();
  await field('Picture').getByText('Details here').click();
  await alt.fill('Wo die Schiffe schlafen');
  await saved(person);
  const translated = await contentOf(person, space, story);
  assert.deepEqual([translated.picture.alt, translated.picture__i18n__de.alt], ['Where the ships sleep', 'Wo die Schiffe schlafen']);
  person.isSilent('fields');
  await person.close();
});

test('what is dropped on a field or pasted into it is uploaded and picked; a URL can be typed where the schema allows it', async () => {
  const person = await desk.person('drop@example.org');
  const { page } = person;
  const { space, story } = await storySpace(person);
  await openStory(person, space, story);
  const field = (name) => page.getByRole('group', { name, exact: true });
  await page.evaluate((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }));
    document.querySelector('[data-field=picture] .file-area').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [...png(20, 10)]);
  const picker = page.getByRole('dialog', { name: 'Choose a file' });
  await picker.getByRole('button', { name: 'Use dropped.png' }).click();
  await picker.waitFor({ state: 'detached' });
  await field('Picture').getByRole('link', { name: /^dropped.png/ }).waitFor();
  assert.deepEqual((await assetsOf(person, space, '&search=dropped')).map(({ asset_folder_id }) => asset_folder_id !== null), [true]);
  // A file of another kind is refused before it is sent.
  await field('Picture').getByRole('button', { name: 'Picture: Replace' }).click();
  await picker.locator('input[type=file]').setInputFiles([document('notes.txt')]);
  await picker.getByText('A file of this type is not allowed here.').waitFor();
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });

  await field('Banner').getByRole('button', { name: 'Banner: Type a URL' }).click();
  await field('Banner').getByRole('textbox', { name: 'Banner: URL' }).fill('https://old.example.org/other.png');
  await saved(person);
  const stored = await contentOf(person, space, story);
  assert.deepEqual(stored.picture.filename.split('/').at(-1), 'dropped.png');
  assert.deepEqual([stored.banner.filename, stored.banner.is_external_url, stored.banner.id], ['https://old.example.org/other.png', true, null]);
  person.isSilent('drop');
  await person.close();
});

test('a file whose changes cannot be saved says so, and is closed all the same', async () => {
  const person = await desk.person('trap@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const asset = await upload(person, space, picture('crane.png', 200, 100), { alt: 'A crane' });
  await person.goto(`/studio/${space}/assets?asset=${asset.id}`);
  const detail = page.getByRole('dialog');
  await page.route(`**/assets/${asset.id}`, (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 404, json: { error: 'notFound' } }) : route.continue()));
  await detail.getByLabel('Title').fill('At the quay');
  await page.keyboard.press('Escape');
  await detail.getByText(/not there any more/).waitFor();
  assert.equal(await detail.getByLabel('Title').inputValue(), 'At the quay');
  await detail.getByRole('button', { name: 'Close without saving' }).click();
  await detail.waitFor({ state: 'detached' });
  person.isSilent('trap');
  await person.close();
});

/** What a URL of this server answers. */
const fetched = async (person, url) => (await person.context.request.get(url)).body();

test('a file is renamed, replaced, cropped and made private, and every URL that it had still shows it', async () => {
  const person = await desk.person('detail@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const asset = await upload(person, space, picture('crane.png', 200, 100), { alt: 'A crane' });
  await person.goto(`/studio/${space}/assets?asset=${asset.id}`);
  await page.getByRole('dialog', { name: 'crane.png' }).waitFor();
  const detail = page.getByRole('dialog');
  const name = detail.getByLabel('File name');
  await name.fill('crane.txt');
  await name.press('Tab');
  await detail.getByText(/^The extension of a file stays/).waitFor();
  await name.fill('harbour.png');
  await name.press('Tab');
  await page.getByRole('dialog', { name: 'harbour.png' }).waitFor();

  const other = png(120, 80, [[200, 30, 30], [240, 220, 40]]);
  await detail.locator('input[type=file]').setInputFiles([{ name: 'other.png', mimeType: 'image/png', buffer: other }]);
  await told(person, 'harbour.png has a new file. All its URLs show that one.');
  await detail.getByText('120 × 80').waitFor();
  assert.deepEqual(await fetched(person, asset.filename), other);
  // Another kind of file would break what shows it.
  await detail.locator('input[type=file]').setInputFiles([document('other.txt')]);
  await detail.getByText('A file can be replaced only by one of the same kind.').waitFor();

  await detail.getByRole('button', { name: 'Crop …' }).click();
  const crop = page.getByRole('dialog', { name: 'Crop harbour.png' });
  await crop.getByLabel('Width').fill('40');
  await crop.getByLabel('Width').press('Tab');
  const area = await crop.locator('.crop-area').boundingBox();
  await page.mouse.move(area.x + area.width / 2, area.y);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width, area.y + area.height / 2);
  await page.mouse.up();
  assert.deepEqual(await Promise.all(['From the left', 'From the top', 'Width', 'Height'].map((label) => crop.getByLabel(label).inputValue())), ['60', '0', '60', '40']);
  // Where the second step fails, trying again makes no second file.
  const telling = /\/assets\/\d+$/;
  await page.route(telling, (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 409, json: { error: 'conflict' } }) : route.fallback()));
  await crop.getByRole('button', { name: 'Crop', exact: true }).click();
  await crop.getByRole('alert').waitFor();
  await page.unroute(telling);
  await crop.getByRole('button', { name: 'Crop', exact: true }).click();
  await crop.waitFor({ state: 'detached' });
  assert.equal((await assetsOf(person, space)).length, 2);
  const [cut] = await assetsOf(person, space);
  assert.match(cut.filename, /\/60x40\/[0-9a-f]+\/harbour-60x40\.\w+$/);
  assert.equal(cut.alt, 'A crane');

  await detail.getByRole('button', { name: 'Crop …' }).click();
  await crop.getByLabel('Height').fill('30');
  await crop.getByLabel('Height').press('Tab');
  await crop.getByRole('radio', { name: /^this file/ }).check();
  await crop.getByRole('button', { name: 'Crop', exact: true }).click();
  await detail.getByText('120 × 30').waitFor();
  assert.equal((await assetsOf(person, space)).length, 2);

  await detail.getByRole('checkbox', { name: 'Private' }).check();
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.src.includes('signature='));
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.naturalWidth > 0);
  await detail.getByRole('button', { name: 'Done' }).click();
  await detail.waitFor({ state: 'detached' });
  assert.equal(person.path, `/studio/${space}/assets`);
  person.isSilent('detail');
  await person.close();
});

test('files are narrowed in the address, and many of them tagged, copied and downloaded at once', async () => {
  const person = await desk.person('filters@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  await upload(person, space, picture('crane.png'), { alt: 'A crane' });
  await upload(person, space, picture('dock.png'));
  await upload(person, space, document('plan.txt'), { title: 'The crane at work' });
  await upload(person, space, document('secret.txt'), { is_private: 'true' });
  await person.goto(`/studio/${space}/assets?view=list`);
  await page.getByRole('columnheader', { name: 'Alt text' }).waitFor();
  await names(person, ['secret.txt', 'plan.txt', 'dock.png', 'crane.png']);
  await page.getByRole('row', { name: 'plan.txt' }).focus();
  await page.keyboard.press('Space');
  await page.getByRole('row', { name: 'dock.png' }).getByText('dock.png').click({ modifiers: ['Shift'] });
  await told(person, '2 selected');

  await page.getByRole('button', { name: 'Copy URL' }).click();
  await told(person, '2 URL copied.');
  const [first, second] = (await assetsOf(person, space)).slice(1, 3).map(({ filename }) => filename);
  // Another field than that of the library, which searches while it is written in.
  const search = page.getByRole('searchbox', { name: 'Search by name or path' });
  await search.focus();
  await page.keyboard.press('Control+v');
  assert.equal(await search.inputValue(), `${first} ${second}`);
  await search.fill('');
  // Whoever looks at one of them has both selected still.
  await page.getByRole('row', { name: 'dock.png' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'dock.png' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'dock.png' }).waitFor({ state: 'detached' });
  await told(person, '2 selected');
  const downloads = ['dock.png', 'plan.txt'].map((name) => page.waitForEvent('download', (download) => download.suggestedFilename() === name));
  await page.getByRole('button', { name: 'Download' }).click();
  await Promise.all(downloads);

  await page.getByRole('button', { name: 'Tag …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag files (2)' });
  await dialog.getByRole('combobox').fill('harbour');
  await page.getByRole('option', { name: 'New tag “harbour”' }).click();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await told(person, 'The tags of 2 files were saved.');

  await page.getByRole('combobox', { name: 'Tag' }).selectOption({ label: 'harbour' });
  await names(person, ['plan.txt', 'dock.png']);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Documents' });
  await names(person, ['plan.txt']);
  await page.reload();
  await names(person, ['plan.txt']);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('checkbox', { name: 'Without alt text' }).check();
  await names(person, ['dock.png']);
  await page.getByRole('checkbox', { name: 'Without alt text' }).uncheck();
  await page.getByRole('checkbox', { name: 'Private' }).check();
  await names(person, ['secret.txt']);
  await page.getByRole('checkbox', { name: 'Private' }).uncheck();
  // The best match is first: the name, then what is told.
  await page.getByRole('searchbox', { name: 'Name, text, tag …' }).fill('crane');
  await names(person, ['crane.png', 'plan.txt']);
  // A tag is taken away from all that have it, and their others stay.
  await page.getByRole('searchbox', { name: 'Name, text, tag …' }).fill('');
  await names(person, ['secret.txt', 'plan.txt', 'dock.png', 'crane.png']);
  const tags = async () => Object.fromEntries((await assetsOf(person, space)).map((one) => [one.short_filename, one.internal_tags_list.map(({ name }) => name)]));
  await page.getByRole('row', { name: 'plan.txt' }).focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Tag …' }).click();
  const all = page.getByRole('dialog', { name: 'Tag files (4)' });
  await all.getByRole('combobox').fill('port');
  await page.getByRole('option', { name: 'New tag “port”' }).click();
  await all.getByRole('checkbox', { name: 'harbour (2)' }).check();
  await person.look('assets-untag');
  await all.getByRole('button', { name: 'Save', exact: true }).click();
  await told(person, 'The tags of 4 files were saved.');
  assert.deepEqual(await tags(), { 'secret.txt': ['port'], 'plan.txt': ['port'], 'dock.png': ['port'], 'crane.png': ['port'] });
  // A file that is open has an address, and Back closes it.
  await page.getByRole('row', { name: 'plan.txt' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'plan.txt' }).waitFor();
  assert.match(new URL(page.url()).search, /[?&]asset=\d+/);
  await page.goBack();
  await page.getByRole('dialog', { name: 'plan.txt' }).waitFor({ state: 'detached' });
  await page.goForward();
  await page.getByRole('dialog', { name: 'plan.txt' }).waitFor();
  person.isSilent('filters');
  await person.close();
});

test('a reader finds and sees everything, and changes nothing', async () => {
  const owner = await desk.person('owner-assets@example.org');
  const { space, story, assets } = await storySpace(owner);
  const reader = await desk.person('reader-assets@example.org');
  const { collaborator } = await call(owner, 'POST', `/api/v1/spaces/${space}/collaborators`, { email: 'reader-assets@example.org', role: 'viewer' });
  await reader.page.goto(collaborator.invitation.link);
  await reader.press('Join');
  await reader.goto(`/studio/${space}/assets?asset=${assets['dock.png'].id}`);
  const detail = reader.page.getByRole('dialog', { name: 'dock.png' });
  await detail.getByLabel('Alt text', { exact: true }).waitFor();
  const changeable = await detail.locator('input:not([readonly], :disabled), select:not(:disabled)').count();
  assert.deepEqual([changeable, await detail.getByRole('button').allInnerTexts()], [0, ['Download', 'Copy URL', 'Done']]);
  await reader.page.keyboard.press('Escape');
  assert.equal(await reader.page.getByRole('button', { name: 'Upload' }).count(), 0);
  await openStory(reader, space, story);
  assert.equal(await reader.page.locator('.field-row').getByRole('button').count(), 0);
  reader.isSilent('reader');
  await reader.close();
  await owner.close();
});

test('a folder is renamed, moved and deleted with what is in it', async () => {
  const person = await desk.person('folders@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const folder = async (name, parent_id) => (await call(person, 'POST', `/api/v1/spaces/${space}/asset_folders`, { asset_folder: { name, parent_id } })).asset_folder.id;
  const [photos, archive] = [await folder('Photos'), await folder('Archive')];
  await upload(person, space, document('plan.txt'), { asset_folder_id: String(photos) });
  await person.goto(`/studio/${space}/assets?folder=${photos}`);
  const choose = async (act) => {
    await page.getByRole('button', { name: 'Actions for Photos' }).or(page.getByRole('button', { name: 'Actions for Pictures' })).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  await choose('Rename …');
  await page.getByRole('dialog').getByLabel('Name').fill('Pictures');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Pictures', level: 1 }).waitFor();
  await choose('Move to …');
  await page.getByRole('dialog').getByLabel('In the folder').selectOption({ label: 'Archive' });
  await page.getByRole('dialog').getByRole('button', { name: 'Move here' }).click();
  await page.getByRole('navigation', { name: 'Way' }).or(page.locator('.breadcrumb')).getByRole('link', { name: 'Archive' }).waitFor();
  await choose('Delete …');
  await person.look('assets-folder-delete');
  await page.getByRole('checkbox', { name: /^Delete everything in it/ }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Archive', level: 1 }).waitFor();
  assert.equal(person.path, `/studio/${space}/assets?folder=${archive}`);
  assert.deepEqual((await assetsOf(person, space, '&in_folder=-1')).map(({ short_filename }) => short_filename), ['plan.txt']);
  person.isSilent('folders');
  await person.close();
});

test('the library in German, from a phone to a desk', async () => {
  const person = await desk.person('looks-de@example.org', { language: 'de' });
  const { page } = person;
  const { space, story, assets } = await storySpace(person);
  await call(person, 'POST', `/api/v1/spaces/${space}/asset_folders`, { asset_folder: { name: 'Ein Ordner mit einem Namen, der länger ist als jede Spalte' } });
  await upload(person, space, document('Ein-Dateiname-der-sehr-viel-laenger-ist-als-jede-Kachel-es-jemals-sein-koennte.txt'));
  await person.goto(`/studio/${space}/assets`);
  await file(person, 'plan.txt').waitFor();
  await person.look('assets');
  await person.goto(`/studio/${space}/assets?view=list`);
  await page.getByRole('row', { name: 'plan.txt' }).waitFor();
  await person.look('assets-list');
  await person.goto(`/studio/${space}/assets?asset=${assets['dock.png'].id}`);
  await page.waitForFunction(() => document.querySelector('.focus-area img')?.naturalWidth > 0);
  await person.look('assets-detail');
  await page.getByRole('button', { name: 'Zuschneiden …' }).click();
  await page.getByLabel('Von links').waitFor();
  await person.look('assets-crop');
  await person.goto(`/studio/${space}/assets?trash=1`);
  await page.getByText('Der Papierkorb ist leer.').waitFor();
  await person.look('assets-trash');
  await person.goto(`/studio/${space}/assets?dialog=keys`);
  await page.getByRole('dialog').waitFor();
  await person.look('assets-keys');
  await openStory(person, space, story);
  await page.getByRole('button', { name: 'Pictures: Dateien hinzufügen' }).click();
  await page.getByRole('dialog').getByText('plan.txt').waitFor();
  await page.getByRole('dialog').getByText('plan.txt').click();
  await person.look('assets-picker');
  await person.close();
});
