// The documents as pages: all of them on a phone; two of them in the frame of each language with axe, in both themes; the navigation, with and without JavaScript.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from '../clients/support/server.mjs';
import { launch, Person } from './support/person.mjs';

let server;
let browser;
let origin;

before(async () => {
  server = await Server.start((port) => ({ APP_BASE_URL: `http://localhost:${port}` }));
  origin = server.variables.APP_BASE_URL;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

test('every document can be read on a phone', async () => {
  const person = await Person.at(browser, origin);
  await person.page.setViewportSize({ width: 360, height: 900 });
  await person.goto('/docs');
  const paths = await person.page.locator('nav .sections a[href^="/docs"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.ok(paths.length > 8, paths.join(' '));
  for (const path of paths) {
    await person.goto(path);
    const overflow = await person.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${path}: ${overflow} pixels too wide`);
    person.isSilent(path);
  }
  await person.close();
});

for (const [language, document, section, anchor] of [['en', 'Operations', 'Limits', 'limits'], ['de', 'Receiving webhooks', 'Guarantees', 'guarantees']]) {
  test(`a document in a frame in ${language}`, async () => {
    const person = await Person.at(browser, origin, { language });
    await person.goto('/docs');
    await person.page.locator('nav .sections').getByRole('link', { name: document, exact: true }).click();
    await person.page.locator('.contents summary').click();
    await person.look('docs');
    await person.page.locator('.contents').getByRole('link', { name: section, exact: true }).click();
    assert.equal(new URL(person.page.url()).hash, `#${anchor}`);
    assert.ok(await person.page.locator(`#${anchor}`).isVisible());
    await person.close();
  });
}

test('the documents can be read without JavaScript', async () => {
  const person = await Person.at(browser, origin, { script: false });
  await person.goto('/docs');
  await person.page.getByRole('link', { name: 'docs/moving.md' }).first().click();
  assert.equal(person.path, '/docs/moving');
  await person.close();
});
