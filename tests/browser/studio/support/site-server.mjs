// Serves the small sites of `sites/`, each at `/{site}/{variant}/{path of the story}`.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
// The bundler is the studio's; it is there where a studio was built.
import { build } from '../../../../studio/node_modules/vite/dist/node/index.js';

const folder = fileURLToPath(new URL('../sites/', import.meta.url));
const VENDOR_SCRIPT = '//app.storyblok.com/f/storyblok-v2-latest.js';
const WITH_SCRIPT_TAG = ['script', 'comments'];
export const SITES = ['js', 'js-6.2', 'react', 'vue', ...WITH_SCRIPT_TAG];

/** What stands in the page of a site in each variant. `own` loads the class of the studio where the site names the address of its script. */
const VARIANTS = {
  unchanged: (studio, { line }) => ({ head: line }),
  relay: (studio) => ({ head: `<script src="${studio}/f/bridge.js"></script>` }),
  customParent: (studio) => ({ site: { customParent: studio } }),
  own: (studio) => ({ site: { bridgeUrl: `${studio}/f/storyblok-v2-latest.js` }, script: `${studio}/f/storyblok-v2-latest.js` }),
  // What its readers see.
  published: (studio, { publicToken }) => ({ site: { version: 'published', token: publicToken } }),
};

/** The variants of a site that a studio can show. */
export function variantsOf(site) {
  return Object.keys(VARIANTS).filter((variant) => variant !== 'published').filter((variant) => variant !== 'own' || WITH_SCRIPT_TAG.includes(site) || site === 'js-6.2');
}

export class SiteServer {
  /** What the developers of an unchanged site have added to the head of its pages since. */
  line = '';

  /** `studio` is the origin of the studio; `token` reads drafts of the space, `publicToken` what is published. */
  static async start(studio) {
    const made = new SiteServer();
    made.studio = studio;
    made.files = await bundle();
    made.server = createServer((request, response) => made.#answer(new URL(request.url, 'http://site'), response));
    await new Promise((listening) => made.server.listen(0, '127.0.0.1', listening));
    made.origin = `http://localhost:${made.server.address().port}`;
    return made;
  }

  async close() {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  #answer({ pathname }, response) {
    const file = this.files.get(pathname.slice(1));
    if (file) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    const [, site, variant] = pathname.split('/');
    if (!SITES.includes(site) || !VARIANTS[variant]) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(this.#page(site, VARIANTS[variant](this.studio, this)));
  }

  #page(site, { head = '', site: more = {}, script = VENDOR_SCRIPT }) {
    const settings = JSON.stringify({ endpoint: `${this.studio}/api/v2`, token: this.token, ...more });
    const tag = WITH_SCRIPT_TAG.includes(site) ? `<script src="${script}"></script>` : '';
    return `<!doctype html><html lang="en"><title>Site</title>${head}<link rel="icon" href="data:,">
      <style>body { font: 16px sans-serif; } main, div { padding: 1.5rem; } .teaser { background: #eee; margin: .5rem; }</style>
      <div id="site"></div><a id="on" href="/${site}/elsewhere">Go on</a>
      <script>globalThis.SITE = ${settings}</script>${tag}<script type="module" src="/${site}.js"></script></html>`;
  }
}

/** The bundles by their names. */
async function bundle() {
  const input = Object.fromEntries(SITES.map((site) => [site, `${folder}${site}.js`]));
  const output = { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' };
  const built = await build({ configFile: false, root: folder, logLevel: 'error', build: { write: false, target: 'es2022', minify: false, rolldownOptions: { input, output } } });
  assert.ok(built.output.length >= SITES.length);
  return new Map(built.output.filter(({ type }) => type === 'chunk').map(({ fileName, code }) => [fileName, code]));
}
