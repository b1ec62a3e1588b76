// Which translations of the open story are outdated. The server knows: it keeps what the default language said when each was written.
import { confirmTranslations, readTranslations, type Translation } from '../api/translations.ts';
import type { Client } from '../api/client.ts';
import type { Draft, Key } from '../draft/draft.ts';
import type { Saver } from '../draft/saver.ts';

export class Translations {
  /** As the server has answered last; nothing before that. */
  answer: readonly Translation[] | undefined = $state.raw();
  /** The outdated fields by language, each as `nameOf` calls it: blocks move. */
  #outdated: ReadonlyMap<string, ReadonlySet<string>> = $state.raw(new Map());
  /** The question that was asked last. */
  #asked: Promise<readonly Translation[]> | undefined;
  readonly #client: Client;
  readonly #draft: Draft;
  readonly #saver: Saver;
  readonly #story: number;

  constructor(client: Client, draft: Draft, saver: Saver, story: number) {
    this.#client = client;
    this.#draft = draft;
    this.#saver = saver;
    this.#story = story;
  }

  async load(signal?: AbortSignal): Promise<void> {
    await this.#ask(readTranslations(this.#client, this.#story, signal));
  }

  isOutdated(language: string, block: Key, field: string): boolean {
    return this.#outdated.get(language)?.has(nameOf(block, field)) ?? false;
  }

  outdatedCount(language: string): number {
    return this.#outdated.get(language)?.size ?? 0;
  }

  /** Says that a translation is still right. The server has to know the draft as it is here first: it names fields by their places. */
  async confirm(language: string, block: Key, field: string): Promise<void> {
    await this.#saver.flush();
    const path = this.#draft.path(block);
    await this.#ask(confirmTranslations(this.#client, this.#story, this.#draft.base().revision, language, [path ? `${path}/${field}` : field]));
  }

  /** An answer to an older question is none any more. */
  async #ask(question: Promise<readonly Translation[]>): Promise<void> {
    this.#asked = question;
    const answer = await question;
    if (this.#asked === question) this.#take(answer);
  }

  #take(answer: readonly Translation[]): void {
    this.answer = answer;
    this.#outdated = new Map(answer.map(({ language, outdated }) => [language, new Set(outdated.map(({ field }) => this.#locate(field)))]));
  }

  #locate(path: string): string {
    const { block, rest } = this.#draft.locate(path);
    return nameOf(block, rest);
  }
}

function nameOf(block: Key, field: string): string {
  return `${block} ${field}`;
}
