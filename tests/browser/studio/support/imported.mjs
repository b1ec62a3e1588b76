// A space that was imported from the stand-in of Storyblok: the sample space of the tests, whose home page has blocks in blocks in blocks.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleSpace, TOKEN, Vendor } from '../../../clients/support/vendor.mjs';
import { call } from './desk.mjs';

const bloks = { type: 'bloks', pos: 1 };
const COMPONENTS = [
  { name: 'page', display_name: 'Page', is_root: true, schema: { title: { type: 'text', pos: 0 }, body: bloks } },
  { name: 'section', display_name: 'Section', is_root: false, is_nestable: true, schema: { columns: bloks } },
  { name: 'grid', display_name: 'Grid', is_root: false, is_nestable: true, schema: { columns: bloks } },
  { name: 'teaser', display_name: 'Teaser', is_root: false, is_nestable: true, preview_field: 'headline', schema: { headline: { type: 'text', pos: 0 } } },
];

const teaser = (_uid, headline) => ({ _uid, component: 'teaser', headline });
const HOME = {
  _uid: 'root', component: 'page', title: 'Workshop',
  body: [{ _uid: 'section', component: 'section', columns: [{ _uid: 'grid', component: 'grid', columns: [teaser('deep', 'Deep'), teaser('beside', 'Beside')] }] }],
};

/** The stand-in, with that space. */
export class Source {
  static async start() {
    const source = new Source();
    source.folder = await mkdtemp(join(tmpdir(), 'lectern-source-'));
    await cp(sampleSpace, source.folder, { recursive: true });
    const file = (name) => join(source.folder, `${name}.json`);
    const read = async (name) => JSON.parse(await readFile(file(name), 'utf8'));
    const { components } = await read('components');
    const ours = COMPONENTS.map((component, index) => ({ ...components[0], id: 500 + index, ...component }));
    await writeFile(file('components'), JSON.stringify({ components: [...components.filter(({ name }) => !COMPONENTS.some((own) => own.name === name)), ...ours] }));
    const { stories } = await read('stories');
    await writeFile(file('stories'), JSON.stringify({ stories: stories.map((story) => (story.full_slug === 'home' ? { ...story, content: HOME } : story)) }));
    await writeFile(file('presets'), JSON.stringify({ presets: [] }));
    source.vendor = await Vendor.start([source.folder], { assets: 'self' });
    source.space = source.vendor.space(source.folder).id;
    return source;
  }

  /** What tells a server of it. */
  get variables() {
    return { APP_VENDOR_MAPI_URL: this.vendor.url, APP_VENDOR_CDN_URL: this.vendor.url, APP_ALLOWED_PRIVATE_TARGETS: `${new URL(this.vendor.url).host},127.0.0.1,::1` };
  }

  /** Imports it into a space of the person, and waits for the end. */
  async importInto(person, space) {
    const at = `/api/v1/spaces/${space}`;
    const { import: started } = await call(person, 'POST', `${at}/import/vendor`, { source_space_id: this.space, oauth_token: TOKEN, region: 'eu' });
    // The events end with the import.
    await person.context.request.get(`${person.origin}${at}/imports/${started.id}/events`, { timeout: 0 });
    const { import: ended } = await call(person, 'GET', `${at}/imports/${started.id}`);
    assert.equal(ended.status, 'succeeded', JSON.stringify(ended));
  }

  async close() {
    this.vendor?.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}
