// The documents as pages, around them both languages: axe, both themes, phone and desk; the navigation leads from one to the next, with and without JavaScript.

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

test('every document can be read', async () => {
  const person = await Person.at(browser, origin);
  await person.goto('/docs');
  const paths = await person.page.locator('nav .sections a[href^="/docs"]').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.ok(paths.length > 8, paths.join(' '));
  for (const path of paths) {
    await person.goto(path);
    await person.look(`docs${path.slice('/docs'.length).replace('/', '-')}`);
  }
  await person.close();
});

for (const language of ['en', 'de']) {
  test(`the documents in a frame in ${language}`, async () => {
    const person = await Person.at(browser, origin, { language });
    await person.goto('/docs');
    await person.look('docs');
    await person.page.locator('nav .sections').getByRole('link', { name: 'Operations', exact: true }).click();
    assert.equal(person.path, '/docs/operations');
    await person.page.locator('.contents summary').click();
    await person.look('docs-contents');
    await person.page.locator('.contents').getByRole('link', { name: 'Limits', exact: true }).click();
    assert.equal(new URL(person.page.url()).hash, '#limits');
    assert.ok(await person.page.locator('#limits').isVisible());
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
