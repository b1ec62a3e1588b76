import { pool } from './pool.mjs';

const WIDTH = 8;

/** What the story object of a write holds besides name and content. */
function placed(entry, parentId) {
  const { slug, is_startpage, is_folder, position, tag_list, path, sort_by_date, meta_data, default_root, translated_slugs } = entry.source;
  return {
    slug,
    parent_id: parentId,
    position,
    is_startpage,
    tag_list,
    path,
    sort_by_date,
    meta_data,
    translated_slugs_attributes: translated_slugs.map(({ lang, slug, name }) => ({ lang, slug, name })),
    ...(is_folder && { is_folder, default_root }),
  };
}

/**
 * Writes a dataset through the Management API and keeps a journal of what the server has acknowledged, so that a load that was cut
 * off can be compared with the server and carried on.
 */
export class Loader {
  /** The dataset's id of an entry -> `{entry, id, done, state, pending}`. */
  journal = new Map();
  acknowledged = 0;
  /** How many stories are written at a time. */
  width = WIDTH;

  constructor(space, dataset) {
    this.space = space;
    this.dataset = dataset;
    /** Called after each acknowledged write of a story. The next write waits for what it answers. */
    this.onAcknowledged = () => {};
    for (const entry of dataset.entries) {
      this.journal.set(entry.source.id, { entry, id: null, done: 0, state: null, pending: null });
    }
  }

  /** The languages of the space and its components. */
  async prepare() {
    const { languages, components } = this.dataset;
    await this.space.management.spaces.update({ body: { space: { languages } } });
    // One of the spaces has some components twice.
    const different = new Map(components.map((component) => [component.name, component]));
    await pool(different.values(), WIDTH, async (component) => {
      const { name, display_name, schema, is_root, is_nestable, preview_field, color, icon } = component;
      const body = { component: { name, display_name, schema, is_root, is_nestable, preview_field, color, icon } };
      await this.space.management.components.create({ body });
    });
  }

  /** How many writes of stories there are to be made. */
  get left() {
    return [...this.journal.values()].reduce((sum, { entry, done }) => sum + entry.steps.length - done, 0);
  }

  /** Writes what is not written yet: folders level by level, then the stories. */
  async run() {
    const records = [...this.journal.values()];
    const depth = (record) => record.entry.path.split('/').length;
    const folders = records.filter((record) => record.entry.isFolder);
    for (const level of new Set(folders.map(depth).sort((a, b) => a - b))) {
      await this.#write(folders.filter((record) => depth(record) === level));
    }
    await this.#write(records.filter((record) => !record.entry.isFolder));
  }

  #write(records) {
    return pool(records, this.width, async (record) => {
      const { steps } = record.entry;
      while (record.done < steps.length) {
        const step = steps[record.done];
        record.pending = step.after;
        const story = await this.#send(record, step);
        record.id = story.id;
        record.state = step.after;
        record.pending = null;
        record.done += 1;
        this.acknowledged += 1;
        await this.onAcknowledged(this.acknowledged);
      }
    });
  }

  async #send({ entry, id }, { write, form, publish }) {
    const { stories } = this.space.management;
    switch (write) {
      case 'create': {
        const parent = entry.source.parent_id;
        const story = { ...placed(entry, parent ? this.journal.get(parent).id : 0), ...form };
        const { data } = await stories.create({ body: { story, ...(publish && { publish: 1 }) } });
        return data.story;
      }
      case 'update': {
        const { data } = await stories.update(id, { body: { story: form } });
        return data.story;
      }
      default:
        return (await this.space.manage('get', `stories/${id}/unpublish`)).story;
    }
  }
}

/** Loads a whole dataset into a fresh space. */
export async function load(space, dataset) {
  const loader = new Loader(space, dataset);
  await loader.prepare();
  await loader.run();
  return loader;
}
