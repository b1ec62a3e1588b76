// What is planned for a story: publishing and unpublishing at a time.

import type { SettingsStory } from './storysettings.ts';

export type Action = 'publish' | 'unpublish';
export type PlanStatus = 'scheduled' | 'schedule_published' | 'schedule_unpublished' | 'published_before_schedule' | 'deleted' | 'invalid_story';

/** A plan as the server keeps it. */
export interface Plan {
  readonly id: number;
  readonly publish_at: string;
  /** The code of the one language, `[default]` for the default one; null for all. */
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

/** Plans that could not be carried out, the last first. */
export function failedOf(plans: readonly Plan[]): Plan[] {
  return plans.filter(({ status }) => status === 'invalid_story').sort((one, other) => Date.parse(other.publish_at) - Date.parse(one.publish_at));
}
