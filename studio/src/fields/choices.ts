// Options of `option` and `options`: where they come from, and which of them a value names. A value that is no option any more stays.

import { numberOf, textOf, type Json } from '../model/json.ts';
import type { Choice, OptionField } from '../model/schema.ts';
import { folderIn, type FieldSources, type Found, type Target } from '../model/sources.ts';
import { Unread } from '../model/unread.ts';
import { fill, type Texts } from '../texts/texts.ts';
import { unreadSentence } from './unread.ts';

/** From how many options on a field is searched instead of unfolded. */
export const MOST_UNFOLDED = 12;
/** How many options that are all known are listed at once. */
const MOST_LISTED = 200;

/** An option with what tells it apart from others of its name. */
export interface Option extends Choice {
  readonly detail?: string;
  /** The story that it refers to. */
  readonly target?: Target;
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
    case 'external': return schema.external_datasource !== null;
    default: return true;
  }
}

/** Options by a part of their name or value. */
export async function findOptions(schema: OptionField, sources: FieldSources, search: string, kind: ReferenceKind, signal: AbortSignal): Promise<Found<Option>> {
  const known = knownOptions(schema, sources);
  if (known) {
    const text = search.toLowerCase();
    const found = known.filter(({ name, value }) => name.toLowerCase().includes(text) || value.toLowerCase().includes(text));
    return { items: found.slice(0, MOST_LISTED), total: found.length };
  }
  if (schema.source === 'datasource') return sources.searchEntries(schema.datasource_slug ?? '', search, signal);
  if (schema.source === 'external') return sources.searchOptions(schema.component, schema.name, search, signal);
  const found = await sources.searchStories(search, { contentTypes: schema.filter_content_type, folder: folderIn(schema.folder_slug, sources.storyPath()) }, signal);
  return { items: found.items.map((story) => storyOption(story, kind === 'uuid' ? story.uuid : String(story.id))), total: found.total };
}

/** What a list of options shows. Options of another server may not be there: then what was typed can be taken, and the reason is said. */
export async function offerOptions(schema: OptionField, sources: FieldSources, search: string, kind: ReferenceKind, t: Texts, signal: AbortSignal): Promise<Found<Option> & { readonly unread?: Unread; readonly note?: string }> {
  try {
    return await findOptions(schema, sources, search, kind, signal);
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
    return { items: search === '' ? [] : [{ value: search, name: search, detail: t.optionAsTyped }], total: 0, unread: error, note: `${unreadSentence(error, t)} ${t.optionTakeTyped}` };
  }
}

/** The options that values name, by value: what is missing is no option any more. */
export async function optionsOf(schema: OptionField, sources: FieldSources, values: readonly string[]): Promise<ReadonlyMap<string, Option>> {
  if (!hasOptions(schema)) return byValue(values.map((value) => ({ value, name: value })));
  const known = knownOptions(schema, sources);
  if (known) return byValue(known);
  if (schema.source === 'stories') {
    const stories = await sources.stories(values);
    return byValue(stories.flatMap((story) => [story.uuid, String(story.id)].map((value) => storyOption(story, value))));
  }
  const search = (text: string) => (schema.source === 'external' ? sources.searchOptions(schema.component, schema.name, text) : sources.searchEntries(schema.datasource_slug ?? '', text));
  const first = byValue((await search('')).items);
  // Only what is not among the first ones is searched for by itself.
  const others = await Promise.all(values.filter((value) => value !== '' && !first.has(value)).map(search));
  return new Map([...first, ...byValue(others.flatMap(({ items }) => items))]);
}

function storyOption(target: Target, value: string): Option {
  return { value, name: target.name, detail: target.full_slug, target };
}

/** How a field names stories: by UUID, or by number, as a number or as its digits. */
export type ReferenceKind = 'uuid' | 'number' | 'digits';

/** Values keep their kind; a first one is as the schema says. */
export function kindOfReference({ source, use_uuid }: OptionField, values: readonly Json[]): ReferenceKind {
  if (source !== 'stories') return 'uuid';
  const [first] = values.filter((value) => value !== '');
  if (first === undefined) return use_uuid ? 'uuid' : 'number';
  if (typeof first === 'number') return 'number';
  return numberOf(first) === undefined ? 'uuid' : 'digits';
}

/** The value that is stored for one that was chosen. */
export function storedOption(kind: ReferenceKind, value: string): Json {
  return kind === 'number' ? (numberOf(value) ?? value) : value;
}

function byValue(options: readonly Option[]): ReadonlyMap<string, Option> {
  return new Map(options.map((option) => [option.value, option]));
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

/** How many the schema asks for. */
export function countHint({ minimum: least, maximum: most }: Pick<OptionField, 'minimum' | 'maximum'>, t: Texts): string {
  if (least !== undefined && most !== undefined) return least === most ? fill(t.optionsExactly, { count: most }) : fill(t.optionsFromTo, { least, most });
  if (least !== undefined) return fill(t.optionsFrom, { least });
  return most === undefined ? '' : fill(t.optionsTo, { most });
}
