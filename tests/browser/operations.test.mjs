// The pages of the console about the work of the server, in both languages: axe, both themes, phone and desk; and the figures that renew themselves.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';
import { words } from './support/words.mjs';

const PASSWORD = 'correct horse battery staple';
const ADMIN = 'admin@example.org';
const LOCKED = 'locked@example.org';

let server;
let browser;
let origin;

before(async () => {
  // A block lasts for as long as a slow machine looks at the pages.
  const limits = { APP_RATE_LIMITS: 'on', APP_LOCKOUT_WAIT: '3600', APP_LOCKOUT_MAX_WAIT: '3600', APP_RATE_LIMIT_LOGIN_IP: '1000/min' };
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}`, ...limits }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
  for (const email of [ADMIN, LOCKED]) {
    const person = await Person.at(browser, origin);
    await person.signUp(email, PASSWORD, words.en);
    await person.close();
  }
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

async function administrator(options) {
  const person = await Person.at(browser, origin, options);
  await person.signIn(ADMIN, PASSWORD, words[options?.language ?? 'en']);
  return person;
}

/** Tries wrong passwords until the account is locked. */
async function lock() {
  const stranger = await Person.at(browser, origin);
  for (let tries = 0; tries < 5; tries += 1) await stranger.signIn(LOCKED, 'wrong', words.en);
  await stranger.close();
}

for (const language of ['en', 'de']) {
  test(`the work of the server, in ${language}`, async () => {
    const person = await administrator({ language });
    await lock();
    for (const [path, name] of [
      ['/admin/mail', 'console-mail'],
      ['/admin/mail?state=lost', 'console-mail-wrong'],
      ['/admin/mail/preview?template=newLogin', 'console-mail-preview'],
      ['/admin/mail/test', 'console-mail-test'],
      ['/admin/mail/retry', 'console-mail-retry-all'],
      ['/admin/workers', 'console-workers'],
      ['/admin/workers/webhooks', 'console-workers-dead'],
      ['/admin/workers/webhooks/retry', 'console-workers-retry-all'],
      ['/admin/blocks', 'console-blocks'],
      ['/admin/keys', 'console-keys'],
      ['/admin/keys/rotate', 'console-keys-rotate'],
      ['/admin/keys/replace', 'console-keys-replace'],
    ]) {
      await person.goto(path);
      await person.look(name);
    }
    await person.goto('/admin/blocks');
    const lift = { en: `Lift the block of ${LOCKED}`, de: `Sperre von ${LOCKED} aufheben` }[language];
    await person.press(lift);
    assert.equal(person.path, '/admin/blocks?done=lifted');
    await person.look('console-blocks-lifted');
    await person.goto('/admin/keys/replace');
    await person.type({ password: PASSWORD });
    await person.press({ en: 'Replace compromised keys', de: 'Bekannt gewordene Schlüssel ersetzen' }[language]);
    assert.equal(person.path, '/admin/keys?done=replace');
    await person.look('console-keys-replaced');
    await person.close();
  });
}

test('the figures of the queues renew themselves, until that is turned off', async () => {
  const person = await administrator();
  const { page } = person;
  await page.addInitScript(() => {
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
      constructor(url) {
        super(url);
        globalThis.streams.push(this);
      }
    };
  });
  await person.goto('/admin/workers');
  await page.evaluate(() => (document.querySelector('#queues table').dataset.seen = 'yes'));
  await page.waitForFunction(() => !document.querySelector('#queues table').dataset.seen);
  const states = () => page.evaluate(() => globalThis.streams.map((stream) => stream.readyState));
  const [open, closed] = [1, 2];
  // It begins by itself again should the connection break.
  await page.waitForFunction((state) => globalThis.streams.map((stream) => stream.readyState).join() === String(state), open);
  const renew = page.getByLabel('Renew these figures');
  await renew.uncheck();
  assert.deepEqual(await states(), [closed]);
  await renew.check();
  await page.waitForFunction(() => globalThis.streams.at(-1).readyState === 1);
  person.isSilent('workers');
  await person.close();
});

test('a block is lifted with the keyboard alone and without JavaScript', async () => {
  await lock();
  const person = await administrator({ script: false });
  await person.goto('/admin/blocks');
  const target = person.page.getByRole('button', { name: `Lift the block of ${LOCKED}`, exact: true }).first();
  for (let tabs = 0; !(await target.and(person.page.locator(':focus')).count()); tabs += 1) {
    assert.ok(tabs < 60, 'the button is reached');
    await person.page.keyboard.press('Tab');
  }
  await Promise.all([person.page.waitForEvent('framenavigated'), person.page.keyboard.press('Enter')]);
  await person.page.getByText('The block is lifted.').waitFor();
  await person.close();
});
