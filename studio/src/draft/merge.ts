// Two versions of a content that were made of the same base become one. What only one side has changed is taken; where both have changed the same, both values are
// told, and the content keeps mine until the person decides. Nothing is dropped: a block that one side has removed and the other changed stays.

import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import type { Schemas } from '../model/schema.ts';
import { blokNodes, bodiesOf, contentOf, withBlokNodes, withBody, withoutBodies } from './blocks.ts';
import { byName, namesOf } from './identity.ts';

export interface Conflict {
  readonly kind: 'value' | 'removed' | 'order';
  /** In the merged content: of a field, of a block that one side has removed, or of a list whose blocks both have put into another order. */
  readonly path: string;
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

export interface Merged {
  readonly content: JsonObject;
  readonly conflicts: readonly Conflict[];
}

/** Three versions of the same thing; `undefined` where it is not there. */
interface Three<T> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

export function merge(base: JsonObject, mine: JsonObject, theirs: JsonObject, schemas: Schemas): Merged {
  const conflicts: Conflict[] = [];
  return { content: mergeBlocks({ base, mine, theirs }, ''), conflicts };

  function mergeBlocks(blocks: Three<JsonObject>, path: string): JsonObject {
    const merged: Record<string, Json> = {};
    for (const field of new Set([...Object.keys(blocks.mine), ...Object.keys(blocks.theirs)])) {
      const values = { base: blocks.base[field], mine: blocks.mine[field], theirs: blocks.theirs[field] };
      const value = mergeValues(values, blocks.mine, field, path === '' ? field : `${path}/${field}`);
      if (value !== undefined) merged[field] = value;
    }
    return isEqual(merged, blocks.mine) ? blocks.mine : merged;
  }

  function mergeValues(values: Three<Json | undefined>, block: JsonObject, field: string, path: string): Json | undefined {
    const { base, mine, theirs } = values;
    if (isEqual(mine, theirs) || isEqual(base, theirs)) return mine;
    if (isEqual(base, mine)) return theirs;
    const kinds = [base ?? mine, mine, theirs].map((value) => contentOf(block, field, value, schemas));
    if (kinds.every((kind) => kind === 'blocks')) return mergeLists({ base: (base ?? []), mine, theirs } as Three<readonly JsonObject[]>, path);
    const document = kinds.every((kind) => kind === 'richtext') && base !== undefined ? mergeRichText(values as Three<JsonObject>, path) : undefined;
    if (document) return document;
    conflicts.push({ kind: 'value', path, base, mine, theirs });
    return mine;
  }

  /** Merges the blocks in a rich text, unless both sides have changed the text around them, or one the number of its `blok` nodes. */
  function mergeRichText({ base, mine, theirs }: Three<JsonObject>, path: string): JsonObject | undefined {
    const [textBase, textMine, textTheirs] = [base, mine, theirs].map(withoutBodies);
    const isMine = !isEqual(textBase, textMine);
    if (isMine && !isEqual(textBase, textTheirs)) return undefined;
    const bodies = { base: bodiesOf(blokNodes(base)), mine: bodiesOf(blokNodes(mine)), theirs: bodiesOf(blokNodes(theirs)) };
    if (bodies.base.length !== bodies.mine.length || bodies.base.length !== bodies.theirs.length) return undefined;
    const text = isMine ? mine : theirs;
    const nodes = blokNodes(text).map((node, at) => {
      const body = mergeLists({ base: bodies.base[at]!, mine: bodies.mine[at]!, theirs: bodies.theirs[at]! }, `${path}/${at}`);
      return isEqual(body, bodiesOf([node])[0]) ? node : withBody(node, body);
    });
    return withBlokNodes(text, nodes);
  }

  function mergeLists(lists: Three<readonly JsonObject[]>, path: string): readonly JsonObject[] {
    const [base, mine, theirs] = [byName(lists.base), byName(lists.mine), byName(lists.theirs)];
    const names = { base: namesOf(lists.base), mine: namesOf(lists.mine), theirs: namesOf(lists.theirs) };
    const isTaken = (name: string) => {
      const versions = { base: base.get(name), mine: mine.get(name), theirs: theirs.get(name) };
      // Removed on one side: it goes, unless the other has changed it.
      return !versions.base || (versions.mine && versions.theirs) || !isEqual(versions.base, versions.mine ?? versions.theirs);
    };
    return orderOf(names, isTaken, path).map((name, at) => {
      const [was, my, their] = [base.get(name), mine.get(name), theirs.get(name)];
      if (my && their) return mergeBlocks({ base: was ?? {}, mine: my, theirs: their }, `${path}/${at}`);
      if (was) conflicts.push({ kind: 'removed', path: `${path}/${at}`, base: was, mine: my, theirs: their });
      return (my ?? their)!;
    });
  }

  /** The order of the merged list: that of the side which has changed it. What only one side has stands behind what it stands behind there. */
  function orderOf(names: Three<readonly string[]>, isTaken: (name: string) => unknown, path: string): readonly string[] {
    const isCommon = (name: string) => names.mine.includes(name) && names.theirs.includes(name);
    const common = { base: names.base.filter(isCommon), mine: names.mine.filter(isCommon), theirs: names.theirs.filter(isCommon) };
    const hasMoved = (order: readonly string[]) => !isEqual(common.base, order.filter((name) => names.base.includes(name)));
    const isTheirs = hasMoved(common.theirs) && !hasMoved(common.mine);
    if (hasMoved(common.mine) && hasMoved(common.theirs) && !isEqual(common.mine, common.theirs)) {
      conflicts.push({ kind: 'order', path, base: names.base, mine: names.mine, theirs: names.theirs });
    }
    const [ownRuns, otherRuns] = [names.mine, names.theirs].map((order) => runsOf(order, isCommon, isTaken)) as [Runs, Runs];
    const runAt = (name: string | undefined) => {
      const [own = [], other = []] = [ownRuns.get(name), otherRuns.get(name)];
      // Both have put something into the same place: the order of names is the same on both sides.
      return (own[0] ?? '') < (other[0] ?? '') ? [...own, ...other] : [...other, ...own];
    };
    return [...runAt(undefined), ...(isTheirs ? common.theirs : common.mine).flatMap((name) => [name, ...runAt(name)])];
  }
}

/** What only one side has, by the common block that it stands behind; `undefined` is the beginning. */
type Runs = ReadonlyMap<string | undefined, readonly string[]>;

function runsOf(order: readonly string[], isCommon: (name: string) => boolean, isTaken: (name: string) => unknown): Runs {
  const runs = new Map<string | undefined, string[]>();
  let behind: string | undefined;
  for (const name of order) {
    if (isCommon(name)) behind = name;
    else if (isTaken(name)) runs.set(behind, [...(runs.get(behind) ?? []), name]);
  }
  return runs;
}
