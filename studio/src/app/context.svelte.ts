// What every screen works with: who is here, where they are, and how something is asked of the server or said to them.

import { getContext, setContext } from 'svelte';
import { Client } from '../api/client.ts';
import { Problem } from '../api/problem.ts';
import type { Asset, AssetQuestion } from '../model/assets.ts';
import { ASSETS_START, type AssetsPlace } from '../model/assetsplace.ts';
import { connectionAfter, type Connection, type ConnectionEvent } from '../model/connection.ts';
import { addressOf, placeOf, START, STORY_START, type ListPlace, type Place, type StoryPlace } from '../model/place.ts';
import type { Shell } from '../model/shell.ts';
import type { Story } from '../model/story.ts';
import { fill, texts } from '../texts/texts.ts';
import { reasonOf, reasonsOf } from './reasons.ts';

/** Something that was done, with a way to take it back. */
export interface Notice {
  readonly text: string;
  readonly undo?: { readonly label: string; readonly act: () => void };
}

const LETTER_KEYS = 'lectern-letter-keys';

export class Studio {
  readonly shell: Shell;
  readonly client: Client;
  place: Place = $state.raw(START);
  #list: ListPlace = START;
  notice: Notice | undefined = $state.raw();
  /** The row where a person was in each list, by the address of the list. */
  readonly rows = new Map<string, number>();
  /** What a screen reader is told, beside the notice. */
  announcement = $state('');
  connection: Connection = $state.raw({ state: navigator.onLine ? 'connected' : 'offline', since: Date.now(), lastAnswer: Date.now() });
  /** What is being dragged: a row of a list. */
  dragged: Story | undefined = $state.raw();
  /** Whether single letters do something in lists; a person can turn that off. */
  hasLetterKeys = $state(localStorage.getItem(LETTER_KEYS) !== 'off');
  /** The files that a person is asked for, until they have answered. */
  assetQuestion: { readonly question: AssetQuestion; readonly answer: (picked: readonly Asset[]) => void } | undefined = $state.raw();
  /** The person has chosen to sign out, and that what is unsent goes: no screen keeps it. */
  isSigningOut = false;
  /** Stories that were left, until what was unsent of them is sent: before that none is read again. */
  readonly leaving = new Map<number, Promise<void>>();
  /** Fulfils the sign-in that requests wait for. */
  signedIn: (() => void) | undefined = $state.raw();

  constructor(shell: Shell) {
    this.shell = shell;
    this.arrive();
    this.client = new Client(shell.space.id, shell.person.id, shell.csrf_token, () => this.#askToSignIn(), (isAnswered) => this.#heard(isAnswered ? 'answer' : 'failure'));
  }

  /** The browser has a network again, or none any more. */
  networkIs(isThere: boolean): void {
    this.#heard(isThere ? 'online' : 'offline');
    if (isThere) void this.client.reach();
  }

  #heard(event: ConnectionEvent): void {
    this.connection = connectionAfter(this.connection, event, Date.now());
  }

  /** The list that is shown, or that was shown last. */
  get list(): ListPlace {
    return this.place.screen === 'list' ? this.place : this.#list;
  }

  /** The address of what is shown. */
  get here(): string {
    return addressOf(this.shell.space.id, this.place);
  }

  /** The address of another list: what is not named is as it is here. */
  at(change: Partial<ListPlace>): string {
    return addressOf(this.shell.space.id, { ...this.list, dialog: '', story: 0, ...change });
  }

  /** The address of a story, or of another place in the one that is open. */
  storyAt(story: number, change: Partial<StoryPlace> = {}): string {
    const here = this.place.screen === 'story' && this.place.story === story ? this.place : STORY_START;
    return addressOf(this.shell.space.id, { ...here, dialog: '', into: '', index: 0, story, ...change });
  }

  /** The address of the library of files: what is not named is as it is there now. */
  assetsAt(change: Partial<AssetsPlace> = {}): string {
    const here = this.place.screen === 'assets' ? this.place : ASSETS_START;
    return addressOf(this.shell.space.id, { ...here, dialog: '', asset: 0, ...change });
  }

  /** Goes to another list, or opens a dialog over this one. */
  go(change: Partial<ListPlace>, { replace = false } = {}): void {
    this.goTo(this.at(change), { replace });
  }

  /** Goes to an address of the studio. */
  goTo(address: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.arrive();
  }

  /** The place is that of the address. */
  arrive(): void {
    const place = placeOf(location);
    if (place.screen === 'list') this.#list = place;
    this.place = place;
  }

  /** Opens a dialog over what is shown. */
  openDialog(dialog: 'keys'): void {
    this.goTo(this.#withDialog(dialog));
  }

  /** A dialog that closes leaves no address behind that would open it again. */
  closeDialog(): void {
    this.goTo(this.#withDialog(''), { replace: true });
  }

  #withDialog(dialog: 'keys' | ''): string {
    switch (this.place.screen) {
      case 'story': return this.storyAt(this.place.story, { dialog });
      case 'assets': return this.assetsAt({ dialog });
      case 'list': return this.at({ dialog });
    }
  }

  setLetterKeys(isOn: boolean): void {
    this.hasLetterKeys = isOn;
    localStorage.setItem(LETTER_KEYS, isOn ? 'on' : 'off');
  }

  /** A story is left: it can be opened again when it is closed. */
  leave(story: number, closing: Promise<void>): void {
    this.leaving.set(story, closing.finally(() => this.leaving.delete(story)));
  }

  /** Asks for files of the library; none is an answer, too. */
  pickAssets(question: AssetQuestion): Promise<readonly Asset[]> {
    return new Promise((resolve) => {
      const answer = (picked: readonly Asset[]) => {
        this.assetQuestion = undefined;
        resolve(picked);
      };
      this.assetQuestion = { question, answer };
    });
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
    case 'unsaved': return error.message;
    case 'invalid': return fill(t.problemInvalid, { reason: reasonsOf(error, t) });
    case 'failed': return fill(t.problemFailed, { id: error.requestId || '–' });
  }
}

/** What is wrong with a field; nothing when the problem is about something else. */
export function fieldSentence(error: unknown, field: string): string {
  const found = error instanceof Problem ? error.fields.find((problem) => problem.field === field) : undefined;
  return found ? reasonOf(found, texts()) : '';
}

const KEY = Symbol('studio');

export function provideStudio(studio: Studio): Studio {
  return setContext(KEY, studio);
}

export function useStudio(): Studio {
  return getContext(KEY);
}
