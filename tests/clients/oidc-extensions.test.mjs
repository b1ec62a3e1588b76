// What the OpenID provider has beyond the Basic OP, tried with openid-client: pushed requests, DPoP, private_key_jwt, device codes,
// introspection and revocation.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as oidc from 'openid-client';
import { Account } from './support/account.mjs';
import { CALLBACK, RelyingParty, SECRET } from './support/relying-party.mjs';
import { Server } from './support/server.mjs';

const grantTypes = ['authorization_code', 'refresh_token'];
const usual = { redirectUris: [CALLBACK], grantTypes };
let server;
let account;
let clientKey;

before(async () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  clientKey = await crypto.subtle.importKey('pkcs8', pem, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign']);
  const jwks = { keys: [pair.publicKey.export({ format: 'jwk' })] };
  const clients = [
    { ...usual, clientId: 'one', clientSecret: SECRET, requirePkce: false },
    { ...usual, clientId: 'pushing', clientSecret: SECRET, requirePushedAuthorizationRequests: true },
    { ...usual, clientId: 'bound', kind: 'public', dpopBoundAccessTokens: true },
    { clientId: 'tv', kind: 'public', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] },
    { ...usual, clientId: 'keyed', tokenEndpointAuthMethod: 'private_key_jwt', jwks, idTokenSignedResponseAlg: 'ES256' },
  ];
  server = await Server.start({ APP_OIDC_CLIENTS_JSON: JSON.stringify(clients), APP_OIDC_RESOURCE_AUDIENCE: 'https://api.example' });
  account = await Account.signedIn(server);
});
after(() => server?.dispose());

/** A client with this metadata. */
async function party(clientId, authentication, metadata = {}) {
  const options = { execute: [oidc.allowInsecureRequests] };
  const config = await oidc.discovery(new URL(server.url), clientId, metadata, authentication, options);
  return new RelyingParty(server, account, config);
}

/** A sign-in with PKCE whose request is pushed. */
async function signInPushed(party, { DPoP, scope = 'openid offline_access', ...more } = {}) {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const parameters = {
    redirect_uri: CALLBACK,
    scope,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  };
  const url = await oidc.buildAuthorizationUrlWithPAR(party.config, parameters, { DPoP });
  assert.deepEqual([...url.searchParams.keys()].sort(), ['client_id', 'request_uri']);
  const { callback } = await party.authorize({}, await party.visit(url));
  const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
  return oidc.authorizationCodeGrant(party.config, callback, checks, undefined, { DPoP });
}

test('a client signs people in by requests that it pushes', async () => {
  const pushing = await party('pushing', oidc.ClientSecretBasic(SECRET));
  const tokens = await signInPushed(pushing);
  const userinfo = await oidc.fetchUserInfo(pushing.config, tokens.access_token, tokens.claims().sub);
  assert.equal(userinfo.sub, tokens.claims().sub);
  assert.equal(await pushing.refusal({}), 'invalid_request');
});

for (const algorithm of ['ES256', 'Ed25519', 'RS256', 'PS256']) {
  test(`a public client binds its tokens to a key: ${algorithm}`, async () => {
    const bound = await party('bound', oidc.None());
    const DPoP = oidc.getDPoPHandle(bound.config, await oidc.randomDPoPKeyPair(algorithm));
    const tokens = await signInPushed(bound, { DPoP });
    // openid-client writes token types in lower case.
    assert.equal(tokens.token_type, 'dpop');
    const { sub } = tokens.claims();
    assert.equal((await oidc.fetchUserInfo(bound.config, tokens.access_token, sub, { DPoP })).sub, sub);
    const next = await oidc.refreshTokenGrant(bound.config, tokens.refresh_token, undefined, { DPoP });
    assert.equal((await oidc.fetchUserInfo(bound.config, next.access_token, sub, { DPoP })).sub, sub);
    const other = oidc.getDPoPHandle(bound.config, await oidc.randomDPoPKeyPair('ES256'));
    await assert.rejects(oidc.refreshTokenGrant(bound.config, next.refresh_token, undefined, { DPoP: other }), { error: 'invalid_grant' });
  });
}

test('a client authenticates with a key of its own', async () => {
  const keyed = await party('keyed', oidc.PrivateKeyJwt(clientKey), { id_token_signed_response_alg: 'ES256' });
  for (let time = 0; time < 2; time += 1) {
    const tokens = await signInPushed(keyed);
    const next = await oidc.refreshTokenGrant(keyed.config, tokens.refresh_token);
    assert.ok(next.access_token);
  }
});

for (const [kind, metadata] of [
  ['plain', {}],
  ['signed', { introspection_signed_response_alg: 'RS256' }],
]) {
  test(`a server is told what a token is good for: ${kind}`, async () => {
    const one = await party('one', oidc.ClientSecretPost(SECRET), metadata);
    const tokens = await signInPushed(one, { scope: 'openid email offline_access' });
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const answer = await oidc.tokenIntrospection(one.config, token);
      assert.deepEqual([answer.active, answer.client_id, answer.sub], [true, 'one', tokens.claims().sub]);
    }
    assert.deepEqual(await oidc.tokenIntrospection(one.config, 'x'), { active: false });
    const jwt = await signInPushed(one, { resource: 'https://api.example' });
    assert.equal((await oidc.tokenIntrospection(one.config, jwt.access_token)).aud, 'https://api.example');
  });
}

test('a client revokes what it does not need any more', async () => {
  const one = await party('one', oidc.ClientSecretBasic(SECRET));
  const tokens = await signInPushed(one);
  await oidc.tokenRevocation(one.config, tokens.access_token);
  await assert.rejects(oidc.fetchUserInfo(one.config, tokens.access_token, tokens.claims().sub), { status: 401 });
  await oidc.tokenRevocation(one.config, tokens.refresh_token, { token_type_hint: 'refresh_token' });
  await assert.rejects(oidc.refreshTokenGrant(one.config, tokens.refresh_token), { error: 'invalid_grant' });
  assert.deepEqual(await oidc.tokenIntrospection(one.config, tokens.refresh_token), { active: false });
});

/** The person's browser: the page of a device with the code filled in, and then the page that asks, their forms sent as they are but for what was pressed. */
async function decide(page, action) {
  const browser = await party('tv', oidc.None());
  const form = async (answer) => {
    const html = await answer.text();
    assert.equal(answer.status, 200, html);
    const field = (name) => html.match(new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]+)"`))[1];
    return { csrf_token: field('csrf_token'), user_code: field('user_code') };
  };
  const send = (fields) => browser.visit(`${server.url}/device`, { method: 'POST', body: new URLSearchParams(fields) });
  const asked = await form(await send(await form(await browser.visit(page))));
  const answer = await send({ ...asked, action });
  assert.equal(answer.status, 303, await answer.text());
}

test('a device signs a person in who decides in a browser', async () => {
  const { config } = await party('tv', oidc.None());
  const begun = await oidc.initiateDeviceAuthorization(config, { scope: 'openid profile offline_access' });
  assert.match(begun.user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
  assert.equal(begun.interval, 5);
  // The person decides once the library has asked in vain for the first time.
  const answers = [];
  config[oidc.customFetch] = async (url, options) => {
    const answer = await fetch(url, options);
    if (url.endsWith('/oidc/token') && answers.push(answer.status) === 1) await decide(begun.verification_uri_complete, 'allow');
    return answer;
  };
  const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...begun, interval: 1 });
  assert.deepEqual(answers, [400, 200]);
  const claims = tokens.claims();
  assert.equal(claims.aud, 'tv');
  assert.equal((await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)).given_name, 'Erika');
  const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
  assert.equal(renewed.claims().sub, claims.sub);

  const denied = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
  await decide(denied.verification_uri_complete, 'deny');
  await assert.rejects(oidc.pollDeviceAuthorizationGrant(config, { ...denied, interval: 1 }), { error: 'access_denied' });
});
