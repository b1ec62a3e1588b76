// What was copied or cut last, kept in this browser for every tab, story and space of the person: menus paste it, because a page cannot read the system's clipboard
// unasked, and the story that blocks were cut from learns here where they were pasted.
import { jsonOf, parseCopied, type CopiedBlocks } from '../model/clipboard.ts';

/** Where it is kept; the browser's `localStorage`. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

export class Clipboard {
  readonly #storage: Storage;
  readonly #name: string;

  constructor(storage: Storage, person: string) {
    this.#storage = storage;
    this.#name = `lectern-blocks-${person}`;
  }

  /** Whether there was room for them. */
  write(copied: CopiedBlocks): boolean {
    // What was cut before is cut no more, also when there is no room for this.
    this.#keep('');
    return this.#keep(jsonOf(copied)) && this.#keep('', '-pasted');
  }

  read(): CopiedBlocks | undefined {
    return parseCopied(this.#storage.getItem(this.#name) ?? '');
  }

  /** What was cut was put somewhere else: the story that it is from offers to remove it there. */
  pasted({ id }: CopiedBlocks, story: string): void {
    if (this.read()?.id === id) this.#keep(story, '-pasted');
  }

  /** The name of the story that the last cut was put into; nothing before that. */
  get pastedIn(): string {
    return this.#storage.getItem(`${this.#name}-pasted`) ?? '';
  }

  /** Whether what the browser keeps under a name is of this clipboard. */
  keeps(name: string | null): boolean {
    return name === null || name.startsWith(this.#name);
  }

  /** What was cut stays, or is gone: it is a copy from now on. */
  endCut(): void {
    const copied = this.read();
    if (copied) this.write({ ...copied, cut: [] });
  }

  #keep(text: string, suffix = ''): boolean {
    try {
      this.#storage.setItem(`${this.#name}${suffix}`, text);
      return true;
    } catch {
      return false;
    }
  }
}
