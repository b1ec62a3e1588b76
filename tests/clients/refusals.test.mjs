// Node's fetch sends a large body that the server refuses before it has read it: the answer arrives, every time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from './support/account.mjs';
import { Server } from './support/server.mjs';

const ROUNDS = 20;
const LARGE = 16 << 20;

let server;

before(async () => {
  server = await Server.start();
});
after(() => server?.dispose());

function form() {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(LARGE)]), 'large.bin');
  return { body };
}

const json = () => ({ body: JSON.stringify({ story: { name: 'x'.repeat(LARGE) } }), headers: { 'Content-Type': 'application/json' } });

test('a refused request has its answer, twenty times of twenty', async () => {
  const account = await Account.signedIn(server);
  const space = await account.space('Refusals');
  const token = { Authorization: space.managementToken };
  for (const [what, path, request, headers, status] of [
    ['a form without a token', `/api/v1/spaces/${space.id}/assets`, form, {}, 401],
    ['a story without a token', `/api/v1/spaces/${space.id}/stories`, json, {}, 401],
    ['a story that is too large', `/api/v1/spaces/${space.id}/stories`, json, token, 413],
    ['a body without a CSRF token', '/api/auth/logout', json, { Cookie: account.cookies }, 403],
  ]) {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { body, headers: own } = request();
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', body, headers: { ...own, ...headers } });
      assert.equal(answer.status, status, `${what}, round ${round}`);
      assert.equal(typeof (await answer.json()), 'object', `${what}, round ${round}`);
    }
  }
});
