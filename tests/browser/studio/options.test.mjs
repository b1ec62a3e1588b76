// Options: what the schema asks for is told, what is chosen is on top and stays, and each reason why there are none is said.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { savedContent } from './support/richspace.mjs';

let desk;
before(async () => (desk = await Desk.open()));
after(() => desk?.close());

const row = (person, name) => person.page.locator(`[data-field="${name}"]`);
const option = (person, words) => person.page.locator('[role=option]', { hasText: words });
const offered = (person) => person.page.locator('[role=option] > span:first-child').allTextContents();

const named = (count) => Array.from({ length: count }, (_, index) => ({ _uid: `o${index}`, name: `Name ${index}`, value: `n${index}` }));
const FIELDS = {
  title: { type: 'text', display_name: 'Title' },
  few: { type: 'option', display_name: 'Few', options: named(3) },
  many: { type: 'option', display_name: 'Many', options: named(30) },
  gone: { type: 'option', display_name: 'Gone', options: named(30) },
  several: { type: 'options', display_name: 'Several', options: named(30), min_options: '2', max_options: '3' },
  one: { type: 'option', display_name: 'One', source: 'internal_stories', folder_slug: '/{0}/people', filter_content_type: ['author'], entry_appearance: 'card' },
  numbers: { type: 'options', display_name: 'Numbers', source: 'internal_stories', use_uuid: false },
  away: { type: 'options', display_name: 'Away', source: 'external', external_datasource: 'https://options.example.org/' },
};

async function optionSpace(person) {
  const space = await desk.space(person, 'Options');
  const schema = Object.fromEntries(Object.entries(FIELDS).map(([name, field], pos) => [name, { ...field, pos }]));
  for (const component of [{ name: 'author', display_name: 'Author', is_root: true, schema: {} }, { name: 'choices', display_name: 'Choices', is_root: true, schema }]) {
    await call(person, 'POST', `/api/v1/spaces/${space}/components`, { component });
  }
  const en = await make(person, space, { name: 'English', slug: 'en', is_folder: true });
  const people = await make(person, space, { name: 'People', slug: 'people', parent_id: en.id, is_folder: true });
  const others = await make(person, space, { name: 'People of old', slug: 'people-of-old', parent_id: en.id, is_folder: true });
  const author = (name, parent_id) => make(person, space, { name, slug: name.toLowerCase(), parent_id, content: { component: 'author' } });
  const [ada, grace, bob] = [await author('Ada', people.id), await author('Grace', people.id), await author('Bob', others.id)];
  const content = {
    _uid: 'f0000000-0000-4000-8000-00000000000a', component: 'choices', title: 'Options',
    few: 'lost', many: 'n20', gone: 'lost', several: ['n7', 'lost'], one: grace.uuid, numbers: [ada.id, String(bob.id), 999999], away: ['fr', 'de'],
  };
  const story = await make(person, space, { name: 'Choices', slug: 'choices', parent_id: en.id, content });
  return { space, story: story.id, content, ada, grace, bob };
}

const open = async (person, { space, story }) => {
  await person.goto(`/studio/${space}/stories/${story}`);
  await row(person, 'one').getByRole('link', { name: 'Open Grace in a new tab' }).waitFor();
};

test('what is chosen is on top, stays when it is no option any more, and keeps its kind', async () => {
  const person = await desk.person('chosen@example.org');
  const at = await optionSpace(person);
  const { content, ada, grace, bob } = at;
  const { keyboard } = person.page;
  await open(person, at);
  await row(person, 'few').getByText('“lost” is not an option any more. It stays until you choose another one.').waitFor();
  await row(person, 'gone').getByText('“lost” is not an option any more. It stays until you choose another one.').waitFor();
  await row(person, 'several').getByText('not an option any more').waitFor();
  await row(person, 'numbers').getByText('not in this space').waitFor();
  await row(person, 'several').getByText('2 to 3 of them').waitFor();
  // The chosen story says where it is and what it is, and leads there.
  await row(person, 'one').getByText('en/people/grace · author').waitFor();
  assert.equal(await row(person, 'one').getByRole('link', { name: 'Open Grace in a new tab' }).getAttribute('href'), `/studio/${at.space}/stories/${grace.id}`);
  assert.equal(await row(person, 'numbers').getByRole('link', { name: 'Open Bob in a new tab' }).getAttribute('href'), `/studio/${at.space}/stories/${bob.id}`);
  await person.look('options');

  await row(person, 'many').getByRole('combobox').click();
  await option(person, 'Name 20').waitFor();
  assert.deepEqual((await offered(person)).slice(0, 2), ['Name 20', 'Name 0']);
  await keyboard.press('Escape');
  // Only authors of the folder are offered, which is not the beginning of another one's name.
  await row(person, 'one').getByRole('combobox').click();
  await option(person, 'Ada').waitFor();
  assert.deepEqual(await offered(person), ['Grace', 'Ada']);
  await option(person, 'Ada').click();

  // One more is all that fits, and a number is added as one.
  await row(person, 'several').getByRole('combobox').fill('Name 9');
  await option(person, 'Name 9').click();
  await row(person, 'several').getByText('2 to 3 of them. To add another one, remove one first.').waitFor();
  await row(person, 'several').getByRole('combobox').waitFor({ state: 'detached' });
  await row(person, 'several').getByRole('button', { name: 'Name 9: move up' }).focus();
  await keyboard.press('Alt+ArrowUp');
  await row(person, 'numbers').getByRole('combobox').fill('grace');
  await option(person, 'Grace').click();
  const numbers = row(person, 'numbers').locator('li');
  await numbers.filter({ hasText: 'Grace' }).locator('[draggable]').dragTo(numbers.first(), { targetPosition: { x: 4, y: 2 } });
  assert.deepEqual(await savedContent(person, at), { ...content, one: ada.uuid, several: ['n7', 'n9', 'lost'], numbers: [grace.id, ...content.numbers] });

  // A value that was chosen and taken away is as it was, and the focus is where the next one is chosen.
  await row(person, 'one').getByRole('button', { name: 'One: choose nothing' }).press('Enter');
  assert.equal(await person.page.evaluate(() => document.activeElement.getAttribute('role')), 'combobox');
  await row(person, 'several').getByRole('button', { name: 'Name 9: remove' }).press('Enter');
  assert.deepEqual(await savedContent(person, at), { ...content, one: '', numbers: [grace.id, ...content.numbers] });
  person.isSilent('chosen');
  await person.close();
});

const REASONS = [
  ['blocked_target', 'the address in the schema is one that this server may not call'],
  ['timedOut', 'their address did not answer within 5 seconds'],
  ['tooLarge', 'their address answers with more than 1 MB'],
  ['wrongType', 'their address does not answer with a list of names and values'],
  ['unavailable', 'their address is not reached, or answers with an error. The server says: answers with status 404.'],
];

test('each reason why the options of another server are not there is told, and what is chosen stays', async () => {
  const person = await desk.person('reasons@example.org');
  const at = await optionSpace(person);
  const { page } = person;
  const away = row(person, 'away');
  let answer = { status: 500, json: {} };
  await page.route(/\/components\/\d+\/options/, (route) => route.fulfill(answer));
  const refused = (code) => ({ status: 422, json: { error: 'validation', message: 'no', details: [{ field: 'external_datasource', code, message: 'answers with status 404' }] } });
  answer = refused(REASONS[0][0]);
  await open(person, at);
  for (const [code, words] of REASONS) {
    answer = refused(code);
    if (code !== REASONS[0][0]) await away.getByRole('button', { name: 'Try again: Away' }).click();
    await away.getByText(words).waitFor();
    assert.deepEqual(await away.locator('.chosen-name').allInnerTexts(), ['fr', 'de']);
  }
  answer = { status: 429, json: { error: 'rateLimited', message: 'Too many requests' } };
  await away.getByRole('button', { name: 'Try again: Away' }).click();
  await away.getByText('this space has read too many in the last minute').waitFor();
  answer = { status: 200, json: { options: [{ name: 'France', value: 'fr' }], total: 1 } };
  await away.getByRole('button', { name: 'Try again: Away' }).click();
  await away.getByText('France').waitFor();
  await away.getByText('The options cannot be read').waitFor({ state: 'detached' });
  await away.getByText('not an option any more').waitFor();
  person.isSilent('reasons');
  await person.close();
});
