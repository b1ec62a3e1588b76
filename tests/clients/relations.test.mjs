// Relations and links that Storyblok's client puts in their places: few and many, inside and outside of the folder that is
// listed, in every version and language. What is put there is compared with the files that it was written from.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from './support/account.mjs';
import { assertContent, delivered, withoutMarks } from './support/expect.mjs';
import { Loader, load } from './support/load-space.mjs';
import { renamed } from './support/look.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { dataset, found } from './support/spaces.mjs';

const RELATED = 60;
const RESOLVE = { resolve_relations: 'list.members' };
const set = dataset(found.includes('starter-articles') ? 'starter-articles' : 'magazine');
const language = set.languages[0].code;
const sources = set.entries.filter((entry) => !entry.isFolder && entry.published);

let server, account, space;
/** The related stories, half of them in `team/`, as `{uuid, path, entry, draftName?}`. */
const members = [];

before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
  space = await account.space('relations');
  await new Loader(space, set).prepare();
  const create = async (story, publish) => (await space.management.stories.create({ body: { story, ...(publish && { publish: 1 }) } })).data.story;
  const folders = [];
  for (const slug of ['team', 'elsewhere']) folders.push((await create({ name: slug, slug, is_folder: true })).id);
  await pool([...Array(RELATED).keys()], 8, async (number) => {
    const entry = sources[number % sources.length];
    const [folder, parent_id] = [['team', 'elsewhere'][number % 2], folders[number % 2]];
    const slug = `member-${number}`;
    const translated_slugs_attributes = [{ lang: language, slug: `mitglied-${number}`, name: `Mitglied ${number}` }];
    const { name, content } = entry.published;
    const story = await create({ name, slug, parent_id, content, translated_slugs_attributes }, true);
    members[number] = { uuid: story.uuid, id: story.id, name, content, path: `${folder}/${slug}`, translated: `${language}/${folder}/mitglied-${number}` };
  });
  const link = ({ uuid }) => ({ fieldtype: 'multilink', linktype: 'story', id: uuid, url: '', cached_url: '' });
  const list = (slug, some) =>
    create(
      {
        name: slug,
        slug,
        parent_id: folders[0],
        content: {
          component: 'list',
          members: some.map((member) => member.uuid),
          links: some.map((member, number) => ({ component: 'item', number, link: link(member) })),
          text: { type: 'doc', content: [{ type: 'text', marks: [{ type: 'link', attrs: { linktype: 'story', uuid: some[0].uuid, href: '' } }] }] },
        },
      },
      true,
    );
  await list('few', members.slice(0, 40));
  await list('many', members);
  // One of them differs in the draft, one is not public.
  const { name, content } = members[2];
  await space.management.stories.update(members[2].id, { body: { story: { name: `${name} (draft)`, content: { ...content, changed: 'yes' } } } });
  members[2].draft = { name: `${name} (draft)`, content: { ...content, changed: 'yes' } };
  await space.manage('get', `stories/${members[3].id}/unpublish`);
  members[3].hidden = true;
});
after(() => server?.dispose());

/** A story in its place is what was written. */
function assertMember(story, member, { version = 'published', lang } = {}) {
  const expected = (version === 'draft' && member.draft) || member;
  assert.equal(story.uuid, member.uuid);
  assert.deepEqual([story.name, story.full_slug], lang ? [`Mitglied ${members.indexOf(member)}`, member.translated] : [expected.name, member.path]);
  const content = version === 'draft' ? withoutMarks(story.content, space.id, story.id) : story.content;
  assertContent(content, delivered(expected.content, lang), member.path);
}

function assertRelations(story, some, as = {}) {
  assert.equal(story.content.members.length, some.length);
  for (const [at, member] of some.entries()) {
    const inPlace = story.content.members[at];
    if (member.hidden && as.version !== 'draft') assert.equal(inPlace, member.uuid, 'what is not public stays a UUID');
    else assertMember(inPlace, member, as);
  }
}

for (const [slug, count] of [['few', 40], ['many', RELATED]]) {
  for (const [version, kind] of [['published', 'public'], ['draft', 'preview']]) {
    test(`${count} relations are put in their places, ${version}`, async () => {
      const reader = space.reader(kind);
      const some = members.slice(0, count);
      const { story } = (await reader.getStory(`team/${slug}`, { version, ...RESOLVE })).data;
      assertRelations(story, some, { version });
      const same = (await reader.get(`cdn/stories/team/${slug}`, { version, ...RESOLVE })).data.story;
      assert.deepEqual(same, story, 'get and getStory');
      // The client repeats starts_with when it fetches what is too much, and half of the stories stand elsewhere.
      const params = { version, starts_with: 'team/', content_type: 'list', by_slugs: `team/${slug}`, ...RESOLVE };
      const listed = (await reader.getStories(params)).data.stories;
      assert.equal(listed.length, 1);
      assertRelations(listed[0], some, { version });
    });
  }
}

test('getAll puts relations in their places on every page', async () => {
  const all = await space.reader('public').getAll('cdn/stories', { starts_with: 'team/', sort_by: 'slug:asc', per_page: 7, ...RESOLVE });
  const inTeam = members.filter((member) => member.path.startsWith('team/') && !member.hidden);
  assert.equal(all.length, inTeam.length + 2);
  for (const member of inTeam) assertMember(all.find((story) => story.uuid === member.uuid), member);
  assertRelations(all.find((story) => story.slug === 'few'), members.slice(0, 40));
  assertRelations(all.find((story) => story.slug === 'many'), members);
});

test('more relations than are resolved are named instead', async () => {
  const few = (await space.cdn('stories/team/few', RESOLVE)).body;
  assert.deepEqual(few.rels.map((story) => story.uuid).sort(), members.slice(0, 40).filter((it) => !it.hidden).map((it) => it.uuid).sort());
  const many = (await space.cdn('stories/team/many', RESOLVE)).body;
  assert.deepEqual([...many.rel_uuids].sort(), members.map((it) => it.uuid).sort());
  assert.equal(many.rels, undefined);
});

test('relations come in a language, with its names, paths and fields', async () => {
  const reader = space.reader('public');
  for (const [slug, count] of [['few', 40], ['many', RELATED]]) {
    for (const path of [`team/${slug}`, `${language}/team/${slug}`]) {
      const { story } = (await reader.getStory(path, { language, ...RESOLVE })).data;
      assertRelations(story, members.slice(0, count), { lang: language });
    }
  }
  const member = members[0];
  const { story } = (await reader.getStory(member.translated, { language })).data;
  assertMember(story, member, { lang: language });
});

test('a language that the space has falls back to another where it has nothing', async () => {
  const [, other] = set.languages;
  const reader = space.reader('public');
  for (const member of members.slice(0, sources.length).filter((it) => !it.hidden)) {
    const { story } = (await reader.getStory(member.path, { language: 'xx', fallback_lang: language })).data;
    assertContent(story.content, delivered(member.content), `${member.path}: nothing replaces the default language`);
    const both = (await reader.getStory(member.path, { language: other.code, fallback_lang: language })).data.story;
    assertContent(both.content, delivered(member.content, other.code, language), `${member.path} in ${other.code}`);
  }
});

for (const form of ['url', 'link', 'story']) {
  for (const [slug, count] of [['few', 40], ['many', RELATED]]) {
    test(`${count} links are put in their places in the form ${form}`, async () => {
      const some = members.slice(0, count);
      const { story } = (await space.reader('public').getStory(`team/${slug}`, { resolve_links: form })).data;
      const check = (linked, member) => {
        if (member.hidden) return assert.equal(linked, undefined, 'what is not public is not linked');
        assert.deepEqual([linked.uuid, linked.id, linked.name, linked.full_slug], [member.uuid, member.id, member.name, member.path]);
        if (form === 'story') assertContent(linked.content, delivered(member.content), member.path);
        else assert.equal(linked.content, undefined);
      };
      for (const [at, member] of some.entries()) check(story.content.links[at].link.story, member);
      const { body } = await space.cdn(`stories/team/${slug}`, { resolve_links: form });
      const isTooMuch = form === 'story' && count > 50;
      assert.deepEqual([body.links === undefined, body.link_uuids === undefined], [isTooMuch, !isTooMuch]);
    });
  }
}

if (found.includes('studies-abroad')) {
  test('the links of a real navigation lead to the stories of its files', async () => {
    const abroad = dataset('studies-abroad');
    const site = await account.space('navigation');
    const { journal } = await load(site, abroad);
    const links = (await site.cdn('links', { version: 'draft' }, { token: site.tokens.preview })).body.links;
    const written = new Map(Object.values(links).map((link) => [link.id, link.uuid]));
    const uuids = new Map([...journal.values()].map(({ entry, id }) => [entry.source.uuid, written.get(id)]));
    const entries = new Map([...journal.values()].map(({ entry, id }) => [written.get(id), entry]));
    const settings = [...journal.values()].find(({ entry }) => entry.path === 'de/settings');
    const content = renamed(settings.entry.draft.content, uuids);
    await site.management.stories.update(settings.id, { body: { story: { content }, publish: 1 } });

    for (const resolve_links of ['url', 'link', 'story']) {
      const { story } = (await site.reader('public').getStory('de/settings', { resolve_links })).data;
      let count = 0;
      const visit = (node) => {
        if (node === null || typeof node !== 'object') return;
        if (node.fieldtype === 'multilink' && node.linktype === 'story' && entries.get(node.id)) {
          const entry = entries.get(node.id);
          if (!entry.published) return assert.equal(node.story, undefined, `${entry.path} is not public`);
          assert.deepEqual([node.story?.name, node.story?.full_slug], [entry.published.name, entry.path], resolve_links);
          if (resolve_links === 'story') assertContent(node.story.content, delivered(entry.published.content), entry.path);
          count += 1;
          return;
        }
        Object.values(node).forEach(visit);
      };
      visit(story.content);
      assert.ok(count > 50, `${count} links`);
    }
  });
}
