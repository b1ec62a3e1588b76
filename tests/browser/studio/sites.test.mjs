// Sites as teams have them, in the frame of the studio: unchanged, with the relay's line, with `customParent`, and where a site names the address of its script
// with the studio's class. What each of them can do is the table of docs/studio.md, cell by cell.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { call, Desk, make } from './support/desk.mjs';
import { picture, upload } from './support/files.mjs';
import { hears, openPreview, previewSpace } from './support/preview.mjs';
import { SITES, SiteServer, variantsOf } from './support/site-server.mjs';

const vendorScript = await readFile(new URL('../../node_modules/@storyblok/preview-bridge/dist/browser-global/storyblok-v2-latest.js', import.meta.url), 'utf8');

let desk, sites;
before(async () => {
  desk = await Desk.open();
  sites = await SiteServer.start(desk.origin);
});
after(async () => {
  await desk?.close();
  await sites?.close();
});

/** What the console says when a page speaks to a parent of another origin than the one that is there. */
const dropped = () =>
  `Failed to execute 'postMessage' on 'DOMWindow': The target origin provided ('http://app.storyblok.com') does not match the recipient window's origin ('${desk.origin}').`;

const siteIn = (page) => page.frames().find((one) => one.url().startsWith(sites.origin));

/** How often the page has loaded, once its script runs: the choice of an environment may still be loading it. */
const loadsOf = async (page) => (await siteIn(page).waitForFunction(() => globalThis.loads)).jsonValue();

/** Waits until the page has loaded itself again, in the same frame. */
async function reloaded(page, frame, before) {
  await siteIn(page).waitForFunction((count) => globalThis.loads > count, before);
  await frame.getByRole('heading', { name: 'First' }).waitFor();
}

/** A story with a field of each type that the sites print, and a picture in the library. */
const SHOWCASE = {
  name: 'showcase', display_name: 'Showcase', is_root: true, is_nestable: false,
  schema: {
    text: { type: 'richtext', pos: 0 },
    picture: { type: 'asset', pos: 1 },
    link: { type: 'multilink', pos: 2 },
    theme: { type: 'option', pos: 3, options: [{ name: 'Light', value: 'light' }, { name: 'Dark', value: 'dark' }] },
    table: { type: 'table', pos: 4 },
  },
};

async function showcase(person, space) {
  await call(person, 'POST', `/api/v1/spaces/${space.id}/components`, { component: SHOWCASE });
  await upload(person, space.id, picture('crane.png'), { alt: 'A crane' });
  return (await make(person, space.id, { name: 'Showcase', slug: 'showcase', content: { component: 'showcase' } })).id;
}

for (const site of SITES) {
  describe(site, () => {
    let person, space;
    before(async () => {
      person = await desk.person(`${site}@example.org`);
      space = await previewSpace(person, site, variantsOf(site).map((name) => ({ name, location: `${sites.origin}/${site}/${name}/` })));
      sites.token = space.token;
      // The vendor's script, for sites that name its address.
      const address = /^https?:\/\/app\.storyblok\.com\/f\/storyblok-v2-latest\.js/;
      await person.context.route(address, (route) => route.fulfill({ contentType: 'text/javascript', body: vendorScript }));
    });
    after(() => person?.close());

    for (const variant of variantsOf(site)) {
      const isHeard = variant !== 'unchanged';
      // A site that is rendered by its server shows what was saved.
      const isLive = site !== 'comments';

      test(`${variant}: ${isHeard ? 'shows each key, and a click leads to its block' : 'shows each key, and a click does not reach the studio'}`, async () => {
        const { page } = person;
        const frame = await openPreview(person, space, variant);
        await frame.getByRole('heading', { name: 'First' }).waitFor();
        // The page of the first environment was there before, and is not heard.
        person.hasReported(dropped());
        const line = page.getByText(`<script src="${desk.origin}/f/bridge.js"></script>`);
        if (!isHeard) await line.waitFor();

        // The selection of the editor is drawn in the page, which says that it is in edit mode; nothing is loaded for it.
        const loads = await loadsOf(page);
        await page.getByRole('treeitem', { name: /Second/ }).getByRole('link').click();
        await frame.locator('[data-blok-focused], .storyblok__overlay').first().waitFor({ state: 'attached' });
        await page.getByRole('treeitem').first().getByRole('link').click();

        // Each key, without a load; relations stay as the site asked for them where it is heard.
        const title = `Typed for ${site} ${variant}`;
        await page.getByRole('textbox', { name: 'title' }).fill(title);
        if (isLive) {
          await frame.getByRole('heading', { name: title }).waitFor();
          if (isHeard) assert.equal(await frame.locator('#author').textContent(), 'Ann');
          assert.equal(await loadsOf(page), loads);
        }

        // A Save loads the page again.
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await reloaded(page, frame, loads);
        await frame.getByRole('heading', { name: title }).waitFor();

        // A click in the page.
        const third = frame.getByRole('heading', { name: 'Third' });
        if (isHeard) {
          await frame.locator('[data-blok-uid$="-third"]').waitFor();
          await hears(frame);
          await third.click();
          await page.waitForURL(/at=body%2F1%2Fcolumns%2F1/);
          await page.getByRole('textbox', { name: 'headline' }).waitFor();
          assert.equal(await line.count(), 0);
        } else {
          const heard = page.evaluate(() => new Promise((done) => {
            const actions = [];
            addEventListener('message', ({ data }) => (data.action === 'probe' ? done(actions) : actions.push(data.action)));
          }));
          await third.click();
          // Messages of a page arrive in their order, so that what the click has sent would be there before this.
          await third.evaluate(() => parent.postMessage({ action: 'probe' }, '*'));
          assert.deepEqual(await heard, []);
          assert.ok(!page.url().includes('at='));
          person.hasReported(dropped());
        }
        person.isSilent(`${site} ${variant}`);
      });
    }

    test('what is changed in fields of other types is shown, too', async () => {
      const { page } = person;
      const { keyboard } = page;
      const story = await showcase(person, space);
      const frame = await openPreview(person, space, 'relay', story);
      person.hasReported(dropped());
      await hears(frame);
      const loads = await loadsOf(page);
      const field = (name) => page.locator(`[data-field="${name}"]`);
      const isLive = site !== 'comments';
      // A site that is rendered by its server shows it after a Save, at the end.
      const checks = [];
      const shows = (check) => (isLive ? check() : void checks.push(check));

      await page.getByRole('textbox', { name: 'text', exact: true }).click();
      await keyboard.type('Ships ');
      await keyboard.press('Control+b');
      await keyboard.type('sail');
      await shows(() => frame.locator('p strong', { hasText: /^sail$/ }).waitFor());
      await keyboard.press('Control+Shift+ArrowLeft');
      await keyboard.press('Control+k');
      const dialog = page.getByRole('dialog', { name: 'Link' });
      await dialog.getByRole('tab', { name: 'URL' }).click();
      await dialog.getByRole('tabpanel').getByRole('textbox').first().fill('https://example.org/sail');
      await keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await shows(() => frame.locator('p a[href="https://example.org/sail"]', { hasText: /^sail$/ }).waitFor());

      await field('picture').getByRole('button', { name: 'picture: Choose a file' }).click();
      await page.getByRole('dialog', { name: 'Choose a file' }).getByText('crane.png').click();
      if (isLive) await frame.locator('img[alt="A crane"][src*="crane.png"]').waitFor();
      await field('picture').getByText('Details here').click();
      await field('picture').getByLabel('Alt text', { exact: true }).fill('A crane at the quay');
      await shows(() => frame.getByRole('img', { name: 'A crane at the quay' }).waitFor());

      await field('link').getByRole('combobox', { name: 'link' }).click();
      await page.locator('[role=option]', { hasText: 'Ann' }).click();
      await shows(() => frame.locator('a[href="/ann"]', { hasText: /^ann$/ }).waitFor());

      await field('theme').getByRole('combobox').selectOption({ label: 'Dark' });
      await shows(() => frame.locator('#theme', { hasText: /^dark$/ }).waitFor());

      await field('table').getByRole('button', { name: 'Begin a table' }).click();
      await keyboard.type('Port');
      await keyboard.press('Enter');
      await keyboard.type('Bergen');
      await shows(() => frame.getByRole('columnheader', { name: 'Port' }).waitFor());
      await shows(() => frame.getByRole('cell', { name: 'Bergen' }).waitFor());
      if (isLive) assert.equal(await loadsOf(page), loads);

      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await siteIn(page).waitForFunction((count) => globalThis.loads > count, loads);
      await frame.getByRole('cell', { name: 'Bergen' }).waitFor();
      for (const check of checks) await check();
      person.isSilent(`${site} showcase`);
    });
  });
}
