// The options that the value of a field names: each value is looked up once.

import type { OptionField } from '../model/schema.ts';
import type { FieldSources, Target } from '../model/sources.ts';
import { Unread } from '../model/unread.ts';
import type { Texts } from '../texts/texts.ts';
import { optionsOf, type Option } from './choices.ts';

export class Chosen {
  /** By value; nothing of one that is no option. */
  #known: ReadonlyMap<string, Option | undefined> = $state.raw(new Map());

  /** Why the options of another server cannot be read now. */
  unread: Unread | undefined = $state.raw();
  /** How often the person has asked for them once more. */
  #tries = $state(0);
  readonly #schema: () => OptionField;
  readonly #sources: FieldSources;

  constructor(schema: () => OptionField, sources: FieldSources, values: () => readonly string[]) {
    this.#schema = schema;
    this.#sources = sources;
    let tried = 0;
    $effect(() => {
      const missing = values().filter((value) => value !== '' && !this.#known.has(value));
      if (missing.length === 0 && this.#tries === tried) return;
      tried = this.#tries;
      let isWanted = true;
      optionsOf(schema(), sources, missing).then((found) => {
        if (!isWanted) return;
        this.#add(missing.map((value) => [value, found.get(value)]));
        this.unread = undefined;
      }, (error) => {
        // Without the server values are shown as they are; nothing is known to be wrong with them.
        if (isWanted && error instanceof Unread) this.unread = error;
      });
      return () => {
        isWanted = false;
      };
    });
  }

  /** Asks for the options once more. */
  tryAgain(): void {
    this.#tries += 1;
  }

  /** Takes an option that was chosen, whose name is known by that. */
  remember(option: Option): void {
    this.#add([[option.value, option]]);
    if (option.target) this.#sources.remember(option.target);
  }

  #add(options: readonly (readonly [string, Option | undefined])[]): void {
    this.#known = new Map([...this.#known, ...options]);
  }

  /** The name of a value, or the value where it is not known. */
  name(value: string): string {
    return this.#known.get(value)?.name ?? value;
  }

  /** What tells it apart from others of its name. */
  detail(value: string): string | undefined {
    return this.#known.get(value)?.detail;
  }

  /** The story that it refers to. */
  target(value: string): Target | undefined {
    return this.#known.get(value)?.target;
  }

  /** What is said in a few words of a value that is no option. */
  unknownWords({ optionUnknownShort, targetForeign }: Texts): string {
    return this.#schema().source === 'stories' ? targetForeign : optionUnknownShort;
  }

  /** Whether a value is no option: it was one once, or the story or entry is gone. */
  isUnknown(value: string): boolean {
    return this.#known.has(value) && this.#known.get(value) === undefined;
  }
}
