// Blocks that are put into the story from the clipboard, and what has to be said about that: what does not fit, and what leads to another space.
import { knownStories } from '../api/stories.ts';
import type { Key, Operation } from '../draft/draft.ts';
import { displayName } from '../model/blocks.ts';
import type { CopiedBlocks, CopyPlace } from '../model/clipboard.ts';
import { grouped } from '../model/grouped.ts';
import type { JsonObject } from '../model/json.ts';
import { referencesIn, type Reference } from '../model/references.ts';
import { withNewUids } from '../model/uids.ts';
import { fill, texts } from '../texts/texts.ts';
import { insertBlocks, mayMoveTo, moveTo } from './commands.ts';
import type { Editing } from './editing.svelte.ts';
import { blocksWithin } from './find.ts';
import { allowedIn, fieldOfList, roomIn, sortOut, type BlockList, type Misfit } from './lists.ts';

export interface LeftBlock {
  readonly block: JsonObject;
  /** The block itself, of those that were cut here. */
  readonly key: Key | undefined;
  readonly reason: string;
}

export interface FoundReference extends Reference {
  readonly block: Key;
  readonly member: string;
}

/** What came of pasting, beside what simply went in. */
export interface PasteReport {
  readonly left: readonly LeftBlock[];
  /** Components of another space that this one does not have. */
  readonly unknown: readonly string[];
  readonly references: readonly FoundReference[];
  /** The other space. */
  readonly from: string;
}

/** Puts the blocks into a list: those that were cut in this draft move, all others are copies. Answers the first of them. */
export function pasteBlocks(editing: Editing, copied: CopiedBlocks, target: BlockList, at: number): Key | undefined {
  return editing.cut.isOf(copied) ? moveCut(editing, target, at) : insertCopies(editing, copied, target, at);
}

function moveCut(editing: Editing, target: BlockList, at: number): Key | undefined {
  const { cut, draft, schemas } = editing;
  const there = draft.children(target.parent, target.list);
  const moving = cut.keys.filter((key) => mayMoveTo(editing, [key], target));
  const coming = moving.filter((key) => !there.includes(key)).slice(0, roomIn(draft, schemas, target));
  const fitting = moving.filter((key) => there.includes(key) || coming.includes(key));
  if (fitting.length > 0) moveTo(editing, fitting, target, at);
  const left = cut.keys.filter((key) => !fitting.includes(key)).map((key): LeftBlock => {
    const block = draft.block(key);
    const [found] = sortOut(draft, schemas, target, [block], false).left;
    return { block, key, reason: found ? reasonOf(editing, target, found.misfit, block) : texts().pasteWithin };
  });
  cut.keys = left.flatMap(({ key }) => key ?? []);
  if (left.length === 0) cut.end();
  else show(editing, { left, unknown: [], references: [], from: '' });
  return fitting[0];
}

function insertCopies(editing: Editing, copied: CopiedBlocks, target: BlockList, at: number): Key | undefined {
  const { fitting, left } = sortCopies(editing, copied, target);
  const made = fitting.length > 0 ? insertBlocks(editing, target, at, fitting) : [];
  tellCopies(editing, copied, left, made);
  return made[0];
}

/** Copies of the blocks that a list takes, and the others with the reason. */
export function sortCopies(editing: Editing, copied: CopiedBlocks, target: BlockList): { readonly fitting: readonly JsonObject[]; readonly left: readonly LeftBlock[] } {
  const { fitting, left } = sortOut(editing.draft, editing.schemas, target, copied.blocks, isForeign(editing, copied));
  return { fitting: fitting.map(withNewUids), left: left.map(({ block, misfit }) => ({ block, key: undefined, reason: reasonOf(editing, target, misfit, block) })) };
}

/** Whether a copy is from another space. */
export function isForeign({ studio }: Editing, { origin, space }: CopyPlace): boolean {
  return origin !== studio.shell.base_url || space.id !== studio.shell.space.id;
}

/** Says what came of pasting copies. */
export function tellCopies(editing: Editing, copied: CopiedBlocks, left: readonly LeftBlock[], made: readonly Key[]): void {
  if (made.length > 0) {
    editing.announce(texts().blockPasted, { count: made.length });
    if (copied.cut.length > 0) editing.clipboard.pasted(copied, editing.story.name);
  }
  const report = { left, unknown: [], references: [], from: copied.space.name };
  if (isForeign(editing, copied)) void tellForeign(editing, report, made, fill(texts().pasteForeign, { count: made.length, space: report.from }));
  else if (left.length > 0) show(editing, report);
}

/** Puts blocks that were left at the ends of the lists that the person has chosen, in one step. Answers the first of them. */
export function putElsewhere(editing: Editing, chosen: readonly { readonly left: LeftBlock; readonly list: BlockList }[]): Key | undefined {
  const { cut, draft } = editing;
  const byList = [...grouped(chosen, ({ list }) => `${list.parent} ${list.list}`).values()];
  const operations = byList.flatMap((group) => {
    const { parent, list: field } = group[0]!.list;
    const end = draft.children(parent, field).length;
    return group.map(({ left }, index): Operation => {
      const place = { parent, field, at: end + index };
      return left.key === undefined ? { kind: 'insert', ...place, blocks: [withNewUids(left.block)] } : { kind: 'move', ...place, blocks: [left.key] };
    });
  });
  const list = chosen[0]?.list;
  if (!list) return undefined;
  const at = draft.children(list.parent, list.list).length;
  draft.apply(...operations);
  cut.keys = cut.keys.filter((key) => !chosen.some(({ left }) => left.key === key));
  if (cut.keys.length === 0) cut.end();
  editing.announce(texts().blockPasted, { count: chosen.length });
  return draft.children(list.parent, list.list)[at];
}

/** What was copied in another space may lead to stories and files, and be of components, that are only there: then it is said in a text. */
export async function tellForeign(editing: Editing, report: PasteReport, made: readonly Key[], text: string): Promise<void> {
  const { draft, schemas } = editing;
  const keys = made.filter((key) => draft.has(key)).flatMap((key) => [...blocksWithin(draft, key)]);
  const unknown = [...new Set(keys.map((key) => draft.block(key).component).filter((name) => !schemas.component(name)).map(String))];
  const references = await foreignOnly(editing, [...report.references, ...keys.flatMap((key) => referencesOf(editing, key))]);
  const whole = { ...report, unknown, references };
  if (whole.left.length > 0) show(editing, whole);
  else if (unknown.length > 0 || references.length > 0) {
    editing.pasting = whole;
    const act = () => show(editing, whole);
    editing.studio.say({ text, undo: { label: texts().pasteLook, act } });
  }
}

function referencesOf({ draft, schemas }: Editing, key: Key): readonly FoundReference[] {
  const block = draft.block(key);
  const lists = draft.lists(key);
  return Object.keys(block).filter((member) => !lists.includes(member)).flatMap((member) =>
    referencesIn(block[member], schemas.field(block, member)).map((reference) => ({ ...reference, block: key, member })));
}

/** Without the stories that this space has too: imported ones keep their UUIDs. */
async function foreignOnly({ studio }: Editing, found: readonly FoundReference[]): Promise<readonly FoundReference[]> {
  const uuids = found.filter(({ kind }) => kind === 'story').map(({ target }) => target);
  // When the server cannot say, they are listed rather than kept quiet about.
  const known = await knownStories(studio.client, uuids).catch(() => new Set<string>());
  return found.filter(({ kind, target }) => kind === 'file' || !known.has(target));
}

function show(editing: Editing, report: PasteReport): void {
  editing.pasting = report;
  editing.openDialog('paste');
}

function reasonOf({ draft, schemas }: Editing, list: BlockList, misfit: Misfit, block: JsonObject): string {
  const t = texts();
  const field = fieldOfList(draft, schemas, list);
  const label = field?.display_name || field?.name || list.list;
  switch (misfit) {
    case 'unknown': return fill(t.pasteUnknown, { name: String(block.component ?? '') });
    case 'full': return fill(t.pasteFull, { list: label });
    case 'notAllowed': return fill(t.pasteNotAllowed, { list: label, names: allowedIn(schemas, field).map(displayName).join(', ') });
  }
}
