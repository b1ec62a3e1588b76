import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readField } from '../model/components.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { OptionField } from '../model/schema.ts';
import type { FieldSources, Scope } from '../model/sources.ts';
import { Unread } from '../model/unread.ts';
import en from '../texts/en.ts';
import { countHint, findOptions, hasOptions, kindOfReference, knownOptions, offerOptions, optionsOf, storedOption, valuesOf, withMoved } from './choices.ts';

const { signal } = new AbortController();
const field = (raw: JsonObject) => readField('field', { type: 'options', ...raw }) as OptionField;
const target = { id: 5, uuid: '00000000-0000-4000-8000-000000000005', name: 'Ada', full_slug: 'people/ada', content_type: 'author', is_folder: false, is_startpage: false, published: true, deleted_at: null };

/** Sources with one story and three entries, two of which are first. */
function sources() {
  const asked: unknown[] = [];
  const entries = [{ name: 'Red', value: 'red' }, { name: 'Green', value: 'green' }, { name: 'Blue', value: 'blue' }];
  const made: FieldSources = {
    base_url: 'https://cms.example.org',
    space: { id: 1, name: 'Site' },
    languages: [{ code: 'de', name: 'German' }],
    contentTypes: [],
    storyPath: () => 'en/home',
    addressOf: ({ id }) => `/studio/1/stories/${id}`,
    breadcrumbs: async () => ['People'],
    searchStories: async (search: string, scope: Scope) => {
      asked.push([search, scope]);
      return { items: [target], total: 9 };
    },
    remember: () => {},
    stories: async (references) => (references.some((reference) => [target.uuid, String(target.id)].includes(reference)) ? [target] : []),
    searchEntries: async (_datasource, search) => {
      asked.push(search);
      const items = search === '' ? entries.slice(0, 2) : entries.filter(({ value }) => value.includes(search));
      return { items, total: 3 };
    },
    searchOptions: async (component, name, search) => {
      asked.push([component, name, search]);
      throw new Unread('unavailable', 'answers with status 404');
    },
    pickAssets: async () => [],
    signedUrl: async () => undefined,
    copyAsset: async () => assert.fail(),
    uploadAsset: async () => assert.fail(),
  };
  return { asked, sources: made };
}

const letters: JsonObject = { options: [{ name: 'Small', value: 's' }, { name: 'Large', value: 'l' }, { name: '', value: 7 }, { name: 'without value' }] };
const BOUNDS: JsonObject[] = [{}, { min_options: '2' }, { max_options: '3' }, { min_options: '1', max_options: '3' }, { min_options: 2, max_options: 2 }];

test('options of the schema and languages are known without asking', async () => {
  const { sources: made, asked } = sources();
  assert.deepEqual(knownOptions(field(letters), made)?.map(({ value, name }) => `${value}=${name}`), ['s=Small', 'l=Large', '7=7']);
  assert.deepEqual(knownOptions(field({ source: 'internal_languages' }), made)?.map(({ value }) => value), ['default', 'de']);
  assert.equal(knownOptions(field({ source: 'internal_stories' }), made), undefined);
  assert.deepEqual((await findOptions(field(letters), made, 'LAR', 'uuid', signal)).items.map(({ value }) => value), ['l']);
  assert.deepEqual(asked, []);
});

test('without options any value can be typed', () => {
  const cases: [JsonObject, boolean][] = [
    [{}, false], [letters, true], [{ source: 'external', external_datasource: 'https://example.org' }, true], [{ source: 'external' }, false],
    [{ source: 'internal' }, false], [{ source: 'internal', datasource_slug: 'colours' }, true], [{ source: 'internal_stories' }, true], [{ source: 'internal_languages' }, true],
  ];
  for (const [raw, has] of cases) assert.equal(hasOptions(field(raw)), has, JSON.stringify(raw));
});

test('a value that is no option any more is known as one', async () => {
  const { sources: made, asked } = sources();
  const found = await optionsOf(field({ source: 'internal', datasource_slug: 'colours' }), made, ['red', 'blue', 'gone']);
  assert.deepEqual(['red', 'blue', 'gone'].map((value) => found.get(value)?.name), ['Red', 'Blue', undefined]);
  // Only what is not among the first entries is searched for.
  assert.deepEqual(asked, ['', 'blue', 'gone']);
  const stories = await optionsOf(field({ source: 'internal_stories' }), made, [target.uuid, '5', 'gone']);
  assert.deepEqual([target.uuid, '5', 'gone'].map((value) => stories.get(value)?.name), ['Ada', 'Ada', undefined]);
  assert.equal((await optionsOf(field({}), made, ['anything'])).has('anything'), true);
});

test('stories are searched within what the schema allows', async () => {
  const { sources: made, asked } = sources();
  const schema = (folder_slug: string) => field({ source: 'internal_stories', filter_content_type: ['author'], folder_slug });
  const found = await findOptions(schema('/people/'), made, 'a', 'uuid', signal);
  assert.deepEqual(found, { items: [{ value: target.uuid, name: 'Ada', detail: 'people/ada', target }], total: 9 });
  // The open story is `en/home`.
  const folders = ['{0}/people', '/{0}/{1}/', '{4}/people', '{10}/people', '', '/'];
  for (const folder of folders) await findOptions(schema(folder), made, '', 'uuid', signal);
  assert.deepEqual(asked.map((one) => (one as [string, Scope])[1].folder), ['people/', 'en/people/', 'en/home/', null, null, null, null]);
  assert.ok(asked.every((one) => (one as [string, Scope])[1].contentTypes[0] === 'author'));
});

test('references keep their kind, and a first one is as the schema says', async () => {
  const { sources: made } = sources();
  const schema = (use_uuid?: boolean) => field(use_uuid === undefined ? { source: 'internal_stories' } : { source: 'internal_stories', use_uuid });
  const cases: [boolean | undefined, Json[], string, Json][] = [
    [true, [], 'uuid', target.uuid], [undefined, [], 'uuid', target.uuid], [false, [], 'number', 5], [false, [target.uuid], 'uuid', target.uuid],
    [true, [47358185], 'number', 5], [undefined, ['47358185'], 'digits', '5'],
  ];
  for (const [use_uuid, values, kind, stored] of cases) {
    const found = kindOfReference(schema(use_uuid), values);
    assert.equal(found, kind);
    const [option] = (await findOptions(schema(use_uuid), made, '', found, signal)).items;
    assert.deepEqual(storedOption(found, option!.value), stored);
  }
});

test('options of another server that cannot be read say why, and what was typed can be taken', async () => {
  const { sources: made, asked } = sources();
  const schema = readField('country', { type: 'option', source: 'external', external_datasource: 'https://example.org' }, 7) as OptionField;
  const offered = await offerOptions(schema, made, 'fr', 'uuid', en, signal);
  assert.deepEqual(offered.items.map(({ value }) => value), ['fr']);
  assert.match(offered.note ?? '', /^The options cannot be read: their address .* The server says: answers with status 404\. You can type/);
  assert.equal(offered.unread?.reason, 'unavailable');
  assert.deepEqual((await offerOptions(schema, made, '', 'uuid', en, signal)).items, []);
  assert.deepEqual(asked, [[7, 'country', 'fr'], [7, 'country', '']]);
});

test('moving keeps every item, and moving back gives the first order', () => {
  const place = fc.array(fc.anything(), { minLength: 1 }).chain((list) => fc.tuple(fc.constant(list), fc.nat(list.length - 1), fc.nat(list.length - 1)));
  fc.assert(fc.property(place, ([list, from, to]) => {
    const moved = withMoved(list, from, to);
    assert.equal(moved[to], list[from]);
    assert.deepEqual(withMoved(moved, to, from), list);
  }));
});

test('the bounds are told, and values of every kind are texts', () => {
  const hints = BOUNDS.map((raw) => countHint(field(raw), en));
  assert.deepEqual(hints, ['', 'At least 2', 'At most 3', '1 to 3 of them', 'Exactly 2']);
  assert.deepEqual(valuesOf(['a', 5]), ['a', '5']);
  assert.deepEqual(valuesOf('a'), []);
});
