// The steps that can be undone. Typing in one field is one step as long as no pause is longer than a second.

import { isList, type Json } from '../model/json.ts';
import type { Change } from './operations.ts';

export type Step = readonly Change[];

/** How many steps can be undone. */
export const STEPS = 500;
/** The pause that ends a step of typing, in milliseconds. */
const PAUSE = 1000;

export class History {
  #done: Step[] = [];
  #undone: Step[] = [];
  /** When the last step was typed; nothing once something else has happened. */
  #typedAt: number | undefined;
  /** More steps were made than are kept. */
  #isCut = false;

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** `typedAt` is the time, of a step that may be a key of many. */
  add(step: Step, typedAt?: number): void {
    this.#undone = [];
    const isSoon = typedAt !== undefined && this.#typedAt !== undefined && typedAt - this.#typedAt <= PAUSE;
    const joined = isSoon ? join(this.#done.at(-1), step) : undefined;
    this.#typedAt = isTyping(step) ? typedAt : undefined;
    if (joined) this.#done.pop();
    this.#done.push(joined ?? step);
    if (this.#done.length > STEPS) {
      this.#done.shift();
      this.#isCut = true;
    }
  }

  /** The step to undo, which can then be made again. */
  undo(): Step | undefined {
    return this.#pass(this.#done, this.#undone);
  }

  redo(): Step | undefined {
    return this.#pass(this.#undone, this.#done);
  }

  /** All steps that can be undone, the last one first. They stay. */
  lastFirst(): readonly Step[] {
    return this.#done.toReversed();
  }

  #pass(from: Step[], to: Step[]): Step | undefined {
    this.#typedAt = undefined;
    const step = from.pop();
    if (step) to.push(step);
    return step;
  }
}

/** Whether a step may be one key of many: a text or a rich text was set, and nothing else. */
function isTyping(step: Step): boolean {
  const [change] = step;
  return step.length === 1 && change?.kind === 'set' && isWritten(change.before.value) && isWritten(change.after.value);
}

/** A text, or a rich text; an empty field may hold nothing yet. */
function isWritten(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string' || (typeof value === 'object' && !isList(value));
}

function join(one: Step | undefined, other: Step): Step | undefined {
  const [before, after] = [one?.[0], other[0]];
  if (!one || !isTyping(one) || !isTyping(other) || before?.kind !== 'set' || after?.kind !== 'set') return undefined;
  if (before.block !== after.block || before.field !== after.field) return undefined;
  return [{ ...before, after: after.after }];
}
