// What is planned for a story: publishing and unpublishing at a time.

import { publishedLanguages } from './story.ts';
import type { SettingsStory } from './storysettings.ts';

export type Action = 'publish' | 'unpublish';
export type PlanStatus = 'scheduled' | 'schedule_published' | 'schedule_unpublished' | 'published_before_schedule' | 'deleted' | 'invalid_story';

/** The name of the default language where one is named. */
export const DEFAULT_LANGUAGE = '[default]';

/** A plan as the server keeps it. */
export interface Plan {
  readonly id: number;
  readonly publish_at: string;
  /** The code of the one language, [`DEFAULT_LANGUAGE`] for the default one; null for all. */
  readonly language: string | null;
  /** Plans that were made before there were others publish. */
  readonly action?: Action;
  readonly status: PlanStatus;
}

/** Something that is going to happen. */
export interface Planned {
  readonly key: string;
  readonly action: Action;
  readonly at: string;
  readonly language: string | null;
  /** The plan that is called off; nothing of a time that stands at the story itself. */
  readonly plan: number | undefined;
}

/** What is going to happen to a story, the next first: by its plans, and by the times that stand at the story itself, as imports and other programs write them. */
export function plannedOf(story: Pick<SettingsStory, 'publish_at' | 'expire_at'>, plans: readonly Plan[]): Planned[] {
  const open = plans.filter(({ status }) => status === 'scheduled');
  const own = (action: Action, at: string | null): Planned[] => (at === null ? [] : [{ key: action, action, at, language: null, plan: undefined }]);
  return [
    ...open.map(({ id, action = 'publish', publish_at: at, language }) => ({ key: String(id), action, at, language, plan: id })),
    ...own('publish', story.publish_at),
    ...own('unpublish', story.expire_at),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** What a person wants to plan. */
export type Wanted = Pick<Planned, 'action' | 'language'> & { readonly at: Date };

/**
 * Why a plan would not do what it says, as far as it is known now:
 * `past`: its time is over. `needsDefault`: a language is published only where the default one is. `needsAll`: the default language is unpublished only with all
 * others. `notPublished`: what is to be unpublished is not published then.
 */
export type PlanHint = 'past' | 'needsDefault' | 'needsAll' | 'notPublished';

export function hintOf(
  story: Pick<SettingsStory, 'published' | 'translated_stories'>, planned: readonly Planned[], codes: readonly string[], { action, language, at }: Wanted, now: number,
): PlanHint | undefined {
  if (at.getTime() <= now) return 'past';
  const languages = publishedAt(story, planned, codes, at);
  if (action === 'publish') return language === null || language === DEFAULT_LANGUAGE || languages.has(DEFAULT_LANGUAGE) ? undefined : 'needsDefault';
  if (language === DEFAULT_LANGUAGE && languages.size > 1) return 'needsAll';
  return languages.has(language ?? DEFAULT_LANGUAGE) ? undefined : 'notPublished';
}

/** The languages in which a story is published at a time, when what is planned before has been done as the server does it. */
function publishedAt(story: Pick<SettingsStory, 'published' | 'translated_stories'>, planned: readonly Planned[], codes: readonly string[], at: Date): ReadonlySet<string> {
  const languages = new Set(story.published ? [DEFAULT_LANGUAGE, ...publishedLanguages(story)] : []);
  for (const { action, language } of planned.filter((one) => Date.parse(one.at) <= at.getTime())) {
    const isAll = language === null || (language === DEFAULT_LANGUAGE && languages.size <= 1);
    if (action === 'unpublish') {
      if (isAll) languages.clear();
      else if (language !== DEFAULT_LANGUAGE) languages.delete(language);
    } else if (language === null) {
      for (const code of [DEFAULT_LANGUAGE, ...codes]) languages.add(code);
    } else if (language === DEFAULT_LANGUAGE || languages.has(DEFAULT_LANGUAGE)) {
      languages.add(language);
    }
  }
  return languages;
}

/** Plans that could not be carried out, the last first. */
export function failedOf(plans: readonly Plan[]): Plan[] {
  return plans.filter(({ status }) => status === 'invalid_story').sort((one, other) => Date.parse(other.publish_at) - Date.parse(one.publish_at));
}
