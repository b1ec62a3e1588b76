// What stands beside the content of a story: its settings, those of a folder, and what is planned for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { open, stateIs, told } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const row = (person, name) => person.page.getByRole('row', { name, exact: true });

async function choose(person, name, act) {
  await row(person, name).getByRole('button', { name: /./ }).click();
  await person.page.getByRole('menuitem', { name: act, exact: true }).click();
}

const read = async (person, space, id) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${id}`)).story;

test('the settings of a story: address, tags, start page, sort date, alternates, preview, data of other programs', async () => {
  const person = await desk.person('story@example.org');
  const space = await desk.space(person, 'Newsroom');
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  const story = await make(person, space, { name: 'Home', slug: 'home', parent_id: blog.id, tag_list: ['news'], meta_data: { rank: 1, kept: [null, 1.5] } });
  const other = await make(person, space, { name: 'Accueil', slug: 'accueil' });
  await make(person, space, { name: 'Second', slug: 'second', tag_list: ['sport', 'news'] });
  const { page } = person;
  await person.goto(`/studio/${space}/stories?folder=${blog.id}`);
  await choose(person, 'Home', 'Settings …');
  const dialog = page.getByRole('dialog', { name: 'Settings of Home' });
  await dialog.getByLabel('Slug').fill('start');
  await dialog.getByText('The part of the address: blog/start').waitFor();
  await dialog.getByText('At /blog/home it is no longer found then.').waitFor();
  await dialog.getByLabel('Real path').fill('/welcome');
  // A tag of others is found; any other text is a new one.
  const tags = dialog.getByRole('combobox', { name: 'Tags' });
  await tags.click();
  await tags.pressSequentially('spo');
  await dialog.getByRole('option', { name: 'spo new' }).waitFor();
  await dialog.getByRole('option', { name: 'sport', exact: true }).click();
  await tags.pressSequentially('harbour');
  await dialog.getByRole('option', { name: 'harbour new' }).waitFor();
  // An input method takes Enter for itself.
  await tags.evaluate((input) => input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
  assert.equal(await tags.getAttribute('aria-expanded'), 'true');
  await tags.press('Enter');
  // Enter is about what is typed, also when something else is shown still.
  await tags.pressSequentially('x');
  await dialog.getByRole('option', { name: 'x new' }).waitFor();
  await tags.pressSequentially('-ray');
  await tags.press('Enter');
  await dialog.getByRole('button', { name: 'Remove the tag x-ray' }).waitFor();
  await dialog.getByRole('button', { name: 'Remove the tag news' }).click();
  await dialog.getByLabel('Date to sort by').fill('2026-12-24');
  await dialog.getByRole('combobox', { name: 'Alternates' }).click();
  await dialog.getByRole('option', { name: /Accueil/ }).click();
  // A tag that was typed and not chosen is one all the same.
  await tags.fill('typed');
  await dialog.getByLabel('No preview').check();
  const json = dialog.getByRole('textbox', { name: 'Data of other programs (JSON)' });
  assert.match(await json.innerText(), /"kept": \[/);
  await json.press('Control+a');
  await page.keyboard.type('{"rank": 2');
  // What is no JSON is not saved, and nothing typed goes away.
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/Line \d: /).waitFor();
  await json.press('Control+a');
  await page.keyboard.insertText('{"rank": 2, "kept": [null, 1.5]}');
  await dialog.getByText(/Line \d: /).waitFor({ state: 'detached' });
  await person.look('studio-settings-story');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(person, 'The settings of Home were saved.');
  const now = await read(person, space, story.id);
  assert.deepEqual(
    [now.full_slug, now.path, now.tag_list.toSorted(), now.sort_by_date, now.disable_fe_editor, now.meta_data, now.alternates.map(({ id }) => id), now.content],
    ['blog/start', '/welcome', ['harbour', 'sport', 'typed', 'x-ray'], '2026-12-24', true, { rank: 2, kept: [null, 1.5] }, [other.id], story.content],
  );
  // As the start page it has the address of its folder. An alternate that is removed is in no group with it any more.
  await choose(person, 'Home', 'Settings …');
  await dialog.getByLabel('Start page of its folder').check();
  await dialog.getByText('The part of the address: blog', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Remove Accueil from the alternates' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const then = await read(person, space, story.id);
  assert.deepEqual([then.is_startpage, then.alternates, then.tag_list.toSorted()], [true, [], ['harbour', 'sport', 'typed', 'x-ray']]);
  person.isSilent('story');
  await person.close();
});

test('the settings beside an open story do not touch what is typed, and what others changed is not overwritten unseen', async () => {
  const person = await desk.person('beside@example.org');
  const space = await desk.space(person, 'Newsroom');
  const { id } = await make(person, space, { name: 'Home', slug: 'home', tag_list: ['news'] });
  const taken = await make(person, space, { name: 'Taken', slug: 'taken' });
  const { page } = person;
  await open(person, { space, story: id });
  await page.getByLabel('title').fill('Typed');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings of Home' });
  await dialog.getByLabel('Slug').fill('taken');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('There is already something with this slug here.').waitFor();
  await dialog.getByLabel('Slug').fill('start');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(person, 'The settings of Home were saved.');
  await page.getByText('/start', { exact: true }).waitFor();
  await stateIs(person, /^Saved/);
  const now = await read(person, space, id);
  assert.deepEqual([now.full_slug, now.content.title], ['start', 'Typed']);
  // Without a preview there is no pane for it.
  const pane = page.locator('.story-preview');
  assert.equal(await pane.count(), 1);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings …' }).click();
  await dialog.getByLabel('No preview').check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await pane.waitFor({ state: 'detached' });
  // What others have made of the same is asked about, though the draft goes on with their revision.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings …' }).click();
  await dialog.getByLabel('Real path').fill('/mine');
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${id}`, { story: { path: '/others' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^Ann Bee has changed the same meanwhile: Real path\./).waitFor();
  assert.equal((await read(person, space, id)).path, '/others');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await read(person, space, id)).path, '/mine');
  // Nor are they saved where the draft is not.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings …' }).click();
  await dialog.getByLabel('Real path').fill('/home');
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${id}`, { story: { content: { ...now.content, title: 'Other' } } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').getByText('The draft could not be saved, so nothing was done.', { exact: false }).waitFor();
  // In the list: others have changed the tags meanwhile, and the path.
  await person.goto(`/studio/${space}/stories?dialog=settings&story=${id}`);
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('mine');
  await dialog.getByRole('option', { name: 'mine new' }).click();
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${id}`, { story: { tag_list: ['theirs'], path: '/theirs' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(/^Ann Bee has changed the same meanwhile: Tags\./).waitFor();
  assert.deepEqual((await read(person, space, id)).tag_list, ['theirs']);
  // Something else that was changed meanwhile is no reason to ask.
  await call(person, 'PUT', `/api/v1/spaces/${space}/stories/${id}`, { story: { name: 'Theirs' } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const last = await read(person, space, id);
  assert.deepEqual([last.name, last.path, last.tag_list.toSorted()], ['Theirs', '/theirs', ['mine', 'news']]);
  // An alternate that is gone stops the rest, and what was written before it is not taken for a change of others.
  await person.goto(`/studio/${space}/stories?dialog=settings&story=${id}`);
  const again = page.getByRole('dialog', { name: 'Settings of' });
  await again.getByLabel('Name').fill('Mine');
  await again.getByRole('combobox', { name: 'Alternates' }).click();
  await again.getByRole('option', { name: /Taken/ }).click();
  await call(person, 'DELETE', `/api/v1/spaces/${space}/stories/${taken.id}`);
  await again.getByRole('button', { name: 'Save' }).click();
  await again.getByRole('alert').waitFor();
  await again.getByRole('button', { name: 'Remove Taken from the alternates' }).click();
  await again.getByRole('button', { name: 'Save' }).click();
  await again.waitFor({ state: 'detached' });
  assert.equal((await read(person, space, id)).name, 'Mine');
  person.isSilent('beside');
  await person.close();
});

test('a folder says which types it takes, and everything in it moves with it', async () => {
  const person = await desk.person('folder@example.org');
  const space = await desk.space(person, 'Newsroom');
  for (const name of ['article', 'event']) await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name, display_name: name, is_root: true, schema: {} } });
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  const inner = await make(person, space, { name: 'Years', slug: 'years', is_folder: true, parent_id: blog.id });
  for (const slug of ['a', 'b']) await make(person, space, { name: slug, slug, parent_id: inner.id });
  const { page } = person;
  await person.goto(`/studio/${space}/stories?folder=${blog.id}`);
  await page.getByRole('link', { name: 'Settings of Blog' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings of Blog' });
  await dialog.getByLabel('Slug').fill('news');
  await dialog.getByText('with it that of everything in it (stories: 2, folders: 1)').waitFor();
  await dialog.getByLabel('Only these').check();
  await dialog.getByRole('checkbox', { name: 'article' }).check();
  await dialog.getByLabel('Also in the folders in it').check();
  await dialog.getByLabel('Type of a new story').selectOption('article');
  await person.look('studio-settings-folder');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(person, 'The settings of Blog were saved.');
  const { content, default_root, full_slug } = await read(person, space, blog.id);
  assert.deepEqual([content.content_types, content.lock_subfolders_content_types, default_root, full_slug], [['article'], true, 'article', 'news']);
  assert.equal((await read(person, space, inner.id)).full_slug, 'news/years');
  // A new story has one of these types, and a folder below takes no other one either.
  await page.getByRole('link', { name: 'New story' }).click();
  const create = page.getByRole('dialog', { name: 'New story' });
  assert.deepEqual(await create.getByLabel('Type').locator('option').allInnerTexts(), ['article']);
  await create.getByRole('button', { name: 'Cancel' }).click();
  await person.goto(`/studio/${space}/stories?folder=${inner.id}&dialog=new-story`);
  await create.getByLabel('Name').fill('Summer');
  await create.getByLabel('Type').selectOption('event');
  await create.getByRole('button', { name: 'Create' }).click();
  await create.getByText('This folder takes no stories of this type.').waitFor();
  await create.getByLabel('Type').selectOption('article');
  await create.getByRole('button', { name: 'Create' }).click();
  await row(person, 'Summer').waitFor();
  // One that is there already stays; moved in from elsewhere it is refused.
  const event = await make(person, space, { name: 'Concert', slug: 'concert', content: { component: 'event' } });
  await person.goto(`/studio/${space}/stories?dialog=move&story=${event.id}`);
  const move = page.getByRole('dialog', { name: 'Move Concert' });
  await move.getByLabel('Years').check();
  await move.getByRole('button', { name: 'Move here' }).click();
  await move.getByText('This folder takes no stories of this type.').waitFor();
  person.isSilent('folder');
  await person.close();
});

for (const language of ['en', 'de']) {
  const w = {
    en: {
      schedule: 'Schedule …', title: 'Schedule of Home', nothing: 'Nothing is planned.', when: 'When (Europe/Berlin)', plan: 'Plan', skipped: /^The clock skips this time/, twice: /^The clock shows this time twice/,
      first: /^The first: .*UTC\+2/, second: /^The second: .*UTC\+1/, taken: /03:30 \(UTC\+2\)|3:30\s?AM \(UTC\+2\)/, missing: 'Choose a day and a time.', language: 'Language', what: 'What', unpublish: 'Unpublish', off: /^Call off: Publish German/,
      planned: ['Publish all languages', 'Publish German', 'Unpublish German'], all: 'all languages', past: /in the future|future|past/i, planning: 'It is planned.', cancelled: 'It was called off.', over: 'That has happened already, or was called off.',
    },
    de: {
      schedule: 'Zeitplan …', title: 'Zeitplan von Home', nothing: 'Nichts ist geplant.', when: 'Wann (Europe/Berlin)', plan: 'Planen', skipped: /^Diese Uhrzeit gibt es nicht/, twice: /^Diese Uhrzeit gibt es zweimal/,
      first: /^Die erste: .*UTC\+2/, second: /^Die zweite: .*UTC\+1/, taken: /03:30 \(UTC\+2\)/, missing: 'Wählen Sie Tag und Uhrzeit.', language: 'Sprache', what: 'Was', unpublish: 'Zurückziehen', off: /^Absagen: German veröffentlichen/,
      planned: ['Alle Sprachen veröffentlichen', 'German veröffentlichen', 'German zurückziehen'], all: 'Alle Sprachen', planning: 'Es ist geplant.', cancelled: 'Es ist abgesagt.', over: 'Das ist schon geschehen, oder es wurde abgesagt.',
    },
  }[language];

  test(`a story is planned across both changes of the clock, one language alone, and called off, in ${language}`, async () => {
    const person = await desk.person(`plan-${language}@example.org`, { language, timezoneId: 'Europe/Berlin' });
    const space = await desk.space(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }] });
    const { id } = await make(person, space, { name: 'Home', slug: 'home' });
    const plans = async () => {
      const { story_schedulings } = await call(person, 'GET', `/api/v1/spaces/${space}/story_schedulings?by_story_id=${id}&by_status=scheduled`);
      return story_schedulings.map((plan) => [plan.publish_at.slice(0, 16), plan.action, plan.language]);
    };
    const { page } = person;
    await person.goto(`/studio/${space}/stories`);
    await choose(person, 'Home', w.schedule);
    const dialog = page.getByRole('dialog', { name: w.title });
    await dialog.getByText(w.nothing).waitFor();
    const plan = dialog.getByRole('button', { name: w.plan, exact: true });
    await plan.click();
    await dialog.getByText(w.missing).waitFor();
    // In March the clock goes from 2:00 to 3:00.
    const when = dialog.getByLabel(w.when);
    await when.fill('2027-03-28T02:30');
    await dialog.getByText(w.skipped).waitFor();
    assert.match(await dialog.getByText(w.skipped).innerText(), w.taken);
    await person.look('studio-schedule-skipped');
    await plan.click();
    await dialog.getByRole('listitem').filter({ hasText: w.planned[0] }).getByText(/(1:30\s?AM|01:30) UTC$/).waitFor();
    // In October it shows the hour from 2:00 to 3:00 twice; in German alone, the second time.
    await dialog.getByLabel(w.language, { exact: true }).selectOption('German');
    await when.fill('2027-10-31T02:30');
    await dialog.getByText(w.twice).waitFor();
    assert.equal(await dialog.getByRole('radio', { name: w.first }).isChecked(), true);
    await dialog.getByRole('radio', { name: w.second }).check();
    await plan.click();
    await dialog.getByRole('listitem').filter({ hasText: w.planned[1] }).waitFor();
    await dialog.getByLabel(w.what, { exact: true }).selectOption(w.unpublish);
    await when.fill('2027-12-01T12:00');
    await plan.click();
    await dialog.getByRole('listitem').filter({ hasText: w.planned[2] }).waitFor();
    await person.look('studio-schedule');
    assert.deepEqual(await plans(), [['2027-03-28T01:30', 'publish', null], ['2027-10-31T01:30', 'publish', 'de'], ['2027-12-01T11:00', 'unpublish', 'de']]);
    await dialog.getByRole('button', { name: w.off }).click();
    await dialog.getByRole('button', { name: w.off }).waitFor({ state: 'detached' });
    assert.deepEqual((await plans()).length, 2);
    // What is called off already is no longer shown.
    const [last] = (await call(person, 'GET', `/api/v1/spaces/${space}/story_schedulings?by_story_id=${id}&by_status=scheduled`)).story_schedulings.filter(({ action }) => action === 'unpublish');
    await call(person, 'DELETE', `/api/v1/spaces/${space}/story_schedulings/${last.id}`);
    const gone = dialog.getByRole('listitem').filter({ hasText: w.planned[2] });
    await gone.getByRole('button').click();
    await gone.waitFor({ state: 'detached' });
    await dialog.getByRole('alert').getByText(w.over).waitFor();
    person.isSilent(`plan-${language}`);
    await person.close();
  });
}

test('a folder has names and slugs in other languages, which are the paths of what is in it', async () => {
  const person = await desk.person('folder-names@example.org');
  const space = await desk.space(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }, { code: 'fr', name: 'French' }] });
  const blog = await make(person, space, { name: 'Blog', slug: 'blog', is_folder: true });
  const story = await make(person, space, { name: 'Home', slug: 'home', parent_id: blog.id });
  await make(person, space, { name: 'Other', slug: 'other', is_folder: true, translated_slugs_attributes: [{ lang: 'fr', slug: 'journal' }] });
  const { page } = person;
  await person.goto(`/studio/${space}/stories`);
  await choose(person, 'Blog', 'Settings …');
  const dialog = page.getByRole('dialog', { name: 'Settings of Blog' });
  const [german, french] = ['German', 'French'].map((name) => dialog.getByRole('group', { name }));
  await german.getByLabel('Name').fill('Tagebuch');
  await german.getByLabel('Slug').fill('tagebuch');
  await german.getByText('/de/tagebuch').waitFor();
  await french.getByLabel('Slug').fill('journal');
  await person.look('studio-settings-folder-names');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await french.getByText('There is already something with this slug here. Choose another one.').waitFor();
  assert.deepEqual((await read(person, space, blog.id)).translated_slugs, []);
  await french.getByLabel('Slug').fill('carnet');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(person, 'The settings of Blog were saved.');
  const now = await read(person, space, blog.id);
  assert.deepEqual(now.translated_slugs.map(({ lang, name, slug }) => [lang, name, slug]), [['de', 'Tagebuch', 'tagebuch'], ['fr', null, 'carnet']]);
  const within = await read(person, space, story.id);
  assert.deepEqual(within.localized_paths.filter(({ lang }) => lang !== null).map(({ lang, path }) => [lang, path]), [['de', 'tagebuch/home'], ['fr', 'carnet/home']]);
  person.isSilent('folder-names');
  await person.close();
});

test('more plans than one answer has are all shown, and a plan that would do nothing is told', async () => {
  const person = await desk.person('plans@example.org', { timezoneId: 'Europe/Berlin' });
  const space = await desk.space(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }] });
  const { id } = await make(person, space, { name: 'Home', slug: 'home' });
  const plan = (publish_at, more = {}) => call(person, 'POST', `/api/v1/spaces/${space}/story_schedulings`, { story_scheduling: { story_id: id, publish_at, ...more } });
  for (let minute = 0; minute < 120; minute += 1) await plan(new Date(Date.UTC(2098, 0, 1, 0, minute)).toISOString());
  await plan('2098-06-01T00:00:00Z', { action: 'unpublish' });
  const { page } = person;
  await person.goto(`/studio/${space}/stories`);
  await choose(person, 'Home', 'Schedule …');
  const dialog = page.getByRole('dialog', { name: 'Schedule of Home' });
  await dialog.getByRole('listitem').filter({ hasText: 'Unpublish all languages' }).waitFor();
  assert.equal(await dialog.getByRole('listitem').count(), 121);
  const when = dialog.getByLabel('When (Europe/Berlin)');
  const [nothing, needsDefault] = [dialog.getByText(/nothing would happen/), dialog.getByText(/^The default language has to be published first/)];
  await when.fill('2097-01-01T00:00');
  await dialog.getByLabel('What', { exact: true }).selectOption('Unpublish');
  await nothing.waitFor();
  await when.fill('2098-03-01T00:00');
  await nothing.waitFor({ state: 'detached' });
  await dialog.getByLabel('What', { exact: true }).selectOption('Publish');
  await dialog.getByLabel('Language', { exact: true }).selectOption('German');
  await when.fill('2098-07-01T00:00');
  await needsDefault.waitFor();
  await when.fill('2098-05-01T00:00');
  await needsDefault.waitFor({ state: 'detached' });
  await when.fill('2020-01-01T00:00');
  await dialog.getByText('This time is over already.').waitFor();
  person.isSilent('plans');
  await person.close();
});
