// Marks with a value: links, anchors, colours and styles. Where the cursor stands in one, all of it is meant; where something is selected, that and nothing else.

import type { Attrs, Mark, MarkType, Node } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState, type Transaction } from 'prosemirror-state';
import type { Json, JsonObject } from '../model/json.ts';
import { isUnknown, readMark, writeMark } from './document.ts';
import { schema } from './schema.ts';
import { MARKS } from './types.ts';

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The mark of a type that is meant: at the cursor, or the first of what is selected. With a name one that has this attribute, if there is one. */
function markAt(state: EditorState, type: MarkType, name?: string): Mark | undefined {
  const { $from, empty } = state.selection;
  const sets = empty ? [$from.marks(), $from.nodeAfter?.marks ?? [], $from.nodeBefore?.marks ?? []] : runsIn(state).map(({ node }) => node.marks);
  const found = sets.flatMap((marks) => marksOf(marks, type));
  return (name === undefined ? undefined : found.find(({ attrs }) => attrs[name] !== null)) ?? found[0];
}

function marksOf(marks: readonly Mark[], type: MarkType): readonly Mark[] {
  return marks.filter((mark) => mark.type === type);
}

/** The texts in what is selected, and what stands in a line beside them. What is not known has marks of its own. */
function runsIn({ doc, selection }: EditorState, ranges: readonly Range[] = rangesOf(selection)): readonly (Range & { readonly node: Node })[] {
  const runs: (Range & { readonly node: Node })[] = [];
  for (const { from, to } of ranges) {
    doc.nodesBetween(from, to, (node, pos) => {
      if (node.isInline && !isUnknown(node)) runs.push({ node, from: Math.max(pos, from), to: Math.min(pos + node.nodeSize, to) });
    });
  }
  return runs;
}

/** What is selected: several cells of a table are several ranges. */
export function rangesOf({ ranges }: EditorState['selection']): readonly Range[] {
  return ranges.map(({ $from, $to }) => ({ from: $from.pos, to: $to.pos }));
}

/** As far as the mark at the cursor goes: the neighbours that have it, too. */
function rangeAround({ selection: { $from } }: EditorState, mark: Mark): Range {
  const start = $from.start();
  let found: Range = { from: $from.pos, to: $from.pos };
  let begin: number | undefined;
  $from.parent.forEach((child, offset) => {
    const at = start + offset;
    if (!mark.isInSet(child.marks)) return void (begin = undefined);
    begin ??= at;
    if (begin <= $from.pos && at + child.nodeSize >= $from.pos) found = { from: begin, to: at + child.nodeSize };
  });
  return found;
}

/** What a change of a mark is about; nothing where the cursor is in none. */
function meantBy(state: EditorState, mark: Mark | undefined): readonly Range[] {
  if (!state.selection.empty) return rangesOf(state.selection);
  return mark ? [rangeAround(state, mark)] : [];
}

/** The attributes of a mark at the selection, as content has them. */
export function attributesAt(state: EditorState, type: MarkType): JsonObject | undefined {
  const mark = markAt(state, type);
  return mark && ((writeMark(mark).attrs as JsonObject | undefined) ?? {});
}

/** One attribute of a mark at the selection; of several runs that of the first that has it. */
export function attributeAt(state: EditorState, type: MarkType, name: string): Json | undefined {
  return (markAt(state, type, name)?.attrs[name] as Json | undefined) ?? undefined;
}

/** Sets a mark on the selection, or on all of the one that the cursor is in; without attributes it goes. A cursor in plain text gets the text as well. */
export function setMark(type: MarkType, attrs: JsonObject | undefined, text = ''): Command {
  return (state, dispatch) => {
    if (!dispatch) return true;
    const before = markAt(state, type);
    const tr = state.tr;
    // One that was there stays as it was but for these; a new one is written as other editors write it.
    const mark = attrs && (before ? readMark({ ...writeMark(before), attrs }) : type.create(attrs));
    const ranges = meantBy(state, before);
    for (const { from, to } of runsIn(state, ranges)) {
      tr.removeMark(from, to, state.selection.empty ? before : type);
      if (mark) tr.addMark(from, to, mark);
    }
    if (mark && ranges.length === 0) {
      if (text === '') return false;
      tr.replaceSelectionWith(schema.text(text, mark.addToSet(state.selection.$from.marks())), false);
      tr.setSelection(TextSelection.create(tr.doc, tr.selection.to)).removeStoredMark(type);
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Sets one attribute of a mark, as a colour, on all that is selected; what else each text has of it stays. Nothing left of it is no mark. */
export function setMarkAttribute(type: MarkType, name: string, value: string | null): Command {
  return (state, dispatch) => {
    if (!dispatch) return true;
    const tr = state.tr;
    const ranges = meantBy(state, markAt(state, type, name));
    for (const { node, from, to } of runsIn(state, ranges)) replaceMarks(tr, from, to, marksOf(node.marks, type), withAttribute(node.marks, type, name, value));
    if (ranges.length === 0) {
      const stored = state.storedMarks ?? state.selection.$from.marks();
      const others = stored.filter((mark) => mark.type !== type);
      tr.setStoredMarks(withAttribute(stored, type, name, value).reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), others));
    }
    dispatch(tr);
    return true;
  };
}

function replaceMarks(tr: Transaction, from: number, to: number, before: readonly Mark[], after: readonly Mark[]): void {
  for (const mark of before) if (!mark.isInSet(after)) tr.removeMark(from, to, mark);
  for (const mark of after) if (!mark.isInSet(before)) tr.addMark(from, to, mark);
}

/** The marks of a type that a text has, where one of them has this value, and no other has one. */
function withAttribute(marks: readonly Mark[], type: MarkType, name: string, value: string | null): readonly Mark[] {
  const own = marksOf(marks, type);
  const carrier = own.find(({ attrs }) => attrs[name] !== null) ?? own[0];
  const changed = (mark: Mark, to: string | null): readonly Mark[] => {
    const attrs: Attrs = { ...mark.attrs, [name]: to };
    if (mark.attrs[name] === to) return [mark];
    return to === null && isNothing(type, attrs) ? [] : [type.create(attrs)];
  };
  if (!carrier) return value === null ? [] : [type.create({ [name]: value })];
  return [...changed(carrier, value), ...own.filter((mark) => mark !== carrier).flatMap((mark) => changed(mark, null))];
}

/** Whether a mark says nothing any more. One with a single attribute is nothing without it; others may have something that is not known. */
function isNothing(type: MarkType, attrs: Attrs): boolean {
  const known = MARKS[type.name]!.attrs;
  if (Object.keys(known).some((name) => attrs[name] !== null)) return false;
  const { type: _, attrs: written = {}, ...others } = writeMark(type.create(attrs));
  const isKnown = Object.keys(written as JsonObject).every((name) => Object.hasOwn(known, name)) && Object.keys(others).length === 0;
  return isKnown || Object.keys(known).length === 1;
}
