// The stories that a draft refers to: by the fields that a site asked to be resolved, and by links. They are kept by their uuids, and asked for only when the
// draft names a new one.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { isBlock, isStoryLink } from './deliver.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A story in the shape of the Delivery API. */
export type Delivered = JsonObject;

/** Asks the server for stories, at most `MOST_AT_ONCE` of them. */
export type LoadStories = (uuids: readonly string[]) => Promise<readonly Delivered[]>;

export const MOST_AT_ONCE = 50;

/** What came with the story itself: stories of its relations, and the targets of its links in the form that was asked for. */
export interface Resolved {
  readonly rels?: readonly Delivered[];
  readonly links?: readonly JsonObject[];
}

export class RelatedStories {
  readonly #load: LoadStories;
  readonly #stories = new Map<string, Delivered | undefined>();
  readonly #links: ReadonlyMap<string, JsonObject>;
  /** Grows with every answer. */
  version = 0;

  constructor(load: LoadStories, { rels = [], links = [] }: Resolved = {}) {
    this.#load = load;
    for (const story of rels) this.#stories.set(String(story.uuid), story);
    this.#links = new Map(links.map((link) => [String(link.uuid), link]));
  }

  /** Nothing where there is none, or where it was not asked for yet. */
  story(uuid: string): Delivered | undefined {
    return this.#stories.get(uuid);
  }

  /** The target of a link, where it came with the story. */
  link(uuid: string): JsonObject | undefined {
    return this.#links.get(uuid);
  }

  /** Asks for those that were never asked for. Rejected when the server cannot be reached; then they are asked for the next time. */
  async ask(uuids: Iterable<string>): Promise<void> {
    const missing = [...uuids].filter((uuid) => !this.#stories.has(uuid));
    for (let at = 0; at < missing.length; at += MOST_AT_ONCE) {
      const chunk = missing.slice(at, at + MOST_AT_ONCE);
      const found = await this.#load(chunk);
      for (const uuid of chunk) this.#stories.set(uuid, undefined);
      for (const story of found) this.#stories.set(String(story.uuid), story);
      this.version += 1;
    }
  }
}

/** The stories that the fields named as `component.field` refer to, each once, in the order of the content. */
export function namedStories(content: Json, relations: readonly string[], found = new Set<string>()): Set<string> {
  eachObject(content, (object) => {
    if (!isBlock(object)) return;
    for (const relation of relations) {
      if (!relation.startsWith(`${object.component}.`)) continue;
      const value = object[relation.slice(object.component.length + 1)];
      for (const uuid of isList(value) ? value : [value]) if (isUuid(uuid)) found.add(uuid);
    }
  });
  return found;
}

/** The stories that links of fields and of texts lead to. */
export function linkedStories(content: Json, found = new Set<string>()): Set<string> {
  eachObject(content, (object) => {
    const attrs = object.type === 'link' && isObject(object.attrs) && object.attrs.linktype === 'story' ? object.attrs : undefined;
    const target = isStoryLink(object) ? object.id : attrs?.uuid;
    if (isUuid(target)) found.add(target);
  });
  return found;
}

function isUuid(value: Json | undefined): value is string {
  return typeof value === 'string' && UUID.test(value);
}

function eachObject(value: Json, visit: (object: JsonObject) => void): void {
  if (isList(value)) for (const item of value) eachObject(item, visit);
  if (!isObject(value)) return;
  visit(value);
  for (const member of Object.values(value)) eachObject(member, visit);
}
