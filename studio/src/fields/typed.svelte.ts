// The text of a control while it is typed in. It stays as it was typed, also where it is written in another way or not at all, until the value changes from
// elsewhere.

import type { Original } from '../model/values.ts';

export class TypedText {
  readonly #original: Original;
  readonly #written: () => string;
  #text: string | undefined = $state();
  #wrong: string | undefined = $state();

  /** `written` is the value as the control shows it. */
  constructor(original: Original, written: () => string) {
    this.#original = original;
    this.#written = written;
  }

  /** What stands in the control. */
  get shown(): string {
    return this.#text !== undefined && this.#original.isOwn ? this.#text : this.#written();
  }

  /** Whether the control was left with this text, and it cannot be written. */
  get isWrong(): boolean {
    return this.#wrong !== undefined && this.#wrong === this.shown;
  }

  type(text: string): void {
    this.#text = text;
  }

  /** The control is left: a text that can be written is shown as the value is, any other stays. */
  leave(canBeWritten: (text: string) => boolean): void {
    const { shown } = this;
    this.#wrong = canBeWritten(shown) ? undefined : shown;
    if (this.#wrong === undefined) this.#text = undefined;
  }
}
