// What every screen works with: who is here, where they are, and how something is asked of the server or said to them.

import { getContext, setContext } from 'svelte';
import { Client } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import { addressOf, placeOf, START, type Place } from '../model/place.ts';
import type { Shell } from '../model/shell.ts';
import type { Story } from '../model/story.ts';
import { fill, texts } from '../texts/texts.ts';

/** Something that was done, with a way to take it back. */
export interface Notice {
  readonly text: string;
  readonly undo?: { readonly label: string; readonly act: () => void };
}

export class Studio {
  readonly shell: Shell;
  readonly client: Client;
  place: Place = $state.raw(START);
  notice: Notice | undefined = $state.raw();
  /** What a screen reader is told, beside the notice. */
  announcement = $state('');
  isOnline = $state(navigator.onLine);
  /** What is being dragged: a row of a list. */
  dragged: Story | undefined = $state.raw();
  /** Fulfils the sign-in that requests wait for. */
  signedIn: (() => void) | undefined = $state.raw();

  constructor(shell: Shell) {
    this.shell = shell;
    this.place = placeOf(location);
    this.client = new Client(shell.space.id, shell.person.id, shell.csrf_token, () => this.#askToSignIn());
  }

  /** The address of another place: what is not named is as it is here. */
  at(change: Partial<Place>): string {
    return addressOf(this.shell.space.id, { ...this.place, dialog: '', story: 0, ...change });
  }

  /** Goes there. A dialog that closes goes back, so that the button of the browser opens no dialog again. */
  go(change: Partial<Place>, { replace = false } = {}): void {
    const address = this.at(change);
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.place = placeOf(location);
  }

  closeDialog(): void {
    this.go({}, { replace: true });
  }

  say(notice: Notice | string): void {
    this.notice = typeof notice === 'string' ? { text: notice } : notice;
  }

  async #askToSignIn(): Promise<void> {
    await new Promise<void>((resolve) => (this.signedIn = resolve));
    this.signedIn = undefined;
  }
}

/** A sentence about a problem; what is wrong with fields stands at them. */
export function sentenceOf(error: unknown): string {
  const t = texts();
  if (!(error instanceof Problem)) throw error;
  switch (error.kind) {
    case 'offline':
    case 'signedOut': return t.problemOffline;
    case 'forbidden': return t.problemForbidden;
    case 'gone': return t.problemGone;
    case 'conflict': return t.problemConflict;
    case 'busy': return t.problemBusy;
    case 'invalid': return fill(t.problemInvalid, { reason: error.message });
    case 'failed': return fill(t.problemFailed, { id: error.requestId || '–' });
  }
}

/** What is wrong with a field; nothing when the problem is about something else. */
export function fieldSentence(error: unknown, field: string): string {
  const t = texts();
  const found = error instanceof Problem ? error.fields.find((problem) => problem.field === field) : undefined;
  switch (found?.code) {
    case undefined: return '';
    case 'blank':
    case 'missing': return t.fieldBlank;
    case 'taken': return t.fieldTaken;
    case 'tooLong': return t.fieldTooLong;
    default: return fill(t.fieldInvalid, { reason: found?.message ?? '' });
  }
}

const KEY = Symbol('studio');

export function provideStudio(studio: Studio): Studio {
  return setContext(KEY, studio);
}

export function useStudio(): Studio {
  return getContext(KEY);
}
