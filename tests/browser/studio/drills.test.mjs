// Loss drills: whatever happens while a person types, the text is all there afterwards. `make studio-drills` runs 50 rounds of each, `make test` five.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../clients/support/pool.mjs';
import { launch, Person } from '../support/person.mjs';
import { copiesIn } from './support/copies.mjs';
import { call, Desk, PASSWORD } from './support/desk.mjs';
import {
  SAVED, controlOf, drillSpace, fieldOf, holdSaves, isAllThere, open, show, shown, storedText, type, typed, uploadEnds, uploadFails, uploadIsAnswered, uploadMeanwhile,
  uploads,
} from './support/drills.mjs';
import { signInAgain } from './support/session.mjs';
import { join, stateIs } from './support/story.mjs';

const ROUNDS = Number(process.env.STUDIO_DRILLS ?? 5);
/** The most that a killed tab may lose, in milliseconds of typing: where nothing else runs, and on a machine that does other things as well. */
const LOSS = process.env.STUDIO_DRILLS ? 300 : 2000;
/** How long a server may take to be back, in milliseconds. */
const BACK = 60_000;

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

/** A number from 0 up to a bound, another one in each round and the same in each run. */
function chance(round, salt, bound) {
  const mixed = Math.sin(round * 12.9898 + salt * 78.233) * 43758.5453;
  return Math.floor((mixed - Math.floor(mixed)) * bound);
}

/** Another browser window of the same account, with a session of its own. */
async function elsewhere(email) {
  const other = await Person.at(desk.browser, desk.origin);
  await call(other, 'POST', '/api/auth/login', { email, password: PASSWORD });
  return other;
}

test('a tab that is killed while somebody types', async (t) => {
  // A browser of its own: all its pages are killed.
  const browser = await launch();
  t.after(() => browser.close());
  const person = await Person.at(browser, desk.origin);
  const email = 'killed@example.org';
  await call(person, 'POST', '/api/auth/register', { email, password: PASSWORD, firstName: 'Ann', lastName: 'Bee' });
  await call(person, 'POST', '/api/auth/login', { email, password: PASSWORD });
  const space = await drillSpace(desk, person, 'Killed');
  const devtools = await browser.newBrowserCDPSession();
  const renderers = async () => (await devtools.send('SystemInfo.getProcessInfo')).processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  const copiesOf = async ({ story }) => (await copiesIn(person.page)).filter((copy) => copy.story === story).map(({ tab }) => tab);
  let recovered = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `killed-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const times = await type(person, field, 20 + chance(round, 1, 400));
    const crashed = person.page.waitForEvent('crash');
    const killed = await renderers();
    const killedAt = Date.now();
    for (const id of killed) process.kill(id, 'SIGKILL');
    await crashed;
    // Among them is the one that the browser keeps for its next page: it has to know that it is gone.
    await until('the browser knows that they are gone', async () => !(await renderers()).some((id) => killed.includes(id)));
    letGo?.();
    await person.page.close();
    // An upload goes with its tab, and leaves nothing.
    assert.deepEqual((await call(person, 'GET', `/api/v1/spaces/${space}/assets`)).assets, []);
    person.page = await person.context.newPage();
    await person.goto('/robots.txt');
    const left = await copiesOf(at);
    await show(person, at);
    // What the tab has left is put in when it is known that no other one is open, and then goes.
    await until(`round ${round}: no copy is left`, async () => !(await copiesOf(at)).some((tab) => left.includes(tab)));
    const text = await shown(person, at);
    const safe = typed(times.filter((time) => time <= killedAt - LOSS).length, field);
    assert.ok(text.startsWith(safe), `round ${round}: ${text.length} of ${times.length} keys are there, ${safe.length} had to be`);
    assert.ok(typed(times.length, field).startsWith(text), text);
    if (await person.page.locator('.copy-bar').isVisible()) recovered += 1;
    await controlOf(person, field).click();
    await person.page.keyboard.type('!');
    const written = await shown(person, at);
    assert.equal(written.replace('!', ''), text);
    await isAllThere(person, at, written);
  }
  assert.ok(recovered > 0, 'no round needed a copy');
});

test('the network goes away and comes back while somebody types', async () => {
  const person = await desk.person('network@example.org');
  const space = await drillSpace(desk, person, 'Network');
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `network-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const [first, second, third] = [1, 2, 3].map((salt) => 5 + chance(round, salt, 100));
    await type(person, field, first);
    await person.context.setOffline(true);
    if (letGo) await uploadFails(person, letGo);
    await type(person, field, second, first);
    await stateIs(person, /^No connection/);
    await type(person, field, third, first + second);
    await person.context.setOffline(false);
    await isAllThere(person, at, typed(first + second + third, field));
  }
  await person.close();
});

test('somebody signs out in another tab while somebody types', async () => {
  const email = 'out@example.org';
  const person = await desk.person(email);
  const space = await drillSpace(desk, person, 'Signed out');
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `out-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, field, first);
    const letSave = await holdSaves(person);
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
    await type(person, field, second, first);
    await letSave();
    // An answer that came after the new sign-in would ask for another one.
    if (letGo) await uploadIsAnswered(person, letGo);
    await signInAgain(person, email);
    await isAllThere(person, at, typed(first + second, field));
    if (letGo) await uploadEnds(person, at, round, letGo);
  }
  await person.close();
});

test('the session ends while somebody types', async () => {
  const email = 'expired@example.org';
  const person = await desk.person(email);
  const space = await drillSpace(desk, person, 'Expired');
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `expired-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, field, first);
    const letSave = await holdSaves(person);
    const other = await elsewhere(email);
    await call(other, 'POST', '/api/me/sessions/revoke-others');
    await other.close();
    await type(person, field, second, first);
    await letSave();
    // An answer that came after the new sign-in would ask for another one.
    if (letGo) await uploadIsAnswered(person, letGo);
    await signInAgain(person, email);
    await isAllThere(person, at, typed(first + second, field));
    if (letGo) await uploadEnds(person, at, round, letGo);
  }
  await person.close();
});

test('the server is killed and started again while somebody types', async (t) => {
  const own = await Desk.open();
  t.after(() => own.close());
  const person = await own.person('restart@example.org');
  const space = await drillSpace(own, person, 'Restart');
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `restart-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const [first, second, third] = [1, 2, 3].map((salt) => 5 + chance(round, salt, 100));
    await type(person, field, first);
    await own.server.kill();
    if (letGo) await uploadFails(person, letGo);
    await type(person, field, second, first);
    await stateIs(person, /^No connection/);
    await own.server.start();
    await type(person, field, third, first + second);
    await person.page.locator('.state-line').getByText(SAVED).waitFor({ timeout: BACK });
    await isAllThere(person, at, typed(first + second + third, field));
  }
  await person.close();
});

test('a story is published within the second of a key, and typing goes on', async () => {
  const person = await desk.person('publish@example.org');
  const space = await drillSpace(desk, person, 'Publish');
  for (let round = 0; round < ROUNDS; round += 1) {
    const field = fieldOf(round);
    const at = await open(person, space, `publish-${round}`, field);
    const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
    await controlOf(person, field).click();
    const [first, second] = [1, 2].map((salt) => 5 + chance(round, salt, 100));
    await type(person, field, first);
    await person.page.keyboard.press('ControlOrMeta+Shift+Enter');
    const dialog = person.page.getByRole('dialog', { name: /^Publish / });
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    await dialog.waitFor({ state: 'detached' });
    await controlOf(person, field).press('ControlOrMeta+End');
    await type(person, field, second, first);
    await isAllThere(person, at, typed(first + second, field));
    if (letGo) await uploadEnds(person, at, round, letGo);
    const { story_versions: versions } = await call(person, 'GET', `/api/v1/spaces/${space}/story_versions?by_story_id=${at.story}&show_content=1`);
    assert.equal(field.stored(versions.find(({ status }) => status === 'published').content), typed(first, field));
  }
  await person.close();
});

for (const [who, isOther] of [['two people', true], ['two tabs of one person', false]]) {
  test(`${who} type into one story`, async () => {
    const [one, other] = [`one-${isOther}@example.org`, `other-${isOther}@example.org`];
    const person = await desk.person(one);
    const space = await drillSpace(desk, person, 'Together');
    const second = isOther ? await desk.person(other) : await elsewhere(one);
    if (isOther) await join(person, second, other, space, 'editor');
    for (let round = 0; round < ROUNDS; round += 1) {
      const at = await open(person, space, `together-${isOther}-${round}`, fieldOf(round));
      await show(second, at);
      const letGo = uploads(round) ? await uploadMeanwhile(person, at) : undefined;
      for (const [who, text] of [[person, 'One has written this'], [second, 'Other has written that']]) {
        await controlOf(who, at.field).click();
        await who.page.keyboard.type(text);
      }
      // The later one of the two is told, and their text stays where it is until they decide.
      const isTold = (somebody) => somebody.page.locator('.state-line').getByText('Not saved: this story was changed elsewhere meanwhile. Compare what is to stay.').waitFor().then(() => somebody);
      const late = await Promise.any([isTold(person), isTold(second)]);
      const early = late === person ? second : person;
      const [mine, theirs] = [await shown(late, at), await shown(early, at)];
      assert.notEqual(mine, theirs);
      await until('theirs is on the server', async () => (await storedText(person, at)) === theirs);
      await late.page.getByRole('button', { name: 'Compare' }).click();
      const dialog = late.page.getByRole('dialog', { name: 'Two people have changed this story' });
      await dialog.getByText(theirs).first().waitFor();
      const keeps = chance(round, 1, 2) === 0;
      await dialog.getByRole('button', { name: keeps ? 'Keep mine' : 'Take theirs' }).click();
      await dialog.waitFor({ state: 'detached' });
      if (keeps) {
        await isAllThere(late, at, mine);
        const { story_versions: versions } = await call(person, 'GET', `/api/v1/spaces/${space}/story_versions?by_story_id=${at.story}&show_content=1`);
        assert.ok(versions.some(({ content }) => at.field.stored(content) === theirs), 'theirs is a version');
      } else {
        await isAllThere(late, at, theirs);
        await late.page.keyboard.press('ControlOrMeta+z');
        await isAllThere(late, at, mine);
      }
      if (letGo) await uploadEnds(person, at, round, letGo);
    }
    await person.close();
    await second.close();
  });
}
