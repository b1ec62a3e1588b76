// Two versions of a story beside what they were made of, as rows that a person can compare.
import type { Difference } from '../draft/differences.ts';
import { grouped } from '../model/grouped.ts';
import { isEqual, type JsonObject } from '../model/json.ts';

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
  const rows: ComparedRow[] = withMoves(mine).map((difference, at) => ({ ...rowOf(difference), id: `mine ${at}`, mine: difference }));
  const ofMine = grouped([...rows.keys()], (at) => nameOf(rows[at]!.mine!));
  withMoves(theirs).forEach((difference, at) => {
    // Translations repeat the `_uid`s of blocks, so that a name may be of several: both sides began with the same value.
    const same = (ofMine.get(nameOf(difference)) ?? []).filter((row) => !rows[row]!.theirs && isEqual(rows[row]!.mine!.before, difference.before));
    const place = same.find((row) => rows[row]!.mine!.path === difference.path) ?? same[0];
    if (place === undefined) rows.push({ ...rowOf(difference), id: `theirs ${at}`, theirs: difference });
    else rows[place] = { ...rows[place]!, theirs: difference };
  });
  return rows;
}

const rowOf = ({ block, field }: Difference) => ({ block, field, mine: undefined, theirs: undefined });

/** What a difference is about. Blocks have moved between the two sides: their `_uid` says which is which. */
function nameOf({ block, field, path }: Difference): string {
  return `${typeof block._uid === 'string' ? block._uid : path} ${field ?? ''}`;
}

/** A block that was removed from one list and added to another was moved, and what it holds may have changed as well. */
function withMoves(differences: readonly Difference[]): readonly Difference[] {
  const isWhole = ({ kind, block }: Difference) => (kind === 'added' || kind === 'removed') && typeof block._uid === 'string';
  const pairs = grouped(differences.filter(isWhole), ({ block }) => block._uid);
  return differences.flatMap((difference) => {
    const pair = isWhole(difference) ? (pairs.get(difference.block._uid) ?? []) : [];
    const removed = pair.find(({ kind }) => kind === 'removed');
    const added = pair.find(({ kind }) => kind === 'added');
    if (pair.length !== 2 || !removed || !added) return [difference];
    return difference === removed ? [] : [{ ...added, kind: 'moved', before: removed.before }, ...changesWithin(removed.block, added)];
  });
}

function changesWithin(before: JsonObject, { block, path }: Difference): readonly Difference[] {
  const fields = [...new Set([...Object.keys(block), ...Object.keys(before)])].filter((field) => !isEqual(before[field], block[field]));
  return fields.map((field) => ({ kind: 'changed', path: `${path}/${field}`, block, field, before: before[field], after: block[field] }));
}
