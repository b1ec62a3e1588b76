// The OpenID provider and openid-client, a certified relying party, as strict as it is. Each test is named after the module of the OpenID Foundation's
// certification plan for a Basic OP that it follows.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Account } from './support/account.mjs';
import { BYE, CALLBACK, RelyingParty, SECRET, clients, entropy } from './support/relying-party.mjs';
import { Server } from './support/server.mjs';

let server;
let account;
let party;

before(async () => {
  server = await Server.start({ APP_OIDC_CLIENTS_JSON: clients() });
  account = await Account.signedIn(server);
  party = await RelyingParty.discover(server, account);
});
after(() => server?.dispose());

const seconds = (count) => new Promise((done) => setTimeout(done, count * 1000));
const metadata = () => party.config.serverMetadata();

test('oidcc-server', async () => {
  const { tokens, claims, userinfo, pages } = await party.signIn();
  assert.deepEqual(pages, []);
  assert.equal(tokens.expires_in, 3600);
  assert.ok(claims.at_hash && claims.sid && claims.acr);
  assert.deepEqual(Object.keys(userinfo), ['sub']);
  assert.equal(claims.name, undefined);
  const two = await RelyingParty.discover(server, account, 'two');
  assert.equal((await two.signIn()).claims.sub, claims.sub);
});

test('oidcc-response-type-missing', async () => {
  assert.equal(await party.refusal({ response_type: '' }), 'invalid_request');
});

test('oidcc-idtoken-signature', async () => {
  const { tokens } = await party.signIn();
  const header = JSON.parse(Buffer.from(tokens.id_token.split('.')[0], 'base64url'));
  assert.equal(header.alg, 'RS256');
  const { keys } = await (await fetch(metadata().jwks_uri)).json();
  assert.ok(keys.some((key) => key.kid === header.kid));
});

test('oidcc-idtoken-unsigned: none is not offered', () => {
  assert.ok(!metadata().id_token_signing_alg_values_supported.includes('none'));
});

for (const [name, init] of [
  ['oidcc-userinfo-get', (token) => ({ headers: { authorization: `Bearer ${token}` } })],
  ['oidcc-userinfo-post-header', (token) => ({ method: 'POST', headers: { authorization: `Bearer ${token}` } })],
  ['oidcc-userinfo-post-body', (token) => ({ method: 'POST', body: new URLSearchParams({ access_token: token }) })],
]) {
  test(name, async () => {
    const { tokens, claims } = await party.signIn({ scope: 'openid profile email' });
    const answer = await fetch(metadata().userinfo_endpoint, init(tokens.access_token));
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type'), /^application\/json/);
    const userinfo = await answer.json();
    assert.equal(userinfo.sub, claims.sub);
    assert.equal(typeof userinfo.updated_at, 'number');
    assert.equal(typeof userinfo.email_verified, 'boolean');
    assert.ok(Object.values(userinfo).every((value) => value !== null && value !== ''));
  });
}

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
  const { claims } = await party.signIn({ nonce: '' });
  assert.equal(claims.nonce, undefined);
});

test('oidcc-scope-profile', async () => {
  const { userinfo } = await party.signIn({ scope: 'openid profile' });
  for (const claim of ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'updated_at']) {
    assert.ok(userinfo[claim], claim);
  }
});

test('oidcc-scope-email', async () => {
  const { userinfo, claims } = await party.signIn({ scope: 'openid email' });
  assert.equal(userinfo.email, 'editor@example.com');
  assert.equal(userinfo.name, undefined);
  assert.equal(claims.email, undefined);
});

for (const [name, scope] of [
  ['oidcc-scope-address', 'openid address'],
  ['oidcc-scope-phone', 'openid phone'],
  ['oidcc-scope-all', 'openid email phone address profile'],
]) {
  test(`${name}: a scope that is not offered is left out`, async () => {
    const { tokens } = await party.signIn({ scope });
    const offered = scope.split(' ').filter((part) => metadata().scopes_supported.includes(part));
    assert.equal(tokens.scope, offered.join(' '));
  });
}

test('oidcc-alternate-happy-flow', async () => {
  const { userinfo } = await party.signIn({ scope: 'email openid' });
  assert.equal(userinfo.email, 'editor@example.com');
});

for (const display of ['page', 'popup']) {
  test(`oidcc-display-${display}`, async () => {
    await party.signIn({ display });
  });
}

test('oidcc-prompt-login', async () => {
  const first = await party.signIn();
  await seconds(1.1);
  const second = await party.signIn({ prompt: 'login' });
  assert.deepEqual(second.pages, ['login']);
  assert.ok(second.claims.auth_time > first.claims.auth_time);
});

test('oidcc-prompt-none-not-logged-in', async () => {
  const stranger = await RelyingParty.discover(server, new Account(server, 'nobody@example.com'));
  assert.equal(await stranger.refusal({ prompt: 'none' }), 'login_required');
});

test('oidcc-prompt-none-logged-in', async () => {
  const first = await party.signIn();
  const second = await party.signIn({ prompt: 'none' });
  assert.deepEqual(second.pages, []);
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [first.claims.sub, first.claims.auth_time]);
});

test('oidcc-max-age-1', async () => {
  const first = await party.signIn();
  await seconds(2.1);
  const second = await party.signIn({ max_age: '1' }, { maxAge: 1 });
  assert.deepEqual(second.pages, ['login']);
  assert.ok(second.claims.auth_time > first.claims.auth_time);
});

test('oidcc-max-age-10000', async () => {
  const first = await party.signIn({ max_age: '15000' }, { maxAge: 15000 });
  const second = await party.signIn({ max_age: '10000' }, { maxAge: 10000 });
  assert.deepEqual(second.pages, []);
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [first.claims.sub, first.claims.auth_time]);
});

test('oidcc-ensure-request-with-unknown-parameter-succeeds', async () => {
  await party.signIn({ extra: 'foobar' });
});

test('oidcc-id-token-hint', async () => {
  const first = await party.signIn();
  const second = await party.signIn({ prompt: 'none', id_token_hint: first.tokens.id_token });
  assert.deepEqual([second.claims.sub, second.claims.auth_time], [first.claims.sub, first.claims.auth_time]);
});

test('oidcc-login-hint', async () => {
  await party.signIn({ login_hint: 'buffy@server.example' });
});

for (const [name, parameters] of [
  ['oidcc-ui-locales', { ui_locales: 'se' }],
  ['oidcc-claims-locales', { claims_locales: 'se' }],
]) {
  test(name, async () => {
    await party.signIn(parameters);
  });
}

test('oidcc-ensure-request-with-acr-values-succeeds', async () => {
  const wanted = metadata().acr_values_supported;
  const { claims } = await party.signIn({ acr_values: wanted.join(' ') });
  assert.ok(wanted.includes(claims.acr));
});

test('oidcc-codereuse and oidcc-codereuse-30seconds', async () => {
  const { callback, tokens, claims } = await party.signIn();
  const form = { grant_type: 'authorization_code', code: callback.searchParams.get('code'), redirect_uri: CALLBACK };
  const again = await party.token(form);
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  await assert.rejects(oidc.fetchUserInfo(party.config, tokens.access_token, claims.sub), { status: 401 });
});

test('oidcc-ensure-registered-redirect-uri', async () => {
  const answer = await party.request({ redirect_uri: 'https://app.example/other' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
});

test('oidcc-ensure-redirect-uri-in-authorization-request', async () => {
  const answer = await party.request({ redirect_uri: '' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
});

test('oidcc-ensure-post-request-succeeds', async () => {
  const state = oidc.randomState();
  const form = { client_id: 'one', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', state };
  const posted = await party.visit(metadata().authorization_endpoint, { method: 'POST', body: new URLSearchParams(form), headers: { cookie: '' } });
  assert.equal(posted.status, 303);
  const answer = await party.visit(new URL(posted.headers.get('location'), server.url));
  const { callback } = await party.authorize({}, answer);
  await oidc.authorizationCodeGrant(party.config, callback, { expectedState: state });
});

test('oidcc-server-client-secret-post', async () => {
  const post = await RelyingParty.discover(server, account, 'one', oidc.ClientSecretPost(SECRET));
  await post.signIn();
});

test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async () => {
  assert.equal(await party.refusal({ request_uri: 'https://app.example/request.jwt' }), 'request_uri_not_supported');
});

test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
  const unsigned = 'eyJhbGciOiJub25lIn0.e30.';
  assert.equal(await party.refusal({ request: unsigned }), 'request_not_supported');
  const elsewhere = await party.request({ request: unsigned, redirect_uri: 'https://app.example/other' });
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('location')], [400, null], 'oidcc-ensure-request-object-with-redirect-uri');
});

test('oidcc-claims-essential', async () => {
  const { userinfo } = await party.signIn({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
  assert.equal(userinfo.name, 'Erika Muster');
});

test('oidcc-refresh-token', async () => {
  const { tokens, claims } = await party.signIn({ scope: 'openid offline_access', prompt: 'consent' });
  assert.match(tokens.refresh_token, /^[\x20-\x7e]{22,}$/);
  assert.ok(entropy(tokens.refresh_token) >= 96);
  const two = await RelyingParty.discover(server, account, 'two');
  const stolen = await two.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
  assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant']);
  const second = await oidc.refreshTokenGrant(party.config, tokens.refresh_token);
  const renewed = second.claims();
  for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'sid']) assert.equal(renewed[claim], claims[claim], claim);
  assert.ok(renewed.iat >= claims.iat);
  assert.notEqual(second.access_token, tokens.access_token);
  assert.ok(metadata().grant_types_supported.includes('refresh_token'));
  const raw = await party.token({ grant_type: 'refresh_token', refresh_token: second.refresh_token });
  assert.match(raw.headers.get('cache-control'), /no-store/);
});

test('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const code_challenge = await oidc.calculatePKCECodeChallenge(pkceCodeVerifier);
  await party.signIn({ code_challenge, code_challenge_method: 'S256' }, { pkceCodeVerifier });
});

test('oidcc-discovery-endpoint-verification (the Config OP plan)', async () => {
  const answer = await fetch(`${server.url}/.well-known/openid-configuration`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type'), /^application\/json/);
  const document = await answer.json();
  assert.equal(document.issuer, server.url);
  assert.deepEqual(document.response_types_supported, ['code']);
  assert.deepEqual(document.subject_types_supported, ['public']);
  assert.ok(document.id_token_signing_alg_values_supported.includes('RS256'));
  assert.ok(document.scopes_supported.includes('openid'));
  assert.ok(document.scopes_supported.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)));
  assert.deepEqual(document.code_challenge_methods_supported, ['S256']);
  assert.ok(document.claims_supported.includes('sub'));
  assert.ok(document.ui_locales_supported.every((tag) => Intl.getCanonicalLocales(tag)[0] === tag));
  for (const [name, value] of Object.entries(document)) {
    if (name.endsWith('_endpoint') || name === 'jwks_uri') assert.equal(new URL(value).origin, server.url, name);
  }
  const { keys } = await (await fetch(document.jwks_uri)).json();
  assert.ok(keys.length >= 3 && new Set(keys.map((key) => key.kid)).size === keys.length);
  for (const key of keys) {
    assert.ok(key.kid && key.use === 'sig' && key.alg);
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.equal(key[secret], undefined);
  }
  assert.equal(await (await fetch(`${server.url}/oidc/jwks`)).text(), await (await fetch(document.jwks_uri)).text());
});

test('the RP-initiated logout plan', async (plan) => {
  const end = (parameters) => party.visit(oidc.buildEndSessionUrl(party.config, parameters));
  const isSignedIn = async () => {
    const answer = await party.request({ prompt: 'none' });
    return new URL(answer.headers.get('location')).searchParams.has('code');
  };
  const freshHint = async () => (await party.signIn()).tokens.id_token;
  const staysHere = (answer) => {
    const location = answer.headers.get('location');
    assert.ok(answer.status === 400 || location.startsWith('/logout'), `${answer.status} ${location}`);
  };
  assert.ok(metadata().end_session_endpoint, 'oidcc-rp-initiated-logout-discovery-endpoint-verification');

  await plan.test('oidcc-rp-initiated-logout', async () => {
    const state = 's'.repeat(128);
    const answer = await end({ id_token_hint: await freshHint(), post_logout_redirect_uri: BYE, state });
    assert.equal(answer.headers.get('location'), `${BYE}?state=${state}`);
    assert.equal(await isSignedIn(), false);
  });
  await plan.test('oidcc-rp-initiated-logout-no-state', async () => {
    const answer = await end({ id_token_hint: await freshHint(), post_logout_redirect_uri: BYE });
    assert.equal(answer.headers.get('location'), BYE);
    assert.equal(await isSignedIn(), false);
  });
  await plan.test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    staysHere(await end({ id_token_hint: await freshHint(), state: 'x' }));
    assert.equal(await isSignedIn(), false);
  });
  for (const [name, parameters] of [
    ['bad-post-logout-redirect-uri', (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: 'https://app.example/other' })],
    ['query-added-to-post-logout-redirect-uri', (hint) => ({ id_token_hint: hint, post_logout_redirect_uri: `${BYE}?foo=bar` })],
    ['modified-id-token-hint', (hint) => ({ id_token_hint: `eyJhbGciOiJub25lIn0.${hint.split('.')[1]}.`, post_logout_redirect_uri: BYE })],
    ['bad-id-token-hint', (hint) => ({ id_token_hint: `${hint.slice(0, -6)}AAAAAA`, post_logout_redirect_uri: BYE })],
    ['no-id-token-hint', () => ({ post_logout_redirect_uri: BYE })],
    ['no-params', () => ({})],
    ['only-state', () => ({ state: 'x' })],
  ]) {
    await plan.test(`oidcc-rp-initiated-logout-${name}`, async () => {
      staysHere(await party.visit(`${metadata().end_session_endpoint}?${new URLSearchParams(parameters(await freshHint()))}`));
      assert.equal(await isSignedIn(), true);
    });
  }
});

test('the back-channel logout plan', async (plan) => {
  // The client: it keeps what is posted to it.
  const posted = [];
  let arrived;
  const receiver = createServer(async (request, answer) => {
    let body = '';
    for await (const piece of request) body += piece;
    posted.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
    answer.end();
    arrived?.();
  });
  await new Promise((listening) => receiver.listen(0, '127.0.0.1', listening));
  const backchannelLogoutUri = `http://127.0.0.1:${receiver.address().port}/backchannel?tenant=a`;
  const own = await Server.start({
    APP_OIDC_CLIENTS_JSON: clients({ backchannelLogoutUri, backchannelLogoutSessionRequired: true }),
    APP_ALLOWED_PRIVATE_TARGETS: '127.0.0.1',
  });
  try {
    const party = await RelyingParty.discover(own, await Account.signedIn(own));
    const document = party.config.serverMetadata();

    await plan.test('oidcc-backchannel-logout-discovery-endpoint-verification', () => {
      assert.equal(document.backchannel_logout_supported, true);
      assert.equal(document.backchannel_logout_session_supported, true);
      assert.equal(new URL(document.end_session_endpoint).origin, own.url);
    });

    await plan.test('oidcc-backchannel-rp-initiated-logout', async () => {
      const { tokens, claims } = await party.signIn();
      const came = new Promise((done) => (arrived = done));
      const state = oidc.randomState();
      const end = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state };
      const answer = await party.visit(oidc.buildEndSessionUrl(party.config, end));
      assert.equal(answer.headers.get('location'), `${BYE}?state=${state}`);
      await came;
      assert.equal(posted.length, 1, 'the other client has no session');
      const [{ method, url, type, body }] = posted;
      assert.deepEqual([method, url, type], ['POST', '/backchannel?tenant=a', 'application/x-www-form-urlencoded']);
      const form = new URLSearchParams(body);
      assert.deepEqual([...form.keys()], ['logout_token']);
      const keys = createRemoteJWKSet(new URL(document.jwks_uri));
      const { payload, protectedHeader } = await jwtVerify(form.get('logout_token'), keys, {
        issuer: document.issuer,
        audience: 'one',
        typ: 'logout+jwt',
        maxTokenAge: '1 day',
        requiredClaims: ['jti', 'iat', 'exp', 'events'],
      });
      assert.equal(protectedHeader.alg, 'RS256');
      assert.deepEqual(payload.events, { 'http://schemas.openid.net/event/backchannel-logout': {} });
      assert.deepEqual([payload.sub, payload.sid], [claims.sub, claims.sid]);
      assert.equal(payload.nonce, undefined);
      assert.ok(payload.jti.length >= 22);
      assert.equal(await party.refusal({ prompt: 'none' }), 'login_required');
    });
  } finally {
    await own.dispose();
    receiver.close();
  }
});
