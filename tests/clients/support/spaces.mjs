import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../fixtures', import.meta.url));
/** The folder of the example spaces, for `npm run test:shared`; `npm test` leaves them out, `npm run test:shared` fails without it. */
const shared = process.env.LECTERN_SHARED;

/** The names of the datasets that are written and read back: the repository's own, and two example spaces of real sites. */
export const names = ['magazine', ...examples('starter-articles', 'studies-abroad')];

/** The same with two that are less tidy: one has every field type, one deep components. */
export const found = [...names, ...examples('field-types', 'component-library')];

/** And with the one whose stories are too large to be read again and again. */
export const all = [...found, ...examples('energy-site')];

function examples(...wanted) {
  if (!shared) return [];
  const missing = wanted.find((name) => !existsSync(folder(name)));
  if (missing) throw new Error(`the example space ${missing} is missing in LECTERN_SHARED=${resolve(shared)}`);
  return wanted;
}

/** Where a dataset lies. */
export function folder(name) {
  return name === 'magazine' ? join(own, name) : join(shared, name);
}

/**
 * A space as files, each the body of one management list with all its pages. A story's `content` is the draft; `_published` holds
 * what its published version has instead. `published: false` with a `first_published_at` was published once and taken offline.
 */
export function dataset(name) {
  const read = (file, key) => JSON.parse(readFileSync(join(folder(name), `${file}.json`), 'utf8'))[key ?? file];
  const file = JSON.parse(readFileSync(join(folder(name), 'space.json'), 'utf8'));
  return {
    name,
    languages: (file.space ?? file).languages,
    components: read('components'),
    entries: read('stories').map((entry) => new Entry(entry)),
  };
}

/** A story or folder as it is to be. */
export class Entry {
  constructor(source) {
    // An empty real path is none.
    this.source = { ...source, path: source.path || null };
  }

  get path() {
    return this.source.full_slug;
  }

  get isFolder() {
    return this.source.is_folder;
  }

  /** What a draft reader sees: `{name, content}`. */
  get draft() {
    return { name: this.source.name, content: this.source.content };
  }

  /** What a public reader sees, if anything. */
  get published() {
    return this.source.published ? this.#first() : null;
  }

  /** How it comes about: the writes one after the other, each with what stands once it is acknowledged. */
  get steps() {
    const { draft, published } = this;
    if (this.isFolder) return [{ write: 'create', form: draft, publish: false, after: { draft, published: null } }];
    if (!published) {
      const publish = Boolean(this.source.first_published_at);
      const create = { write: 'create', form: draft, publish, after: { draft, published: publish ? draft : null } };
      return publish ? [create, { write: 'unpublish', after: { draft, published: null } }] : [create];
    }
    const create = { write: 'create', form: published, publish: true, after: { draft: published, published } };
    return this.source._published ? [create, { write: 'update', form: draft, after: { draft, published } }] : [create];
  }

  #first() {
    const { name, content } = { ...this.source, ...this.source._published };
    return { name, content };
  }
}
