import assert from 'node:assert/strict';
import { createManagementApiClient } from '@storyblok/management-api-client';
import StoryblokClient from 'storyblok-js-client';

const PASSWORD = 'correct horse battery staple';

/** A person with a browser: cookies and the CSRF token, by plain fetch. */
export class Account {
  #cookies = new Map();
  #csrf;

  constructor(server, email, password = PASSWORD) {
    this.server = server;
    this.email = email;
    this.password = password;
  }

  /** Registers an account and signs it in. */
  static async signedIn(server, email = 'editor@example.com') {
    const account = new Account(server, email);
    account.#csrf = (await account.call('GET', '/api/csrf-token')).csrfToken;
    const names = { firstName: 'Erika', lastName: 'Muster' };
    await account.call('POST', '/api/auth/register', { email, password: PASSWORD, ...names }, 201);
    await account.signIn();
    return account;
  }

  /** Signs in, also once more. */
  async signIn() {
    this.#csrf = (await this.call('GET', '/api/csrf-token')).csrfToken;
    this.#csrf = (await this.call('POST', '/api/auth/login', { email: this.email, password: this.password })).csrfToken;
  }

  /** Its cookies, as a browser sends them. */
  get cookies() {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  async call(method, path, body, status = 200) {
    const headers = { cookie: this.cookies };
    if (method !== 'GET') headers['x-csrf-token'] = this.#csrf;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const answer = await fetch(this.server.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    assert.equal(answer.status, status, `${method} ${path}: ${text}`);
    this.keepCookies(answer);
    return text ? JSON.parse(text) : undefined;
  }

  /** Keeps the cookies of a response, as a browser does. */
  keepCookies(answer) {
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';', 1)[0].split(/=(.*)/s);
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
  }

  /** Makes a space and its first management token. */
  async space(name) {
    const { space, tokens } = await this.call('POST', '/api/v1/spaces', { name }, 201);
    const made = await this.call('POST', `/api/v1/spaces/${space.id}/tokens`, { name: 'clients', role: 'admin' }, 201);
    return new Space(this.server, space.id, tokens, made.plaintext);
  }
}

/** A space, with Storyblok's own clients for it. */
export class Space {
  constructor(server, id, tokens, managementToken) {
    this.server = server;
    this.id = id;
    this.tokens = tokens;
    this.managementToken = managementToken;
    this.management = createManagementApiClient({
      spaceId: id,
      baseUrl: `${server.url}/api`,
      personalAccessToken: managementToken,
      throwOnError: true,
      rateLimit: false,
      // A request that was cut off must show as cut off: the tests decide what is done again.
      retry: { limit: 0 },
    });
  }

  /** storyblok-js-client with one of the space's delivery tokens. */
  reader(kind) {
    return new StoryblokClient({
      accessToken: this.tokens[kind],
      endpoint: `${this.server.url}/api/v2`,
      rateLimit: 1000,
    });
  }

  /** storyblok-js-client in management mode. */
  manager() {
    return new StoryblokClient({ oauthToken: this.managementToken, endpoint: `${this.server.url}/api/v1`, rateLimit: 1000 });
  }

  /** A plain GET of the delivery API, for what the client hides: status, headers, the bare body. */
  async cdn(path, params = {}, { token = this.tokens.public, ...request } = {}) {
    const query = new URLSearchParams({ token, ...params });
    const answer = await fetch(`${this.server.url}/api/v2/cdn/${path}?${query}`, request);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text ? JSON.parse(text) : undefined };
  }

  /** A management call that the client has no method for. */
  async manage(method, path, { query, body } = {}) {
    const { data } = await this.management[method](`/v1/spaces/${this.id}/${path}`, { query, body });
    return data;
  }
}
