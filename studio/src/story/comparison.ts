// Two versions of a story beside what they were made of, as rows that a person can compare.
import type { Difference } from '../draft/differences.ts';
import type { JsonObject } from '../model/json.ts';

export interface ComparedRow {
  readonly id: string;
  readonly block: JsonObject;
  /** Nothing when the row is about a whole block. */
  readonly field: string | undefined;
  readonly mine: Difference | undefined;
  readonly theirs: Difference | undefined;
}

/** One row for each field or block that either side has changed, in the order of the story; `theirs` is empty where there is one side only. */
export function compareRows(mine: readonly Difference[], theirs: readonly Difference[]): readonly ComparedRow[] {
  const rows = new Map<string, ComparedRow>();
  const rowOf = (difference: Difference): ComparedRow => {
    const { block, field, path } = difference;
    // Blocks have moved between the two: their `_uid` says which is which.
    const id = `${typeof block._uid === 'string' ? block._uid : path} ${field ?? ''}`;
    return rows.get(id) ?? { id, block, field, mine: undefined, theirs: undefined };
  };
  for (const difference of mine) {
    const row = rowOf(difference);
    rows.set(row.id, { ...row, mine: difference });
  }
  for (const difference of theirs) {
    const row = rowOf(difference);
    rows.set(row.id, { ...row, theirs: difference });
  }
  return [...rows.values()];
}
