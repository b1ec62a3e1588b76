// What the studio shows a site of a draft, compared with what Storyblok's client makes of the same story: every story, in every language, with several
// relations and forms of links. Sites render what the client gives them, so a difference is something that a page would lose while it is edited.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RelatedStories } from '../../studio/src/preview/related.ts';
import { Renderer } from '../../studio/src/preview/render.ts';
import { Account } from './support/account.mjs';
import { load } from './support/load-space.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { all, dataset } from './support/spaces.mjs';

const WIDTH = 8;
const MOST_RELATIONS = 100;
const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let server, account;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
});
after(() => server?.dispose());

/** The fields that may name stories, as `component.field`; those that do in the stories come first. */
function relationsOf({ components, entries }) {
  const used = new Set();
  for (const { source } of entries) eachBlock(source.content, (block) => Object.keys(block).forEach((field) => used.add(`${block.component}.${field}`)));
  const fields = components.flatMap(({ name, schema }) => Object.entries(schema).map(([field, { type, source }]) => ({ path: `${name}.${field}`, type, source })));
  const named = fields.filter(({ type, source }) => ['option', 'options'].includes(type) && source === 'internal_stories').map(({ path }) => path);
  return [...new Set(named)].sort((a, b) => Number(used.has(b)) - Number(used.has(a))).slice(0, MOST_RELATIONS);
}

function eachBlock(node, visit) {
  if (Array.isArray(node)) return node.forEach((item) => eachBlock(item, visit));
  if (node === null || typeof node !== 'object') return;
  if (typeof node.component === 'string') visit(node);
  Object.values(node).forEach((value) => eachBlock(value, visit));
}

/** The drafts by their numbers, after what names a story of the dataset by its uuid names the one that was made of it. */
async function linkedDrafts(space, journal) {
  const stories = [...journal.values()].filter(({ entry }) => !entry.isFolder);
  const made = new Map();
  await pool(stories, WIDTH, async ({ entry, id }) => made.set(entry.source.uuid, (await space.manage('get', `stories/${id}`)).story));
  const drafts = new Map();
  await pool(stories, WIDTH, async ({ entry, id }) => {
    const { content } = made.get(entry.source.uuid);
    const text = JSON.stringify(content).replace(UUIDS, (uuid) => made.get(uuid)?.uuid ?? uuid);
    const { story } = await space.manage('put', `stories/${id}`, { body: { story: { content: JSON.parse(text) } } });
    drafts.set(id, story.content);
  });
  return drafts;
}

/** Compares every story in every language, with these wishes of a site; `draftsOf` makes the stories in a space and has their contents by their numbers. */
function compareAll(name, languages, wishes, draftsOf) {
  describe(name, () => {
    let space, drafts;
    before(async () => {
      space = await account.space(name);
      drafts = await draftsOf(space);
    });

    for (const language of ['', ...languages]) {
      for (const wish of wishes) {
        const what = `${wish.resolveRelations.length} relations, links as ${wish.resolveLinks || 'they are'}`;
        test(`a site is shown what the client gives it: ${language || 'default language'}, ${what}`, async () => {
          const fallbackLang = language ? (languages.find((code) => code !== language) ?? '') : '';
          await compare(space, drafts, language, { ...wish, fallbackLang });
        });
      }
    }
  });
}

async function compare(space, drafts, language, config) {
  const query = {
    ...(language && { language, fallback_lang: config.fallbackLang }),
    ...(config.resolveRelations.length > 0 && { resolve_relations: config.resolveRelations.join() }),
    ...(config.resolveLinks && { resolve_links: config.resolveLinks }),
  };
  const cdn = (path, more) => space.manage('get', `cdn/${path}?${new URLSearchParams({ ...query, ...more })}`);
  const loadStories = async (uuids) => (await cdn('stories', { resolve_relations: '', resolve_links: '', by_uuids: uuids.join(), per_page: 100 })).stories;
  const askedFor = new RelatedStories(loadStories);
  await pool(drafts.keys(), WIDTH, async (id) => {
    const expected = (await space.reader('preview').get(`cdn/stories/${id}`, { version: 'draft', ...query })).data.story;
    const { story: base, rels, links } = await cdn(`stories/${id}`);
    // With what comes together with the story, and with what is asked for when an editor names another one.
    for (const related of [new RelatedStories(loadStories, { rels, links }), askedFor]) {
      const story = await new Renderer({ space: space.id, base, language, config, related }).complete(drafts.get(id));
      assert.deepEqual(story, expected, expected.full_slug);
    }
  });
}

for (const name of all) {
  const set = dataset(name);
  const relations = relationsOf(set);
  const wishes = [
    { resolveRelations: [], resolveLinks: '' },
    { resolveRelations: relations, resolveLinks: 'story' },
    { resolveRelations: relations.filter((_, at) => at % 2 === 0), resolveLinks: 'url' },
    { resolveRelations: [], resolveLinks: 'link' },
  ];
  compareAll(name, set.languages.map(({ code }) => code), wishes, async (space) => linkedDrafts(space, (await load(space, set)).journal));
}

const PEOPLE = 12;
const networkWishes = [
  { resolveRelations: ['person.boss', 'team.members'], resolveLinks: 'story' },
  { resolveRelations: ['person.boss'], resolveLinks: 'url' },
  { resolveRelations: ['team.members'], resolveLinks: 'link' },
];

// Example spaces have few relations. Here each person names others, in a circle and in teams, by links of fields and of texts, in two languages.
compareAll('network', ['de', 'pt-br'], networkWishes, async (space) => {
  await space.management.spaces.update({ body: { space: { languages: [{ code: 'de', name: 'German' }, { code: 'pt-br', name: 'Portuguese' }] } } });
  const create = async (story) => (await space.management.stories.create({ body: { story } })).data.story;
  const folder = await create({ name: 'People', slug: 'people', is_folder: true });
  const people = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const content = { component: 'person', name: `Person ${number}` };
    const translated_slugs_attributes = number % 3 === 0 ? [{ lang: 'de', slug: `mensch-${number}`, name: `Mensch ${number}` }] : [];
    people.push(await create({ name: `Person ${number}`, slug: `person-${number}`, parent_id: folder.id, is_startpage: number === 0, content, translated_slugs_attributes }));
  }
  const uuid = (number) => people[number % PEOPLE].uuid;
  const link = (number, path) => ({ fieldtype: 'multilink', linktype: 'story', id: uuid(number), url: '', cached_url: path });
  const drafts = new Map();
  for (const [number, { id, content }] of people.entries()) {
    const mark = { type: 'link', attrs: { linktype: 'story', uuid: uuid(number + 5), href: '' } };
    const block = { component: 'quote', _uid: `quote-${number}`, boss: uuid(number + 1), text: 'en', text__i18n__de: 'de', more: link(number + 2, 'stale') };
    const text = [{ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [mark] }] }, { type: 'blok', attrs: { id: 'b', body: [block] } }];
    const written = {
      ...content,
      boss: uuid(number + 1),
      boss__i18n__de: number % 2 ? uuid(number + 3) : '',
      contact: link(number + 4, ''),
      contact__i18n__pt_br: link(number + 6, 'stale'),
      page: { linktype: 'story', uuid: uuid(number + 8) },
      text: { type: 'doc', content: text },
      teams: [{ component: 'team', _uid: `team-${number}`, members: [uuid(number + 2), '', 'nothing', uuid(number + 3), '00000000-0000-4000-8000-000000000000'] }],
    };
    const { story } = await space.manage('put', `stories/${id}`, { body: { story: { content: written } } });
    drafts.set(id, story.content);
  }
  return drafts;
});
