// Publishing a story, what hinders it, its history, and its languages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { CONTENT, open, stateIs, stored, storySpace, told, toggle } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const title = (person) => person.page.getByLabel('title', { exact: true });
const titleIs = (person, text) => person.page.waitForFunction((wanted) => document.querySelector('[data-field=title] input')?.value === wanted, text);
const SAVED = /^Saved \d/;

/** Chooses from the menu of the story. */
async function choose(person, act) {
  await person.page.getByRole('button', { name: 'More actions for this story' }).click();
  await person.page.getByRole('menuitem', { name: act, exact: true }).click();
}

test('problems lead to their fields, and do not hinder publishing unless the space says so', async () => {
  const person = await desk.person('problems@example.org');
  const at = await storySpace(person, 'Newsroom');
  const api = `/api/v1/spaces/${at.space}`;
  // What the opening of the story asks for is answered late.
  const { promise: isLater, resolve: answer } = Promise.withResolvers();
  const isAnswered = new Promise((answered) => {
    const late = async (route) => {
      const response = await route.fetch();
      await isLater;
      await route.fulfill({ response });
      await (await route.request().response()).finished();
      answered();
    };
    return person.page.route('**/validate', late, { times: 1 });
  });
  await open(person, at);
  await toggle(person, 'Grid').click();
  await toggle(person, 'Teaser: Second').click();
  await person.page.getByLabel('headline').fill('');
  await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
  const dialog = person.page.getByRole('dialog', { name: 'Publish Home?' });
  await dialog.getByRole('heading', { name: 'Problems: 1' }).waitFor();
  await dialog.getByText('Readers will see it for the first time, at /home.').waitFor();
  await dialog.getByRole('button', { name: 'Teaser › headline' }).click();
  // The field has the focus, says what is wrong, and its block is marked.
  await person.page.waitForFunction(() => document.activeElement.closest('[data-field="body/0/columns/1/headline"]') && document.activeElement.matches('input'));
  assert.equal(await person.page.getByLabel('headline').getAttribute('aria-invalid'), 'true');
  await person.page.getByText('This is required and still empty.').waitFor();
  await person.page.getByRole('treeitem', { name: /^Teaser has problems/ }).waitFor();
  answer();
  await isAnswered;
  await person.page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await person.page.getByRole('treeitem', { name: /^Teaser has problems/ }).waitFor();
  await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
  await dialog.getByRole('button', { name: 'Publish anyway' }).click();
  await told(person, 'Home is published.');
  assert.equal((await stored(person, at)).published, true);

  await call(person, 'PUT', api, { space: { publish_requires_valid: true } });
  await open(person, at);
  await title(person).fill('Again');
  await person.page.getByRole('button', { name: 'Publish', exact: true }).click();
  await dialog.getByText('This space publishes only what has no errors.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: /^Publish/ }).count(), 0);
  await dialog.getByRole('button', { name: 'Teaser › headline' }).click();
  await person.page.getByLabel('headline').fill('Mended');
  await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await told(person, 'Home is published.');
  const story = await stored(person, at);
  assert.deepEqual([story.unpublished_changes, story.content.title, story.content.body[0].columns[1].headline], [false, 'Again', 'Mended']);
  person.isSilent('problems');
  await person.close();
});

test('problems lead to the language of their field', async () => {
  const person = await desk.person('problem-languages@example.org');
  const at = await storySpace(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }] });
  const dialog = person.page.getByRole('dialog', { name: 'Publish Home?' });
  for (const [language, other, field] of [['?language=de', '', 'title__i18n__de'], ['', '?language=de', 'title']]) {
    await open(person, at, language);
    await title(person).fill('x'.repeat(61));
    await stateIs(person, SAVED);
    await open(person, at, other);
    await person.page.getByRole('button', { name: 'Publish', exact: true }).click();
    await dialog.getByRole('button', { name: 'Landing page › title' }).click();
    await person.page.waitForFunction((wanted) => document.activeElement.closest(`[data-field="${wanted}"]`), field);
    await title(person).fill('Short');
    await stateIs(person, SAVED);
  }
  await person.close();
});

test('an answer that comes late leaves the dialog that is open by then', async () => {
  const person = await desk.person('late-answer@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  const { promise: released, resolve: release } = Promise.withResolvers();
  await person.page.route(/\/publish(\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  await person.page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = person.page.getByRole('dialog', { name: 'Publish Home?' });
  const asked = person.page.waitForRequest(/\/publish(\?|$)/);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await asked;
  await person.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await choose(person, 'History');
  const history = person.page.getByRole('dialog', { name: 'History of Home' });
  await history.waitFor();
  release();
  await person.page.locator('.notice').getByText('Home is published.').waitFor();
  assert.equal(await history.isVisible(), true);
  await person.close();
});

test('publishing within the same second as a key has that key', async () => {
  const person = await desk.person('same-second@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await title(person).press('End');
  await title(person).pressSequentially(' at once');
  await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
  await person.page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await told(person, 'Home is published.');
  const story = await stored(person, at);
  assert.deepEqual([story.content.title, story.unpublished_changes], ['Welcome at once', false]);
  await person.close();
});

test('versions are restored, changes are discarded, and the story is taken back', async () => {
  const person = await desk.person('history@example.org');
  const at = await storySpace(person, 'Newsroom');
  await call(person, 'POST', `/api/v1/spaces/${at.space}/stories/${at.story}/publish`);
  await open(person, at);
  await title(person).fill('Second');
  await person.page.keyboard.press('ControlOrMeta+s');
  await stateIs(person, SAVED);
  await title(person).fill('Third');
  const saved = person.page.waitForResponse((answer) => answer.request().method() === 'PUT' && !answer.url().includes('autosave=1'));
  await person.page.keyboard.press('ControlOrMeta+s');
  await saved;
  await choose(person, 'History');
  const history = person.page.getByRole('dialog', { name: 'History of Home' });
  await history.getByRole('listitem').nth(2).waitFor();
  assert.match((await history.getByRole('listitem').allInnerTexts()).join('\n'), /Saved by Ann Bee[\s\S]*Saved by Ann Bee[\s\S]*Published by Ann Bee/);
  await history.getByRole('button', { name: /^Restore/ }).nth(1).click();
  await titleIs(person, 'Second');
  await told(person, /^The draft is the version of/);
  assert.equal((await stored(person, at)).content.title, 'Second');
  // Undo reaches behind it.
  await person.page.keyboard.press('ControlOrMeta+z');
  await titleIs(person, 'Third');
  await stateIs(person, SAVED);
  // The published JSON is what readers get, whatever was saved since.
  await person.page.getByRole('button', { name: 'More actions for this story' }).click();
  const titleOf = async (name) => {
    const href = await person.page.getByRole('menuitem', { name }).getAttribute('href');
    return (await (await person.page.context().request.get(person.origin + href)).json()).story.content.title;
  };
  assert.deepEqual([await titleOf('Draft as JSON'), await titleOf('Published version as JSON')], ['Third', 'Welcome']);
  await person.page.keyboard.press('Escape');
  await choose(person, 'Discard changes …');
  await person.page.getByRole('dialog', { name: 'Discard the changes of Home?' }).getByRole('button', { name: 'Discard' }).click();
  await titleIs(person, 'Welcome');
  assert.deepEqual((await stored(person, at)).content, CONTENT);
  await choose(person, 'Unpublish …');
  await person.page.getByRole('dialog', { name: 'Unpublish Home?' }).getByRole('button', { name: 'Unpublish' }).click();
  await told(person, 'Home is no longer published.');
  assert.equal((await stored(person, at)).published, false);
  person.isSilent('history');
  await person.close();
});

test('many versions are read page by page, and the focus stays', async () => {
  const person = await desk.person('pages@example.org');
  const at = await storySpace(person, 'Newsroom');
  for (let version = 0; version < 30; version += 1) {
    await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content: { ...CONTENT, title: `Title ${version}` } } });
  }
  await open(person, at);
  await choose(person, 'History');
  const history = person.page.getByRole('dialog', { name: 'History of Home' });
  const [previous, next] = ['Previous', 'Next'].map((name) => history.getByRole('button', { name }));
  const isAt = async (page, count) => {
    await history.getByRole('status').getByText(`Page ${page} of 2`).waitFor();
    await history.getByRole('listitem').nth(count).waitFor({ state: 'detached' });
    await history.getByRole('listitem').nth(count - 1).waitFor();
  };
  await isAt(1, 25);
  await next.press('Enter');
  await isAt(2, 6);
  await next.press('Enter');
  await isAt(2, 6);
  assert.equal(await next.and(person.page.locator(':focus')).getAttribute('aria-disabled'), 'true');
  await previous.press('Enter');
  await isAt(1, 25);
  assert.equal(await previous.and(person.page.locator(':focus')).getAttribute('aria-disabled'), 'true');
  await person.look('history-pages');
  person.isSilent('pages');
  await person.close();
});

test('translations are made, counted and removed, and one language is published alone', async () => {
  const person = await desk.person('languages@example.org');
  const at = await storySpace(person, 'Newsroom', { languages: [{ code: 'de', name: 'German' }, { code: 'pt-br', name: 'Portuguese' }] });
  await open(person, at);
  await call(person, 'POST', `/api/v1/spaces/${at.space}/stories/${at.story}/publish?lang=%5Bdefault%5D`);
  await open(person, at);
  await person.page.getByLabel('Language', { exact: true }).selectOption('German');
  assert.equal(person.path, `/studio/${at.space}/stories/${at.story}?language=de`);
  const field = person.page.locator('[data-field=title__i18n__de] input');
  assert.deepEqual([await field.inputValue(), await field.getAttribute('placeholder'), await field.getAttribute('lang')], ['', 'Welcome', 'de']);
  // Title, three headlines and a label.
  await person.page.getByText('5 not translated').waitFor();
  await field.fill('Willkommen');
  await person.page.getByText('4 not translated').waitFor();
  // What is the same in all languages is not here, but lists are, because what is in them is translated.
  assert.equal(await person.page.locator('[data-field=theme]').count(), 0);
  await toggle(person, 'Grid').click();
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title__i18n__de, 'Willkommen');
  await choose(person, 'Publish German only');
  const dialog = person.page.getByRole('dialog', { name: 'Publish Home in German?' });
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await told(person, 'Home is published.');
  const { translated_stories: translated } = await stored(person, at);
  assert.deepEqual(translated.map(({ lang, published_at: when }) => [lang, when !== null]), [['de', true], ['pt-br', false]]);
  await person.page.locator('[data-field=title__i18n__de]').getByRole('button', { name: 'Remove the translation' }).click();
  await person.page.getByText('5 not translated').waitFor();
  await stateIs(person, SAVED);
  const { content } = await stored(person, at);
  assert.equal('title__i18n__de' in content, false);
  // A hyphen in a code is an underscore in the content.
  await person.page.getByLabel('Language', { exact: true }).selectOption('Portuguese');
  await person.page.locator('[data-field=title__i18n__pt_br] input').fill('Bem-vindo');
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title__i18n__pt_br, 'Bem-vindo');
  person.isSilent('languages');
  await person.close();
});
