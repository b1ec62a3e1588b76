// Where a text stops being JSON, and why: `JSON.parse` says it in other words in each browser, in English, and some without the place.

export type JsonErrorKind = 'value' | 'key' | 'colon' | 'comma' | 'end' | 'string' | 'number' | 'large' | 'rest';

export interface JsonError {
  readonly kind: JsonErrorKind;
  /** The place in the text. */
  readonly at: number;
  /** Its line, from 1. */
  readonly line: number;
}

/** The first error of a text; nothing when it is JSON. */
export function findJsonError(text: string): JsonError | undefined {
  const reader = new Reader(text);
  try {
    reader.document();
    return undefined;
  } catch (error) {
    // Nested so deeply that it cannot be followed.
    if (!(error instanceof Stop)) return { kind: 'value', at: 0, line: 1 };
    return { kind: error.kind, at: error.at, line: text.slice(0, error.at).split('\n').length };
  }
}

class Stop extends Error {
  readonly kind: JsonErrorKind;
  readonly at: number;

  constructor(kind: JsonErrorKind, at: number) {
    super(kind);
    this.kind = kind;
    this.at = at;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value();
    this.#skip(/[ \t\n\r]*/y);
    if (this.#at < this.#text.length) this.#stop('rest');
  }

  #value(): void {
    this.#skip(/[ \t\n\r]*/y);
    switch (this.#text[this.#at]) {
      case '{': return this.#members();
      case '[': return this.#items();
      case '"': return this.#string();
    }
    if (/[-0-9]/.test(this.#text[this.#at] ?? '')) return this.#number();
    if (!this.#skip(/true|false|null/y)) this.#stop('value');
  }

  #members(): void {
    this.#at += 1;
    if (this.#takes('}')) return;
    do {
      this.#skip(/[ \t\n\r]*/y);
      if (this.#text[this.#at] !== '"') this.#stop('key');
      this.#string();
      if (!this.#takes(':')) this.#stop('colon');
      this.#value();
    } while (this.#takes(','));
    if (!this.#takes('}')) this.#stop('comma');
  }

  #items(): void {
    this.#at += 1;
    if (this.#takes(']')) return;
    do this.#value(); while (this.#takes(','));
    if (!this.#takes(']')) this.#stop('comma');
  }

  #string(): void {
    if (!this.#skip(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)) this.#stop('string');
  }

  #number(): void {
    const from = this.#at;
    if (!this.#skip(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9.eE+-])/y)) this.#stop('number');
    // The browser reads one that is too large as infinite, which JSON has no word for.
    if (!Number.isFinite(Number(this.#text.slice(from, this.#at)))) this.#stop('large', from);
  }

  /** Takes a sign, with the blanks before it. */
  #takes(sign: string): boolean {
    this.#skip(/[ \t\n\r]*/y);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** Takes what fits here. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found !== null;
  }

  #stop(kind: JsonErrorKind, at = this.#at): never {
    throw new Stop(at >= this.#text.length && kind !== 'string' ? 'end' : kind, at);
  }
}
