// The text of a search field. What is searched for stands in the address, without the blanks around it; what was typed stays in the field as it was typed, until
// something else is searched for: by a button that clears it, or by another page of the history.

export class SearchText {
  readonly #wanted: () => string;
  /** What was typed, and what was searched for then. */
  #typed: { readonly text: string; readonly beside: string } | undefined = $state.raw();

  /** `wanted` is what is searched for. */
  constructor(wanted: () => string) {
    this.#wanted = wanted;
  }

  get text(): string {
    const wanted = this.#wanted();
    return this.#typed?.beside === wanted ? this.#typed.text : wanted;
  }

  set text(text: string) {
    this.#typed = { text, beside: this.#wanted() };
  }

  /** What is to be searched for now. */
  take(): string {
    const { text } = this;
    const beside = text.trim();
    this.#typed = { text, beside };
    return beside;
  }
}
