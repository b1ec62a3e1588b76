// Webhooks at a receiver that checks signatures with node:crypto and with the library of Standard Webhooks: neither knows our code.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { Account } from './support/account.mjs';
import { blocks, evaluate } from './support/documents.mjs';
import { until } from './support/pool.mjs';
import { Server } from './support/server.mjs';

const SECRET = 'a secret that only the two of us know';
const STANDARD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let server;
let receiver;
const got = [];
let status = 200;

before(async () => {
  receiver = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    got.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(status).end('seen');
  });
  await new Promise((listening) => receiver.listen(0, '127.0.0.1', listening));
  server = await Server.start({ APP_ALLOWED_PRIVATE_TARGETS: '127.0.0.1', APP_WEBHOOK_BACKOFF: '100ms,100ms,100ms,100ms' });
});
after(async () => {
  receiver?.close();
  receiver?.closeAllConnections();
  await server?.dispose();
});

/** As docs/webhooks.md has it. */
const { isGenuine } = await evaluate((await blocks('docs/webhooks.md', 'js'))[0], ['isGenuine']);

async function arrived(count) {
  await until(`${count} deliveries arrive`, () => got.length >= count);
  return got.at(count - 1);
}

test('a receiver believes what it can check, by both kinds of signature, and nothing that was changed', async () => {
  const space = await (await Account.signedIn(server)).space('Hooks');
  const api = async (method, path, body) => {
    const answer = await fetch(`${server.url}/api/v1/spaces/${space.id}${path}`, {
      method,
      headers: { Authorization: space.managementToken, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const url = `http://127.0.0.1:${receiver.address().port}/hook`;
  const events = ['story.published', 'story.unpublished', 'story.deleted', 'story.moved'];
  const { webhook } = await api('POST', '/webhooks', { name: 'Node', url, events, secret: SECRET });

  const { story } = await api('POST', '/stories', { story: { name: 'A', slug: 'a', content: { component: 'page' } }, publish: 1 });
  const first = await arrived(1);
  assert.match(first.headers['x-webhook-signature'], /^[0-9a-f]{64}$/);
  assert.ok(isGenuine(first.body, first.headers['x-webhook-signature'], SECRET));
  assert.ok(!isGenuine(Buffer.concat([first.body, Buffer.from(' ')]), first.headers['x-webhook-signature'], SECRET));
  assert.ok(!isGenuine(first.body, first.headers['x-webhook-signature'], 'another secret'));
  const payload = new Webhook(SECRET, { format: 'raw' }).verify(first.body, first.headers);
  assert.deepEqual(Object.keys(payload), ['action', 'space_id', 'story_id', 'full_slug', 'uuid', 'delivery_id', 'timestamp']);
  assert.deepEqual(
    [payload.action, payload.space_id, payload.story_id, payload.full_slug, payload.uuid],
    ['story.published', space.id, story.id, 'a', story.uuid],
  );
  assert.match(payload.delivery_id, /^whd_[0-9a-f]{32}$/);
  assert.equal(payload.timestamp, new Date(payload.timestamp).toISOString());
  assert.throws(() => new Webhook('another secret', { format: 'raw' }).verify(first.body, first.headers));

  await api('PUT', `/webhooks/${webhook.id}`, { secret: STANDARD });
  await api('PUT', `/stories/${story.id}`, { story: { slug: 'b' } });
  const second = await arrived(2);
  for (const secret of [new Webhook(STANDARD), new Webhook(SECRET, { format: 'raw' })]) {
    assert.equal(secret.verify(second.body, second.headers).old_full_slug, 'a');
  }
  assert.ok(isGenuine(second.body, second.headers['x-webhook-signature'], STANDARD));
  assert.ok(isGenuine(second.body, second.headers['x-webhook-signature-previous'], SECRET));

  status = 500;
  await api('POST', `/stories/${story.id}/unpublish`);
  await arrived(7);
  const copies = got.slice(2).map((it) => it.body.toString());
  assert.deepEqual([copies.length, new Set(copies).size], [5, 1]);
  await until('the dead letter is in the audit log', async () => {
    const { audit_log } = await api('GET', '/audit_log?types=webhook.dead_lettered');
    return audit_log.length === 1 && audit_log[0].meta.delivery_id === JSON.parse(copies[0]).delivery_id;
  });
});
