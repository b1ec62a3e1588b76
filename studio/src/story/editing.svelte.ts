// The story that is open: its draft, what is wrong with it, what is shown of it, and how it is saved.

import { getContext, setContext, tick } from 'svelte';
import { createSubscriber, SvelteSet } from 'svelte/reactivity';
import { saveStory, staleOf, validateStory } from '../api/story.ts';
import type { Studio } from '../app/context.svelte.ts';
import type { Draft, Key } from '../draft/draft.ts';
import { NotSaved, Saver, type Clock, type SaverApi } from '../draft/saver.ts';
import { isUnsent, type Saving } from '../draft/saving.ts';
import { tabOf, tabsOf } from '../model/layout.ts';
import type { StoryDialogName, StoryPlace } from '../model/place.ts';
import { mayWrite } from '../model/shell.ts';
import type { Refused, StoryDetail, StoryProblem } from '../model/save.ts';
import { fieldOf, languageOf, type Schemas } from '../model/schema.ts';
import { fill, texts } from '../texts/texts.ts';
import { Clipboard } from './clipboard.ts';
import { CutBlocks } from './cut.svelte.ts';
import { StoryCopies } from './copies.svelte.ts';
import { findBlock } from './find.ts';
import { focusField } from './focus.ts';
import { fieldOfList, type BlockList } from './lists.ts';
import type { PasteReport } from './pasting.ts';
import { PendingTexts } from './pending.ts';
import { DraftReader } from './reader.svelte.ts';
import { locateProblems, NO_PROBLEMS, type BlockProblem, type Problems } from './problems.ts';
import { refusedFields } from './refused.ts';
import { Selection } from './selection.ts';
import { Translations } from './translating.svelte.ts';

const CLOCK: Clock = {
  now: () => Date.now(),
  wake(at, act) {
    const timer = setTimeout(act, Math.max(0, at - Date.now()));
    return () => clearTimeout(timer);
  },
};

function apiOf({ client }: Studio, story: number): SaverApi {
  return { save: (request, onsignedout) => saveStory(client, story, request, { onsignedout }), staleOf };
}

/** What goes wrong with saving stands in the state line, and not where it was asked for. */
export function ignoreNotSaved(error: unknown): void {
  if (!(error instanceof NotSaved)) throw error;
}

/** What the preview is told beside the draft. */
export interface PreviewSignals {
  /** A version was saved. */
  saved(): void;
  published(): void;
  unpublished(): void;
  /** The pointer is over a block of a list. */
  hover(block: Key | undefined): void;
}

export class Editing extends DraftReader {
  readonly studio: Studio;
  /** As the server has it, but for the content. */
  story: StoryDetail = $state.raw()!;
  readonly saver: Saver;
  /** The copies in this browser; a viewer has none. */
  copies: StoryCopies | undefined = $state.raw();
  /** The browser keeps no data, so that what is unsent is in this page alone. */
  keepsNoCopies = $state(false);
  /** The pane that shows the story in its site, where there is one. */
  preview: PreviewSignals | undefined;
  /** A viewer sees all and changes nothing. */
  readonly isReadOnly: boolean;
  /** The block whose form is shown. */
  openBlock: Key = $state(0);
  /** The block that the person is at, in the form or in the outline. */
  selected: Key = $state(0);
  problems: Problems = $state.raw(NO_PROBLEMS);
  /** The fields that are why the server does not take the content. */
  refused: readonly BlockProblem[] = $state.raw([]);
  readonly clipboard: Clipboard;
  readonly selection: Selection;
  readonly cut: CutBlocks;
  /** What is to be said about the last blocks that were pasted. */
  pasting: PasteReport | undefined = $state.raw();
  readonly pending: PendingTexts;
  readonly translations: Translations;
  /** The block that is being dragged. */
  dragged: Key | undefined = $state();
  /** The blocks that are open in place, within the form of another one. */
  readonly unfolded = new SvelteSet<Key>();
  readonly #watchSaver: () => void;
  /** Fulfilled when what earlier visits have left is found. */
  #keeping: Promise<void> | undefined;
  #located: readonly StoryProblem[] = [];
  #refusal: Refused | undefined;

  constructor(studio: Studio, story: StoryDetail, draft: Draft, schemas: Schemas) {
    super(draft, schemas);
    this.studio = studio;
    this.story = story;
    this.clipboard = new Clipboard(localStorage, studio.shell.person.id);
    this.selection = new Selection(draft);
    this.cut = new CutBlocks(draft, this.clipboard, studio.shell.space.id, story.id);
    this.pending = new PendingTexts(draft);
    this.isReadOnly = !mayWrite(studio.shell.role);
    this.saver = new Saver(draft, apiOf(studio, story.id), CLOCK);
    this.translations = new Translations(studio.client, draft, this.saver, story.id);
    this.#watchSaver = createSubscriber((update) => this.saver.subscribe(update));
    this.openBlock = this.selected = draft.root;
    this.saver.subscribe(() => this.#answered());
  }

  /** The server has answered: the story is as it says, and so are the problems. */
  #answered(): void {
    this.story = this.saver.story ?? this.story;
    const { problems, refused } = this.saver;
    if (problems === this.#located && refused === this.#refusal) return;
    this.#located = problems;
    this.#refusal = refused;
    const fields = refused ? refusedFields(this.draft, refused) : [];
    this.problems = locateProblems(this.draft, [...fields, ...problems]);
    this.refused = this.problems.all.slice(0, fields.length);
  }

  get place(): StoryPlace {
    const { place } = this.studio;
    // While another screen is coming, this one still asks once.
    return place.screen === 'story' ? place : ({ language: '', tab: '', dialog: '', at: '', uid: '' } as StoryPlace);
  }

  /** The code of the language that is edited; `''` for the default one. */
  get language(): string {
    const { language } = this.place;
    return this.studio.shell.space.languages.some(({ code }) => code === language) ? language : '';
  }

  /** What the default language is called in this space. */
  get defaultLanguage(): string {
    return this.studio.shell.space.default_lang_name || texts().storyDefaultLanguage;
  }

  /** What a language is called; `[default]` and `''` are the default one. */
  languageName(code: string): string {
    return this.studio.shell.space.languages.find((language) => language.code === code)?.name ?? this.defaultLanguage;
  }

  /** The list of blocks at a path; nothing where none is or can be. */
  listAt(path: string): BlockList | undefined {
    const { block, rest } = this.draft.locate(path);
    const list = { parent: block, list: rest };
    const isThere = this.draft.lists(block).includes(rest) || fieldOfList(this.draft, this.schemas, list)?.type === 'bloks';
    return isThere ? list : undefined;
  }

  /** How saving stands. */
  get saving(): Saving {
    this.#watchSaver();
    return this.saver.state;
  }

  /** Whether a text in a field cannot be written, so that the draft does not have it. */
  get hasPending(): boolean {
    this.watchAny();
    return !this.pending.isEmpty;
  }

  get isUnsaved(): boolean {
    return isUnsent(this.saving) || this.hasPending;
  }

  /** Saves a version, and says so. What goes wrong stands in the state line. */
  async save(): Promise<void> {
    if (this.isReadOnly) return;
    try {
      await this.saver.save();
      this.preview?.saved();
      this.announce(texts().stateSavedBefore);
    } catch (error) {
      ignoreNotSaved(error);
    }
  }

  /** Sends what is unsent now, as soon as that is possible. */
  trySaving(): void {
    this.saver.flush().catch(ignoreNotSaved);
  }

  /** The screen is left: what is unsent is sent once more, and stays in the local copy when that fails. */
  async close(): Promise<void> {
    const { id, name } = this.story;
    const notice = (text: string, at = '') => ({ text: fill(text, { name }), undo: { label: texts().blockOpen, act: () => this.studio.goTo(this.studio.storyAt(id, { at })) } });
    const [pending] = this.pending.leave();
    if (pending) this.studio.say(notice(texts().storyLeftPending, pending.path));
    // What an earlier visit has left comes into the draft first, so that it is not lost between its copy and the server.
    await this.#keeping;
    try {
      if (this.saver.isUnsent) await this.saver.flush();
    } catch (error) {
      ignoreNotSaved(error);
      await this.copies?.flush();
      this.studio.say(notice(this.keepsNoCopies ? texts().storyLeftLost : texts().storyLeftUnsaved));
    } finally {
      this.saver.stop();
      await this.copies?.stop();
    }
  }

  /** Looks for what earlier visits have left unsent, and keeps copies from now on. */
  keepCopies(): Promise<void> {
    this.#keeping = this.#openCopies();
    return this.#keeping;
  }

  async #openCopies(): Promise<void> {
    const { person, space } = this.studio.shell;
    const owner = { person: person.id, space: space.id, story: this.story.id };
    this.copies = await StoryCopies.open(owner, this.draft, this.saver, CLOCK, (isBroken) => (this.keepsNoCopies = isBroken));
    if (!this.copies) this.keepsNoCopies = true;
  }

  /** Asks the server what is wrong with the draft as it is stored. What becomes known before the answer comes is newer, and stays. */
  async validate(): Promise<void> {
    const { problems } = this.saver;
    const found = await validateStory(this.studio.client, this.story.id);
    if (this.saver.problems === problems) this.saver.problems = found;
  }

  openDialog(dialog: StoryDialogName): void {
    this.studio.goTo(this.studio.storyAt(this.story.id, { dialog }));
  }

  /** The address of the form of a block. */
  addressOf(key: Key, change: Partial<StoryPlace> = {}): string {
    this.watchStructure();
    const { story } = this.place;
    const uid = this.draft.block(key)._uid;
    const isRoot = key === this.draft.root;
    return this.studio.storyAt(story, { at: this.draft.path(key), uid: isRoot || typeof uid !== 'string' ? '' : uid, tab: '', ...change });
  }

  /** Shows the form of a block, and selects it. */
  show(key: Key, change: Partial<StoryPlace> = {}): void {
    this.studio.goTo(this.addressOf(key, change));
  }

  /** Shows a field of a block, in its tab and its language, with the focus in it. */
  async showField(key: Key, member: string): Promise<void> {
    if (!this.draft.has(key)) return;
    const component = this.schemas.component(this.draft.block(key).component);
    const tab = component && tabOf(tabsOf(component, () => true), fieldOf(member));
    // The form of another language than the member's may not have the field.
    const language = member === '' ? this.language : languageOf(member, this.studio.shell.space.languages.map(({ code }) => code));
    this.show(key, { tab: tab?.name ?? '', language });
    await tick();
    await focusField(this.pathOf(key, member));
  }

  /** The block that the address names is shown. */
  arrive(): void {
    const { at, uid } = this.place;
    const key = findBlock(this.draft, at, uid);
    if (key === this.openBlock) return;
    this.openBlock = this.selected = key;
  }

  /** The address follows a block that has moved; one that is gone leads to what it was in. */
  follow(): void {
    this.selection.prune();
    this.cut.prune();
    const key = this.draft.has(this.openBlock) ? this.openBlock : findBlock(this.draft, this.place.at, '');
    if (!this.draft.has(this.selected)) this.selected = key;
    if (key === this.openBlock && this.draft.path(key) === this.place.at) return;
    this.openBlock = key;
    this.studio.goTo(this.addressOf(key, { tab: this.place.tab }), { replace: true });
  }

  /** Says it to a screen reader: the text with the name of a block in it. */
  announce(text: string, values: Record<string, string | number> = {}): void {
    this.studio.announcement = fill(text, values);
  }
}

const KEY = Symbol('editing');

export function provideEditing(editing: Editing): Editing {
  return setContext(KEY, editing);
}

export function useEditing(): Editing {
  return getContext(KEY);
}
