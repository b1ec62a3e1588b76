// The settings of a story and of a folder: what stands beside its content. They are edited as texts and choices, and only what differs then is written.

import { isEqual, isList, isObject, type Json, type JsonObject } from './json.ts';
import type { StoryDetail } from './save.ts';
import type { Folder } from './shell.ts';
import { TRANSLATED_SLUGS, translatedSlugsChange, translatedSlugsOf, type TranslatedSlugs } from './translatedslugs.ts';

/** Another story of the same group: the same page for other readers. */
export interface Alternate {
  readonly id: number;
  readonly name: string;
  readonly full_slug: string;
}

/** A story with the members that its settings are. */
export interface SettingsStory extends StoryDetail {
  readonly path: string | null;
  readonly sort_by_date: string | null;
  readonly disable_fe_editor: boolean;
  readonly meta_data: Json;
  readonly group_id: string;
  readonly alternates: readonly Alternate[];
  readonly expire_at: string | null;
}

export interface Settings {
  readonly name: string;
  readonly slug: string;
  /** The path at which the site shows it, where that is not its address. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly isStartPage: boolean;
  /** `YYYY-MM-DD`. */
  readonly sortDate: string;
  readonly isPreviewOff: boolean;
  /** As JSON; empty for none. */
  readonly metaData: string;
  /** Of a folder; a story has a dialog for them. */
  readonly translatedSlugs: TranslatedSlugs;
  /** The types of stories that a folder takes; none for all. */
  readonly contentTypes: readonly string[];
  /** What the folders in it take is limited as well. */
  readonly limitsFolders: boolean;
  /** The type that a new story in it has at first. */
  readonly defaultType: string;
}

export function settingsOf(story: SettingsStory): Settings {
  const { lock_subfolders_content_types: locks } = folderContent(story);
  return {
    name: story.name,
    slug: story.slug,
    path: story.path ?? '',
    tags: story.tag_list,
    isStartPage: story.is_startpage,
    sortDate: story.sort_by_date ?? '',
    isPreviewOff: story.disable_fe_editor,
    metaData: (story.meta_data ?? null) === null ? '' : JSON.stringify(story.meta_data, null, 2),
    translatedSlugs: translatedSlugsOf(story),
    contentTypes: story.is_folder ? contentTypesOf(story) : [],
    limitsFolders: locks === true,
    defaultType: story.default_root ?? '',
  };
}

/** The types of stories that a folder takes; none for all. */
export function contentTypesOf({ content }: Folder): string[] {
  const types = content?.content_types;
  return isList(types) ? types.filter((type) => typeof type === 'string') : [];
}

/** What a write of the settings has: the members that differ from those of the story. */
export function changesOf(story: SettingsStory, after: Settings): JsonObject {
  const before = settingsOf(story);
  const changed = (name: keyof Settings, member: string, value: Json): [string, Json][] => (isEqual(before[name] as Json, after[name] as Json) ? [] : [[member, value]]);
  const typed = (name: 'name' | 'slug' | 'path', none: string | null): [string, Json][] => (before[name].trim() === after[name].trim() ? [] : [[name, after[name].trim() || none]]);
  return Object.fromEntries([
    ...typed('name', ''),
    ...typed('slug', ''),
    ...typed('path', null),
    ...changed('tags', 'tag_list', [...after.tags]),
    ...changed('isStartPage', 'is_startpage', after.isStartPage),
    ...changed('sortDate', 'sort_by_date', after.sortDate || null),
    ...changed('isPreviewOff', 'disable_fe_editor', after.isPreviewOff),
    ...metaDataChange(story, after.metaData),
    ...translatedChange(before, after),
    ...changed('defaultType', 'default_root', after.defaultType || null),
    ...contentChange(story, before, after),
  ]);
}

/** The text is JSON. What is only written in another way is no change. */
function metaDataChange(story: SettingsStory, text: string): [string, Json][] {
  const value = text.trim() === '' ? null : (JSON.parse(text) as Json);
  return isEqual(value, story.meta_data ?? null) ? [] : [['meta_data', value]];
}

function translatedChange(before: Settings, after: Settings): [string, Json][] {
  const changes = translatedSlugsChange(before.translatedSlugs, after.translatedSlugs);
  return changes.length > 0 ? [[TRANSLATED_SLUGS, changes]] : [];
}

/** What a folder takes stands in its content, beside what is not known here. */
function contentChange(story: SettingsStory, before: Settings, after: Settings): [string, Json][] {
  const content: Record<string, Json> = {};
  if (!isEqual(before.contentTypes as Json, after.contentTypes as Json)) content.content_types = [...after.contentTypes];
  if (before.limitsFolders !== after.limitsFolders) content.lock_subfolders_content_types = after.limitsFolders;
  return Object.keys(content).length > 0 ? [['content', { ...folderContent(story), ...content }]] : [];
}

/** The members of a change that others have changed meanwhile. */
export function overtaken(change: JsonObject, before: SettingsStory, now: SettingsStory): string[] {
  // Names and slugs in other languages are read by another name than they are written.
  const of = (story: SettingsStory, member: string) => (story as unknown as JsonObject)[member === TRANSLATED_SLUGS ? 'translated_slugs' : member];
  return Object.keys(change).filter((member) => !isEqual(of(before, member), of(now, member)));
}

/** The settings with what others have made of the rest: only what was changed here stays. */
export function rebased(before: SettingsStory, settings: Settings, now: SettingsStory): Settings {
  const [was, is] = [settingsOf(before), settingsOf(now)];
  const isChanged = (name: string) => !isEqual(was[name as keyof Settings] as Json, settings[name as keyof Settings] as Json);
  const own = Object.entries(settings).filter(([name]) => isChanged(name));
  return { ...is, ...Object.fromEntries(own) };
}

function folderContent(story: SettingsStory): JsonObject {
  return story.is_folder && isObject(story.content) ? story.content : {};
}
