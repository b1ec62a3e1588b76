// How soon the site in the preview has what is typed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk, make } from '../support/desk.mjs';
import { p50, p95, within } from '../support/goals.mjs';
import { openPreview, previewSpace } from '../support/preview.mjs';
import { SiteServer } from '../support/site-server.mjs';

/** How long a key may take until it is at the site, in milliseconds. */
const KEY = 120;

let desk, sites;
before(async () => {
  desk = await Desk.open();
  sites = await SiteServer.start(desk.origin);
});
after(async () => {
  await desk?.close();
  await sites?.close();
});

test('a key is at the site soon, in a story of 447 blocks', async () => {
  const person = await desk.person('speed@example.org');
  const { page } = person;
  const space = await previewSpace(person, 'Speed', [{ name: 'With the relay', location: `${sites.origin}/js/relay/` }]);
  sites.token = space.token;
  const teaser = (number) => ({ component: 'teaser', _uid: `t${number}`, headline: `Block ${number}`, text: 'x'.repeat(100) });
  const grids = Array.from({ length: 40 }, (_, grid) => ({ component: 'grid', _uid: `g${grid}`, columns: Array.from({ length: 10 }, (_, at) => teaser(grid * 10 + at)) }));
  const content = { component: 'landing', _uid: 'root', title: 'Large', body: [...grids, teaser(900), teaser(901), teaser(902), teaser(903), teaser(904), teaser(905)] };
  const { id } = await make(person, space.id, { name: 'Large', slug: 'large', content });
  const frame = await openPreview(person, space, undefined, id);
  await frame.getByRole('heading', { name: 'Large' }).waitFor();
  const title = page.getByRole('textbox', { name: 'title' });
  await title.focus();
  await page.evaluate(() => {
    globalThis.pressed = [];
    // With each key a message of its own goes to the site: how long that takes is the machine's.
    addEventListener('keydown', () => {
      globalThis.pressed.push(performance.timeOrigin + performance.now());
      document.querySelector('iframe').contentWindow.postMessage({ pressed: globalThis.pressed.length }, '*');
    }, true);
  });
  const [, site] = page.frames();
  await site.evaluate(() => {
    globalThis.heard = [];
    globalThis.told = [];
    addEventListener('message', ({ data }) => {
      if (data.pressed) globalThis.told.push(performance.timeOrigin + performance.now());
      if (data.action === 'input') globalThis.heard.push([data.story.content.title.length, performance.timeOrigin + performance.now()]);
    });
  });
  const KEYS = 60;
  await page.keyboard.press('End');
  await title.pressSequentially('k'.repeat(KEYS), { delay: 60 });
  await site.waitForFunction((length) => globalThis.heard.at(-1)?.[0] === length, 'Large'.length + KEYS);
  const pressed = (await page.evaluate(() => globalThis.pressed)).slice(1);
  const { heard, told } = await site.evaluate(() => ({ heard: globalThis.heard, told: globalThis.told.slice(1) }));
  const delays = pressed.map((time, at) => heard.find(([length]) => length >= 'Large'.length + at + 1)[1] - time);
  const plain = p95(pressed.map((time, at) => told[at] - time));
  console.log(`key to input: p50 ${p50(delays).toFixed(0)} ms, p95 ${p95(delays).toFixed(0)} ms; a message of its own ${plain.toFixed(0)} ms`);
  assert.ok(p95(delays) <= within(KEY, plain), `${p95(delays)} ms, a message of its own ${plain} ms`);
  await person.close();
});
