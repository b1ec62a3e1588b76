import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const library = new URL('../../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js', import.meta.url);
/** The first one has no windows to draw, and needs two thirds of the time of the others. */
const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A real Chromium, the one of this machine. */
export async function launch(...options) {
  const executablePath = process.env.CHROMIUM ?? places.find((it) => existsSync(it));
  if (!executablePath) throw new Error(`no Chromium in ${places.join(', ')}; scripts/setup.sh test installs it, CHROMIUM names another`);
  // Started as root, as CI does, it has no sandbox of its own.
  return chromium.launch({ executablePath, args: process.getuid() === 0 ? [...options, '--no-sandbox'] : options });
}

/** A person at a browser of their own, whose pages hold nothing but @simplewebauthn/browser and `api(method, path, body)`. */
export class Person {
  /** At a page of this origin, with an authenticator in the machine unless it is left out. */
  static async at(browser, origin) {
    const person = new Person();
    person.origin = origin;
    person.context = await browser.newContext();
    person.page = await person.context.newPage();
    const text = await readFile(library, 'utf8');
    const html = `<!doctype html><title>Test</title><script>${text}</script><script>${api}</script>`;
    await person.page.route('**/the-page', (route) => route.fulfill({ contentType: 'text/html', body: html }));
    await person.open(origin);
    person.devtools = await person.context.newCDPSession(person.page);
    await person.devtools.send('WebAuthn.enable');
    return person;
  }

  /** Goes to the page at an origin. */
  async open(origin) {
    await this.page.goto(`${origin}/the-page`);
  }

  /** Plugs an authenticator in: one like a phone's, which asks for a finger and knows whose its passkeys are. */
  async plugIn(options = {}) {
    const usual = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true };
    const { authenticatorId } = await this.devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...usual, ...options } });
    return new Authenticator(this.devtools, authenticatorId);
  }

  /** Calls the server from the page: `{ status, body }`. */
  call(method, path, body) {
    return this.page.evaluate(([method, path, body]) => globalThis.api(method, path, body), [method, path, body ?? null]);
  }

  /** `startRegistration` or `startAuthentication` in the page: what it answers, or `{ failed }` with the name of what it throws. */
  ask(what, optionsJSON) {
    return this.page.evaluate(
      ([what, optionsJSON]) => globalThis.SimpleWebAuthnBrowser[what]({ optionsJSON }).catch((error) => ({ failed: error.name })),
      [what, optionsJSON],
    );
  }
}

class Authenticator {
  constructor(devtools, authenticatorId) {
    this.devtools = devtools;
    this.authenticatorId = authenticatorId;
  }

  /** The passkeys in it. */
  async passkeys() {
    return (await this.devtools.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId })).credentials;
  }

  /** Whether its owner's finger is the right one. */
  async verifies(isUserVerified) {
    await this.devtools.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified });
  }

  async unplug() {
    await this.devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: this.authenticatorId });
  }
}

/** As a page of the service would do it: a CSRF token for whatever changes something. */
const api = `
  async function api(method, path, body) {
    const { csrfToken } = await (await fetch('/api/csrf-token')).json();
    const headers = { 'x-csrf-token': csrfToken, 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers: method === 'GET' ? {} : headers, body: body === null ? undefined : JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  }
`;
