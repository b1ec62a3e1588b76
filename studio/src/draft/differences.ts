// What differs between two versions of a content, field by field, for a person to read.

import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import type { Schemas } from '../model/schema.ts';
import { blokNodes, bodiesOf, contentOf, withoutBodies } from './blocks.ts';
import { byName, namesOf } from './identity.ts';

export interface Difference {
  readonly kind: 'changed' | 'added' | 'removed' | 'moved';
  /** Of a field `body/3/title`, else of the block; of what was removed as it was before, of everything else as it is now. */
  readonly path: string;
  /** The block that has the field, or that was added, removed or moved. */
  readonly block: JsonObject;
  /** The member that was changed; nothing when it is about the whole block. */
  readonly field: string | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

export function differences(before: JsonObject, after: JsonObject, schemas: Schemas): readonly Difference[] {
  const found: Difference[] = [];
  compareBlocks(before, after, '');
  return found;

  function compareBlocks(one: JsonObject, other: JsonObject, path: string): void {
    const fields = new Set([...Object.keys(other), ...Object.keys(one)]);
    for (const field of fields) {
      if (!isEqual(one[field], other[field])) compareFields(one, other, field, path === '' ? field : `${path}/${field}`);
    }
  }

  function compareFields(one: JsonObject, other: JsonObject, field: string, path: string): void {
    const [was, is] = [one[field], other[field]];
    const kind = contentOf(other, field, is, schemas);
    if (kind === 'blocks' && (was === undefined || contentOf(one, field, was, schemas) === 'blocks')) {
      return compareLists((was ?? []) as readonly JsonObject[], is as readonly JsonObject[], path);
    }
    if (kind === 'richtext' && contentOf(one, field, was, schemas) === 'richtext') {
      const [nodesBefore, nodes] = [blokNodes(was as JsonObject), blokNodes(is as JsonObject)];
      if (isEqual(withoutBodies(was as JsonObject), withoutBodies(is as JsonObject))) {
        const bodies = bodiesOf(nodes);
        return bodiesOf(nodesBefore).forEach((body, index) => compareLists(body, bodies[index]!, `${path}/${index}`));
      }
    }
    found.push({ kind: 'changed', path, block: other, field, before: was, after: is });
  }

  function compareLists(one: readonly JsonObject[], other: readonly JsonObject[], path: string): void {
    const [blocksBefore, names] = [byName(one), namesOf(other)];
    const stayed = longestCommon(namesOf(one), names);
    const whole = (kind: Difference['kind'], at: number, block: JsonObject, was: Json | undefined, is: Json | undefined) =>
      found.push({ kind, path: `${path}/${at}`, block, field: undefined, before: was, after: is });
    namesOf(one).forEach((name, at) => {
      if (!names.includes(name)) whole('removed', at, one[at]!, one[at], undefined);
    });
    other.forEach((block, at) => {
      const name = names[at]!;
      const was = blocksBefore.get(name);
      if (!was) return whole('added', at, block, undefined, block);
      if (!stayed.has(name)) whole('moved', at, block, was, block);
      compareBlocks(was, block, `${path}/${at}`);
    });
  }
}

/** The names that stand in both lists in the same order: the longest such list. The others were moved. */
function longestCommon(one: readonly string[], other: readonly string[]): ReadonlySet<string> {
  const places = new Map(other.map((name, at) => [name, at]));
  // Names are unique, so that it is the longest ascending sequence of their places in the other list.
  const ends: { name: string; at: number; before: number }[] = [];
  const chains: { name: string; before: number }[] = [];
  for (const name of one) {
    const at = places.get(name);
    if (at === undefined) continue;
    let length = ends.findIndex((end) => end.at >= at);
    if (length < 0) length = ends.length;
    chains.push({ name, before: length > 0 ? ends[length - 1]!.before : -1 });
    ends[length] = { name, at, before: chains.length - 1 };
  }
  const common = new Set<string>();
  for (let at = ends.at(-1)?.before ?? -1; at >= 0; at = chains[at]!.before) common.add(chains[at]!.name);
  return common;
}
