// The example spaces in the studio: one story of each root component and the twenty largest ones are opened and left, and nothing is written. The largest of all is
// timed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from '../../../clients/support/account.mjs';
import { load } from '../../../clients/support/load-space.mjs';
import { all, dataset } from '../../../clients/support/spaces.mjs';
import { Person } from '../../support/person.mjs';
import { Desk } from '../support/desk.mjs';
import { middle, p95, within } from '../support/goals.mjs';

/** How many of the largest stories are opened beside one of each root component. */
const LARGEST = 20;
/** The goals in milliseconds. */
const GOALS = { usable: 300, ownWork: 4, paint: 50 };
/** The same for opening the settings of studies-abroad, which is a large tree. */
const SETTINGS = 400;
/** A story of 20 blocks, and one of 447. */
const [SMALL, LARGE] = ['page-about-copy', 'page-enroll'];

let desk, account;
const spaces = new Map();

before(async () => {
  desk = await Desk.open();
  account = await Account.signedIn(desk.server);
  for (const name of all) {
    const space = await account.space(name);
    const { journal } = await load(space, dataset(name));
    spaces.set(name, { id: space.id, stories: [...journal.values()].filter(({ entry }) => !entry.isFolder).map(({ id }) => id) });
  }
});
after(() => desk?.close());

/** The person of the account, in a browser. Pictures of other hosts are not asked for. */
async function reader() {
  const person = await Person.at(desk.browser, desk.origin);
  const cookies = account.cookies.split('; ').map((pair) => pair.split(/=(.*)/s)).map(([name, value]) => ({ name, value, url: desk.origin }));
  await person.context.addCookies(cookies);
  await person.context.route((url) => url.origin !== desk.origin, (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }));
  return person;
}

/** Of each space: a story of each root component; and the largest stories of all. */
async function chosen() {
  const found = [];
  for (const { id: space, stories } of spaces.values()) {
    for (const id of stories) {
      const { story } = await account.call('GET', `/api/v1/spaces/${space}/stories/${id}`);
      found.push({ space, id, name: story.name, component: story.content.component, size: JSON.stringify(story.content).length });
    }
  }
  const ofComponents = new Map(found.map((story) => [`${story.space} ${story.component}`, story]));
  const largest = found.toSorted((one, other) => other.size - one.size).slice(0, LARGEST);
  return [...new Set([...ofComponents.values(), ...largest])];
}

/** Every block below one, with its path and component. */
function pathsOf(block, path = '') {
  const lists = Object.entries(block).filter(([, value]) => Array.isArray(value) && value.every((item) => item?.component));
  const below = lists.flatMap(([field, items]) => items.flatMap((item, at) => pathsOf(item, `${path}${path && '/'}${field}/${at}`)));
  return [{ path, component: block.component }, ...below];
}

test('stories are opened and left, and nothing is written', async () => {
  const person = await reader();
  const writes = [];
  person.page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/validate')) writes.push(`${request.method()} ${request.url()}`);
  });
  const stories = await chosen();
  assert.ok(stories.length >= LARGEST, `${stories.length} stories`);
  for (const { space, id, name } of stories) {
    const validated = person.page.waitForResponse((response) => response.url().endsWith('/validate'));
    await person.goto(`/studio/${space}/stories/${id}`);
    await person.page.locator('.block-fields').first().waitFor();
    await validated;
    assert.equal(await person.page.locator('.story-title h1').innerText(), name);
    // Every card is opened, one below the other.
    for (const card of (await person.page.locator('.story-form > .block-fields > .block-list > .blocks > li > .block-card > .block-head .block-toggle').all()).slice(0, 5)) await card.click();
    assert.equal(await person.page.locator('.state-line').innerText(), 'Saved');
    await person.page.getByRole('link', { name: 'Back to the list' }).click();
    await person.page.getByRole('grid').waitFor();
  }
  assert.deepEqual(writes, []);
  person.isSilent('stories');
  await person.close();
});

/** The story of energy-site with this slug, with its content. */
async function ofEnergySite(slug) {
  const { id: space } = spaces.get('energy-site');
  const { stories } = await account.call('GET', `/api/v1/spaces/${space}/stories?search=${slug}&story_only=1`);
  return (await account.call('GET', `/api/v1/spaces/${space}/stories/${stories.find((story) => story.slug === slug).id}`)).story;
}

/** Opens a story, and gives how long its form took from the data on, in milliseconds. */
async function opened(space, story) {
  const person = await reader();
  await person.page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.block-fields .block-card')) return;
      observer.disconnect();
      // Behind the frame in which it is painted.
      requestAnimationFrame(() => setTimeout(() => (globalThis.formUsable = performance.now())));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await person.goto(`/studio/${space}/stories/${story}`);
  await person.page.waitForFunction(() => globalThis.formUsable !== undefined);
  const took = await person.page.evaluate(() => {
    const data = performance.getEntriesByType('resource').filter(({ name }) => /\/(stories\/\d+|components)$/.test(name)).map(({ responseEnd }) => responseEnd);
    return globalThis.formUsable - Math.max(...data);
  });
  await person.close();
  return took;
}

/** Types a hundred letters into the first text of the form, and gives how long the studio worked for each and until each was painted, in milliseconds. */
async function typed(person) {
  const field = person.page.locator('.block-fields input[type=text], .block-fields textarea').first();
  await field.focus();
  return field.evaluate(async (input) => {
    const [work, paint] = [[], []];
    for (let count = 0; count < 100; count += 1) {
      input.value += 'x';
      const began = performance.now();
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // What follows from it is done in microtasks.
      await Promise.resolve();
      await Promise.resolve();
      work.push(performance.now() - began);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      paint.push(performance.now() - began);
    }
    return { work, paint };
  });
}

/** How soon the form of a story can be used, and how soon it takes a key in the deepest block that has a text. */
async function timed(story) {
  const { id: space } = spaces.get('energy-site');
  const usable = await middle(() => opened(space, story.id));
  const { components } = await account.call('GET', `/api/v1/spaces/${space}/components`);
  const withText = new Set(components.filter(({ schema }) => Object.values(schema).some(({ type }) => type === 'text' || type === 'textarea')).map(({ name }) => name));
  const paths = pathsOf(story.content).filter(({ component }) => withText.has(component)).map(({ path }) => path);
  const deepest = paths.toSorted((one, other) => other.split('/').length - one.split('/').length)[0];
  const person = await reader();
  await person.goto(`/studio/${space}/stories/${story.id}?at=${encodeURIComponent(deepest)}`);
  const { work, paint } = await typed(person);
  await person.close();
  return { usable, ownWork: p95(work), paint: p95(paint) };
}

test('the settings of studies-abroad, 126 kB, open at once', async () => {
  const { id: space } = spaces.get('studies-abroad');
  const { stories } = await account.call('GET', `/api/v1/spaces/${space}/stories?search=settings&story_only=1&per_page=100`);
  const all = await Promise.all(stories.map(({ id }) => account.call('GET', `/api/v1/spaces/${space}/stories/${id}`)));
  const { story } = all.toSorted((one, other) => JSON.stringify(other.story.content).length - JSON.stringify(one.story.content).length)[0];
  const size = JSON.stringify(story.content).length;
  assert.ok(size > 120_000, `${story.full_slug}: ${size} bytes`);
  const { id: few } = await ofEnergySite(SMALL);
  const small = await middle(() => opened(spaces.get('energy-site').id, few));
  const usable = await middle(() => opened(space, story.id));
  console.log(`settings of studies-abroad: ${usable.toFixed(0)} ms, a story of 20 blocks ${small.toFixed(0)} ms`);
  assert.ok(usable <= within(SETTINGS, small), `${usable} ms, a story of 20 blocks ${small} ms`);
});

test('a story of 447 blocks is as quick as a small one', async () => {
  const small = await timed(await ofEnergySite(SMALL));
  const large = await timed(await ofEnergySite(LARGE));
  console.log(`${SMALL}: ${JSON.stringify(small)}; ${LARGE}: ${JSON.stringify(large)}`);
  for (const [what, goal] of Object.entries(GOALS)) assert.ok(large[what] <= within(goal, small[what]), `${what}: ${large[what]} ms, in a story of 20 blocks ${small[what]} ms`);
});
