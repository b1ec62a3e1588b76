// The options that the value of a field names, looked up once for each value.

import type { OptionField } from '../model/schema.ts';
import type { FieldSources } from '../model/sources.ts';
import { optionsOf, type Option } from './choices.ts';

export class Chosen {
  #found: ReadonlyMap<string, Option> | undefined = $state.raw();

  constructor(schema: () => OptionField, sources: FieldSources, values: () => readonly string[]) {
    $effect(() => {
      const named = values().filter((value) => value !== '');
      let isWanted = true;
      optionsOf(schema(), sources, named).then((found) => {
        // What is known of other values stays, so that a list does not flicker when it changes.
        if (isWanted) this.#found = new Map([...(this.#found ?? []), ...found]);
      }, () => {
        // Without the server the values are shown as they are; nothing is wrong with them.
      });
      return () => {
        isWanted = false;
      };
    });
  }

  /** The name of a value, or the value where it is not known. */
  name(value: string): string {
    return this.#found?.get(value)?.name ?? value;
  }

  detail(value: string): string | undefined {
    return this.#found?.get(value)?.detail;
  }

  /** Whether a value is no option: it was one, or the story or entry is gone. */
  isUnknown(value: string): boolean {
    return value !== '' && this.#found !== undefined && !this.#found.has(value);
  }
}
