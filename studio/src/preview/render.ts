// The story that a site is shown: the draft in the shape of the Delivery API, with relations and links put in their places as storyblok-js-client 7 does it,
// because that is what sites render.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { deliver, languagesOf, pathsIn } from './deliver.ts';
import type { BridgeConfig, LinkForm } from './messages.ts';
import { linkedStories, namedStories, type Delivered, type RelatedStories } from './related.ts';

/** What stays the same while a person types. */
export interface Rendering {
  readonly space: number;
  /** The story as the server delivers its draft: everything but the content comes from it. */
  readonly base: Delivered & { readonly id: number };
  /** The code of the language; empty for the default one. */
  readonly language: string;
  readonly config: BridgeConfig;
  readonly related: RelatedStories;
}

export interface Rendered {
  readonly story: JsonObject;
  /** The stories that it refers to. */
  readonly named: ReadonlySet<string>;
  readonly linked: ReadonlySet<string>;
}

/** Renders contents of one story; what does not depend on the content is worked out once. */
export class Renderer {
  readonly #rendering: Rendering;
  readonly #paths: ReadonlyMap<string, string>;
  #relations: { readonly key: string; readonly stories: ReadonlyMap<string, JsonObject> } = { key: '', stories: new Map() };

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
    this.#paths = pathsIn(rendering.base.content ?? null);
  }

  /** The story with what is known of others; asks for those that are not. */
  async complete(content: JsonObject): Promise<JsonObject> {
    const { related, config } = this.#rendering;
    // A relation may lead to further ones, which clients put in place one level deep.
    for (let known = -1; known !== related.version; ) {
      known = related.version;
      await related.ask(this.render(content).named);
    }
    if (config.resolveLinks) await related.ask([...this.render(content).linked].filter((uuid) => !related.link(uuid)));
    return this.render(content).story;
  }

  /** The story with what is known of others. */
  render(content: JsonObject): Rendered {
    const { space, base, language, config, related } = this.#rendering;
    const languages = languagesOf(language, config.fallbackLang);
    const delivered = deliver(content, { space, story: base.id, languages, paths: this.#paths });
    const named = namedStories(delivered, config.resolveRelations);
    const direct = known([...named], related);
    for (const story of direct) namedStories(story.content ?? null, config.resolveRelations, named);
    const relations = known([...named], related);
    const linked = linkedStories(delivered);
    for (const story of relations) linkedStories(story.content ?? null, linked);
    const places = { relations: this.#resolved(relations), fields: config.resolveRelations, links: this.#links(linked) };
    return { story: { ...base, content: enrich(delivered, places) as JsonObject }, named, linked };
  }

  /** The related stories with their own relations in place: of those that come later, without theirs. */
  #resolved(relations: readonly Delivered[]): ReadonlyMap<string, JsonObject> {
    const { config, related } = this.#rendering;
    const key = `${related.version} ${relations.map(({ uuid }) => uuid).join()}`;
    if (key !== this.#relations.key) {
      const stories = new Map(relations.map((story) => [String(story.uuid), { ...story, _stopResolving: true } as JsonObject]));
      const links = this.#links(new Set(relations.flatMap((story) => [...linkedStories(story.content ?? null)])));
      for (const [uuid, story] of stories) {
        stories.set(uuid, { ...story, content: enrich(story.content ?? null, { relations: stories, fields: config.resolveRelations, links }) });
      }
      this.#relations = { key, stories };
    }
    return this.#relations.stories;
  }

  #links(linked: ReadonlySet<string>): ReadonlyMap<string, JsonObject> {
    const { config, related, language } = this.#rendering;
    const links = new Map<string, JsonObject>();
    if (!config.resolveLinks) return links;
    for (const uuid of linked) {
      const story = related.story(uuid);
      const link = related.link(uuid) ?? (story && linkView(story, config.resolveLinks, language));
      if (link) links.set(uuid, { ...link, _stopResolving: true });
    }
    return links;
  }
}

function known(uuids: readonly string[], related: RelatedStories): readonly Delivered[] {
  return uuids.map((uuid) => related.story(uuid)).filter((story) => story !== undefined);
}

interface Places {
  readonly relations: ReadonlyMap<string, JsonObject>;
  /** `component.field`. The client looks at the name of the field alone. */
  readonly fields: readonly string[];
  readonly links: ReadonlyMap<string, JsonObject>;
}

/** A content with stories in the places of their uuids, and behind links. */
function enrich(value: Json, places: Places): Json {
  if (isList(value)) return value.map((item) => enrich(item, places));
  if (!isObject(value)) return value;
  const isResolved = (value.component && value._uid) || value.type === 'link';
  const members: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    const placed = isResolved && places.fields.some((field) => field.endsWith(`.${name}`)) ? placeRelations(member, places.relations) : member;
    const inner = placed === member ? enrich(member, places) : placed;
    members[name] = isResolved ? placeLink(inner, places.links) : inner;
  }
  return members;
}

function placeRelations(value: Json, relations: Places['relations']): Json {
  if (typeof value === 'string') return relations.get(value) ?? value;
  if (!isList(value)) return value;
  return value.map((item) => (typeof item === 'string' ? (relations.get(item) ?? item) : item)).filter(Boolean);
}

function placeLink(value: Json, links: Places['links']): Json {
  if (!isObject(value) || value.linktype !== 'story') return value;
  const { fieldtype, id, uuid } = value;
  const story = (fieldtype === 'multilink' && typeof id === 'string' && links.get(id)) || (typeof uuid === 'string' && links.get(uuid));
  return story ? { ...value, story } : value;
}

/** The target of a link in the form that was asked for. */
function linkView(story: Delivered, form: LinkForm, language: string): JsonObject {
  if (form === 'story') return story;
  const { id, uuid, name, slug, full_slug, is_startpage, position, parent_id } = story;
  const path = story.path ?? null;
  const address = path ?? full_slug;
  if (form === 'url') {
    return { id, uuid, name, slug: ownSlug(story, language), path, full_slug, url: address } as JsonObject;
  }
  return {
    id, uuid, name, slug: full_slug, path, real_path: `/${String(address).replace(/^\/+/, '')}`, full_slug,
    published: story.published_at !== null, parent_id, is_folder: false, is_startpage, position, alternates: alternates(story),
  } as JsonObject;
}

/** The last part of its path in the default language; the story has that of the language. */
function ownSlug(story: Delivered, language: string): Json | undefined {
  const path = language && typeof story.default_full_slug === 'string' ? story.default_full_slug : '';
  return path.slice(path.lastIndexOf('/') + 1) || story.slug;
}

function alternates(story: Delivered): Json {
  const published = story.published_at !== null;
  const translated = isList(story.translated_slugs) ? story.translated_slugs.filter(isObject) : [];
  return translated.map(({ lang, path, name }) => ({ lang, path, name, published, translated_slug: path }) as JsonObject);
}
