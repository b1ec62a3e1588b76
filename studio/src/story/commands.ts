// What can be done with blocks. Each command is one step of undo, and says what it did.
import type { Key, Operation } from '../draft/draft.ts';
import { grouped } from '../model/grouped.ts';
import type { JsonObject } from '../model/json.ts';
import { withNewUids } from '../model/uids.ts';
import { fill, texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';
import { fits, listOf, roomIn, type BlockList } from './lists.ts';

export function insertBlocks({ draft }: Pick<Editing, 'draft'>, { parent, list }: BlockList, at: number, blocks: readonly JsonObject[]): readonly Key[] {
  draft.apply({ kind: 'insert', parent, field: list, at, blocks });
  return draft.children(parent, list).slice(at, at + blocks.length);
}

/** Copies of blocks, each behind the last of them in its list. Answers the first copy. */
export function duplicate(editing: Editing, blocks: readonly Key[]): Key | undefined {
  const { draft, schemas } = editing;
  const places = blocks.flatMap((block) => {
    const place = listOf(draft, block);
    return place ? [{ block, place }] : [];
  });
  const byList = [...grouped(places, ({ place }) => `${place.parent} ${place.list}`).values()];
  if (byList.some((group) => roomIn(draft, schemas, group[0]!.place) < group.length)) return refuse(editing, texts().blockNoRoom);
  const last = byList.map((group) => group.at(-1)!.place);
  draft.apply(...byList.map((group, index): Operation => {
    const { parent, list, at } = last[index]!;
    return { kind: 'insert', parent, field: list, at: at + 1, blocks: group.map(({ block }) => withNewUids(draft.block(block))) };
  }));
  if (places.length > 1) editing.announce(texts().blocksDuplicated, { count: places.length });
  else if (blocks[0] !== undefined) editing.announce(texts().blockDuplicated, { name: editing.nameOf(blocks[0]) });
  const first = last[0];
  return first && draft.children(first.parent, first.list)[first.at + 1];
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

export function remove(editing: Editing, blocks: readonly Key[]): void {
  const { draft } = editing;
  const there = blocks.filter((block) => listOf(draft, block));
  if (there.length === 0) return;
  const [before, name] = [draft.content(), editing.nameOf(there[0]!)];
  draft.apply({ kind: 'remove', blocks: there });
  tellDone(editing, before, there.length > 1 ? fill(texts().blocksRemoved, { count: there.length }) : texts().blockRemoved.replace('{name}', name));
}

/** One place up or down in their list. Those of several lists stay. */
export function moveBy(editing: Editing, blocks: readonly Key[], by: 1 | -1): void {
  const { draft } = editing;
  const places = blocks.map((block) => listOf(draft, block));
  const list = places[0];
  if (!list || places.some((place) => place?.parent !== list.parent || place.list !== list.list)) return;
  const to = by < 0 ? list.at - 1 : list.at + 1;
  const last = places.at(-1)!;
  if (to < 0 || (by > 0 && last.at + 1 >= draft.children(list.parent, list.list).length)) return;
  draft.apply({ kind: 'move', blocks, parent: list.parent, field: list.list, at: to });
  tellPlace(editing, blocks[0]!);
}

/** Out of the block that it is in, behind that one. */
export function moveOut(editing: Editing, block: Key): void {
  const list = listOf(editing.draft, block);
  const outer = list && listOf(editing.draft, list.parent);
  if (outer) moveTo(editing, [block], outer, outer.at + 1);
}

/** To the end of the first list of the block before it that takes it. */
export function moveIn(editing: Editing, block: Key): void {
  const { draft } = editing;
  const list = listOf(draft, block);
  const before = list && draft.children(list.parent, list.list)[list.at - 1];
  if (before === undefined) return;
  const target = draft.lists(before).map((name) => ({ parent: before, list: name })).find((one) => mayMoveTo(editing, [block], one));
  if (target) moveTo(editing, [block], target, draft.children(target.parent, target.list).length);
  else refuse(editing, texts().blockNotAllowed, editing.nameOf(block));
}

/** Into a list, so that they come before what is at that place now. */
export function moveTo(editing: Editing, blocks: readonly Key[], target: BlockList, at: number): void {
  const { draft } = editing;
  if (!mayMoveTo(editing, blocks, target)) return refuse(editing, texts().blockNotAllowed, blocks.map((block) => editing.nameOf(block)).join(', '));
  const there = draft.children(target.parent, target.list);
  // The place is counted without the blocks themselves.
  const to = at - there.slice(0, at).filter((key) => blocks.includes(key)).length;
  const others = there.filter((key) => !blocks.includes(key));
  if ([...others.slice(0, to), ...blocks, ...others.slice(to)].every((key, index) => key === there[index])) return;
  draft.apply({ kind: 'move', blocks, parent: target.parent, field: target.list, at: to });
  tellPlace(editing, blocks[0]!);
}

/** Whether a list takes blocks that are somewhere else: they fit, there is room, and the list is not within one of them. */
export function mayMoveTo({ draft, schemas }: Editing, blocks: readonly Key[], target: BlockList): boolean {
  for (let key: Key | undefined = target.parent; key !== undefined; key = draft.parent(key)?.parent) if (blocks.includes(key)) return false;
  const there = draft.children(target.parent, target.list);
  const coming = blocks.filter((block) => !there.includes(block));
  if (coming.length === 0) return true;
  return coming.length <= roomIn(draft, schemas, target) && coming.every((block) => fits(draft, schemas, target, draft.block(block)));
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
