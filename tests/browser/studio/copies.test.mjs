// Copies of unsent work in the browser: whose they are, when they are offered, and when they go.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../clients/support/pool.mjs';
import { copiesIn, loseTab } from './support/copies.mjs';
import { call, Desk, PASSWORD } from './support/desk.mjs';
import { join, open, stateIs, storySpace } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const title = (page) => page.getByLabel('title', { exact: true });
const copied = (page, text) => until(`the copy says ${text}`, async () => (await copiesIn(page)).some(({ content }) => content.title === text));

/** No request that saves gets through. */
const cut = (page) => page.route('**/api/v1/spaces/*/stories/*?autosave=1*', (route) => route.abort());

async function signIn(person, email) {
  await call(person, 'POST', '/api/auth/login', { email, password: PASSWORD });
}

const WORDS = {
  en: { me: 'Your account and language', signOut: 'Sign out', title: 'Sign out with unsaved work?', stay: 'Stay signed in', anyway: 'Delete it and sign out', gone: /this story was deleted/ },
  de: { me: 'Ihr Konto und die Sprache', signOut: 'Abmelden', title: 'Mit ungespeicherter Arbeit abmelden?', stay: 'Angemeldet bleiben', anyway: 'Löschen und abmelden', gone: /diese Story wurde gelöscht/i },
};

for (const language of ['en', 'de']) {
  const w = WORDS[language];

  test(`signing out asks when something is unsent, and deletes it here, in ${language}`, async () => {
    const person = await desk.person(`out-${language}@example.org`, { language });
    const at = await storySpace(person, 'Newsroom');
    await open(person, at);
    const { page } = person;
    await call(person, 'DELETE', `/api/v1/spaces/${at.space}/stories/${at.story}`);
    await title(page).fill('Nowhere to go');
    await stateIs(person, w.gone);
    await copied(page, 'Nowhere to go');
    const signOut = async () => {
      await page.getByRole('button', { name: w.me }).click();
      await page.getByRole('menuitem', { name: w.signOut }).click();
    };
    await signOut();
    const dialog = page.getByRole('dialog', { name: w.title });
    await dialog.waitFor();
    await person.look('studio-sign-out-unsent');
    await dialog.getByRole('button', { name: w.stay }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await copiesIn(page)).length, 1);
    await signOut();
    await dialog.getByRole('button', { name: w.anyway }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/studio'));
    assert.deepEqual(await copiesIn(page), []);
    await person.close();
  });
}

test('with nothing unsent it does not ask', async () => {
  const person = await desk.person('silent@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await person.page.getByRole('button', { name: 'Your account and language' }).click();
  await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await person.page.waitForURL((url) => !url.pathname.startsWith('/studio'));
  await person.close();
});

test('a copy is shown to the person who wrote it, and to nobody else', async () => {
  const [ann, bob] = ['ann@example.org', 'bob@example.org'];
  const other = await desk.person(bob);
  const person = await desk.person(ann);
  const at = await storySpace(person, 'Newsroom');
  await join(person, other, bob, at.space, 'editor');
  await other.close();
  await open(person, at);
  await cut(person.page);
  await title(person.page).fill('Of Ann alone');
  await copied(person.page, 'Of Ann alone');
  const leave = async () => {
    await loseTab(person.page);
    person.page = await person.context.newPage();
  };
  await leave();
  await signIn(person, bob);
  await open(person, at);
  await title(person.page).fill('Of Bob');
  // By then it would have been found.
  await stateIs(person, /^Saved \d/);
  assert.equal(await person.page.locator('.copy-bar').count(), 0);
  await call(person, 'PUT', `/api/v1/spaces/${at.space}/stories/${at.story}`, { story: { content: { component: 'landing', title: 'Welcome' } } });
  await leave();
  await signIn(person, ann);
  await open(person, at);
  await person.page.getByText(/made on another version of this story/).waitFor();
  assert.equal(await title(person.page).inputValue(), 'Welcome', 'it is not shown unasked');
  await person.close();
});

test('what another tab that is open has not sent is not offered', async () => {
  const person = await desk.person('tabs@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  const first = person.page;
  await cut(first);
  await title(first).fill('In the first tab');
  await copied(first, 'In the first tab');
  person.page = await person.context.newPage();
  await open(person, at);
  await title(person.page).fill('In the second tab');
  await stateIs(person, /^Saved \d/);
  assert.equal(await person.page.locator('.copy-bar').count(), 0);
  assert.equal(await title(first).inputValue(), 'In the first tab');
  await until('its own copy is gone', async () => (await copiesIn(first)).length === 1);
  // Once it is closed, its work is offered: the story was changed since.
  await loseTab(first);
  await open(person, at);
  await person.page.getByText(/made on another version of this story/).waitFor();
  await person.close();
});

test('a story that is left as soon as it is opened keeps what an earlier visit has left', async () => {
  const person = await desk.person('hasty@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  await cut(person.page);
  await title(person.page).fill('Of a closed tab');
  await copied(person.page, 'Of a closed tab');
  await loseTab(person.page);
  person.page = await person.context.newPage();
  await cut(person.page);
  await person.goto(`/studio/${at.space}/stories/${at.story}`);
  // In the page itself: the form is left before other tabs could have answered.
  await person.page.evaluate(() => new Promise((resolve) => {
    const leave = () => {
      if (!document.querySelector('.block-fields')) return requestAnimationFrame(leave);
      document.querySelector('a[aria-label="Back to the list"]').click();
      resolve();
    };
    leave();
  }));
  await person.page.getByText('The last changes of Home are not saved. They are kept in this browser.').waitFor();
  assert.deepEqual((await copiesIn(person.page)).map(({ content }) => content.title), ['Of a closed tab']);
  await person.page.unroute('**/api/v1/spaces/*/stories/*?autosave=1*');
  await open(person, at);
  await person.page.getByText(/^Unsent changes of .* were found in this browser/).waitFor();
  assert.equal(await title(person.page).inputValue(), 'Of a closed tab');
  await person.close();
});

test('a story that is opened again right after it was left shows what was written last', async () => {
  const person = await desk.person('back@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  const { page } = person;
  let goOn = () => {};
  const held = new Promise((resolve) => (goOn = resolve));
  await page.route('**/api/v1/spaces/*/stories/*?autosave=1*', async (route) => {
    await held;
    await route.continue();
  });
  await title(page).fill('Written last');
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.locator('.block-fields').first().waitFor({ state: 'detached' });
  await page.goBack();
  await page.locator('main.story-message.late').waitFor();
  goOn();
  await page.locator('.block-fields').first().waitFor();
  assert.equal(await title(page).inputValue(), 'Written last');
  await title(page).fill('And written on');
  await stateIs(person, /^Saved \d/);
  await person.close();
});

test('when the browser keeps no more copies it is told, also when the story is left', async () => {
  const person = await desk.person('full@example.org');
  const at = await storySpace(person, 'Newsroom');
  await open(person, at);
  const { page } = person;
  await cut(page);
  await title(page).fill('Kept');
  await stateIs(person, 'No connection. Your changes are kept in this browser.');
  await page.evaluate(() => (IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }));
  await title(page).fill('Not kept');
  await stateIs(person, 'No connection. Your changes are only on this page: keep it open.');
  await page.getByText('This browser keeps no data').waitFor();
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await page.getByText(/The last changes of Home could not be saved.* they are lost/).waitFor();
  await person.close();
});

test('a viewer leaves none', async () => {
  const [admin, viewer] = [await desk.person('owner@example.org'), await desk.person('viewer@example.org')];
  const at = await storySpace(admin, 'Newsroom');
  await join(admin, viewer, 'viewer@example.org', at.space, 'viewer');
  await open(viewer, at);
  await title(viewer.page).press('x');
  await viewer.page.getByText('You may look at this story and not change it.').waitFor();
  assert.deepEqual(await viewer.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)), []);
  await admin.close();
  await viewer.close();
});
