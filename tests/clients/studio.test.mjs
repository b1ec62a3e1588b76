// What the studio does to a story, without its screen: the draft, the client and saving, against the server. Every story of the datasets is opened and left, which
// writes nothing; then one field of each is changed and saved, and nothing else differs; undo brings the first content back.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from '../../studio/src/api/client.ts';
import { readComponents, readStory, saveStory, staleOf, validateStory } from '../../studio/src/api/story.ts';
import { Draft } from '../../studio/src/draft/draft.ts';
import { Saver } from '../../studio/src/draft/saver.ts';
import { readSchemas } from '../../studio/src/model/components.ts';
import { Account } from './support/account.mjs';
import { load } from './support/load-space.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { all, dataset } from './support/spaces.mjs';

const WIDTH = 8;
/** Members of a story that a change of its content may move. */
const MOVING = ['content', 'revision', 'last_version', 'updated_at', 'unpublished_changes', 'last_author', 'last_author_id', 'preview_token', 'translated_stories'];

let server, account, person;
/** The requests that the studio has sent and that change something. Asking what is wrong with a story changes nothing. */
const writes = [];
const browser = globalThis.fetch;

before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
  person = (await account.call('GET', '/api/me')).id;
  // The studio's client names paths, as in its page, and the browser adds the cookies.
  globalThis.fetch = (path, request = {}) => {
    if (!String(path).startsWith('/')) return browser(path, request);
    if ((request.method ?? 'GET') !== 'GET' && !path.endsWith('/validate')) writes.push(`${request.method} ${path}`);
    return browser(server.url + path, { ...request, headers: { ...request.headers, cookie: account.cookies } });
  };
});
after(async () => {
  globalThis.fetch = browser;
  await server?.dispose();
});

const clock = {
  now: () => Date.now(),
  wake(at, act) {
    const timer = setTimeout(act, Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  },
};

for (const name of all) {
  describe(name, () => {
    let space, client, schemas, ids;

    before(async () => {
      space = await account.space(name);
      const { journal } = await load(space, dataset(name));
      ids = [...journal.values()].filter(({ entry }) => !entry.isFolder).map(({ id }) => id);
      const { csrfToken } = await account.call('GET', '/api/csrf-token');
      client = new Client(space.id, person, csrfToken, () => assert.fail('the session has ended'));
      schemas = readSchemas(await readComponents(client));
    });

    /** Opens a story as its screen does. */
    async function open(id) {
      const story = await readStory(client, id);
      const draft = new Draft({ revision: story.revision, content: story.content }, schemas, clock.now);
      const saver = new Saver(draft, { save: (request, onsignedout) => saveStory(client, id, request, { onsignedout }), staleOf }, clock);
      return { story, draft, saver };
    }

    test('every story is opened and left, and nothing is written', async () => {
      writes.length = 0;
      await pool(ids, WIDTH, async (id) => {
        const { story, draft, saver } = await open(id);
        saver.problems = await validateStory(client, id);
        assert.equal(draft.content(), story.content);
        await saver.flush();
        saver.stop();
      });
      assert.deepEqual(writes, []);
    });

    test('one field of every story is changed and saved, nothing else differs, and undo brings the first content back', async () => {
      await pool(ids, WIDTH, async (id) => {
        const { story, draft, saver } = await open(id);
        const [key, field, value] = fieldOf(draft, id);
        draft.apply({ kind: 'set', block: key, field, value });
        // What it must be, made without the draft.
        const expected = structuredClone(story.content);
        blockAt(expected, draft.path(key))[field] = value;
        await saver.save();
        const saved = await readStory(client, id);
        assert.deepEqual(saved.content, expected, story.full_slug);
        assert.deepEqual(without(saved, MOVING), without(story, MOVING));
        assert.equal(saved.revision, draft.base().revision);
        draft.undo();
        await saver.flush();
        const undone = await readStory(client, id);
        assert.deepEqual(undone.content, story.content, story.full_slug);
        assert.equal(saver.state.kind, 'saved');
        saver.stop();
      });
    });
  });
}

/** A text somewhere in the story, another place in each, and what it becomes. */
function fieldOf(draft, id) {
  const keys = keysOf(draft, draft.root);
  const key = keys[id % keys.length];
  const fields = Object.entries(draft.block(key)).filter(([field, value]) => typeof value === 'string' && !['_uid', 'component'].includes(field));
  const [field, value] = fields.length > 0 ? fields[id % fields.length] : ['a field that no schema names', ''];
  return [key, field, `${value} – geändert`];
}

function keysOf(draft, key) {
  return [key, ...draft.lists(key).flatMap((list) => draft.children(key, list)).flatMap((child) => keysOf(draft, child))];
}

/** The block at a path, in plain JSON; a number behind a rich text is that of its `blok` node. */
function blockAt(content, path) {
  let found = content;
  for (const step of path === '' ? [] : path.split('/')) {
    if (found.type === 'doc') found = blokNodes(found)[Number(step)].attrs.body;
    else found = found[step];
  }
  return found;
}

function blokNodes(node) {
  return [...(node.type === 'blok' ? [node] : []), ...(node.content ?? []).flatMap(blokNodes)];
}

function without(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
