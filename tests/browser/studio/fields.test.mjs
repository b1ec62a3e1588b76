// The fields of a story: each type is shown, changed by the keyboard alone, and what is not touched stays as it is.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { call, Desk, make } from './support/desk.mjs';
import { fieldSpace } from './support/fieldspace.mjs';
import { saved } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const row = (person, name) => person.page.locator(`[data-field="${name}"]`);
/** The control of a field: the text of a JSON view is in a shadow root. */
const control = (person, name) => row(person, name).locator('input, select, textarea, [role=textbox]').first();

/** One red pixel, for the pictures of other hosts. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==', 'base64');

/** Opens a story in Berlin, whose time is not UTC, and waits until its fields and the names of what they refer to are there. */
async function open(person, space, story, query = '') {
  const session = await person.context.newCDPSession(person.page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
  await person.page.route('https://a.storyblok.com/**', (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }));
  await person.goto(`/studio/${space}/stories/${story}${query}`);
  await person.page.locator('.field-row').first().waitFor();
  await person.page.waitForFunction(() => [...document.querySelectorAll('.json-view')].every((view) => view.shadowRoot));
}

/** Presses Tab until the control has the focus. */
async function tabTo(person, locator) {
  const hasFocus = () => locator.evaluate((element) => element.getRootNode().activeElement === element);
  for (let presses = 0; !(await hasFocus()); presses++) {
    assert.ok(presses < 150, 'Tab does not lead there');
    await person.page.keyboard.press('Tab');
  }
}

/** The content of a story as it is stored. */
const contentOf = async (person, space, story) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story.content;

const focused = (person) => person.page.evaluate(() => document.activeElement.getAttribute('aria-label'));

test('each type is changed by the keyboard alone, and nothing else changes', async () => {
  const person = await desk.person('keys@example.org');
  const { space, story, authors, content } = await fieldSpace(desk, person);
  const { page } = person;
  const { keyboard } = page;
  await open(person, space, story);
  const replace = async (name, text) => {
    await tabTo(person, control(person, name));
    await keyboard.press('Control+a');
    await keyboard.insertText(text);
  };
  const choose = async (name, text, label) => {
    await tabTo(person, control(person, name));
    await keyboard.type(text);
    await page.locator('[role=option][aria-selected=true]', { hasText: label }).waitFor();
    await keyboard.press('Enter');
  };

  await replace('title', 'Port');
  await replace('teaser', 'Boats\nand crates');
  await replace('notes', '## Other');
  await replace('price', '13,5');
  await replace('stock', '5');
  await tabTo(person, control(person, 'featured'));
  await keyboard.press('Space');
  await tabTo(person, control(person, 'hidden'));
  await keyboard.press('Space');
  await replace('date', '2026-07-03 12:30');
  // A day of the calendar: two weeks on, in the month after.
  await tabTo(person, row(person, 'day').getByRole('button'));
  await keyboard.press('Enter');
  await page.getByRole('grid').waitFor();
  for (const key of ['ArrowDown', 'ArrowDown', 'PageDown', 'Enter']) await keyboard.press(key);
  assert.equal(await control(person, 'day').inputValue(), '2026-02-16');
  assert.equal(await focused(person), 'Day: choose from a calendar');
  await tabTo(person, control(person, 'colour'));
  await keyboard.type('G');
  await choose('country', 'fra', 'France');
  await choose('author', 'gra', 'Grace');
  await choose('spoken', 'ara', 'Arabic');
  await choose('sizes', 'xl', 'XL');
  // No more than three are allowed: the field is gone, and the focus is on what was added. It goes up, and the focus goes with it.
  await page.getByText('At most 3. To add another one, remove one first.').waitFor();
  assert.equal(await focused(person), 'XL: remove');
  await keyboard.press('Shift+Tab');
  assert.equal(await focused(person), 'XL: move up');
  await keyboard.press('Enter');
  assert.equal(await focused(person), 'XL: move up');
  await tabTo(person, page.getByRole('button', { name: '00000000-0000-4000-8000-00000000dead: remove' }));
  await keyboard.press('Enter');
  // Keys that mean something in the page are text here.
  await replace('odd', '');
  await keyboard.type('"a/text?"');
  // Tab leaves the JSON view, and lands behind the fields.
  await keyboard.press('Tab');
  assert.equal(await row(person, 'odd').evaluate((element) => element.contains(document.activeElement)), false);

  await saved(person);
  // What was typed stands there as it was typed.
  assert.equal(await control(person, 'odd').innerText(), '"a/text?"');
  assert.deepEqual(await contentOf(person, space, story), {
    ...content,
    title: 'Port',
    teaser: 'Boats\nand crates',
    notes: '## Other',
    price: '13.5',
    stock: 5,
    featured: false,
    hidden: true,
    date: '2026-07-03 10:30',
    day: '2026-02-16 00:00',
    colour: 'green',
    country: 'fr',
    author: authors.grace,
    spoken: ['de', 'ar'],
    sizes: ['m', 'xl', 's'],
    related: [authors.grace],
    odd: 'a/text?',
  });
  person.isSilent('keys');
  await person.close();
});

test('opening and leaving every field changes nothing', async () => {
  const person = await desk.person('leaves@example.org');
  const { space, story } = await fieldSpace(desk, person);
  const { page } = person;
  const writes = [];
  page.on('request', (request) => request.method() !== 'GET' && !request.url().endsWith('/validate') && writes.push(`${request.method()} ${request.url()}`));
  await open(person, space, story);
  await tabTo(person, control(person, 'title'));
  await tabTo(person, control(person, 'odd'));
  for (const name of ['author', 'sizes']) {
    await control(person, name).click();
    await page.locator('[role=option]').first().waitFor();
    await page.keyboard.press('Escape');
  }
  await row(person, 'date').getByRole('button').click();
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByText(/^Saved/).count() > 0, true);
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).isDisabled(), true);
  assert.deepEqual(writes, []);
  person.isSilent('leaves');
  await person.close();
});

test('what is typed and restored is the first value again, also where nothing was', async () => {
  const person = await desk.person('restores@example.org');
  const { space, story, content } = await fieldSpace(desk, person);
  const path = `/api/v1/spaces/${space}/stories/${story}`;
  const { teaser, country, ...rest } = content;
  assert.ok(teaser && country);
  await call(person, 'PUT', path, { story: { content: { ...rest, notes: null } } });
  await open(person, space, story);
  for (const [name, first] of [['title', 'Harbour'], ['teaser', ''], ['notes', ''], ['stock', '4'], ['price', '12.50'], ['date', '2026-01-02 04:04']]) {
    assert.equal(await control(person, name).inputValue(), first);
    await control(person, name).fill(name === 'date' ? '2027-01-01 10:00' : '77');
    await control(person, name).fill('');
    await control(person, name).fill(first);
  }
  await control(person, 'odd').fill('{"was": "an object"}');
  // One field more, so that there is something to save.
  await control(person, 'hidden').check();
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...rest, notes: null, hidden: true });
  person.isSilent('restores');
  await person.close();
});

test('what is no number, no date and no JSON stays in its field and is not saved', async () => {
  const person = await desk.person('wrong@example.org');
  const { space, story, content } = await fieldSpace(desk, person);
  const { page } = person;
  await open(person, space, story);
  for (const [name, text, told] of [
    ['stock', '12x', 'This is not a number and is not saved.'],
    ['date', '2026-02-31 10:00', 'This is not a date and is not saved. Write it like this: YYYY-MM-DD HH:MM'],
    ['odd', '{\n  "a": 1,\n}', 'Line 3: The name of a member is missing here, in double quotes. Until it is right, it stays here and is not saved.'],
  ]) {
    await control(person, name).fill(text);
    await page.keyboard.press('Tab');
    await row(person, name).getByText(told).waitFor();
    assert.equal(await control(person, name).getAttribute('aria-invalid'), 'true', name);
  }
  assert.equal(await control(person, 'stock').inputValue(), '12x');
  assert.match(await control(person, 'odd').innerText(), /"a": 1/);
  assert.match(await control(person, 'odd').getAttribute('aria-description'), /^Line 3: /);
  await control(person, 'title').fill('Port');
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...content, title: 'Port' });

  // It counts as unsaved, and is there again when its field is: also after the story was left.
  const isThere = async () => {
    await page.locator('.state-line').getByText('Not saved: a field holds a text that is no valid value yet.').waitFor();
    assert.match(await page.title(), /^● unsaved/);
    assert.equal(await control(person, 'stock').inputValue(), '12x');
    assert.equal(await control(person, 'date').inputValue(), '2026-02-31 10:00');
    await page.waitForFunction(() => document.querySelector('[data-field=odd] .json-view').shadowRoot?.textContent.includes('"a": 1'));
  };
  await isThere();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByText(/holds a text that is no valid value yet\. It is not saved, and is lost when you close this page\.$/).waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('.field-row').first().waitFor();
  await isThere();
  await control(person, 'stock').fill('12');
  await control(person, 'date').fill('2026-02-03 10:00');
  await control(person, 'odd').fill('{}');
  await page.locator('.state-line').getByText(/^Saved \d/).waitFor();
  person.isSilent('wrong');
  await person.close();
});

test('a value of another shape than its type opens as JSON and keeps everything', async () => {
  const person = await desk.person('odd@example.org');
  const { space, story, content } = await fieldSpace(desk, person);
  const odd = { title: { a: [1, null] }, teaser: ['x'], price: { amount: 1 }, stock: true, featured: 'yes', date: 20260102, colour: ['red'], spoken: 'de en', sizes: [['s']], text: 7, picture: 7, link: { linktype: 5, id: 'url' }, plugin: [] };
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${story}`, { story: { content: { ...content, ...odd } } });
  await open(person, space, story);
  for (const [name, value] of Object.entries(odd)) {
    await row(person, name).locator('.json-view').waitFor();
    const text = await control(person, name).innerText();
    assert.deepEqual(JSON.parse(text), value, name);
  }
  // It stays JSON while it is typed in, also when it is a text by then.
  await control(person, 'title').fill('"Port"');
  await row(person, 'title').locator('.json-view').waitFor();
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...content, ...odd, title: 'Port' });
  await open(person, space, story);
  assert.equal(await row(person, 'title').getByRole('textbox', { name: 'Title' }).inputValue(), 'Port');
  person.isSilent('odd');
  await person.close();
});

test('a translation begins with the first key or with the text of the default language, and can be removed', async () => {
  const person = await desk.person('translates@example.org');
  const { space, story, content } = await fieldSpace(desk, person);
  await open(person, space, story, '?language=ar');
  const title = control(person, 'title__i18n__ar');
  assert.deepEqual([await title.inputValue(), await title.getAttribute('placeholder'), await title.getAttribute('lang'), await title.getAttribute('dir')], ['', 'Harbour', 'ar', 'rtl']);
  await row(person, 'title__i18n__ar').getByText('Not translated').waitFor();
  await title.fill('ميناء');
  await row(person, 'title__i18n__ar').getByText('Not translated').waitFor({ state: 'detached' });
  await row(person, 'teaser__i18n__ar').getByRole('button', { name: 'Translate' }).click();
  assert.equal(await control(person, 'teaser__i18n__ar').inputValue(), 'Ships\nand cranes');
  // What cannot be a placeholder is shown, and cannot be changed until its translation begins.
  await row(person, 'text__i18n__ar').locator('[aria-readonly=true]').waitFor();
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...content, title__i18n__ar: 'ميناء', teaser__i18n__ar: content.teaser });
  await row(person, 'title__i18n__ar').getByRole('button', { name: 'Remove the translation' }).click();
  await row(person, 'title__i18n__ar').getByText('Not translated').waitFor();
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...content, teaser__i18n__ar: content.teaser });
  person.isSilent('translates');
  await person.close();
});

test('a problem that the server finds stands at its field and describes it', async () => {
  const person = await desk.person('problems@example.org', { language: 'de' });
  const { space, story } = await fieldSpace(desk, person);
  await open(person, space, story);
  const title = control(person, 'title');
  await title.fill('A title that is longer than it may be');
  await row(person, 'title').getByText('Das ist zu lang: höchstens 20 Zeichen.').waitFor();
  assert.equal(await title.getAttribute('aria-invalid'), 'true');
  const described = await title.evaluate((input) => input.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent.trim()));
  assert.deepEqual(described, ['Das ist zu lang: höchstens 20 Zeichen.', 'What stands above the page.', '37 von 20 Zeichen']);
  await title.fill('Port');
  await row(person, 'title').getByText('Das ist zu lang').waitFor({ state: 'detached' });
  assert.equal(await title.getAttribute('aria-invalid'), null);
  person.isSilent('problems');
  await person.close();
});

test('where the JSON view cannot be loaded it is a plain field', async () => {
  const person = await desk.person('plain@example.org');
  const { space, story, content } = await fieldSpace(desk, person);
  await person.page.route('**/assets/studio/codemirror.*.js', (route) => route.fulfill({ status: 404, body: '' }));
  await person.goto(`/studio/${space}/stories/${story}`);
  const odd = row(person, 'odd').getByRole('textbox', { name: 'Odd (JSON)' });
  await odd.fill('{"was": 5}');
  await saved(person);
  assert.deepEqual(await contentOf(person, space, story), { ...content, odd: { was: 5 } });
  await person.close();
});

test('what is typed for a list and not yet added is added by going elsewhere', async () => {
  const person = await desk.person('lists@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Harbours');
  const schema = { words: { type: 'options', pos: 0 }, pictures: { type: 'multiasset', allow_external_url: true, pos: 1 }, title: { type: 'text', pos: 2 } };
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'lists', is_root: true, schema } });
  const { id } = await make(person, space, { name: 'Lists', slug: 'lists', content: { component: 'lists' } });
  await open(person, space, id);
  const words = row(person, 'words').getByRole('textbox');
  await words.fill('ship');
  await words.press('Enter');
  await words.fill('crane');
  await row(person, 'pictures').getByRole('button', { name: 'pictures: Type a URL' }).click();
  const url = row(person, 'pictures').getByRole('textbox', { name: 'pictures: URL' });
  await url.and(page.locator(':focus')).waitFor();
  await page.keyboard.insertText('https://a.storyblok.com/f/1/one.png');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('https://a.storyblok.com/f/1/two.png');
  await page.keyboard.press('Tab');
  await row(person, 'pictures').locator('button:focus').waitFor();
  await page.keyboard.press('Shift+Tab');
  await row(person, 'title').getByRole('textbox').click();
  await url.waitFor({ state: 'detached' });
  await saved(person);
  const content = await contentOf(person, space, id);
  assert.deepEqual(content.words, ['ship', 'crane']);
  assert.deepEqual(content.pictures.map(({ filename }) => filename), ['https://a.storyblok.com/f/1/one.png', 'https://a.storyblok.com/f/1/two.png']);
  person.isSilent('lists');
  await person.close();
});

test('a viewer sees every value and can change none', async () => {
  const owner = await desk.person('owner-fields@example.org');
  const { space, story } = await fieldSpace(desk, owner);
  const viewer = await desk.person('viewer-fields@example.org');
  const { collaborator } = await call(owner, 'POST', `/api/v1/spaces/${space}/collaborators`, { email: 'viewer-fields@example.org', role: 'viewer' });
  await viewer.page.goto(collaborator.invitation.link);
  await viewer.press('Join');
  await open(viewer, space, story);
  // Names come a moment later than the values that they are shown for.
  await row(viewer, 'author').getByRole('link', { name: 'Open Ada' }).waitFor();
  assert.equal(await control(viewer, 'author').inputValue(), 'Ada');
  await row(viewer, 'sizes').locator('li', { hasText: /^\s*M\s*$/ }).waitFor();
  assert.deepEqual(await row(viewer, 'sizes').locator('li').allInnerTexts(), ['M', 'S']);
  const rows = viewer.page.locator('.field-row');
  // The editors that are loaded when they are shown.
  for (const name of ['Preview', 'Show as JSON']) await rows.getByRole('button', { name }).waitFor();
  const changeable = await rows.locator('input, textarea, select').evaluateAll((controls) => controls.filter((one) => !one.readOnly && !one.disabled).length);
  const code = await rows.locator('[role=textbox]').evaluateAll((texts) => texts.map((text) => text.getAttribute('aria-readonly')));
  assert.equal(changeable, 0);
  assert.ok(code.length >= 1 && code.every((isReadOnly) => isReadOnly === 'true'));
  // The buttons show something, and change nothing.
  assert.deepEqual(await rows.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent.trim())), ['About Teaser', 'Preview', 'Show as JSON']);
  await viewer.look('fields-viewer');
  await viewer.close();
  await owner.close();
});

/** Kilobytes of script, compressed, until the form can be used; what shows JSON comes on top, when it is shown. */
const STORY = 180;

test('the screen of a story is within its budget, and what shows JSON is loaded with the first JSON', async () => {
  const person = await desk.person('budget-fields@example.org');
  const space = await desk.space(person, 'Newsroom');
  const story = await make(person, space, { name: 'Home', slug: 'home' });
  const scripts = new Map();
  const sizes = [];
  person.page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    sizes.push(response.body().then((body) => scripts.set(new URL(response.url()).pathname, gzipSync(body, { level: 9 }).length)));
  });
  await open(person, space, story.id);
  await Promise.all(sizes);
  const total = [...scripts.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(scripts.size >= 3 && total <= STORY * 1024, `${total} bytes of script`);
  assert.ok(![...scripts.keys()].some((path) => path.includes('codemirror')));
  await person.close();
});

for (const language of ['en', 'de']) {
  test(`every field looks right, in ${language}`, async () => {
    const person = await desk.person(`looks-fields-${language}@example.org`, { language });
    const { space, story, content } = await fieldSpace(desk, person);
    // What is half below the bars at the top counts as too small.
    const look = async (name) => {
      await person.page.evaluate(() => scrollTo(0, 0));
      await person.look(name);
    };
    await open(person, space, story);
    await look('fields');
    await row(person, 'date').getByRole('button').click();
    await person.page.getByRole('grid').waitFor();
    await look('fields-calendar');
    await person.page.keyboard.press('Escape');
    await control(person, 'author').click();
    await person.page.locator('[role=option]').first().waitFor();
    await look('fields-combobox');
    await person.page.keyboard.press('Escape');
    for (const [name, text] of [['stock', '12x'], ['date', 'soon'], ['odd', '{']]) await control(person, name).fill(text);
    await control(person, 'title').fill('');
    await row(person, 'title').locator('.field-problems').waitFor();
    await look('fields-wrong');
    await open(person, space, story, '?language=ar');
    await look('fields-translated');
    await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${story}`, { story: { content: { ...content, title: 5, colour: ['red'] } } });
    await open(person, space, story);
    await look('fields-odd');
    await person.close();
  });
}
