// The lines for openid-client that the console shows with a client: they sign a person in as they stand there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as oidc from 'openid-client';
import { Account } from './support/account.mjs';
import { CALLBACK, SECRET, RelyingParty } from './support/relying-party.mjs';
import { Server } from './support/server.mjs';

const AsyncFunction = (async () => {}).constructor;

let server;
let account;

before(async () => {
  const usual = { redirectUris: [CALLBACK], grantTypes: ['authorization_code', 'refresh_token'] };
  const clients = [
    { ...usual, clientId: 'shop', clientSecret: SECRET },
    { ...usual, clientId: 'spa', kind: 'public', tokenEndpointAuthMethod: 'none' },
  ];
  server = await Server.start({ APP_OIDC_CLIENTS_JSON: JSON.stringify(clients) });
  account = await Account.signedIn(server);
});
after(() => server?.dispose());

/** The page of a client, and a text on it by the id of its element. */
async function page(client) {
  const answer = await fetch(`${server.url}/admin/clients/${client}`, { headers: { cookie: account.cookies } });
  assert.equal(answer.status, 200);
  const html = await answer.text();
  const plain = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return { html, text: (id) => plain(html.match(new RegExp(`id="${id}"[^>]*>([^<]*)<`))[1]) };
}

for (const client of ['shop', 'spa']) {
  test(`the lines for ${client} sign in`, async () => {
    const { html, text } = await page(client);
    assert.ok(html.includes(`<code>${server.url}</code>`), 'the issuer');
    assert.ok(html.includes(`href="${server.url}/.well-known/openid-configuration"`), 'the discovery address');
    const [begin, end] = text('snippet-0').replace(/^import .*\n/, '').split(/^\/\/ at the redirect URI.*\n/m);
    const party = new RelyingParty(server, account);
    const visit = async (address) => (await party.authorize({}, await party.visit(address))).callback;
    const run = new AsyncFunction('oidc', 'visit', 'process', `${begin}\nconst url = await visit(address)\n${end}\nreturn { tokens, person }`);
    const { tokens, person } = await run(oidc, visit, { env: { CLIENT_SECRET: SECRET } });
    assert.deepEqual([person.email, person.name], ['editor@example.com', 'Erika Muster']);
    assert.ok(tokens.refresh_token);
  });
}
