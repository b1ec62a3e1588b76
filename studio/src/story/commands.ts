// What can be done with blocks. Each command is one step of undo, and says what it did.
import type { Key } from '../draft/draft.ts';
import type { JsonObject } from '../model/json.ts';
import { withNewUids } from '../model/uids.ts';
import { texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';
import { fits, listOf, roomIn, type BlockList } from './lists.ts';

export function insertBlocks({ draft }: Editing, { parent, list }: BlockList, at: number, blocks: readonly JsonObject[]): readonly Key[] {
  draft.apply({ kind: 'insert', parent, field: list, at, blocks });
  return draft.children(parent, list).slice(at, at + blocks.length);
}

export function duplicate(editing: Editing, block: Key): Key | undefined {
  const { draft, schemas } = editing;
  const list = listOf(draft, block);
  if (!list) return undefined;
  if (roomIn(draft, schemas, list) < 1) return refuse(editing, texts().blockNoRoom);
  const [copy] = insertBlocks(editing, list, list.at + 1, [withNewUids(draft.block(block))]);
  editing.announce(texts().blockDuplicated, { name: editing.nameOf(block) });
  return copy;
}

/**
 * Says what was done, and offers to undo it where it has changed the content that was there before. The notice goes with the next change, because undo would take
 * back that one then.
 */
export function tellDone({ draft, studio }: Pick<Editing, 'draft' | 'studio'>, before: JsonObject, text: string): void {
  if (draft.content() === before) return studio.say(text);
  const notice = { text, undo: { label: texts().storyUndo, act: () => void draft.undo() } };
  studio.say(notice);
  const stop = draft.subscribe('any', () => {
    stop();
    if (studio.notice === notice) studio.notice = undefined;
  });
}

export function remove(editing: Editing, block: Key): void {
  const { draft } = editing;
  if (!listOf(draft, block)) return;
  const [before, name] = [draft.content(), editing.nameOf(block)];
  draft.apply({ kind: 'remove', blocks: [block] });
  tellDone(editing, before, texts().blockRemoved.replace('{name}', name));
}

/** One place up or down in its list. */
export function moveBy(editing: Editing, block: Key, by: 1 | -1): void {
  const { draft } = editing;
  const list = listOf(draft, block);
  if (!list) return;
  const to = list.at + by;
  if (to < 0 || to >= draft.children(list.parent, list.list).length) return;
  draft.apply({ kind: 'move', blocks: [block], parent: list.parent, field: list.list, at: to });
  tellPlace(editing, block);
}

/** Out of the block that it is in, behind that one. */
export function moveOut(editing: Editing, block: Key): void {
  const list = listOf(editing.draft, block);
  const outer = list && listOf(editing.draft, list.parent);
  if (outer) moveTo(editing, block, outer, outer.at + 1);
}

/** To the end of the first list of the block before it that takes it. */
export function moveIn(editing: Editing, block: Key): void {
  const { draft } = editing;
  const list = listOf(draft, block);
  const before = list && draft.children(list.parent, list.list)[list.at - 1];
  if (before === undefined) return;
  const target = draft.lists(before).map((name) => ({ parent: before, list: name })).find((one) => mayMoveTo(editing, block, one));
  if (target) moveTo(editing, block, target, draft.children(target.parent, target.list).length);
  else refuse(editing, texts().blockNotAllowed, editing.nameOf(block));
}

/** Into a list, so that it comes before what is at that place now. */
export function moveTo(editing: Editing, block: Key, target: BlockList, at: number): void {
  const { draft } = editing;
  if (!mayMoveTo(editing, block, target)) return refuse(editing, texts().blockNotAllowed, editing.nameOf(block));
  const from = listOf(draft, block);
  // The place is counted without the block itself.
  const isBehind = from?.parent === target.parent && from.list === target.list && from.at < at;
  const to = isBehind ? at - 1 : at;
  if (from?.parent === target.parent && from.list === target.list && from.at === to) return;
  draft.apply({ kind: 'move', blocks: [block], parent: target.parent, field: target.list, at: to });
  tellPlace(editing, block);
}

/** Whether a list takes a block that is somewhere else: it fits, there is room, and the list is not within the block itself. */
export function mayMoveTo({ draft, schemas }: Editing, block: Key, target: BlockList): boolean {
  for (let key: Key | undefined = target.parent; key !== undefined; key = draft.parent(key)?.parent) if (key === block) return false;
  const from = listOf(draft, block);
  const isSame = from?.parent === target.parent && from.list === target.list;
  return isSame || (fits(draft, schemas, target, draft.block(block)) && roomIn(draft, schemas, target) > 0);
}

export function copy(editing: Editing, block: Key): boolean {
  const isKept = editing.clipboard.write([editing.draft.block(block)]);
  if (isKept) editing.announce(texts().blockCopied, { name: editing.nameOf(block) });
  else refuse(editing, texts().blockTooLarge);
  return isKept;
}

export function cut(editing: Editing, block: Key): void {
  if (copy(editing, block)) remove(editing, block);
}

/** What fits of the clipboard; what does not is named. */
export function paste(editing: Editing, target: BlockList, at: number): Key | undefined {
  const { draft, schemas } = editing;
  const t = texts();
  const blocks = editing.clipboard.read();
  if (blocks.length === 0) return refuse(editing, t.blockNothingToPaste);
  const wrong = blocks.filter((block) => !fits(draft, schemas, target, block));
  const right = blocks.filter((block) => !wrong.includes(block)).slice(0, roomIn(draft, schemas, target));
  const names = [...new Set(wrong.map((block) => String(block.component ?? '')))].join(', ');
  if (wrong.length) refuse(editing, t.blockNotAllowed, names);
  else if (right.length < blocks.length) refuse(editing, t.blockNoRoom);
  if (right.length === 0) return undefined;
  const [first] = insertBlocks(editing, target, at, right.map(withNewUids));
  editing.announce(t.blockPasted, { count: right.length });
  return first;
}

function tellPlace(editing: Editing, block: Key): void {
  const list = listOf(editing.draft, block);
  if (!list) return;
  const count = editing.draft.children(list.parent, list.list).length;
  editing.announce(texts().movedTo, { name: editing.nameOf(block), position: list.at + 1, count });
}

function refuse(editing: Editing, text: string, name = ''): undefined {
  editing.studio.say(text.replace('{name}', name));
}
