// Stories and folders as lists show them: the members of the Management API that the studio reads.

import type { Folder } from './shell.ts';

export interface Story extends Folder {
  readonly position: number;
  readonly is_folder: boolean;
  readonly is_startpage: boolean;
  readonly content_type: string | null;
  readonly published: boolean;
  readonly unpublished_changes: boolean;
  readonly updated_at: string;
  readonly published_at: string | null;
  readonly publish_at: string | null;
  /** A publish is planned, by its own time or by a plan. */
  readonly is_scheduled?: boolean | null;
  readonly deleted_at: string | null;
  readonly tag_list: readonly string[];
  /** Who changed it last; nobody's name when the account is gone. */
  readonly last_author: { readonly friendly_name: string } | null;
  /** How far it is translated, where that was asked for. */
  readonly translations?: readonly { readonly language: string; readonly translatable: number; readonly missing: number; readonly outdated: number }[];
  /** The languages of the space, where they were asked for. */
  readonly translated_stories?: readonly { readonly lang: string; readonly published_at: string | null; readonly unpublished_changes?: boolean }[];
}

export const STATES = ['draft', 'scheduled', 'published', 'changed'] as const;
export type StoryState = (typeof STATES)[number];

/** What readers see of a story; nothing of a folder, which is not published. */
export function stateOf(story: Story): StoryState | undefined {
  if (story.is_folder) return undefined;
  if (story.published) return story.unpublished_changes ? 'changed' : 'published';
  return story.publish_at || story.is_scheduled ? 'scheduled' : 'draft';
}

/** The codes of the languages in which a story is published, beside the default one. */
export function publishedLanguages(story: Pick<Story, 'translated_stories'>): string[] {
  return (story.translated_stories ?? []).filter((translation) => translation.published_at).map((translation) => translation.lang);
}
