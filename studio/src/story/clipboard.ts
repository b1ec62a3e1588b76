// Blocks that were cut or copied, kept in the browser: for every tab, story and space of the person. The system's clipboard needs a secure context, which a studio
// over plain http is not.
import { isList, isObject, type JsonObject } from '../model/json.ts';

const FORMAT = 1;

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
  write(blocks: readonly JsonObject[]): boolean {
    try {
      this.#storage.setItem(this.#name, JSON.stringify({ format: FORMAT, blocks }));
      return true;
    } catch {
      return false;
    }
  }

  read(): readonly JsonObject[] {
    try {
      const kept: unknown = JSON.parse(this.#storage.getItem(this.#name) ?? 'null');
      return isObject(kept) && kept.format === FORMAT && isList(kept.blocks) ? kept.blocks.filter(isObject) : [];
    } catch {
      return [];
    }
  }
}
