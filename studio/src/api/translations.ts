// How far a story is translated.

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
