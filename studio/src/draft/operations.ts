// What can be done to a content, and how it is undone. An operation is what a caller asks for; a change is one step of it as it was made, which can be made back and
// again. Blocks that were taken out keep their Keys, so that earlier changes of them can be undone once they are back.

import { isEqual, type Json, type JsonObject } from '../model/json.ts';
import { withoutBlokNode } from './blocks.ts';
import type { Key, Place, Slot, Tree } from './tree.ts';

/** `parent` and `field` name a list of blocks: a member of a block, `text/0` for the first `blok` node of its rich text `text`, or `body` of the Key of that node. */
export type Operation =
  /** `undefined` removes the member. `nodes` are the `blok` nodes of a rich text by Key, in order: these keep their blocks as they are now. */
  | {
      readonly kind: 'set'; readonly block: Key; readonly field: string; readonly value: Json | undefined; readonly nodes?: readonly (Key | undefined)[];
      /** It is a step of its own, however soon it comes after a key. */
      readonly isAlone?: boolean;
    }
  | { readonly kind: 'insert'; readonly parent: Key; readonly field: string; readonly at: number; readonly blocks: readonly JsonObject[] }
  | { readonly kind: 'remove'; readonly blocks: readonly Key[] }
  /** `at` counts in the list without the blocks that are moved. */
  | { readonly kind: 'move'; readonly blocks: readonly Key[]; readonly parent: Key; readonly field: string; readonly at: number };

interface Position extends Place {
  readonly at: number;
}

export type Change =
  | { readonly kind: 'set'; readonly block: Key; readonly field: string; readonly before: Slot; readonly after: Slot }
  /** From nowhere it is an insertion, to nowhere a removal. `json` is the block as it was then. */
  | { readonly kind: 'move'; readonly block: Key; readonly from: Position | undefined; readonly to: Position | undefined; readonly json: JsonObject };

/** Does what an operation asks for. It throws on what no caller should ask: a Key that is not in the content, a block into itself, a list where there is none. */
export function perform(tree: Tree, operation: Operation): Change[] {
  switch (operation.kind) {
    case 'set': {
      const { block, field, value, nodes } = operation;
      demand(tree, block);
      if (tree.isNode(block)) throw new Error('a blok node has no fields');
      return setMember(tree, block, field, value, nodes);
    }
    case 'insert': {
      const { place, changes } = listAt(tree, operation.parent, operation.field);
      const made = operation.blocks.map((block, index) => move(tree, tree.create(block), { ...place, at: operation.at + index }));
      return [...changes, ...made];
    }
    case 'remove':
      return withoutEmptied(tree, outermost(tree, operation.blocks).map((block) => move(tree, block, undefined)));
    case 'move': {
      const blocks = outermost(tree, operation.blocks);
      for (const block of blocks) {
        if (isWithin(tree, operation.parent, block)) throw new Error(`block ${block} cannot be moved into itself`);
      }
      const { place, changes } = listAt(tree, operation.parent, operation.field);
      return withoutEmptied(tree, [...changes, ...moveAll(tree, blocks, place, operation.at)]);
    }
  }
}

export function inverse(change: Change): Change {
  return change.kind === 'set' ? { ...change, before: change.after, after: change.before } : { ...change, from: change.to, to: change.from };
}

/** Makes a change again, unless what it changes is no longer as it was: then what others have made of it stays. */
export function repeat(tree: Tree, change: Change): boolean {
  if (change.kind === 'set') {
    const { block, field, before, after } = change;
    if (!tree.has(block) || !isEqual(tree.value(block, field), before.value) || !isSameList(tree.children(block, field), before.keys)) return false;
    tree.restore(block, field, after);
    return true;
  }
  const { block, from, to, json } = change;
  if (from ? !tree.has(block) || !isEqual(tree.json(block), json) : tree.has(block)) return false;
  if (to && (!tree.has(to.parent) || !tree.isBlockList(to.parent, to.field) || isWithin(tree, to.parent, block))) return false;
  move(tree, block, to);
  return true;
}

/** The block that a Key belongs to: itself, or the one whose rich text the node is in. */
export function ownerOf(tree: Tree, key: Key): Key {
  return tree.isNode(key) ? (tree.place(key)?.parent ?? key) : key;
}

/** The place of a list, whichever way it is named. */
export function placeOf(tree: Tree, parent: Key, field: string): Place {
  const slash = field.lastIndexOf('/');
  if (slash < 0) return { parent, field };
  const node = tree.children(parent, field.slice(0, slash))?.[Number(field.slice(slash + 1))];
  if (node === undefined || !tree.isNode(node)) throw new Error(`block ${parent} has no ${field}`);
  return { parent: node, field: 'body' };
}

function setMember(tree: Tree, block: Key, field: string, value: Json | undefined, nodes?: readonly (Key | undefined)[]): Change[] {
  if (!nodes && isEqual(tree.value(block, field), value)) return [];
  const before = tree.slot(block, field);
  tree.set(block, field, value, nodes);
  const after = tree.slot(block, field);
  if (nodes && isEqual(before.value, after.value) && isSameList(before.keys, after.keys)) {
    tree.restore(block, field, before);
    return [];
  }
  return [{ kind: 'set', block, field, before, after }];
}

/** Finds a list, or makes an empty one where nothing is. */
function listAt(tree: Tree, parent: Key, field: string): { place: Place; changes: Change[] } {
  demand(tree, parent);
  const place = placeOf(tree, parent, field);
  if (tree.isBlockList(place.parent, place.field)) return { place, changes: [] };
  const value = tree.value(place.parent, place.field);
  if (value !== undefined && value !== null && value !== '') throw new Error(`${field} of block ${parent} is no list of blocks`);
  return { place, changes: setMember(tree, place.parent, place.field, []) };
}

/** Takes all out before the first is put in, so that the place in the list is the one without them. */
function moveAll(tree: Tree, blocks: readonly Key[], place: Place, at: number): Change[] {
  const others = (tree.children(place.parent, place.field) ?? []).filter((key) => !blocks.includes(key));
  const before = others[at - 1];
  return blocks.map((block, index) => {
    const list = (tree.children(place.parent, place.field) ?? []).filter((key) => key !== block);
    const after = index > 0 ? blocks[index - 1] : before;
    return move(tree, block, { ...place, at: after === undefined ? 0 : list.indexOf(after) + 1 });
  });
}

function move(tree: Tree, block: Key, to: Position | undefined): Change {
  const from = positionOf(tree, block);
  const json = tree.json(block);
  if (from) tree.detach(block);
  if (to) tree.attach(block, to, to.at);
  return { kind: 'move', block, from, to: to && { ...to, at: positionOf(tree, block)!.at }, json };
}

function positionOf(tree: Tree, block: Key): Position | undefined {
  const place = tree.has(block) ? tree.place(block) : undefined;
  return place && { ...place, at: tree.children(place.parent, place.field)!.indexOf(block) };
}

/** `blok` nodes that have lost their last block go with it. */
function withoutEmptied(tree: Tree, changes: readonly Change[]): Change[] {
  const left = new Set(changes.flatMap((change) => (change.kind === 'move' && change.from ? [change.from.parent] : [])));
  const emptied = [...left].filter((key) => tree.isNode(key) && tree.has(key) && tree.children(key, 'body')?.length === 0);
  const gone = emptied.flatMap((node) => {
    const { parent, field } = tree.place(node)!;
    const nodes = tree.children(parent, field)!;
    const document = withoutBlokNode(tree.value(parent, field) as JsonObject, nodes.indexOf(node));
    return setMember(tree, parent, field, document, nodes.filter((other) => other !== node));
  });
  return [...changes, ...gone];
}

/** The blocks that are not within another of them. */
function outermost(tree: Tree, blocks: readonly Key[]): Key[] {
  for (const block of blocks) {
    demand(tree, block);
    if (block === tree.root || tree.isNode(block)) throw new Error(`block ${block} is in no list of blocks`);
  }
  return [...new Set(blocks)].filter((block) => !blocks.some((other) => other !== block && isWithin(tree, block, other)));
}

/** Whether a block is another one or within it. */
function isWithin(tree: Tree, key: Key, other: Key): boolean {
  for (let at: Key | undefined = key; at !== undefined; at = tree.place(at)?.parent) {
    if (at === other) return true;
  }
  return false;
}

function isSameList(one: readonly Key[] | undefined, other: readonly Key[] | undefined): boolean {
  return one === other || (one?.length === other?.length && (one ?? []).every((key, index) => key === other?.[index]));
}

function demand(tree: Tree, key: Key): void {
  if (!tree.has(key)) throw new Error(`no block has the key ${key}`);
}
