// The content of a draft as the Delivery API gives it: one language, with the marks by which sites tell the studio which block was clicked.

import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';

const MARK = '__i18n__';

export interface Delivery {
  readonly space: number;
  readonly story: number;
  /** The codes of the languages to try, the preferred one first; empty for the default language. */
  readonly languages: readonly string[];
  /** The paths of stories by their uuids, as the server knows them: those in the content may be older. */
  readonly paths: ReadonlyMap<string, string>;
}

/** The languages to try: a language without a fallback of its own has none. */
export function languagesOf(language: string, fallback: string): readonly string[] {
  return language ? [language, fallback].filter((code) => code && code !== 'default') : [];
}

export function deliver(content: JsonObject, delivery: Delivery): JsonObject {
  const suffixes = delivery.languages.map((code) => code.replaceAll('-', '_'));
  const visit = (value: Json): Json => {
    if (isList(value)) return value.map(visit);
    return isObject(value) ? visitObject(value) : value;
  };
  const visitObject = (object: JsonObject): JsonObject => {
    const members: Record<string, Json> = {};
    for (const name of shownMembers(object, suffixes)) members[fieldOf(name)] = visit(object[name] ?? null);
    const path = isStoryLink(object) ? delivery.paths.get(object.id) : undefined;
    if (path !== undefined) members.cached_url = path;
    if (isBlock(object)) members._editable = editable(object, delivery);
    return members;
  };
  return visitObject(content);
}

/** The names of the members that are shown: of each field the default's value or the translation that goes before it. */
export function shownMembers(object: JsonObject, suffixes: readonly string[]): Iterable<string> {
  const shown = new Map<string, string>();
  const ranks = new Map<string, number>();
  for (const name of Object.keys(object)) {
    const at = name.indexOf(MARK);
    if (at < 0) {
      if (!shown.has(name)) shown.set(name, name);
      continue;
    }
    const [field, rank] = [name.slice(0, at), suffixes.indexOf(name.slice(at + MARK.length))];
    if (rank < 0 || rank > (ranks.get(field) ?? Infinity) || isBlank(object[name])) continue;
    ranks.set(field, rank);
    shown.set(field, name);
  }
  return shown.values();
}

/** The field that a member of a block is about, in whatever language. */
export function fieldOf(name: string): string {
  const at = name.indexOf(MARK);
  return at < 0 ? name : name.slice(0, at);
}

/** Whether a translation was never filled in, so that the default is shown. */
function isBlank(value: Json | undefined): boolean {
  if (typeof value === 'string') return /^\p{White_Space}*$/u.test(value);
  return value === null || value === undefined || (isList(value) && value.length === 0);
}

/** Whether an object is a link of a field to a story. */
export function isStoryLink(object: JsonObject): object is JsonObject & { readonly id: string } {
  return object.fieldtype === 'multilink' && object.linktype === 'story' && typeof object.id === 'string';
}

export function isBlock(object: JsonObject): object is JsonObject & { readonly component: string } {
  return typeof object.component === 'string' && /\P{White_Space}/u.test(object.component);
}

/** The comment by which a site marks the elements of a block. */
function editable(block: JsonObject & { readonly component: string }, { space, story }: Delivery): string {
  const uid = typeof block._uid === 'string' ? block._uid : '';
  return `<!--#storyblok#${JSON.stringify({ name: block.component, space: String(space), uid, id: String(story) })}-->`;
}

/** The paths of the stories that a delivered content links to. */
export function pathsIn(delivered: Json, paths = new Map<string, string>()): Map<string, string> {
  if (isList(delivered)) for (const item of delivered) pathsIn(item, paths);
  if (!isObject(delivered)) return paths;
  if (isStoryLink(delivered) && typeof delivered.cached_url === 'string') paths.set(delivered.id, delivered.cached_url);
  for (const value of Object.values(delivered)) pathsIn(value, paths);
  return paths;
}
