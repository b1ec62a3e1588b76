// What is told of a text that was pasted into a rich text.

import type { CopyPlace } from './clipboard.ts';
import type { JsonObject } from './json.ts';

/** What a text may lose where a field does not offer all that it has. What words were set as is not among it: the words stay. */
export const LOSSES = ['picture', 'block', 'table', 'link', 'rule', 'unknown'] as const;
export type Loss = (typeof LOSSES)[number];
export type Losses = ReadonlyMap<Loss, number>;

export interface PastedText {
  /** How much of each was left out. */
  readonly lost: Losses;
  /** Where it was copied, if that is known: its references lead to something there. */
  readonly from: CopyPlace | undefined;
  /** Its nodes, as content has them. */
  readonly nodes: readonly JsonObject[];
}
