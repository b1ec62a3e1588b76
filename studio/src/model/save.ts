// What comes of saving a story: the words that the client of the API and the draft share.

import type { JsonObject } from './json.ts';
import type { PreviewToken } from './preview.ts';
import type { Ancestor } from './shell.ts';
import type { Story } from './story.ts';

/** A story with its content, as it is opened. */
export interface StoryDetail extends Story {
  readonly uuid: string;
  readonly content: JsonObject;
  /** Grows with each change of what the server answers about the story. */
  readonly revision: number;
  /** What it is called in other languages, and its slugs there. */
  readonly translated_slugs?: readonly { readonly lang: string; readonly name: string | null; readonly slug: string | null }[];
  readonly localized_paths?: readonly { readonly lang: string; readonly path: string }[];
  /** The folders that it is in, from the top. */
  readonly breadcrumbs: readonly Ancestor[];
  /** What signs the URL of its preview; null where the space has no token for that. */
  readonly preview_token?: PreviewToken | null;
}

/** What is wrong with a content, by the rules of the schemas. */
export interface StoryProblem {
  /** `body/3/cta/0/label`, or the path of a block. */
  readonly field: string;
  /** The `_uid` of the block. */
  readonly uid: string | null;
  readonly code: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** What others have made of a story since it was read. */
export interface Stale {
  readonly story: StoryDetail;
  readonly changed_by: { readonly friendly_name: string } | null;
  readonly changed_at: string;
}

export interface SaveRequest {
  readonly content: JsonObject;
  /** The revision that was changed. */
  readonly revision: number;
  /** The draft alone is written, without a version. */
  readonly autosave: boolean;
  /** What others have made of it becomes a version first. */
  readonly keep: boolean;
}

/** Why the server does not take a content, and will not unless something changes. */
export type Refusal = 'tooLarge' | 'invalid' | 'forbidden';
/** Why it may later. */
export type Trouble = 'busy' | 'diskFull' | 'failed';

/** A field that the server does not take, by its path. */
export type RefusedField = Pick<StoryProblem, 'field' | 'code' | 'message'>;
export type Refused = Extract<SaveAnswer, { readonly kind: 'refused' }>;

export type SaveAnswer =
  | { readonly kind: 'saved'; readonly story: StoryDetail; readonly problems: readonly StoryProblem[] }
  | { readonly kind: 'stale'; readonly stale: Stale }
  | { readonly kind: 'offline' }
  /** Times are in milliseconds. */
  | { readonly kind: 'trouble'; readonly reason: Trouble; readonly retryAfter: number; readonly requestId: string }
  /** `fields` are the paths that the server has named. */
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly message: string; readonly fields: readonly RefusedField[] }
  /** The story was deleted; or the space was, or the person is no member of it any more, which the server does not tell apart. */
  | { readonly kind: 'gone'; readonly what: 'story' | 'space' };
