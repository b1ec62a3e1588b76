// Languages: a story is translated side by side, what is missing and outdated is seen, and some languages are published and named.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { CONTENT, join, open, stateIs, stored, storySpace, told } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const SAVED = /^Saved \d/;
const LANGUAGES = { languages: [{ code: 'de', name: 'German' }, { code: 'fr', name: 'French' }] };

/** The field of a translation, by its path. */
const translated = (person, path) => person.page.locator(`[data-field="${path}"]`).getByRole('textbox');
const filter = (person, name) => person.page.getByRole('button', { name, exact: true });

/** Opens the translation into German. */
const beside = async (person, { space, story }, which) => {
  await person.goto(`/studio/${space}/stories/${story}?language=de&translate=${which}`);
  await person.page.locator('.translation').waitFor();
};

/** Waits until these fields are shown, by the paths of their translations. */
const shows = (person, ...paths) => person.page.waitForFunction((wanted) => {
  const all = [...document.querySelectorAll('.translation-row > div:last-child > [data-field]')].map((one) => one.dataset.field);
  return JSON.stringify(all) === JSON.stringify(wanted);
}, paths).catch(async () => assert.deepEqual(await person.page.locator('.translation-row > div:last-child > [data-field]').evaluateAll((all) => all.map((one) => one.dataset.field)), paths));

test('a story is translated side by side, and one language is published', async () => {
  const person = await desk.person('translate@example.org');
  const at = await storySpace(person, 'Newsroom', LANGUAGES);
  await open(person, at);
  await person.page.getByRole('combobox', { name: 'Language' }).selectOption('German');
  await person.page.getByText('5 not translated').waitFor();
  await filter(person, 'Side by side').click();
  const all = ['title__i18n__de', 'body/0/columns/0/headline__i18n__de', 'body/0/columns/0/buttons/0/label__i18n__de', 'body/0/columns/1/headline__i18n__de', 'body/1/text/0/0/headline__i18n__de'];
  await shows(person, ...all);
  // The default language is there to read.
  assert.equal(await person.page.locator('[data-field="title"]').getByRole('textbox').isEditable(), false);
  await person.look('translation');
  await translated(person, all[0]).fill('Willkommen');
  await person.page.getByRole('button', { name: 'Copy: headline' }).first().click();
  assert.equal(await translated(person, all[1]).inputValue(), 'First');
  await person.page.getByText('3 not translated').waitFor();
  // What is filled in under a filter stays until it is chosen again.
  await filter(person, 'Only missing').click();
  await shows(person, ...all.slice(2));
  assert.match(person.path, /language=de&translate=missing$/);
  await translated(person, all[2]).fill('Weiter');
  await person.page.getByText('2 not translated').waitFor();
  await shows(person, ...all.slice(2));
  await filter(person, 'All fields').click();
  await filter(person, 'Only missing').click();
  await shows(person, ...all.slice(3));
  await stateIs(person, SAVED);
  const { content } = await stored(person, at);
  assert.deepEqual([content.title__i18n__de, content.body[0].columns[0].headline__i18n__de, content.body[0].columns[0].buttons[0].label__i18n__de], ['Willkommen', 'First', 'Weiter']);
  // Everything else is as it was.
  delete content.title__i18n__de;
  delete content.body[0].columns[0].headline__i18n__de;
  delete content.body[0].columns[0].buttons[0].label__i18n__de;
  assert.deepEqual(content, CONTENT);

  // The default language has to be published with it, the first time.
  await open(person, at, '?dialog=languages');
  const dialog = person.page.getByRole('dialog', { name: 'Languages of Home' });
  await dialog.getByRole('link', { name: '3 of 5' }).waitFor();
  await dialog.getByRole('link', { name: '0 of 5' }).waitFor();
  await person.look('languages');
  await dialog.getByRole('checkbox', { name: 'German' }).check();
  await dialog.getByText('The default language has to be published first, or with them.').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Publish the chosen …', exact: true }).isDisabled());
  await dialog.getByRole('checkbox', { name: 'Default' }).check();
  await dialog.getByRole('button', { name: 'Publish the chosen …', exact: true }).click();
  await person.page.getByRole('dialog', { name: 'Publish Home in Default, German?' }).getByRole('button', { name: /^Publish( anyway)?$/ }).click();
  await person.page.getByText('Home is published.').waitFor();
  const { translated_stories: states } = await stored(person, at);
  assert.deepEqual(states.map(({ lang, published_at: time }) => [lang, time !== null]), [['de', true], ['fr', false]]);
  // German alone: readers of the default language see what they saw.
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content: { ...(await stored(person, at)).content, title: 'New', title__i18n__de: 'Neu' } } });
  await open(person, at, '?dialog=publish-language&language=de');
  await person.page.getByRole('dialog', { name: 'Publish Home in German?' }).getByRole('button', { name: /^Publish( anyway)?$/ }).click();
  await person.page.getByText('Home is published.').waitFor();
  const readersSee = async (query) => (await call(person, 'GET', `/api/v1/spaces/${at.space}/cdn/stories/${at.story}/published${query}`)).story.content.title;
  assert.deepEqual([await readersSee(''), await readersSee('?language=de')], ['Welcome', 'Neu']);
  // French alone, then back; the default one goes only with all others.
  await open(person, at, '?dialog=publish-language&language=fr');
  await person.page.getByRole('dialog', { name: 'Publish Home in French?' }).getByRole('button', { name: /^Publish( anyway)?$/ }).click();
  await person.page.getByText('Home is published.').waitFor();
  await open(person, at, '?dialog=languages');
  await dialog.getByRole('checkbox', { name: 'Default' }).check();
  await dialog.getByText('The default language can be unpublished only together with all others that are published.').waitFor();
  await dialog.getByRole('checkbox', { name: 'Default' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'French' }).check();
  await dialog.getByRole('button', { name: 'Unpublish the chosen …' }).click();
  await person.page.getByRole('dialog', { name: 'Unpublish Home in French?' }).getByRole('button', { name: 'Unpublish' }).click();
  await person.page.getByText('Home is no longer published.').waitFor();
  const after = await stored(person, at);
  assert.deepEqual([after.published, ...after.translated_stories.map(({ published_at: time }) => time !== null)], [true, true, false]);
  person.isSilent('translate');
  await person.close();
});

test('what the default language has changed since is outdated, until it is written anew or still right', async () => {
  const person = await desk.person('outdated@example.org');
  const at = await storySpace(person, 'Newsroom', LANGUAGES);
  const content = structuredClone(CONTENT);
  content.title__i18n__de = 'Willkommen';
  content.body[0].columns[0].headline__i18n__de = 'Erster';
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content } });
  await open(person, at);
  await person.page.getByLabel('title', { exact: true }).fill('Welcome, all of you');
  await person.page.getByRole('treeitem', { name: /^Teaser First/ }).getByRole('link').click();
  await person.page.getByLabel('headline', { exact: true }).fill('The first');
  await person.page.keyboard.press('ControlOrMeta+s');
  await stateIs(person, SAVED);
  await beside(person, at, 'outdated');
  const fields = ['title__i18n__de', 'body/0/columns/0/headline__i18n__de'];
  await shows(person, ...fields);
  await person.page.getByText('3 not translated, 2 outdated').waitFor();
  await person.look('outdated');
  // The form of the language marks them too.
  await open(person, at, '?language=de');
  await person.page.getByText('The default language has changed since.').first().waitFor();
  await person.look('outdated-form');
  await person.page.getByRole('button', { name: 'Still right: title' }).click();
  await told(person, 'title is still right.');
  await beside(person, at, 'outdated');
  await shows(person, fields[1]);
  await person.page.getByText('3 not translated, 1 outdated').waitFor();
  await translated(person, fields[1]).fill('Der erste');
  await person.page.getByText('3 not translated', { exact: true }).waitFor();
  await beside(person, at, 'outdated');
  await person.page.getByText('Nothing is outdated.').waitFor();
  // The list knows how far it is.
  await person.goto(`/studio/${at.space}/stories`);
  await person.page.getByRole('row', { name: 'Home' }).getByText('German: 2 of 5 translated').waitFor({ state: 'attached' });
  await person.look('list-languages');
  person.isSilent('outdated');
  await person.close();
});

test('a story has names and slugs in other languages', async () => {
  const person = await desk.person('names@example.org');
  const at = await storySpace(person, 'Newsroom', LANGUAGES);
  await make(person, at.space, { name: 'Other', slug: 'other', content: { component: 'landing', title: '' }, translated_slugs_attributes: [{ lang: 'fr', slug: 'accueil' }] });
  await open(person, at, '?dialog=names');
  const dialog = person.page.getByRole('dialog', { name: 'Names and slugs of Home' });
  const german = dialog.getByRole('group', { name: 'German' });
  const french = dialog.getByRole('group', { name: 'French' });
  await german.getByLabel('Name').fill('Startseite');
  await german.getByLabel('Slug').fill('start');
  await german.getByText('/de/start').waitFor();
  await french.getByLabel('Slug').fill('accueil');
  await person.look('names');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await french.getByText('There is already something with this slug here. Choose another one.').waitFor();
  assert.equal(await german.getByLabel('Name').inputValue(), 'Startseite');
  // All of them or none.
  assert.deepEqual((await stored(person, at)).translated_slugs, []);
  await french.getByLabel('Slug').fill('maison');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await person.page.getByText('The names and slugs were saved.').waitFor();
  const read = async () => (await stored(person, at)).translated_slugs.map(({ lang, name, slug }) => [lang, name, slug]);
  assert.deepEqual(await read(), [['de', 'Startseite', 'start'], ['fr', null, 'maison']]);
  await open(person, at, '?dialog=names');
  await german.getByLabel('Name').fill('');
  await german.getByLabel('Slug').fill('');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await person.page.getByText('The names and slugs were saved.').waitFor();
  assert.deepEqual((await read()).filter(([, name, slug]) => name || slug), [['fr', null, 'maison']]);
  person.isSilent('names');
  await person.close();
});

test('a viewer sees how a story is translated, and changes nothing', async () => {
  const person = await desk.person('translation-admin@example.org', { language: 'de' });
  const at = await storySpace(person, 'Newsroom', LANGUAGES);
  const viewer = await desk.person('translation-viewer@example.org', { language: 'de' });
  await join(person, viewer, 'translation-viewer@example.org', at.space, 'viewer');
  await viewer.goto(`/studio/${at.space}/stories/${at.story}?language=de&translate=all`);
  await viewer.page.locator('.translation-row').first().waitFor();
  assert.equal(await viewer.page.locator('.translation-row textarea:not([readonly]), .translation-row input:not([readonly])').count(), 0);
  assert.equal(await viewer.page.getByRole('button', { name: /^Übernehmen/ }).count(), 0);
  await viewer.look('translation');
  await open(viewer, at, '?dialog=languages');
  await viewer.page.getByRole('dialog', { name: 'Sprachen von Home' }).getByRole('link', { name: '0 von 5' }).first().waitFor();
  assert.equal(await viewer.page.getByRole('checkbox').count(), 0);
  await viewer.look('languages');
  viewer.isSilent('viewer');
  // What a viewer does not come to, in German.
  await open(person, at, '?dialog=names');
  await person.page.getByRole('dialog', { name: 'Namen und Slugs von Home' }).getByRole('group', { name: 'French' }).waitFor();
  await person.look('names');
  await person.goto(`/studio/${at.space}/stories/${at.story}?language=de&translate=missing`);
  await person.page.locator('.translation-row').first().waitFor();
  await person.look('translation-missing');
  person.isSilent('translation-admin');
  await viewer.close();
  await person.close();
});
