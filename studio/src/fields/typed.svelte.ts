// The text of a control while it is typed in. It stays as it was typed, also where it is written in another way or not at all, until the value changes from
// elsewhere.

import type { Original } from '../model/values.ts';
import type { PendingText } from './editor.ts';

export class TypedText {
  readonly #original: Original;
  readonly #written: () => string;
  readonly #pending: () => PendingText | undefined;
  #text: string | undefined = $state();
  #wrong: string | undefined = $state();

  /** `written` is the value as the control shows it. A text that is pending is there again. */
  constructor(original: Original, written: () => string, pending: () => PendingText | undefined) {
    this.#original = original;
    this.#written = written;
    this.#pending = pending;
    this.#text = this.#wrong = pending()?.text;
  }

  /** What stands in the control. */
  get shown(): string {
    return this.#text !== undefined && this.#original.isOwn ? this.#text : this.#written();
  }

  /** Whether the control was left with this text, and it cannot be written. */
  get isWrong(): boolean {
    return this.#wrong !== undefined && this.#wrong === this.shown;
  }

  /** The text was typed, and its value is written where it has one. */
  type(text: string, isWritten: boolean): void {
    this.#text = text;
    this.#pending()?.keep(isWritten ? undefined : text);
  }

  /** The control is left: a text that can be written is shown as the value is, any other stays. */
  leave(canBeWritten: (text: string) => boolean): void {
    const { shown } = this;
    this.#wrong = canBeWritten(shown) ? undefined : shown;
    if (this.#wrong === undefined) this.#text = undefined;
  }
}
