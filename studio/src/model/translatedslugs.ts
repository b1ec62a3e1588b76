// What a story or a folder is called in the languages of the space, and its slugs there. Where a language has none of its own, it has those of the default language.

import type { JsonObject } from './json.ts';
import type { StoryDetail } from './save.ts';

/** The name and slug of one language, as they are typed; empty for none of its own. */
export interface TranslatedSlug {
  readonly name: string;
  readonly slug: string;
}

/** By the codes of the languages. */
export type TranslatedSlugs = Readonly<Record<string, TranslatedSlug>>;

/** The member of a write that has them. */
export const TRANSLATED_SLUGS = 'translated_slugs_attributes';

const NONE: TranslatedSlug = { name: '', slug: '' };

export function translatedSlugsOf({ translated_slugs: all }: Pick<StoryDetail, 'translated_slugs'>): TranslatedSlugs {
  return Object.fromEntries((all ?? []).map(({ lang, name, slug }) => [lang, { name: name ?? '', slug: slug ?? '' }]));
}

export function translatedSlugIn(all: TranslatedSlugs, code: string): TranslatedSlug {
  return all[code] ?? NONE;
}

/** What a write has of them: the languages that differ. One that is left without both has none of its own any more. */
export function translatedSlugsChange(before: TranslatedSlugs, after: TranslatedSlugs): JsonObject[] {
  return Object.entries(after).flatMap(([lang, { name, slug }]): JsonObject[] => {
    const [own, was] = [{ name: name.trim(), slug: slug.trim() }, translatedSlugIn(before, lang)];
    if (own.name === was.name && own.slug === was.slug) return [];
    return [own.name || own.slug ? { lang, name: own.name || null, slug: own.slug || null } : { lang, _destroy: true }];
  });
}

/** The field of a problem with a name or slug in a language. */
export function translatedField(lang: string, field: keyof TranslatedSlug): string {
  return `${TRANSLATED_SLUGS}.${lang}.${field}`;
}

/** All fields that a problem may name. */
export function translatedFields(all: TranslatedSlugs): string[] {
  return Object.keys(all).flatMap((lang) => [translatedField(lang, 'name'), translatedField(lang, 'slug')]);
}

/** The path in a language with the slug that is typed. */
export function pathIn({ full_slug, localized_paths: paths, slug: own }: Pick<StoryDetail, 'full_slug' | 'localized_paths' | 'slug'>, code: string, slug: string): string {
  const now = paths?.find(({ lang }) => lang === code)?.path ?? full_slug;
  return `/${code}/${[...now.split('/').slice(0, -1), slug.trim() || own].join('/')}`;
}
