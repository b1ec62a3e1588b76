// Loss drills: whatever happens while a person types, the text is all there afterwards. `make studio-drills` runs 50 rounds of each, `make test` five.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../clients/support/pool.mjs';
import { launch, Person } from '../support/person.mjs';
import { call, Desk, make, PASSWORD } from './support/desk.mjs';
import { join, stateIs } from './support/story.mjs';

const ROUNDS = Number(process.env.STUDIO_DRILLS ?? 5);
/** The most that a killed tab may lose, in milliseconds of typing. */
const LOSS = 300;
/** How long a server may take to be back, in milliseconds. */
const BACK = 60_000;
const TEXT = 'The harbour opened its gates again after nine months, and the first ships were in before the mayor had found his glasses. ';
const SAVED = /^Saved/;

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** A number from 0 up to a bound, another one in each round and the same in each run. */
function chance(round, salt, bound) {
  const mixed = Math.sin(round * 12.9898 + salt * 78.233) * 43758.5453;
  return Math.floor((mixed - Math.floor(mixed)) * bound);
}

/** A story of its own, and its title in the form of a person. */
async function open(person, space, slug) {
  const { id } = await make(person, space, { name: slug, slug, content: { component: 'page', title: '' } });
  const at = { space, story: id };
  await show(person, at);
  return at;
}

async function show(person, { space, story }) {
  await person.goto(`/studio/${space}/stories/${story}`);
  await titleOf(person).waitFor();
}

const titleOf = (person) => person.page.getByLabel('title', { exact: true });
const shown = (person) => titleOf(person).inputValue();
const stored = async (person, { space, story }) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story;
const storedTitle = async (person, at) => (await stored(person, at)).content.title;

/** Types so many keys, and says when each was done. */
async function type(person, keys, from = 0) {
  const times = [];
  for (let key = from; key < from + keys; key += 1) {
    await person.page.keyboard.press(TEXT[key % TEXT.length] === ' ' ? 'Space' : TEXT[key % TEXT.length]);
    times.push(Date.now());
  }
  return times;
}

const typed = (keys) => TEXT.repeat(Math.ceil(keys / TEXT.length)).slice(0, keys);

/** Everything that was typed is in the form, and then on the server. */
async function isAllThere(person, at, text) {
  assert.equal(await shown(person), text);
  await until('the server has it', async () => (await storedTitle(person, at)) === text);
  await stateIs(person, SAVED);
  assert.equal(await shown(person), text);
}

async function signInAgain(person, email) {
  const sheet = person.page.getByRole('dialog', { name: 'You were signed out' });
  await sheet.waitFor();
  const opened = person.context.waitForEvent('page');
  await sheet.getByRole('button', { name: 'Sign in' }).click();
  const small = await opened;
  await small.locator('[name=email]').fill(email);
  await small.locator('[name=password]').fill(PASSWORD);
  await small.getByRole('button', { name: 'Sign in', exact: true }).click();
  await sheet.waitFor({ state: 'detached' });
  if (!small.isClosed()) await small.waitForEvent('close');
}

/** Another browser window of the same account, with a session of its own. */
async function elsewhere(email) {
  const other = await Person.at(desk.browser, desk.origin);
  await call(other, 'POST', '/api/auth/login', { email, password: PASSWORD });
  return other;
}

test('a tab that is killed while somebody types', async () => {
  // A browser of its own: all its pages are killed.
  const browser = await launch();
  const person = await Person.at(browser, desk.origin);
  const email = 'killed@example.org';
  await call(person, 'POST', '/api/auth/register', { email, password: PASSWORD, firstName: 'Ann', lastName: 'Bee' });
  await call(person, 'POST', '/api/auth/login', { email, password: PASSWORD });
  const space = await desk.space(person, 'Killed');
  const devtools = await browser.newBrowserCDPSession();
  let recovered = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `killed-${round}`);
    await titleOf(person).click();
    const times = await type(person, 20 + chance(round, 1, 400));
    const crashed = person.page.waitForEvent('crash');
    const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
    const killedAt = Date.now();
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
    await crashed;
    await person.page.close();
    person.page = await person.context.newPage();
    await show(person, at);
    // What this tab has left is put in when it is known that no other one is open.
    const safe = typed(times.filter((time) => time <= killedAt - LOSS).length);
    await until(`round ${round}: ${safe.length} keys are there`, async () => (await shown(person)).startsWith(safe));
    const text = await shown(person);
    assert.ok(typed(times.length).startsWith(text), text);
    if (await person.page.locator('.copy-bar').isVisible()) recovered += 1;
    await titleOf(person).press('End');
    await person.page.keyboard.type('!');
    await isAllThere(person, at, `${text}!`);
  }
  assert.ok(recovered > 0, 'no round needed a copy');
  await person.close();
  await browser.close();
});

test('the network goes away and comes back while somebody types', async () => {
  const person = await desk.person('network@example.org');
  const space = await desk.space(person, 'Network');
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `network-${round}`);
    await titleOf(person).click();
    const [first, second, third] = [1, 2, 3].map((salt) => 5 + chance(round, salt, 100));
    await type(person, first);
    await person.context.setOffline(true);
    await type(person, second, first);
    await stateIs(person, /^No connection/);
    await type(person, third, first + second);
    await person.context.setOffline(false);
    await isAllThere(person, at, typed(first + second + third));
  }
  await person.close();
});

test('somebody signs out in another tab while somebody types', async () => {
  const email = 'out@example.org';
  const person = await desk.person(email);
  const space = await desk.space(person, 'Signed out');
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `out-${round}`);
    await titleOf(person).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, first);
    const tab = await person.context.newPage();
    await tab.goto(`${desk.origin}/studio/${space}/stories`);
    await tab.getByRole('button', { name: 'Your account and language' }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    const anyway = tab.getByRole('button', { name: 'Delete it and sign out' });
    const isOut = tab.waitForURL((url) => !url.pathname.startsWith('/studio'));
    // It asks while the other tab has something unsent.
    await Promise.race([isOut, anyway.waitFor().then(() => anyway.click())]);
    await isOut;
    await tab.close();
    await person.page.bringToFront();
    await type(person, second, first);
    await signInAgain(person, email);
    await isAllThere(person, at, typed(first + second));
  }
  await person.close();
});

test('the session ends while somebody types', async () => {
  const email = 'expired@example.org';
  const person = await desk.person(email);
  const space = await desk.space(person, 'Expired');
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `expired-${round}`);
    await titleOf(person).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, first);
    const other = await elsewhere(email);
    await call(other, 'POST', '/api/me/sessions/revoke-others');
    await other.close();
    await type(person, second, first);
    await signInAgain(person, email);
    await isAllThere(person, at, typed(first + second));
  }
  await person.close();
});

test('the server is killed and started again while somebody types', async () => {
  const own = await Desk.open();
  const person = await own.person('restart@example.org');
  const space = await own.space(person, 'Restart');
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `restart-${round}`);
    await titleOf(person).click();
    const [first, second, third] = [1, 2, 3].map((salt) => 5 + chance(round, salt, 100));
    await type(person, first);
    await own.server.kill();
    await type(person, second, first);
    await stateIs(person, /^No connection/);
    await own.server.start();
    await type(person, third, first + second);
    await person.page.locator('.state-line').getByText(SAVED).waitFor({ timeout: BACK });
    await isAllThere(person, at, typed(first + second + third));
  }
  await person.close();
  await own.close();
});

test('a story is published within the second of a key, and typing goes on', async () => {
  const person = await desk.person('publish@example.org');
  const space = await desk.space(person, 'Publish');
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = await open(person, space, `publish-${round}`);
    await titleOf(person).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, first);
    await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
    const dialog = person.page.getByRole('dialog', { name: /^Publish / });
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await titleOf(person).press('End');
    await type(person, second, first);
    await isAllThere(person, at, typed(first + second));
    const { story_versions: versions } = await call(person, 'GET', `/api/v1/spaces/${space}/story_versions?by_story_id=${at.story}&show_content=1`);
    assert.equal(versions.find(({ status }) => status === 'published').content.title, typed(first));
  }
  await person.close();
});

for (const [who, isOther] of [['two people', true], ['two tabs of one person', false]]) {
  test(`${who} type into one story`, async () => {
    const [one, other] = [`one-${isOther}@example.org`, `other-${isOther}@example.org`];
    const person = await desk.person(one);
    const space = await desk.space(person, 'Together');
    const second = isOther ? await desk.person(other) : await elsewhere(one);
    if (isOther) await join(person, second, other, space, 'editor');
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = await open(person, space, `together-${isOther}-${round}`);
      await show(second, at);
      for (const [at, text] of [[person, 'One has written this'], [second, 'Other has written that']]) {
        await titleOf(at).click();
        await at.page.keyboard.type(text);
      }
      // The later one of the two is told, and their text stays where it is until they decide.
      const isTold = (somebody) => somebody.page.locator('.state-line').getByText('Not saved: this story was changed elsewhere meanwhile. Compare what is to stay.').waitFor().then(() => somebody);
      const late = await Promise.any([isTold(person), isTold(second)]);
      const early = late === person ? second : person;
      const [mine, theirs] = [await shown(late), await shown(early)];
      assert.notEqual(mine, theirs);
      assert.equal(await storedTitle(person, at), theirs);
      await late.page.getByRole('button', { name: 'Compare' }).click();
      const dialog = late.page.getByRole('dialog', { name: 'Two people have changed this story' });
      await dialog.getByText(theirs).first().waitFor();
      const keeps = chance(round, 1, 2) === 0;
      await dialog.getByRole('button', { name: keeps ? 'Keep mine' : 'Take theirs' }).click();
      await dialog.waitFor({ state: 'detached' });
      if (keeps) {
        await isAllThere(late, at, mine);
        const { story_versions: versions } = await call(person, 'GET', `/api/v1/spaces/${space}/story_versions?by_story_id=${at.story}&show_content=1`);
        assert.ok(versions.some(({ content }) => content.title === theirs), 'theirs is a version');
      } else {
        await isAllThere(late, at, theirs);
        await late.page.keyboard.press('ControlOrMeta+z');
        await isAllThere(late, at, mine);
      }
    }
    await person.close();
    await second.close();
  });
}
