// Whole spaces, written through the Management API and read back with Storyblok's own client: every content is compared.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Account } from './support/account.mjs';
import { assertContent, delivered, refused, withoutMarks } from './support/expect.mjs';
import { load } from './support/load-space.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { dataset, names } from './support/spaces.mjs';

const WIDTH = 8;
/** Each version and the kind of token that an application reads it with. */
const VERSIONS = [
  { version: 'published', kind: 'public' },
  { version: 'draft', kind: 'preview' },
];

let server, account;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
});
after(() => server?.dispose());

for (const name of names) {
  describe(name, () => {
    const set = dataset(name);
    const stories = set.entries.filter((entry) => !entry.isFolder);
    let space, journal;
    const id = (entry) => journal.get(entry.source.id).id;
    const parentId = (entry) => (entry.source.parent_id ? journal.get(entry.source.parent_id).id : 0);

    before(async () => {
      space = await account.space(name);
      ({ journal } = await load(space, set));
    });

    for (const { version, kind } of VERSIONS) {
      const shown = stories.filter((entry) => entry[version]);
      const hidden = stories.filter((entry) => !entry[version]);

      const assertStory = (entry, story) => {
        const { path, source } = entry;
        const content = version === 'draft' ? withoutMarks(story.content, space.id, story.id) : story.content;
        assertContent(content, delivered(entry[version].content), `${path} ${version}`);
        assert.deepEqual(
          pick(story, ['id', 'name', 'slug', 'full_slug', 'parent_id', 'position', 'is_startpage', 'tag_list', 'path', 'sort_by_date', 'meta_data', 'lang']),
          {
            id: id(entry),
            name: entry[version].name,
            slug: source.slug,
            full_slug: path,
            parent_id: parentId(entry),
            position: source.position,
            is_startpage: source.is_startpage,
            tag_list: source.tag_list,
            path: source.path,
            sort_by_date: source.sort_by_date,
            meta_data: source.meta_data,
            lang: 'default',
          },
          path,
        );
        assert.equal(story.published_at !== null, Boolean(entry.published), `${path}: published_at`);
      };

      test(`the ${version} list holds every ${version} story as it was written`, async () => {
        const listed = await space.reader(kind).getAll('cdn/stories', { version, per_page: 100 });
        assert.deepEqual(listed.map((story) => story.full_slug).sort(), shown.map((entry) => entry.path).sort());
        const byId = new Map(listed.map((story) => [story.id, story]));
        for (const entry of shown) assertStory(entry, byId.get(id(entry)));
      });

      test(`each ${version} story is found by its slug, its id and its uuid`, async () => {
        const reader = space.reader(kind);
        await pool(shown, WIDTH, async (entry) => {
          const { data } = await reader.getStory(encodePath(entry.path), { version });
          assertStory(entry, data.story);
          const ways = [String(id(entry)), data.story.uuid].map((way) => reader.getStory(way, { version }));
          ways.push(reader.getStory(data.story.uuid, { version, find_by: 'uuid' }));
          for (const { data: other } of await Promise.all(ways)) assert.deepEqual(other, data);
          assert.ok(Number.isInteger(data.cv), 'cv');
          assert.deepEqual([data.rels, data.links], [[], []]);
        });
      });

      test(`what has no ${version} version is not found`, async () => {
        const reader = space.reader(kind);
        await pool(hidden, WIDTH, async (entry) => {
          await refused(reader.getStory(encodePath(entry.path), { version }), 404);
          await refused(reader.getStory(String(id(entry)), { version }), 404);
        });
      });

      test(`the ${version} links map is complete, paged and unpaged`, async () => {
        const expected = set.entries.filter((entry) => entry.isFolder || entry[version]).map((entry) => ({
          id: id(entry),
          name: (entry[version] ?? entry.draft).name,
          slug: entry.path,
          parent_id: parentId(entry),
          position: entry.source.position,
          is_folder: entry.isFolder,
          is_startpage: entry.source.is_startpage,
          published: Boolean(entry.published),
        }));
        const paged = await space.reader(kind).getAll('cdn/links', { version, per_page: 100 });
        const { body } = await space.cdn('links', { version }, { token: space.tokens[kind] });
        for (const [uuid, link] of Object.entries(body.links)) assert.equal(link.uuid, uuid);
        for (const links of [paged, Object.values(body.links)]) {
          assert.deepEqual(links.map((link) => pick(link, Object.keys(expected[0]))).sort(byNumber), expected.sort(byNumber));
        }
      });
    }

    for (const { code } of set.languages) {
      test(`the stories are read in ${code}`, async () => {
        const reader = space.reader('public');
        await pool(stories.filter((entry) => entry.published), WIDTH, async (entry) => {
          const { story } = (await reader.getStory(encodePath(entry.path), { language: code })).data;
          assertContent(story.content, delivered(entry.published.content, code), `${entry.path} in ${code}`);
          const slug = entry.source.translated_slugs.find((it) => it.lang === code);
          const path = translatedPath(set, entry, code);
          assert.deepEqual(pick(story, ['lang', 'slug', 'full_slug', 'name']), {
            lang: code,
            slug: path.split('/').pop() || entry.source.slug,
            full_slug: `${code}/${path}`,
            name: slug?.name ?? entry.published.name,
          });
        });
      });
    }

    test('the space says its name, its languages and its version', async () => {
      const { space: me } = (await space.reader('public').get('cdn/spaces/me')).data;
      assert.deepEqual(pick(me, ['id', 'name', 'language_codes']), {
        id: space.id,
        name,
        language_codes: set.languages.map((language) => language.code),
      });
      const { cv } = (await space.reader('public').getStories({ per_page: 1 })).data;
      assert.equal(me.version, cv);
    });

    test('the management client reads back what was written', async () => {
      await pool(set.entries, WIDTH, async (entry) => {
        const { story } = (await space.management.stories.get(id(entry))).data;
        const { source } = entry;
        if (!entry.isFolder) assertContent(story.content, entry.draft.content, entry.path);
        assert.deepEqual(
          pick(story, ['name', 'slug', 'full_slug', 'parent_id', 'position', 'is_folder', 'is_startpage', 'published', 'unpublished_changes', 'tag_list', 'path', 'sort_by_date', 'meta_data', 'default_root']),
          {
            ...pick(source, ['name', 'slug', 'full_slug', 'position', 'is_folder', 'is_startpage', 'published', 'unpublished_changes', 'tag_list', 'path', 'sort_by_date', 'meta_data', 'default_root']),
            parent_id: parentId(entry),
          },
        );
        const translated = (list) => list.map((it) => pick(it, ['lang', 'slug', 'name']));
        assert.deepEqual(translated(story.translated_slugs ?? []), translated(source.translated_slugs), entry.path);
        assert.equal(story.first_published_at !== null, Boolean(source.first_published_at), `${entry.path}: first_published_at`);
      });
    });

    test('the management list pages through stories and folders with their states', async () => {
      const listed = [];
      for (let page = 1, total = 1; listed.length < total; page += 1) {
        const { data, response } = await space.management.stories.list({ query: { per_page: 100, page } });
        assert.ok(data.stories.length, `page ${page} is empty, ${listed.length} of ${total}`);
        listed.push(...data.stories);
        total = Number(response.headers.get('total'));
        assert.equal(response.headers.get('per-page'), '100');
      }
      const states = (story) => pick(story, ['id', 'full_slug', 'is_folder', 'published', 'unpublished_changes']);
      const expected = set.entries.map((entry) => states({ ...entry.source, id: id(entry) }));
      assert.deepEqual(listed.map(states).sort(byNumber), expected.sort(byNumber));
      assert.ok(listed.every((story) => !('content' in story)), 'a list has no content');
    });
  });
}

function pick(object, keys) {
  return Object.fromEntries(keys.map((key) => [key, object?.[key]]));
}

function byNumber(one, other) {
  return one.id - other.id;
}

/** A path as a browser writes it: the segments encoded, the slashes kept. */
function encodePath(path) {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The path of an entry with every slug on the way in the language, where it has one. */
function translatedPath(set, entry, code) {
  const slugIn = ({ source }) => source.translated_slugs.find((it) => it.lang === code)?.slug ?? source.slug;
  const folders = [];
  for (let at = entry.source.parent_id; at; ) {
    const folder = set.entries.find((it) => it.source.id === at);
    folders.unshift(slugIn(folder));
    at = folder.source.parent_id;
  }
  return [...folders, entry.source.is_startpage ? '' : slugIn(entry)].join('/');
}
