// Options of `option` and `options`: where they come from, and which of them a value names. A value that is no option any more stays.

import { textOf, type Json } from '../model/json.ts';
import type { Choice, OptionField } from '../model/schema.ts';
import type { FieldSources } from '../model/sources.ts';
import { fill, type Texts } from '../texts/texts.ts';

/** From how many options on a field is searched instead of unfolded. */
export const MOST_UNFOLDED = 12;
/** How many options that are all known are listed at once. */
const MOST_LISTED = 200;

/** An option with what tells it apart from others of its name. */
export interface Option extends Choice {
  readonly detail?: string;
}

/** The options that are known without asking; nothing where they have to be looked up. */
export function knownOptions(schema: OptionField, sources: FieldSources): readonly Option[] | undefined {
  if (schema.source === 'self') return schema.options;
  // The default language has no code; content names it `default`.
  return schema.source === 'languages' ? [{ code: 'default', name: 'default' }, ...sources.languages].map(({ code, name }) => ({ value: code, name })) : undefined;
}

/** Whether there is anything to choose from: else the value is typed, and any is right. */
export function hasOptions(schema: OptionField): boolean {
  switch (schema.source) {
    case 'self': return schema.options.length > 0;
    case 'datasource': return schema.datasource_slug !== null;
    case 'external': return false;
    default: return true;
  }
}

/** Options by a part of their name or value. */
export async function findOptions(schema: OptionField, sources: FieldSources, search: string, signal: AbortSignal): Promise<{ items: readonly Option[]; total: number }> {
  const known = knownOptions(schema, sources);
  if (known) {
    const text = search.toLowerCase();
    const found = known.filter(({ name, value }) => name.toLowerCase().includes(text) || value.toLowerCase().includes(text));
    return { items: found.slice(0, MOST_LISTED), total: found.length };
  }
  if (schema.source === 'datasource') return sources.searchEntries(schema.datasource_slug ?? '', search, signal);
  const found = await sources.searchStories(search, { contentTypes: schema.filter_content_type, folder: folderOf(schema) }, signal);
  return { items: found.items.map((story) => ({ value: story.uuid, name: story.name, detail: story.full_slug })), total: found.total };
}

/** The options that values name, by value: what is missing is no option any more. */
export async function optionsOf(schema: OptionField, sources: FieldSources, values: readonly string[]): Promise<ReadonlyMap<string, Option>> {
  if (!hasOptions(schema)) return byValue(values.map((value) => ({ value, name: value })));
  const known = knownOptions(schema, sources);
  if (known) return byValue(known);
  if (schema.source === 'datasource') {
    const slug = schema.datasource_slug ?? '';
    const first = byValue((await sources.searchEntries(slug, '')).items);
    // Only what is not among the first ones is searched for by itself.
    const others = await Promise.all(values.filter((value) => value !== '' && !first.has(value)).map((value) => sources.searchEntries(slug, value)));
    return new Map([...first, ...byValue(others.flatMap(({ items }) => items))]);
  }
  const stories = await sources.stories(values);
  return new Map(stories.flatMap((story) => [story.uuid, String(story.id)].map((value) => [value, { value, name: story.name, detail: story.full_slug }])));
}

function byValue(options: readonly Option[]): ReadonlyMap<string, Option> {
  return new Map(options.map((option) => [option.value, option]));
}

/** The folder whose stories may be chosen, as the server reads it: one with a placeholder, which the hosted editor fills, is none. */
function folderOf({ folder_slug: folder }: OptionField): string | null {
  const path = folder?.trim().replace(/^\/+/, '') ?? '';
  return path === '' || path.includes('{') ? null : path;
}

/** The values of a list as texts. */
export function valuesOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item) => textOf(item) ?? '') : [];
}

/** A list with the value at one place moved to another; each item keeps its kind. */
export function withMoved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const moved = [...list];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** How many options the schema asks for. */
export function countHint({ minimum: least, maximum: most }: OptionField, t: Texts): string {
  if (least !== undefined && most !== undefined) return least === most ? fill(t.optionsExactly, { count: most }) : fill(t.optionsFromTo, { least, most });
  if (least !== undefined) return fill(t.optionsFrom, { least });
  return most === undefined ? '' : fill(t.optionsTo, { most });
}
