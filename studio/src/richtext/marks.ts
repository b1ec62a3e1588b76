// Marks with a value: links, anchors, colours and styles. Where the cursor stands in one, all of it is meant.

import type { Attrs, Mark, MarkType } from 'prosemirror-model';
import { TextSelection, type Command, type EditorState } from 'prosemirror-state';
import type { JsonObject } from '../model/json.ts';
import { readMark, writeMark } from './document.ts';
import { schema } from './schema.ts';

export interface MarkRange {
  readonly from: number;
  readonly to: number;
  readonly mark: Mark;
}

/** The mark of a type at the cursor or in the selection, and as far as it goes. */
export function markAt({ doc, selection }: EditorState, type: MarkType): MarkRange | undefined {
  const { $from, from, to, empty } = selection;
  const line = $from.parent;
  if (!line.isTextblock) return undefined;
  let found: Mark | undefined;
  if (empty) found = type.isInSet($from.marks()) ?? type.isInSet($from.nodeAfter?.marks ?? []) ?? type.isInSet($from.nodeBefore?.marks ?? []);
  else doc.nodesBetween(from, to, (node) => void (found ??= type.isInSet(node.marks)));
  if (!found) return undefined;
  const mark = found;
  const start = $from.start();
  let range: MarkRange | undefined;
  let begin: number | undefined;
  // The run of neighbours with this mark that the selection touches.
  line.forEach((child, offset) => {
    const at = start + offset;
    if (!mark.isInSet(child.marks)) return void (begin = undefined);
    begin ??= at;
    if (begin <= to && at + child.nodeSize >= from && (!range || range.from === begin)) range = { from: begin, to: at + child.nodeSize, mark };
  });
  return range;
}

/** The attributes of a mark at the selection, as content has them. */
export function attributesAt(state: EditorState, type: MarkType): JsonObject | undefined {
  const mark = markAt(state, type)?.mark;
  return mark && ((writeMark(mark).attrs as JsonObject | undefined) ?? {});
}

/** Sets a mark on the selection, or on all of the one that the cursor is in; without attributes it goes. A cursor in plain text gets the text as well. */
export function setMark(type: MarkType, attrs: JsonObject | undefined, text = ''): Command {
  return (state, dispatch) => {
    const { selection } = state;
    const range = markAt(state, type);
    const { from, to } = selection.empty && range ? range : { from: Math.min(selection.from, range?.from ?? Infinity), to: Math.max(selection.to, range?.to ?? 0) };
    if (!dispatch) return true;
    const tr = state.tr;
    // One that was there stays as it was but for these; a new one is written as other editors write it.
    const mark = attrs && (range ? readMark({ ...writeMark(range.mark), attrs }) : type.create(attrs));
    if (range) tr.removeMark(range.from, range.to, range.mark);
    if (mark && from === to) {
      if (text === '') return false;
      tr.replaceSelectionWith(schema.text(text, mark.addToSet(selection.$from.marks())), false);
      tr.setSelection(TextSelection.create(tr.doc, tr.selection.to)).removeStoredMark(type);
    } else if (mark) tr.addMark(from, to, mark);
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Sets one attribute of a mark, as a colour; the others of it stay. Nothing left of it is no mark. */
export function setMarkAttribute(type: MarkType, name: string, value: string | null): Command {
  return (state, dispatch) => {
    const range = markAt(state, type);
    const { $from, from, to, empty } = state.selection;
    const attrs: Attrs = { ...range?.mark.attrs, [name]: value };
    const isEmpty = Object.entries(attrs).every(([other, own]) => other === 'kept' || own === null);
    if (!dispatch) return true;
    const tr = state.tr;
    if (empty && !range) {
      if (value !== null) tr.setStoredMarks(type.create(attrs).addToSet(state.storedMarks ?? $from.marks()));
    } else {
      const [start, end] = empty ? [range!.from, range!.to] : [from, to];
      if (range) tr.removeMark(start, end, range.mark);
      if (!isEmpty) tr.addMark(start, end, type.create(attrs));
    }
    dispatch(tr);
    return true;
  };
}
