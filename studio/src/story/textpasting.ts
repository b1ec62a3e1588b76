// What is pasted into a rich text: texts that were copied elsewhere, and blocks, which become blocks of the text.
import type { Key } from '../draft/draft.ts';
import type { CopiedBlocks, CopyPlace } from '../model/clipboard.ts';
import type { JsonObject } from '../model/json.ts';
import { referencesIn } from '../model/references.ts';
import { fill, texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';
import { fieldOfList } from './lists.ts';
import { isForeign, sortCopies, tellCopies, tellForeign, type FoundReference } from './pasting.ts';

/** A rich text, by the block that it is in and its name there. */
export interface TextPlace {
  readonly block: Key;
  readonly member: string;
}

/** Puts a text in, and says what was left out of it and what leads to another space. */
export function pasteText(editing: Editing, place: TextPlace, lost: string, from: CopyPlace | undefined, nodes: readonly JsonObject[], putIn: () => void): void {
  const made = blocksOf(editing, place, putIn);
  if (lost !== '') editing.studio.say(lost);
  if (!from || !isForeign(editing, from)) return;
  const text = [lost, fill(texts().pasteForeignText, { space: from.space.name })].filter(Boolean).join(' ');
  void tellForeign(editing, { left: [], unknown: [], references: referencesOf(editing, place, nodes), from: from.space.name }, made, text);
}

/** Puts copies of blocks in, as far as the text takes them, and says what does not fit. */
export function pasteIntoText(editing: Editing, place: TextPlace, copied: CopiedBlocks, isOffered: boolean, putIn: (blocks: readonly JsonObject[]) => void): void {
  const list = { parent: place.block, list: `${place.member}/0` };
  const field = fieldOfList(editing.draft, editing.schemas, list);
  const reason = fill(texts().pasteNotInText, { list: field?.display_name || field?.name || place.member });
  const { fitting, left } = isOffered ? sortCopies(editing, copied, list) : { fitting: [], left: copied.blocks.map((block) => ({ block, key: undefined, reason })) };
  const made = fitting.length > 0 ? blocksOf(editing, place, () => putIn(fitting)) : [];
  tellCopies(editing, copied, left, made);
  // What was cut in this story stays there: a text has copies.
  editing.cut.refresh();
}

/** The blocks that come into a text during something. */
function blocksOf({ draft }: Editing, { block, member }: TextPlace, act: () => void): readonly Key[] {
  const before = draft.nodes(block, member);
  act();
  return draft.nodes(block, member).flatMap((node, index) => (before.includes(node) ? [] : draft.children(block, `${member}/${index}`)));
}

/** What the words and pictures of a text lead to, each once. */
function referencesOf({ draft, schemas }: Editing, { block, member }: TextPlace, nodes: readonly JsonObject[]): readonly FoundReference[] {
  const found = referencesIn(nodes, schemas.field(draft.block(block), member)).map((reference) => ({ ...reference, block, member }));
  return [...new Map(found.map((reference) => [`${reference.kind} ${reference.target}`, reference])).values()];
}
