// How far a story is translated, and its names and slugs in other languages.

import type { StoryDetail } from '../model/save.ts';
import type { Client } from './client.ts';

/** A field of the default language, by its path: `body/3/title`. */
export interface TranslatedField {
  readonly field: string;
  readonly uid: string | null;
}

/** A language beside the default one. */
export interface Translation {
  readonly language: string;
  /** How many fields have something to translate. */
  readonly translatable: number;
  readonly missing: readonly TranslatedField[];
  /** The text of the default language has changed since these were translated. */
  readonly outdated: readonly TranslatedField[];
}

interface All {
  readonly translations: readonly Translation[];
}

export async function readTranslations(client: Client, story: number, signal?: AbortSignal): Promise<readonly Translation[]> {
  return (await client.get<All>(`stories/${story}/translations`, {}, signal)).body.translations;
}

/** Says of outdated translations that they are still right, beside the texts of a revision. */
export async function confirmTranslations(client: Client, story: number, revision: number, language: string, fields: readonly string[]): Promise<readonly Translation[]> {
  return (await client.change<All>('PUT', `stories/${story}/translations`, { translation: { language, fields } }, {}, { ifMatch: revision })).translations;
}

/** What a story is called in a language, and its slug there; without both it has those of the default language. */
export interface TranslatedSlug {
  readonly lang: string;
  readonly name: string;
  readonly slug: string;
}

/** Sets these, or none of them where one is refused: a problem names the language, see `translatedField`. */
export async function setTranslatedSlugs(client: Client, story: number, revision: number, all: readonly TranslatedSlug[]): Promise<StoryDetail> {
  const attributes = all.map(({ lang, name, slug }) => (name || slug ? { lang, name: name || null, slug: slug || null } : { lang, _destroy: true }));
  return (await client.change<{ story: StoryDetail }>('PUT', `stories/${story}`, { story: { translated_slugs_attributes: attributes } }, {}, { ifMatch: revision })).story;
}

/** The field of a problem with a slug or name in a language. */
export function translatedField(lang: string, field: 'name' | 'slug'): string {
  return `translated_slugs_attributes.${lang}.${field}`;
}
