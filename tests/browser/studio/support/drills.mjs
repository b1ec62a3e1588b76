// What a person does in a drill: types and pastes into one field of a story, while an upload goes on.

import assert from 'node:assert/strict';
import { until } from '../../../clients/support/pool.mjs';
import { call, make } from './desk.mjs';
import { picture } from './files.mjs';
import { pasteInto } from './richspace.mjs';
import { stateIs } from './story.mjs';

export const SAVED = /^Saved/;
const TEXT = 'The harbour opened its gates again after nine months, and the first ships were in before the mayor had found his glasses. ';

/** In every other round it is a rich text that is written, and something is pasted into it between the keys. */
const FIELDS = [
  { name: 'title', shown: (control) => control.inputValue(), stored: ({ title }) => title, pastes: false },
  { name: 'text', shown: (control) => control.evaluate((element) => element.textContent), stored: ({ text }) => wordsOf(text ?? {}), pastes: true },
];
/** How many keys there are from one paste to the next. */
const PASTES = 40;
const PASTED = { text: 'Quay', html: '<meta charset="utf-8"><b style="color: #b00000">Quay</b>' };
export const fieldOf = (round) => FIELDS[round % FIELDS.length];
/** Whether an upload is under way as well: once with each field. */
export const uploads = (round) => round < FIELDS.length;
const wordsOf = ({ text = '', content = [] }) => text + content.map(wordsOf).join('');

/** A space whose stories have a title and a rich text. */
export async function drillSpace(at, person, name) {
  const space = await at.space(person, name);
  const schema = { title: { type: 'text', pos: 0 }, text: { type: 'richtext', pos: 1 } };
  await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component: { name: 'article', is_root: true, schema } });
  return space;
}

/** A story of its own, with the field of the round in the form of a person. */
export async function open(person, space, slug, field) {
  const { id } = await make(person, space, { name: slug, slug, content: { component: 'article', title: '' } });
  const at = { space, story: id, field };
  await show(person, at);
  return at;
}

export async function show(person, { space, story, field }) {
  await person.goto(`/studio/${space}/stories/${story}`);
  await controlOf(person, field).waitFor();
}

export const controlOf = (person, { name }) => person.page.locator(`[data-field="${name}"]`).getByRole('textbox');
export const shown = (person, { field }) => field.shown(controlOf(person, field));
const stored = async (person, { space, story }) => (await call(person, 'GET', `/api/v1/spaces/${space}/stories/${story}`)).story;
export const storedText = async (person, at) => at.field.stored((await stored(person, at)).content);

const isPaste = (key, field) => field.pastes && key % PASTES === PASTES / 2;

/** Types so many keys, and says when each was done. */
export async function type(person, field, keys, from = 0) {
  const times = [];
  for (let key = from; key < from + keys; key += 1) {
    if (isPaste(key, field)) await pasteInto(controlOf(person, field), { 'text/html': PASTED.html, 'text/plain': PASTED.text });
    else await person.page.keyboard.press(TEXT[key % TEXT.length] === ' ' ? 'Space' : TEXT[key % TEXT.length]);
    times.push(Date.now());
  }
  return times;
}

export const typed = (keys, field) => Array.from({ length: keys }, (_, key) => (isPaste(key, field) ? PASTED.text : TEXT[key % TEXT.length])).join('');

/** Everything that was typed is in the form, and then on the server. */
export async function isAllThere(person, at, text) {
  assert.equal(await shown(person, at), text);
  await until('the server has it', async () => (await storedText(person, at)) === text);
  await stateIs(person, SAVED);
  assert.equal(await shown(person, at), text);
}

/** Begins an upload that gets nowhere until it is let go, and opens a story while it goes on. */
export async function uploadMeanwhile(person, { space, story, field }) {
  const { page } = person;
  let letGo;
  const held = new Promise((resolve) => (letGo = resolve));
  await page.route('**/api/v1/spaces/*/assets', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue().catch(() => {});
  });
  await person.goto(`/studio/${space}/assets`);
  await page.locator('input[type=file]').setInputFiles([picture('ship.png')]);
  await page.getByRole('button', { name: 'ship.png: cancel the upload' }).waitFor();
  await page.getByRole('link', { name: 'Stories' }).click();
  await page.locator(`a[href$="/stories/${story}"]`).first().click();
  await controlOf(person, field).waitFor();
  return letGo;
}

/** The upload goes on, and a file more is there. */
export async function uploadEnds(person, { space }, round, letGo) {
  letGo();
  await person.page.getByRole('status').getByText('1 of 1 uploaded.').waitFor();
  assert.equal((await call(person, 'GET', `/api/v1/spaces/${space}/assets`)).assets.length, round + 1);
}

/** The upload goes on, and fails by itself: the person is told so where they are. */
export async function uploadFails(person, letGo) {
  letGo();
  await person.page.getByRole('status').getByText('0 of 1 uploaded. 1 failed.').waitFor();
}

/** The upload goes on, and is answered. */
export async function uploadIsAnswered({ page }, letGo) {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/assets'));
  letGo();
  await answered;
}

/** Keeps autosaves from the server until it is told, which waits for their answers: the sheet that their answer opens would take the keys of a person who still types. */
export async function holdSaves({ page }) {
  const { promise: isOver, resolve: letGo } = Promise.withResolvers();
  const saves = '**/stories/*?*autosave=1*';
  const held = [];
  await page.route(saves, async (route) => {
    held.push(route.request());
    await isOver;
    await route.continue().catch(() => {});
  });
  return async () => {
    letGo();
    await page.unroute(saves);
    await Promise.all(held.map((request) => request.response()));
  };
}
