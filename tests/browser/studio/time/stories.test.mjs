// How soon a large folder shows its first rows, and whether it keeps up with whoever scrolls it. `STUDIO_STORIES=100000` makes it ten times as large.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Desk, make } from '../support/desk.mjs';
import { multiplyStory } from '../support/many.mjs';

const STORIES = Number(process.env.STUDIO_STORIES ?? 10_000);
/** The goals, in milliseconds: the first rows after a click on the folder, 95 of 100 frames of scrolling, each frame. CI has three times as long. */
const [FIRST_ROWS, FRAME, LONGEST] = [300, 16.7, 50];
const SLACK = 3;
/** A frame comes when the screen is drawn, and the clock tells it a little earlier or later. */
const CLOCK = 1;
/** How long it is scrolled, in milliseconds, and how far with each frame. */
const [SECONDS, STEP] = [5_000, 120];
const [MOST_ROWS, MOST_HEAP] = [120, 150_000_000];

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

test('a folder of many thousand stories opens and scrolls like one of a hundred', async () => {
  const person = await desk.person('many@example.org');
  const { page } = person;
  const space = await desk.space(person, 'Archive');
  const folder = await make(person, space, { name: 'Reports', slug: 'reports', is_folder: true });
  const first = await make(person, space, { name: 'Report', slug: 'report', parent_id: folder.id });
  multiplyStory(desk.server, first.id, STORIES - 1);
  await person.goto(`/studio/${space}/stories`);
  const row = page.getByRole('row', { name: 'Reports', exact: true });
  await row.waitFor();
  const opened = await row.evaluate((row) => new Promise((resolve) => {
    const begin = performance.now();
    const look = () => (document.querySelector('[role=row][aria-label="Report"]') ? resolve(performance.now() - begin) : requestAnimationFrame(look));
    row.querySelector('a').click();
    requestAnimationFrame(look);
  }));
  const { frames, rows } = await page.evaluate(({ SECONDS, STEP }) => new Promise((resolve) => {
    const [frames, begin] = [[], performance.now()];
    let [rows, last] = [0, begin];
    const scroll = (now) => {
      frames.push(now - last);
      last = now;
      rows = Math.max(rows, document.querySelectorAll('[role=row]').length);
      if (now - begin > SECONDS) return resolve({ frames: frames.slice(1), rows });
      scrollBy(0, STEP);
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
  }), { SECONDS, STEP });
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize);
  const sorted = frames.toSorted((one, other) => one - other);
  const [usual, longest] = [sorted[Math.floor(sorted.length * 0.95)], sorted.at(-1)];
  console.log(`${STORIES} stories: first rows after ${Math.round(opened)} ms; ${frames.length} frames, 95 of 100 within ${usual.toFixed(1)} ms, the longest ${longest.toFixed(1)}; ${rows} rows, ${Math.round(heap / 1e6)} MB`);
  assert.ok(await page.evaluate(() => scrollY) > 10_000, 'it was scrolled');
  await page.getByRole('row', { name: /^Report \d+$/ }).first().waitFor();
  assert.ok(opened <= FIRST_ROWS * SLACK, `first rows after ${opened} ms`);
  assert.ok(usual <= (FRAME + CLOCK) * SLACK, `a frame of ${usual} ms`);
  assert.ok(longest <= LONGEST * SLACK, `a frame of ${longest} ms`);
  assert.ok(rows <= MOST_ROWS, `${rows} rows`);
  assert.ok(heap <= MOST_HEAP, `${heap} bytes`);
  person.isSilent('many');
  await person.close();
});
