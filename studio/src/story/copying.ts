// Blocks to and from the clipboard: by the copy, cut and paste events of the browser, and by menus and letters, which have this browser's last copy.
import type { Key } from '../draft/draft.ts';
import { copyTexts, writeTexts } from '../kit/copy.ts';
import { clipboardTexts, copiedBlocks, type CopiedBlocks } from '../model/clipboard.ts';
import { newUid } from '../model/uids.ts';
import { texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';
import { focusCard } from './focus.ts';
import { fits, listOf, type BlockList } from './lists.ts';
import { pasteBlocks } from './pasting.ts';

/** Copies by a menu or a letter. */
export function copy(editing: Editing, keys: readonly Key[]): void {
  write(editing, keys, false);
}

/** Cuts by a menu or a letter: the blocks stay until they are pasted. */
export function cut(editing: Editing, keys: readonly Key[]): void {
  write(editing, keys, true);
}

function write(editing: Editing, keys: readonly Key[], isCut: boolean): void {
  const copied = remember(editing, keys, isCut);
  if (copied) copyTexts(clipboardTexts(copied, editing.schemas));
}

/** Pastes this browser's last copy. */
export function paste(editing: Editing, target: BlockList, at: number): Key | undefined {
  const copied = editing.clipboard.read();
  return copied ? pasteBlocks(editing, copied, target, at) : void editing.studio.say(texts().blockNothingToPaste);
}

/** A copy or cut event of the page: ours where blocks have the focus or are selected, and no text is. */
export function onCopy(event: ClipboardEvent, editing: Editing, isCut: boolean): void {
  const at = blockAt(document.activeElement);
  const keys = at === undefined ? editing.selection.keys : editing.selection.of(at);
  if (event.defaultPrevented || isTyping() || keys.length === 0 || (at === undefined && getSelection()?.isCollapsed === false)) return;
  const copied = remember(editing, keys, isCut && !editing.isReadOnly);
  if (copied) writeTexts(event, clipboardTexts(copied, editing.schemas));
}

/** A paste event of the page: ours where a place for blocks has the focus. */
export function onPaste(event: ClipboardEvent, editing: Editing): void {
  if (event.defaultPrevented || editing.isReadOnly || isTyping()) return;
  const copied = copiedBlocks((type) => event.clipboardData?.getData(type) ?? '');
  const place = placeAt(editing, document.activeElement) ?? (copied && firstPlace(editing, copied));
  if (!place) return;
  event.preventDefault();
  if (!copied) return editing.studio.say(texts().pasteNoBlocks);
  const made = pasteBlocks(editing, copied, place, place.at);
  if (made !== undefined) void focusCard(made);
}

/** Notes what was copied, for menus and other tabs; nothing of what is in no list. */
function remember(editing: Editing, keys: readonly Key[], isCut: boolean): CopiedBlocks | undefined {
  const { draft, studio } = editing;
  const there = keys.filter((key) => listOf(draft, key));
  if (there.length === 0) return undefined;
  const { base_url: origin, space } = studio.shell;
  const blocks = there.map((key) => draft.block(key));
  const places = there.map((key, index) => ({ path: draft.path(key), uid: String(blocks[index]!._uid ?? '') }));
  const copied = { id: newUid(), origin, space: { id: space.id, name: space.name }, story: editing.story.id, blocks, cut: isCut ? places : [] };
  editing.cut.end();
  const isKept = editing.clipboard.write(copied);
  if (isCut) editing.cut.begin(copied, there);
  editing.selection.clear();
  if (!isKept) editing.studio.say(texts().blockTooLarge);
  else if (there.length > 1) editing.announce(isCut ? texts().blocksCut : texts().blocksCopied, { count: there.length });
  else editing.announce(isCut ? texts().blockWasCut : texts().blockCopied, { name: editing.nameOf(there[0]!) });
  return copied;
}

/** Whether text is written where the focus is: the clipboard is for that then. */
function isTyping(): boolean {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement)) return false;
  return element.isContentEditable || element.shadowRoot !== null || element.closest('input, textarea, select, dialog') !== null;
}

/** The block whose card has the focus, or which the outline is at. */
function blockAt(element: Element | null): Key | undefined {
  const at = element?.closest<HTMLElement>('[data-block]')?.dataset.block;
  return at === undefined ? undefined : Number(at);
}

type Place = BlockList & { readonly at: number };

/** Where blocks are put that are pasted at an element: behind its block, or at the end of its list. */
function placeAt(editing: Editing, element: Element | null): Place | undefined {
  const at = blockAt(element);
  const behind = at === undefined ? undefined : listOf(editing.draft, at);
  if (behind) return { ...behind, at: behind.at + 1 };
  const path = element?.closest<HTMLElement>('.block-list')?.dataset.field;
  const list = path === undefined ? undefined : editing.listAt(path);
  return list && endOf(editing, list);
}

/** The end of the first list of the form that takes all of them, else of its first list. */
function firstPlace(editing: Editing, { blocks }: CopiedBlocks): Place | undefined {
  const { draft, openBlock, schemas } = editing;
  const fields = schemas.component(draft.block(openBlock).component)?.fields.filter(({ type }) => type === 'bloks') ?? [];
  const lists = fields.map(({ name }): BlockList => ({ parent: openBlock, list: name }));
  const list = lists.find((one) => blocks.every((block) => fits(draft, schemas, one, block))) ?? lists[0];
  return list && endOf(editing, list);
}

function endOf({ draft }: Editing, list: BlockList): Place {
  return { ...list, at: draft.children(list.parent, list.list).length };
}
