// Where a block of an address is.
import type { Draft, Key } from '../draft/draft.ts';

/** All blocks within a block, in the order of the document, the block itself first. */
export function* blocksWithin(draft: Draft, key: Key): Generator<Key> {
  yield key;
  for (const list of draft.lists(key)) for (const child of draft.children(key, list)) yield* blocksWithin(draft, child);
}

/**
 * The block at a path, or the one with a `_uid` where another one is at the path now. A path that has become too long leads to the last block on it
 * that is there.
 */
export function findBlock(draft: Draft, path: string, uid: string): Key {
  const isIt = (key: Key | undefined): key is Key => key !== undefined && (!uid || draft.block(key)._uid === uid);
  const there = draft.at(path);
  if (isIt(there)) return there;
  if (uid) for (const key of blocksWithin(draft, draft.root)) if (isIt(key)) return key;
  return draft.locate(path).block;
}

/** The blocks above a block, the root first. */
export function blocksAbove(draft: Draft, key: Key): Key[] {
  const above: Key[] = [];
  for (let parent = draft.parent(key); parent; parent = draft.parent(parent.parent)) above.unshift(parent.parent);
  return above;
}
