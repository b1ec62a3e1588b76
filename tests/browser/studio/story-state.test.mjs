// What the state line says when saving fails, for each way in which it can, and that the text survives.
import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join as pathOf } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../../clients/support/pool.mjs';
import { loseTab } from './support/copies.mjs';
import { call, Desk } from './support/desk.mjs';
import { signInAgain } from './support/session.mjs';
import { join, open, stateIs, stored, storySpace, told } from './support/story.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const title = (person) => person.page.getByLabel('title', { exact: true });
const SAVED = /^Saved \d/;

/** Waits until the titles of the copies in the browser are these. */
const copied = (person, ...titles) => person.page.waitForFunction(async (wanted) => {
  const database = await new Promise((resolve) => (indexedDB.open('lectern-studio').onsuccess = ({ target }) => resolve(target.result)));
  const all = await new Promise((resolve) => (database.transaction('copies').objectStore('copies').getAll().onsuccess = ({ target }) => resolve(target.result)));
  database.close();
  return JSON.stringify(all.map(({ content }) => content.title)) === JSON.stringify(wanted);
}, titles);

/** A person at a story of their own. */
async function writer(email, more) {
  const person = await desk.person(email);
  const at = await storySpace(person, 'Newsroom', more);
  await open(person, at);
  return { person, at, api: `/api/v1/spaces/${at.space}` };
}

/** A second member of the space, who writes through the API. */
async function colleague(admin, email, at, role) {
  const person = await desk.person(email);
  await join(admin, person, email, at.space, role);
  return person;
}

test('without a connection it is said, nothing is lost, and it goes on by itself', async () => {
  const { person, at } = await writer('offline@example.org');
  await person.context.setOffline(true);
  await title(person).fill('Written offline');
  await stateIs(person, 'No connection. Your changes are kept in this browser.');
  await person.page.keyboard.press('ControlOrMeta+s');
  await person.context.setOffline(false);
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'Written offline');
  await person.close();
});

test('a database that goes away and comes back is waited for', async () => {
  const { person, at } = await writer('database@example.org');
  const cluster = pathOf(desk.server.data, 'postgres');
  const running = Number.parseInt(await readFile(pathOf(cluster, 'postmaster.pid'), 'utf8'), 10);
  // It is started again at once, unless there is nothing to start it on.
  await rename(cluster, `${cluster}.away`);
  process.kill(running, 'SIGKILL');
  await until('the database is gone', async () => (await fetch(`${desk.server.url}/api/ready`)).status === 503);
  await title(person).fill('Written without a database');
  await person.page.keyboard.press('ControlOrMeta+s');
  await person.page.locator('.state-line', { hasText: /The server is busy|The server failed|No connection/ }).getByRole('button', { name: 'Try now' }).waitFor();
  await rename(`${cluster}.away`, cluster);
  // The server starts it again after a while, and the studio asks again after half a minute at the latest.
  await person.page.locator('.state-line').getByText(SAVED).waitFor({ timeout: 120_000 });
  assert.equal((await stored(person, at)).content.title, 'Written without a database');
  await person.close();
});

test('a session that ends is begun again over the story, and saving goes on', async () => {
  const { person, at } = await writer('session@example.org');
  for (const name of ['session', 'csrf_token']) await person.context.clearCookies({ name });
  await title(person).fill('Written signed out');
  const sheet = person.page.getByRole('dialog', { name: 'You were signed out' });
  await sheet.waitFor();
  await stateIs(person, 'You were signed out. Your changes are kept in this browser.');
  // The browser closes it at the second Esc, whatever the page answers.
  for (let times = 0; times < 3; times += 1) await person.page.keyboard.press('Escape');
  await sheet.getByRole('button', { name: 'Sign in' }).waitFor();
  await signInAgain(person, 'session@example.org');
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'Written signed out');
  await person.close();
});

test('a story that is too large is not taken, until something is removed', async () => {
  const { person, at } = await writer('large@example.org');
  const write = (length) => title(person).evaluate((input, size) => {
    input.value = 'x'.repeat(size);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, length);
  await write(5_300_000);
  await stateIs(person, /larger than 5 MB/);
  const download = person.page.waitForEvent('download');
  await person.page.getByRole('button', { name: 'Download the content' }).click();
  const kept = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  assert.equal(kept.title.length, 5_300_000);
  await write(10);
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'xxxxxxxxxx');
  await person.close();
});

test('a story that was deleted can be brought back, with what was written meanwhile', async () => {
  const { person, at, api } = await writer('deleted@example.org');
  await call(person, 'DELETE', `${api}/stories/${at.story}`);
  await title(person).fill('Written into a deleted story');
  await stateIs(person, /this story was deleted/);
  await person.page.getByRole('button', { name: 'Bring the story back' }).click();
  await stateIs(person, SAVED);
  const story = await stored(person, at);
  assert.deepEqual([story.deleted_at, story.content.title], [null, 'Written into a deleted story']);
  await person.close();
});

test('who may not write any more, or is no member, is told so and keeps the text', async () => {
  const { person: admin, at, api } = await writer('admin-of@example.org');
  const editor = await colleague(admin, 'editor-of@example.org', at, 'editor');
  await open(editor, at);
  const { collaborators } = await call(admin, 'GET', `${api}/collaborators`);
  const member = collaborators.find(({ role }) => role === 'editor');
  await call(admin, 'PUT', `${api}/collaborators/${member.id}`, { role: 'viewer' });
  await title(editor).fill('Written as a viewer');
  await stateIs(editor, /you may no longer change this space/);
  await call(admin, 'PUT', `${api}/collaborators/${member.id}`, { role: 'editor' });
  await editor.page.getByRole('button', { name: 'Try now' }).click();
  await stateIs(editor, SAVED);
  await call(admin, 'DELETE', `${api}/collaborators/${member.id}`);
  await title(editor).fill('Written by nobody');
  await stateIs(editor, /not there any more, or you are no longer in it/);
  await editor.page.getByRole('button', { name: 'Download the content' }).waitFor();
  assert.equal((await stored(admin, at)).content.title, 'Written as a viewer');
  await editor.close();
  // The space itself goes.
  await call(admin, 'DELETE', `/api/v1/spaces/${at.space}`);
  await title(admin).fill('Written into nothing');
  await stateIs(admin, /not there any more, or you are no longer in it/);
  await admin.close();
});

test('of two people on one story nothing is overwritten unseen', async () => {
  const { person: ann, at, api } = await writer('ann@example.org');
  const bob = await colleague(ann, 'bob@example.org', at, 'editor');
  const write = async (change) => {
    const { content } = await stored(bob, at);
    await call(bob, 'PUT', `${api}/stories/${at.story}`, { story: { content: { ...content, ...change } } });
  };
  const dialog = ann.page.getByRole('dialog', { name: 'Two people have changed this story' });
  const conflict = async (mine, theirs) => {
    await open(ann, at);
    await write(theirs);
    await title(ann).fill(mine);
    await stateIs(ann, 'Not saved: this story was changed elsewhere meanwhile. Compare what is to stay.');
    await ann.page.getByRole('button', { name: 'Compare' }).click();
    await dialog.waitFor();
  };

  // Both have changed the title, and Bob another field as well.
  await conflict('Of Ann', { title: 'Of Bob', seo_title: 'Found' });
  await dialog.getByText(/^Ann Bee saved it at /).waitFor();
  const rows = await dialog.getByRole('row').evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => cell.innerText.trim().replace(/\n/g, ' '))));
  assert.deepEqual(rows, [
    ['Landing page: Of Ann › title changed by both', 'Welcome', 'Of Ann', 'Of Bob'],
    ['Landing page: Of Bob › seo_title', '(empty)', '(unchanged)', 'Found'],
  ]);
  assert.equal(await dialog.getByRole('button', { name: 'Put both together' }).count(), 0);
  await dialog.getByRole('button', { name: 'Later' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await title(ann).inputValue(), 'Of Ann');
  await ann.page.getByRole('button', { name: 'Compare' }).click();
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await ann.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Of Bob');
  // What was here comes back by undo, and is saved then.
  await ann.page.keyboard.press('ControlOrMeta+z');
  await ann.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Of Ann');
  await stateIs(ann, SAVED);

  await conflict('Ann again', { title: 'Bob again' });
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await stateIs(ann, SAVED);
  assert.equal((await stored(ann, at)).content.title, 'Ann again');
  const { versions } = await call(ann, 'GET', `${api}/stories/${at.story}/versions?show_content=1`);
  assert.ok(versions.some(({ content }) => content.title === 'Bob again'), 'theirs is a version');

  await conflict('A third of Ann', { title: 'A third of Bob' });
  await dialog.getByRole('button', { name: 'Keep both as a copy' }).click();
  await told(ann, 'Yours is in Home (copy), theirs is here.');
  await copied(ann);
  assert.equal((await stored(ann, at)).content.title, 'A third of Bob');
  const { stories } = await call(ann, 'GET', `${api}/stories?search=copy`);
  assert.equal((await stored(ann, { space: at.space, story: stories[0].id })).content.title, 'A third of Ann');

  // Where the two have changed different things, both fit together.
  await conflict('Ann at last', { seo_title: 'Bob at last' });
  await dialog.getByRole('button', { name: 'Put both together' }).click();
  await stateIs(ann, SAVED);
  const { content } = await stored(ann, at);
  assert.deepEqual([content.title, content.seo_title], ['Ann at last', 'Bob at last']);
  await ann.close();
  await bob.close();
});

test('what a tab did not send is there when the story is opened again', async () => {
  const { person, at, api } = await writer('copies@example.org');
  await person.context.setOffline(true);
  await title(person).fill('Never sent');
  await stateIs(person, /^No connection/);
  await copied(person, 'Never sent');
  await loseTab(person.page);
  await person.context.setOffline(false);
  person.page = await person.context.newPage();
  await open(person, at);
  await person.page.getByText(/^Unsent changes of .* were found in this browser/).waitFor();
  assert.equal(await title(person).inputValue(), 'Never sent');
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'Never sent');
  await person.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Welcome');
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'Welcome');

  // Made on another version of the story it is only offered.
  await person.context.setOffline(true);
  await title(person).fill('Of before');
  await stateIs(person, /^No connection/);
  await copied(person, 'Of before');
  await loseTab(person.page);
  await person.context.setOffline(false);
  const { content } = await stored(person, at);
  await call(person, 'PUT', `${api}/stories/${at.story}`, { story: { content: { ...content, title: 'Meanwhile' } } });
  person.page = await person.context.newPage();
  await open(person, at);
  assert.equal(await title(person).inputValue(), 'Meanwhile');
  await person.page.getByText(/made on another version of this story/).waitFor();
  await person.page.getByRole('button', { name: 'Compare' }).click();
  const dialog = person.page.getByRole('dialog', { name: 'Unsent changes in this browser' });
  await dialog.getByRole('cell', { name: 'Of before' }).waitFor();
  await dialog.getByRole('button', { name: 'Put them into the draft' }).click();
  await person.page.waitForFunction(() => document.querySelector('[data-field=title] input').value === 'Of before');
  await stateIs(person, SAVED);
  await open(person, at);
  assert.equal(await person.page.locator('.copy-bar').count(), 0);
  await person.close();
});

test('a story that is left unsaved is told about, and found again', async () => {
  const { person, at } = await writer('left@example.org');
  await person.context.setOffline(true);
  await title(person).fill('Left behind');
  await person.page.getByRole('link', { name: 'Back to the list' }).click();
  await person.page.getByText('The last changes of Home are not saved. They are kept in this browser.').waitFor();
  await person.context.setOffline(false);
  await person.page.getByRole('button', { name: 'Open', exact: true }).click();
  await person.page.getByText(/^Unsent changes of/).waitFor();
  assert.equal(await title(person).inputValue(), 'Left behind');
  await stateIs(person, SAVED);
  assert.equal((await stored(person, at)).content.title, 'Left behind');
  // Discarding is about that alone: it is not offered any more once something else has changed.
  await title(person).fill('And more');
  await person.page.locator('.copy-bar').waitFor({ state: 'detached' });
  await person.close();
});

test('what the server does not take is named, in the state line and at its field', async () => {
  const { person, at } = await writer('refused@example.org');
  await person.page.getByLabel('seo_title').fill('Cranes \u0000 and ships');
  await stateIs(person, 'Not saved: the server does not take what is in Landing page › seo_title. Your changes are kept in this browser.');
  await person.page.locator('[data-field=seo_title]').getByText('This holds what cannot be stored: the character U+0000, or half of a character, as of an emoji. Remove it.').waitFor();
  await person.page.getByRole('treeitem', { name: 'Grid' }).getByRole('link').click();
  await person.page.getByRole('heading', { name: 'Grid', level: 2 }).waitFor();
  await person.look('story-refused');
  await person.page.getByRole('button', { name: 'Go to the field' }).click();
  await person.page.waitForFunction(() => document.activeElement.closest('[data-field]')?.dataset.field === 'seo_title');
  await person.page.getByLabel('seo_title').fill('Cranes and ships');
  await stateIs(person, SAVED);
  // Half of a character, as programs cut it.
  await person.page.getByLabel('seo_title').evaluate((input) => {
    input.value = 'Cranes \ud83d';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await person.page.locator('[data-field=seo_title]').getByText('This holds what cannot be stored').waitFor();
  await person.page.getByLabel('seo_title').fill('Cranes and ships');
  await stateIs(person, SAVED);
  await person.page.locator('[data-field=seo_title] .field-problems').waitFor({ state: 'detached' });
  assert.equal((await stored(person, at)).content.seo_title, 'Cranes and ships');
  await person.close();
});

test('on a phone the state line and the actions of the story stay in reach', async () => {
  const { person } = await writer('phone@example.org', { languages: [{ code: 'de', name: 'German' }] });
  await person.page.setViewportSize({ width: 360, height: 640 });
  const isInReach = () => person.page.evaluate(() => ['.state-line', '.story-acts', '.story-acts > :last-child'].every((selector) => {
    const { x, y } = document.querySelector(selector).getBoundingClientRect();
    const there = document.elementFromPoint(x + 4, y + 4);
    return y >= 0 && there !== null && document.querySelector('.story-bar').contains(there);
  }));
  // The page knows how high the bar is with its next frame.
  await person.page.waitForFunction(() => {
    const { offsetHeight } = document.querySelector('.story-bar');
    return offsetHeight > 0 && document.querySelector('.story').style.getPropertyValue('--below') === `${offsetHeight}px`;
  });
  for (const where of [0, 200, 100_000]) {
    await person.page.evaluate((top) => scrollTo(0, top), where);
    assert.ok(await isInReach(), `scrolled to ${where}`);
  }
  // The last of the page is not below the bar.
  const [last, bar] = await person.page.evaluate(() => [document.querySelector('.story-panes').getBoundingClientRect().bottom, document.querySelector('.story-bar').getBoundingClientRect().top]);
  assert.ok(last <= bar + 1, `${last} ${bar}`);
  await person.page.getByRole('button', { name: 'Outline', exact: true }).click();
  assert.ok(await isInReach());
  await person.look('story-phone');
  await person.close();
});
