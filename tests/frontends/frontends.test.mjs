// Sites made with Storyblok's SDKs for Astro and for Next.js are built from an imported space: every story becomes a page, and every image on every page loads.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Account } from '../clients/support/account.mjs';
import { imported } from '../clients/support/import.mjs';
import { pool } from '../clients/support/pool.mjs';
import { Server } from '../clients/support/server.mjs';
import { folder } from '../clients/support/spaces.mjs';
import { TOKEN, Vendor, sampleSpace } from '../clients/support/vendor.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
/** The repository's own space, or one of a real site. */
const source = process.env.LECTERN_SHARED ? folder('starter-articles') : sampleSpace;
/** How each is built, and where its pages lie then: the path of a page is that of its file without the ending. */
const sites = {
  astro: { command: ['astro', 'build', '--root', 'astro'], pages: '.', ending: /\/?index\.html$/ },
  next: { command: ['next', 'build', 'next'], pages: 'server/app', ending: /\.html$/ },
};

let vendor;
let server;
let space;
let stories;
before(async () => {
  vendor = await Vendor.start([source], { assets: 'self' });
  server = await Server.start({
    APP_VENDOR_MAPI_URL: vendor.url,
    APP_VENDOR_CDN_URL: vendor.url,
    APP_ALLOWED_PRIVATE_TARGETS: new URL(vendor.url).host,
  });
  const account = await Account.signedIn(server);
  space = await account.space(basename(source));
  const { status, error } = await imported(space, { source_space_id: vendor.space(source).id, oauth_token: TOKEN, region: 'eu' });
  assert.equal(status, 'succeeded', JSON.stringify(error));
  stories = await space.reader('public').getAll('cdn/stories', { version: 'published', per_page: 100 });
  assert.ok(stories.length > 0);
});
after(async () => {
  vendor?.dispose();
  await server?.dispose();
});

for (const [name, { command: [program, ...args], pages: folder, ending }] of Object.entries(sites)) {
  describe(name, () => {
    let out;
    let pages;
    before(async () => {
      out = await mkdtemp(join(here, name, '.out-'));
      const env = {
        ...process.env,
        NODE_ENV: 'production',
        ASTRO_TELEMETRY_DISABLED: '1',
        NEXT_TELEMETRY_DISABLED: '1',
        STORYBLOK_URL: server.url,
        STORYBLOK_TOKEN: space.tokens.public,
        // Next.js wants a path below its own folder.
        SITE_OUT: name === 'next' ? basename(out) : out,
        SITE_CACHE: join(out, 'cache'),
      };
      await promisify(execFile)(join(here, 'node_modules', '.bin', program), args, { cwd: here, env, maxBuffer: 64 << 20 });
      const files = (await readdir(join(out, folder), { recursive: true })).filter((file) => ending.test(file));
      pages = new Map(files.map((file) => [file.replace(ending, ''), readFileSync(join(out, folder, file), 'utf8')]));
    });
    after(() => out && rm(out, { recursive: true, force: true }));

    test('every story is a page', () => {
      for (const { full_slug, name } of stories) {
        const page = pages.get(full_slug.replace(/\/$/, ''));
        assert.ok(page?.includes(`<h1>${escaped(name)}</h1>`), `${full_slug} in ${[...pages.keys()]}`);
      }
    });

    test('every image on every page loads, as the image that was asked for', async () => {
      const urls = new Set([...pages.values()].flatMap((page) => [...page.matchAll(/<img[^>]+src="([^"]+)"/g)].map(([, url]) => url.replaceAll('&amp;', '&'))));
      assert.ok(urls.size > 0);
      await pool(urls, 4, async (url) => {
        // As browsers ask for images: where no format is named, they get WebP.
        const response = await fetch(url, { headers: { accept: 'image/avif,image/webp,image/*,*/*;q=0.8' } });
        const wanted = url.includes('/m/') ? 'image/webp' : 'image/';
        assert.ok(response.status === 200 && response.headers.get('content-type').startsWith(wanted), `${url}: ${response.status}`);
        assert.ok((await response.arrayBuffer()).byteLength > 0, url);
      });
      const resized = [...urls].filter((url) => url.includes('/m/'));
      assert.ok(resized.length > 0 && resized.every((url) => url.startsWith(server.url)), [...urls].join('\n'));
    });
  });
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;');
