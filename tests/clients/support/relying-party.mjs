import assert from 'node:assert/strict';
import * as oidc from 'openid-client';

export const CALLBACK = 'https://app.example/cb';
export const BYE = 'https://app.example/bye';
export const SECRET = 'a secret that only client and server know';

/** Two clients that differ in nothing but their names, as the certification asks for. */
export function clients(more = {}) {
  const client = (clientId) => ({
    clientId,
    name: clientId,
    redirectUris: [CALLBACK],
    postLogoutRedirectUris: [BYE],
    grantTypes: ['authorization_code', 'refresh_token'],
    clientSecret: SECRET,
    requirePkce: false,
    ...more,
  });
  return JSON.stringify([client('one'), client('two')]);
}

/** A relying party by openid-client, and the browser of a person who signs in to it. */
export class RelyingParty {
  constructor(server, account, config) {
    this.server = server;
    this.account = account;
    this.config = config;
  }

  static async discover(server, account, clientId = 'one', authentication = oidc.ClientSecretBasic(SECRET)) {
    const config = await oidc.discovery(new URL(server.url), clientId, SECRET, authentication, {
      execute: [oidc.allowInsecureRequests],
    });
    return new RelyingParty(server, account, config);
  }

  /** A GET of the browser, which follows no redirect. */
  async visit(url, init = {}) {
    const answer = await fetch(url, { redirect: 'manual', ...init, headers: { cookie: this.account.cookies, ...init.headers } });
    this.account.keepCookies(answer);
    return answer;
  }

  /** The first answer to an authorization request. */
  request(parameters = {}, init) {
    const url = oidc.buildAuthorizationUrl(this.config, { redirect_uri: CALLBACK, scope: 'openid', ...parameters });
    for (const [name, value] of [...url.searchParams]) if (value === '') url.searchParams.delete(name);
    return this.visit(url, init);
  }

  /** Asks for an authorization and does what each page asks for. `pages` are the prompts that were shown. */
  async authorize(parameters = {}, answer = undefined) {
    const pages = [];
    answer ??= await this.request(parameters);
    for (;;) {
      assert.equal(answer.status, 303, await answer.text());
      const location = new URL(answer.headers.get('location'), this.server.url);
      const uid = location.pathname.match(/^\/interaction\/(.+)$/)?.[1];
      if (!uid) return { callback: location, pages };
      const { prompt } = await this.account.call('GET', `/api/oidc/interaction/${uid}`);
      assert.ok(pages.length < 5, `the same pages again and again: ${pages}`);
      pages.push(prompt);
      if (prompt === 'login') await this.account.signIn();
      const action = prompt === 'consent' ? 'consent' : 'continue';
      const { redirectTo } = await this.account.call('POST', `/api/oidc/interaction/${uid}/finish`, { action });
      answer = await this.visit(redirectTo);
    }
  }

  /** A whole sign-in: tokens, claims of the ID token, userinfo, and the pages that were shown. */
  async signIn(parameters = {}, checks = {}) {
    const state = oidc.randomState();
    const nonce = parameters.nonce === '' ? undefined : oidc.randomNonce();
    const { callback, pages } = await this.authorize({ state, nonce: nonce ?? '', ...parameters });
    assert.equal(callback.origin + callback.pathname, CALLBACK);
    assert.equal(callback.hash, '');
    const code = callback.searchParams.get('code');
    assert.ok(code, `no code: ${callback}`);
    assert.ok(code.length >= 22 && entropy(code) >= 96, `a code that can be guessed: ${code}`);
    const tokens = await oidc.authorizationCodeGrant(this.config, callback, {
      expectedState: parameters.state ?? state,
      expectedNonce: nonce,
      idTokenExpected: true,
      ...checks,
    });
    const claims = tokens.claims();
    const userinfo = await oidc.fetchUserInfo(this.config, tokens.access_token, claims.sub);
    return { tokens, claims, userinfo, pages, callback };
  }

  /** An answer that has to be an error for the client. */
  async refusal(parameters) {
    const state = 's'.repeat(128);
    const answer = await this.request({ state, ...parameters });
    assert.equal(answer.status, 303, await answer.text());
    const callback = new URL(answer.headers.get('location'));
    assert.equal(callback.origin + callback.pathname, CALLBACK);
    const sent = Object.fromEntries(callback.searchParams);
    assert.equal(sent.state, state);
    assert.equal(sent.iss, this.server.url);
    assert.equal(sent.code, undefined);
    assert.match(sent.error_description ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
    assert.deepEqual(Object.keys(sent).filter((name) => !['error', 'error_description', 'state', 'iss'].includes(name)), []);
    return sent.error;
  }

  /** A token request as the client makes it, for what openid-client would not send. */
  async token(form, { client = this.config.clientMetadata().client_id } = {}) {
    const answer = await fetch(`${this.server.url}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client}:${encodeURIComponent(SECRET).replaceAll('%20', '+')}`)}` },
      body: new URLSearchParams(form),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }
}

/** The measured entropy of a text, in bits. */
export function entropy(text) {
  const counts = new Map();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  const bits = [...counts.values()].map((count) => -(count / text.length) * Math.log2(count / text.length));
  return bits.reduce((sum, bit) => sum + bit, 0) * text.length;
}
