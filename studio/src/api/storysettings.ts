// The settings of stories and folders, and what is planned for them.

import type { JsonObject } from '../model/json.ts';
import type { Plan, PlanStatus, Wanted } from '../model/plans.ts';
import type { Alternate, SettingsStory } from '../model/storysettings.ts';
import type { Client } from './client.ts';
import { Problem } from './problem.ts';

/** How many are found at once by searching. */
const SHOWN = 50;
/** How many plans are read at once. */
const PLANS = 100;

interface One {
  readonly story: SettingsStory;
}

interface Others {
  readonly story: SettingsStory;
  readonly changed_by: { readonly friendly_name: string } | null;
}

export async function readSettings(client: Client, id: number, signal?: AbortSignal): Promise<SettingsStory> {
  return (await client.get<One>(`stories/${id}`, {}, signal)).body.story;
}

/** Writes some members of the revision that they were changed of. */
export async function saveSettings(client: Client, id: number, change: JsonObject, revision: number): Promise<SettingsStory> {
  return (await client.change<One>('PUT', `stories/${id}`, { story: change }, {}, { ifMatch: revision })).story;
}

/** What is thrown in place of a write that would overwrite what others have made of the same. */
export function overtakenBy(story: SettingsStory): Problem {
  return new Problem('conflict', '', [], '', { code: 'overtaken', body: { story, changed_by: story.last_author } });
}

/** What others have made of a story, when that is why its settings were not written. */
export function othersOf(problem: unknown): Others | undefined {
  return problem instanceof Problem && ['stale', 'overtaken'].includes(problem.code) ? (problem.body as Others) : undefined;
}

/** A story becomes one of a group of alternates; of one of its own it is in no other. */
export async function setGroup(client: Client, id: number, group: string): Promise<void> {
  await client.change('PUT', `stories/${id}`, { story: { group_id: group } });
}

/** How much is in a folder, at any depth. */
export async function countWithin(client: Client, fullSlug: string, signal: AbortSignal): Promise<{ stories: number; folders: number }> {
  const count = async (kind: 'story_only' | 'folder_only') => (await client.get('stories', { starts_with: `${fullSlug}/`, [kind]: 1, per_page: 1 }, signal)).total;
  const [stories, folders] = await Promise.all([count('story_only'), count('folder_only')]);
  return { stories, folders };
}

export async function findTags(client: Client, search: string, signal: AbortSignal): Promise<{ names: string[]; total: number }> {
  const { body, total } = await client.get<{ tags: { name: string }[] }>('tags', { search, per_page: SHOWN }, signal);
  return { names: body.tags.map(({ name }) => name), total };
}

export async function findStories(client: Client, search: string, signal: AbortSignal): Promise<{ stories: Alternate[]; total: number }> {
  const { body, total } = await client.get<{ stories: Alternate[] }>('stories', { search: search.slice(0, 200), story_only: 1, per_page: SHOWN }, signal);
  return { stories: body.stories, total };
}

/** The plans of a story that have a status, all of them, by their times. */
export async function listPlans(client: Client, story: number, status: PlanStatus, signal?: AbortSignal): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (let page = 1, total = 1; plans.length < total; page += 1) {
    const read = await client.get<{ story_schedulings: Plan[] }>('story_schedulings', { by_story_id: story, by_status: status, page, per_page: PLANS }, signal);
    if (read.body.story_schedulings.length === 0) break;
    plans.push(...read.body.story_schedulings);
    total = read.total;
  }
  return plans;
}

/** Plans something for a moment; without a language for all of them. */
export async function createPlan(client: Client, story: number, { action, at, language }: Wanted): Promise<void> {
  const plan = { story_id: story, publish_at: at.toISOString(), action, ...(language !== null && { language }) };
  await client.change('POST', 'story_schedulings', { story_scheduling: plan });
}

export async function cancelPlan(client: Client, plan: number): Promise<void> {
  await client.change('DELETE', `story_schedulings/${plan}`);
}
