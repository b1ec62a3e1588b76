// kill -9 in the middle of a load: what was acknowledged is there, and the load can be carried on.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from './support/account.mjs';
import { assertContent, delivered } from './support/expect.mjs';
import { Loader } from './support/load-space.mjs';
import { pool } from './support/pool.mjs';
import { Server } from './support/server.mjs';
import { dataset, names } from './support/spaces.mjs';

const WIDTH = 8;

let server;
before(async () => {
  server = await Server.start();
});
after(() => server?.dispose());

test('no acknowledged story is lost when the server is killed while a space is written', async (t) => {
  const set = dataset(names.at(-1));
  const space = await (await Account.signedIn(server)).space(set.name);
  const loader = new Loader(space, set);
  await loader.prepare();
  const writes = loader.left;
  // Fewer than are left after the last kill: what is under way then may be answered, and the rest is not.
  loader.width = Math.min(WIDTH, Math.max(2, Math.floor(writes / 8)));

  for (const part of [0.1, 0.4, 0.6]) {
    const moment = loader.acknowledged + Math.max(1, Math.round(loader.left * part));
    let killed;
    loader.onAcknowledged = (count) => count >= moment && (killed ??= server.kill());
    await assert.rejects(loader.run());
    assert.equal(await killed, 'SIGKILL');
    await server.start();
    const unknown = await settle(space, loader);
    t.diagnostic(`killed after ${loader.acknowledged} of ${writes} writes, ${unknown} under way`);
  }

  loader.onAcknowledged = () => {};
  await loader.run();
  await settle(space, loader);
  const links = Object.values((await space.cdn('links', { version: 'draft' }, { token: space.tokens.preview })).body.links);
  assert.deepEqual(links.map((link) => link.slug).sort(), set.entries.map((entry) => entry.path).sort());
});

/**
 * Compares every record of the journal with the server: an acknowledged state must stand, exactly. Only where a write was under way
 * may its outcome stand instead; the journal then takes that over. Answers how many such writes there were.
 */
async function settle(space, loader) {
  let unknown = 0;
  const { body } = await space.cdn('links', { version: 'draft' }, { token: space.tokens.preview });
  const ids = new Map(Object.values(body.links).map((link) => [link.slug, link.id]));
  await pool(loader.journal.values(), WIDTH, async (record) => {
    const { entry, state, pending } = record;
    const id = ids.get(entry.path);
    if (state) assert.equal(id, record.id, `${entry.path} was acknowledged`);
    else if (!pending) assert.equal(id, undefined, `${entry.path} was never sent`);

    if (pending) {
      unknown += 1;
      record.pending = null;
      if (id && (!state || (await stands(space, entry, id, pending)))) {
        Object.assign(record, { id, state: pending, done: record.done + 1 });
      }
    }
    if (record.state) await assertStands(space, entry, record.id, record.state);
  });
  return unknown;
}

async function stands(space, entry, id, state) {
  try {
    await assertStands(space, entry, id, state);
    return true;
  } catch (error) {
    if (error.code === 'ERR_ASSERTION') return false;
    throw error;
  }
}

/** The story has exactly this draft and this published version (or none), to its editor and to the public. */
async function assertStands(space, entry, id, { draft, published }) {
  const { story } = (await space.management.stories.get(id)).data;
  assert.equal(story.name, draft.name, entry.path);
  assert.equal(story.published, Boolean(published), entry.path);
  if (entry.isFolder) return;
  assertContent(story.content, draft.content, entry.path);
  const { status, body } = await space.cdn(`stories/${id}`);
  assert.equal(status, published ? 200 : 404, entry.path);
  if (!published) return;
  assert.equal(body.story.name, published.name, entry.path);
  assertContent(body.story.content, delivered(published.content), entry.path);
}
