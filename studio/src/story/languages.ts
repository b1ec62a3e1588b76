// What readers see of a story in each language.
import type { Language } from '../model/shell.ts';
import { stateOf, type Story, type StoryState } from '../model/story.ts';

export interface LanguageRow {
  /** `[default]` is the default one. */
  readonly code: string;
  readonly name: string;
  readonly state: StoryState;
  readonly publishedAt: string | null;
}

export function languageRows(story: Story, languages: readonly Language[], defaultName: string): readonly LanguageRow[] {
  const first: LanguageRow = { code: '[default]', name: defaultName, state: stateOf(story) ?? 'draft', publishedAt: story.published ? story.published_at : null };
  return [first, ...languages.map(({ code, name }): LanguageRow => {
    const translated = story.translated_stories?.find(({ lang }) => lang === code);
    const publishedAt = translated?.published_at ?? null;
    return { code, name, state: publishedAt === null ? 'draft' : translated?.unpublished_changes ? 'changed' : 'published', publishedAt };
  })];
}
