// Sites as teams have them, in the frame of the studio: unchanged, with the relay's line, with `customParent`, and where a site names the address of its script
// with the studio's class. What each of them can do is the table of docs/studio.md, cell by cell.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { call, Desk } from './support/desk.mjs';
import { openPreview, previewSpace } from './support/preview.mjs';
import { SITES, SiteServer, variantsOf } from './support/site-server.mjs';

const vendorScript = await readFile(new URL('../../node_modules/@storyblok/preview-bridge/dist/browser-global/storyblok-v2-latest.js', import.meta.url), 'utf8');
const all = SITES.flatMap((site) => variantsOf(site).map((variant) => ({ site, variant, name: `${site} ${variant}` })));

let desk, sites, person, space;
before(async () => {
  desk = await Desk.open();
  sites = await SiteServer.start(desk.origin);
  person = await desk.person('sites@example.org');
  space = await previewSpace(person, 'Sites', all.map(({ site, variant, name }) => ({ name, location: `${sites.origin}/${site}/${variant}/` })));
  sites.token = space.token;
  // The vendor's script, for sites that name its address.
  await person.context.route(/^https?:\/\/app\.storyblok\.com\/f\/storyblok-v2-latest\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body: vendorScript }));
});
after(async () => {
  await desk?.close();
  await sites?.close();
});

/** What Chromium says when a page speaks to a parent of another origin than the one that is there. */
const dropped = () =>
  `Failed to execute 'postMessage' on 'DOMWindow': The target origin provided ('http://app.storyblok.com') does not match the recipient window's origin ('${desk.origin}').`;

for (const { site, variant, name } of all) {
  describe(name, () => {
    const isHeard = variant !== 'unchanged';
    // A site that is rendered by its server shows what is saved, when it is.
    const isLive = site !== 'comments';
    let frame;

    before(async () => {
      frame = await openPreview(person, space, name);
      await frame.getByRole('heading', { name: 'First' }).waitFor();
    });

    test(isHeard ? 'the studio hears the site' : 'the studio says which line makes it hear the site', async () => {
      const line = person.page.getByText(`<script src="${desk.origin}/f/bridge.js"></script>`);
      if (isHeard) {
        await frame.locator('[data-blok-focused], .storyblok__overlay, body.storyblok--outlined').first().waitFor({ state: 'attached' });
        assert.equal(await line.count(), 0);
      } else {
        await line.waitFor();
        assert.ok(person.hasReported(dropped()));
      }
    });

    if (isLive) {
      test('the site shows each key, with relations as it asked for them where it is heard', async () => {
        const title = `Typed for ${name}`;
        await person.page.getByRole('textbox', { name: 'title' }).fill(title);
        await frame.getByRole('heading', { name: title }).waitFor();
        const author = await frame.locator('#author').textContent();
        if (isHeard) assert.equal(author, 'Ann');
        assert.equal(await frame.locator('body').evaluate(() => globalThis.loads), await frame.locator('body').evaluate(() => Number(sessionStorage.getItem('loads'))));
      });
    }

    test(isHeard ? 'a click in the page leads to the block' : 'a click in the page does not reach the studio', async () => {
      await frame.getByRole('heading', { name: 'Third' }).click();
      if (isHeard) {
        await person.page.waitForURL(/at=body%2F1%2Fcolumns%2F1/);
        await person.page.getByRole('textbox', { name: 'headline' }).waitFor();
      } else {
        assert.ok(!person.page.url().includes('at='));
        assert.ok(person.hasReported(dropped()));
      }
    });
  });
}
