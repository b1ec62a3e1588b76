// README.md and docs/: what they show in JavaScript, and the commands that need packages of the npm registry, as they are written there. The other commands
// are run by tests/it/documents.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import { Account } from './support/account.mjs';
import { blocks, evaluate, root } from './support/documents.mjs';
import { freePort } from './support/free-port.mjs';
import { RelyingParty } from './support/relying-party.mjs';
import { Server } from './support/server.mjs';

const BASE = 'http://localhost:8080';

let directory;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lectern-documents-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The first shell block of a document that has this in it. */
async function command(document, part) {
  const block = (await blocks(document, 'sh')).find((text) => text.includes(part));
  assert.ok(block, `${document} has no block with ${part}`);
  return block;
}

test('every block in JavaScript is run by a test', async () => {
  const documents = ['README.md', ...(await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const counts = await Promise.all(documents.map(async (document) => [document, (await blocks(document, 'js')).length]));
  // The one of docs/webhooks.md is in webhooks.test.mjs.
  assert.deepEqual(counts.filter(([, count]) => count > 0), [['README.md', 1], ['docs/webhooks.md', 1]]);
});

test('the line of README.md moves a front end', async () => {
  const server = await Server.start();
  try {
    const space = await (await Account.signedIn(server)).space('Site');
    const folder = await space.manage('post', 'stories', { body: { story: { name: 'News', slug: 'news', is_folder: true } } });
    const story = { name: 'Hello', slug: 'hello', parent_id: folder.story.id, content: { component: 'page', title: 'Hello' } };
    await space.manage('post', 'stories', { body: { publish: 1, story } });
    process.env.STORYBLOK_TOKEN = space.tokens.public;
    const [block] = await blocks('README.md', 'js');
    assert.ok(block.includes(BASE));
    const { data } = await evaluate(block.replaceAll(BASE, server.url), ['data']);
    assert.deepEqual(data.stories.map(({ full_slug: slug }) => slug), ['news/hello']);
  } finally {
    delete process.env.STORYBLOK_TOKEN;
    await server.dispose();
  }
});

test('the command line of docs/moving.md pulls components', async () => {
  const server = await Server.start();
  try {
    const space = await (await Account.signedIn(server)).space('Site');
    await space.manage('post', 'components', { body: { component: { name: 'teaser', schema: { title: { type: 'text' } } } } });
    await mkdir(join(directory, 'tests/clients'), { recursive: true });
    await symlink(join(root, 'tests/clients/support'), join(directory, 'tests/clients/support'));
    await symlink(join(root, 'tests/node_modules'), join(directory, 'node_modules'));
    const env = { ...process.env, HOME: directory, NO_COLOR: '1', CI: '1', BASE: server.url, TOKEN: space.managementToken, SPACE: String(space.id) };
    const block = await command('docs/moving.md', 'npx storyblok');
    await promisify(execFile)('bash', ['-euc', block], { cwd: directory, env, timeout: 60_000 });
    const pulled = await readdir(join(directory, '.storyblok/components', String(space.id)));
    assert.ok(pulled.includes('components.json'), pulled.join(' '));
  } finally {
    await server.dispose();
  }
});

test('the application of docs/clients.md lets a person sign in', async () => {
  const port = await freePort();
  const home = `http://127.0.0.1:${port}`;
  const clients = (await blocks('docs/clients.md', 'json')).find((block) => block.includes('"example"')).replaceAll('http://127.0.0.1:3000', home);
  const server = await Server.start({ APP_OIDC_CLIENTS_JSON: clients });
  await cp(join(root, 'examples/relying-party'), join(directory, 'examples/relying-party'), {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  });
  const env = { ...process.env, ISSUER: server.url, PORT: String(port) };
  const block = await command('docs/clients.md', 'examples/relying-party');
  const application = spawn('bash', ['-euc', block], { cwd: directory, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((end) => application.once('exit', end));
  try {
    let printed = '';
    for await (const text of application.stdout.setEncoding('utf8')) {
      printed += text;
      if (printed.includes(`open ${home}`)) break;
    }
    assert.ok(printed.includes(`open ${home}`), printed);
    const party = new RelyingParty(server, await Account.signedIn(server, 'ann@example.org'));
    const start = await party.visit(home);
    const { callback, pages } = await party.authorize({}, await party.visit(start.headers.get('location')));
    assert.deepEqual(pages, []);
    assert.equal(await (await fetch(callback)).text(), 'Hello, Erika Muster <ann@example.org>');
  } finally {
    // The shell and what it has started.
    if (application.exitCode === null) process.kill(-application.pid);
    await ended;
    await server.dispose();
  }
});
