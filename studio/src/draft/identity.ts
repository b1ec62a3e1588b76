// Which blocks of two versions of a list are the same one. Keys are of one draft only; between contents there is the `_uid`, which may repeat or be missing.

import type { JsonObject } from '../model/json.ts';

/** A name for each block of a list, by which it is found in another version: its component and `_uid`, and the how manieth of these it is. */
export function namesOf(blocks: readonly JsonObject[]): readonly string[] {
  const counts = new Map<string, number>();
  return blocks.map(({ _uid, component }) => {
    const name = `${typeof _uid === 'string' ? _uid : ''} ${String(component)}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${name} ${count}`;
  });
}

export function byName(blocks: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  const names = namesOf(blocks);
  return new Map(blocks.map((block, index) => [names[index]!, block]));
}
