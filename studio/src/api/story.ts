// One story, as the screen that edits it asks for it. Each write names the revision that it is for, so that nothing of others is overwritten unseen.

import type { JsonObject } from '../model/json.ts';
import type { SaveAnswer, SaveRequest, Stale, StoryDetail, StoryProblem } from '../model/save.ts';
import type { Client, Query, WriteOptions } from './client.ts';
import { Problem } from './problem.ts';

interface One {
  readonly story: StoryDetail;
}

export interface StoryVersion {
  readonly id: number;
  readonly number: number;
  readonly status: 'draft' | 'published' | 'unpublished';
  readonly name: string;
  /** Nothing when the account is gone. */
  readonly author: string | null;
  readonly created_at: string;
}

/** How many versions a page of the history has. */
export const VERSIONS = 25;

/** A story that was deleted can be read as well, and has a `deleted_at`. */
export async function readStory(client: Client, id: number, signal?: AbortSignal): Promise<StoryDetail> {
  return (await client.get<One>(`stories/${id}`, {}, signal)).body.story;
}

/** Saves a content, once: what did not succeed is an answer as well, and the draft decides when to try again. It waits while the person is signed out. */
export async function saveStory(client: Client, id: number, { content, revision, autosave, keep }: SaveRequest, options: WriteOptions = {}): Promise<SaveAnswer> {
  const query = { autosave: autosave ? 1 : undefined, validate: 1, keep: keep ? 1 : undefined };
  try {
    const answer = await client.change<One & { problems?: StoryProblem[] }>('PUT', `stories/${id}`, { story: { content } }, query, { ...options, ifMatch: revision, isSentOnce: true });
    return { kind: 'saved', story: answer.story, problems: answer.problems ?? [] };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return answerOf(client, id, problem);
  }
}

async function answerOf(client: Client, id: number, problem: Problem): Promise<SaveAnswer> {
  const stale = staleOf(problem);
  if (stale) return { kind: 'stale', stale };
  const { fields, message, retryAfter, requestId } = problem;
  switch (problem.kind) {
    case 'offline': return { kind: 'offline' };
    case 'busy': return { kind: 'trouble', reason: problem.code === 'diskFull' ? 'diskFull' : 'busy', retryAfter, requestId };
    case 'forbidden': return { kind: 'refused', reason: 'forbidden', message, fields };
    case 'invalid': return { kind: 'refused', reason: problem.code === 'tooLarge' ? 'tooLarge' : 'invalid', message, fields };
    case 'gone': return whatIsGone(client, id);
    case 'conflict':
    case 'signedOut':
    case 'unsaved':
    case 'failed': return { kind: 'trouble', reason: 'failed', retryAfter, requestId };
  }
}

/** The server says 404 of a story that was deleted, and of everything in a space that one is no member of. */
async function whatIsGone(client: Client, id: number): Promise<SaveAnswer> {
  try {
    await client.get(`stories/${id}`);
    return { kind: 'gone', what: 'story' };
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return problem.kind === 'gone' ? { kind: 'gone', what: 'space' } : { kind: 'offline' };
  }
}

/** What others have made of a story, when that is why a write was refused. */
export function staleOf(problem: unknown): Stale | undefined {
  return problem instanceof Problem && problem.code === 'stale' ? (problem.body as Stale) : undefined;
}

/** The problems of the draft as it is stored, or of a content. */
export async function validateStory(client: Client, id: number, content?: JsonObject): Promise<readonly StoryProblem[]> {
  return (await client.change<{ problems: StoryProblem[] }>('POST', `stories/${id}/validate`, content === undefined ? undefined : { content })).problems;
}

/** Publishes what the revision has; only these languages, when some are named. */
export function publishStory(client: Client, id: number, revision: number, languages: readonly string[] = []): Promise<StoryDetail> {
  return act(client, id, 'publish', revision, { lang: languages.join(',') });
}

export function unpublishStory(client: Client, id: number, revision: number, languages: readonly string[] = []): Promise<StoryDetail> {
  return act(client, id, 'unpublish', revision, { lang: languages.join(',') });
}

/** The draft becomes what is published. */
export function discardChanges(client: Client, id: number, revision: number): Promise<StoryDetail> {
  return act(client, id, 'discard_changes', revision);
}

/** A version becomes the draft. */
export function restoreVersion(client: Client, id: number, revision: number, version: number): Promise<StoryDetail> {
  return act(client, id, 'restore_with', revision, { version });
}

async function act(client: Client, id: number, what: string, ifMatch: number, query: Query = {}): Promise<StoryDetail> {
  return (await client.change<One>('POST', `stories/${id}/${what}`, undefined, query, { ifMatch })).story;
}

/** A page of the versions of a story, the newest first. */
export async function listVersions(client: Client, id: number, page: number, signal?: AbortSignal): Promise<{ versions: readonly StoryVersion[]; total: number }> {
  const { body, total } = await client.get<{ versions: StoryVersion[] }>(`stories/${id}/versions`, { page, per_page: VERSIONS }, signal);
  return { versions: body.versions, total };
}

/** A story beside another one, with a content of its own: how both of two are kept. */
export async function copyStory(client: Client, story: Pick<StoryDetail, 'parent_id'>, name: string, slug: string, content: JsonObject): Promise<StoryDetail> {
  return (await client.change<One>('POST', 'stories', { story: { name, slug, parent_id: story.parent_id, content } })).story;
}

/** What the components of the space are, for `readSchemas`. */
export async function readComponents(client: Client, signal?: AbortSignal): Promise<unknown> {
  return (await client.get<unknown>('components', {}, signal)).body;
}
