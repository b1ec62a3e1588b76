// When a draft is saved, and what the state line says: a state machine without clock and network. `step` is given what happened and when; `due` says when it wants to
// be asked again, and `next` what is to be sent.

import type { Refusal, SaveAnswer, Trouble } from '../model/save.ts';

/** After this long without a change the draft is saved, and at the latest this long after the first one; in milliseconds. */
export const REST = 2_000;
export const LATEST = 10_000;
/** The pauses before a failed request is sent again, in milliseconds; the last one repeats. */
export const PAUSES = [1_000, 2_000, 5_000, 10_000, 30_000] as const;

export type SavingKind =
  /** The server has everything. */
  | 'saved'
  /** Something is not sent yet. */
  | 'dirty'
  /** A request is under way. */
  | 'saving'
  /** The server could not take it, and is asked again. */
  | 'retrying'
  /** The network is gone; it is tried again, at once when it is back. */
  | 'offline'
  /** The request waits for the person to sign in. */
  | 'signedOut'
  /** Others have changed the story; the person decides. */
  | 'conflict'
  /** The server does not take this content; another one may do. */
  | 'refused'
  /** The story or the space is not there any more. */
  | 'gone';

/** What is sent: the draft alone, a version, or what waits for a saved draft, such as publishing. */
export type Purpose = 'autosave' | 'save' | 'task';

export interface Saving {
  readonly kind: SavingKind;
  /** When the first and the last of the changes were made that no request holds; nothing when there are none. */
  readonly changed: { readonly first: number; readonly last: number } | undefined;
  /** What the request under way is for. */
  readonly sending: Purpose | undefined;
  /** The first change in the request under way, should it fail. */
  readonly sentSince: number | undefined;
  /** The person has asked for a version, and no request has done it yet. */
  readonly wantsSave: boolean;
  /** Something waits for a saved draft. */
  readonly wantsTask: boolean;
  /** What others have made of the story is to be replaced, and becomes a version first. */
  readonly keep: boolean;
  /** How often the last request has failed, and when it is sent again. */
  readonly tries: number;
  readonly retryAt: number | undefined;
  readonly reason: Trouble | Refusal | 'story' | 'space' | undefined;
  /** What support asks for, of a request that has failed. */
  readonly requestId: string;
  /** When the server last took something. */
  readonly savedAt: number | undefined;
}

export type SavingEvent =
  | { readonly kind: 'changed' }
  /** The draft is what the server has: what was changed was undone. */
  | { readonly kind: 'unchanged' }
  /** The person saves, or asks for something that needs a saved draft. */
  | { readonly kind: 'wanted'; readonly what: 'save' | 'task' }
  /** What `next` has said is on its way. */
  | { readonly kind: 'sent'; readonly purpose: Purpose }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'answered'; readonly answer: SaveAnswer }
  /** The story is at another revision, with a content that is known here: what differs from it, as `isChanged` says, is sent for that revision. */
  | { readonly kind: 'moved'; readonly isChanged: boolean }
  /** What waited for a saved draft is over, whatever came of it. */
  | { readonly kind: 'taskDone' }
  /** The browser says that the network is there, or gone. */
  | { readonly kind: 'online' }
  | { readonly kind: 'offline' }
  /** In a conflict the person keeps what is here; what others have made becomes a version first. */
  | { readonly kind: 'kept' }
  /** A conflict is over, or the story was brought back: `isChanged` says whether something is unsent. */
  | { readonly kind: 'settled'; readonly isChanged: boolean };

export const SAVED: Saving = {
  kind: 'saved',
  changed: undefined,
  sending: undefined,
  sentSince: undefined,
  wantsSave: false,
  wantsTask: false,
  keep: false,
  tries: 0,
  retryAt: undefined,
  reason: undefined,
  requestId: '',
  savedAt: undefined,
};

export function step(state: Saving, event: SavingEvent, now: number): Saving {
  switch (event.kind) {
    case 'changed': {
      const changed = { first: state.changed?.first ?? now, last: now };
      if (state.kind === 'refused') return { ...state, changed, retryAt: now + REST };
      return { ...state, changed, kind: state.kind === 'saved' ? 'dirty' : state.kind };
    }
    case 'unchanged': return due(state) === undefined ? state : { ...rested({ ...state, changed: undefined }), keep: false, tries: 0, reason: undefined };
    case 'wanted': {
      const retryAt = isRetried(state) ? now : state.retryAt;
      return event.what === 'save' ? { ...state, wantsSave: true, retryAt } : { ...state, wantsTask: true, retryAt };
    }
    case 'sent': return sent(state, event.purpose);
    case 'signedOut': return state.kind === 'saving' ? { ...state, kind: 'signedOut' } : state;
    case 'answered': return answered(state, event.answer, now);
    case 'moved': {
      const back = failed(state);
      const changed = changedBy(event, back, now);
      return { ...rested({ ...back, changed }), tries: 0, retryAt: changed && now };
    }
    case 'taskDone': return rested({ ...state, wantsTask: false });
    case 'online': return state.kind === 'offline' ? { ...state, retryAt: now } : state;
    case 'offline': return state.kind === 'dirty' ? { ...state, kind: 'offline', retryAt: now + PAUSES[0] } : state;
    case 'kept': return state.kind === 'conflict' ? { ...state, kind: 'dirty', wantsSave: true, keep: true } : state;
    case 'settled': {
      const changed = changedBy(event, state, now);
      return { ...rested({ ...state, changed }), retryAt: changed && now, reason: undefined, tries: 0 };
    }
  }
}

/** What is unsent after the draft was compared with what the server has. */
function changedBy({ isChanged }: { readonly isChanged: boolean }, { changed }: Saving, now: number): Saving['changed'] {
  return isChanged ? (changed ?? { first: now, last: now }) : undefined;
}

/** When the machine wants to be asked what is next; nothing while it waits for something else than time. */
export function due(state: Saving): number | undefined {
  switch (state.kind) {
    case 'saving':
    case 'signedOut':
    case 'conflict':
    case 'gone': return undefined;
    case 'retrying':
    case 'offline': return state.retryAt;
    case 'refused': return isWanted(state) ? -Infinity : state.retryAt;
    case 'saved':
    case 'dirty': {
      if (isWanted(state)) return -Infinity;
      return state.changed && (state.retryAt ?? Math.min(state.changed.last + REST, state.changed.first + LATEST));
    }
  }
}

/** What is to be sent now. */
export function next(state: Saving, now: number): Purpose | undefined {
  const at = due(state);
  if (at === undefined || at > now) return undefined;
  if (state.wantsSave) return 'save';
  if (state.changed) return 'autosave';
  return state.wantsTask ? 'task' : undefined;
}

/** Whether something is not on the server, as far as is known. */
export function isUnsent(state: Saving): boolean {
  return state.changed !== undefined || state.sentSince !== undefined;
}

function isWanted({ wantsSave, wantsTask }: Saving): boolean {
  return wantsSave || wantsTask;
}

function isRetried({ kind }: Saving): boolean {
  return kind === 'retrying' || kind === 'offline';
}

function sent(state: Saving, purpose: Purpose): Saving {
  const { changed, wantsSave, wantsTask } = state;
  const wants = { wantsSave: wantsSave && purpose !== 'save', wantsTask: wantsTask && purpose !== 'task' };
  return { ...state, ...wants, kind: 'saving', sending: purpose, sentSince: changed?.first, changed: undefined, retryAt: undefined };
}

/** What the person has asked for is over: they decide anew. */
const UNWANTED = { wantsSave: false, wantsTask: false, keep: false } as const;

function answered(state: Saving, answer: SaveAnswer, now: number): Saving {
  switch (answer.kind) {
    case 'saved': return { ...rested(state), keep: false, tries: 0, reason: undefined, requestId: '', savedAt: now };
    case 'stale': return { ...failed(state), ...UNWANTED, kind: 'conflict' };
    case 'gone': return { ...failed(state), ...UNWANTED, kind: 'gone', reason: answer.what };
    // Only a change makes it worth sending again. A decision to keep it instead of theirs stands: what is taken at last makes theirs a version.
    case 'refused': return { ...failed(state), ...UNWANTED, keep: state.keep, kind: 'refused', reason: answer.reason, retryAt: Infinity };
    case 'offline': return { ...failed(state), kind: 'offline', tries: state.tries + 1, retryAt: now + pauseOf(state.tries) };
    case 'trouble': {
      const { reason, requestId, retryAfter } = answer;
      const retryAt = now + Math.max(pauseOf(state.tries), retryAfter);
      return { ...failed(state), kind: 'retrying', tries: state.tries + 1, retryAt, reason, requestId };
    }
  }
}

function pauseOf(tries: number): number {
  return PAUSES[Math.min(tries, PAUSES.length - 1)]!;
}

/** No request is under way, and the last one is done. */
function rested(state: Saving): Saving {
  return { ...state, kind: state.changed ? 'dirty' : 'saved', sending: undefined, sentSince: undefined, retryAt: undefined };
}

/** No request is under way, and the last one has not done what it was for: that is unsent, and wanted, again. */
function failed(state: Saving): Saving {
  const { sentSince, changed } = state;
  return {
    ...state,
    sending: undefined,
    sentSince: undefined,
    changed: sentSince === undefined ? changed : { first: sentSince, last: changed?.last ?? sentSince },
    wantsSave: state.wantsSave || state.sending === 'save',
    reason: undefined,
    requestId: '',
    retryAt: undefined,
  };
}
