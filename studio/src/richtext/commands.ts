// What the tools do to a text. Each is a command of ProseMirror: it says whether it can do it, and does it when it is asked to.

import { setBlockType, splitBlockAs, toggleMark } from 'prosemirror-commands';
import type { Attrs, MarkType, Node, NodeRange, NodeType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { NodeSelection, TextSelection, type Command, type EditorState, type Transaction } from 'prosemirror-state';
import { findWrapping, liftTarget } from 'prosemirror-transform';
import type { LineTool, MarkTool, Tool } from '../model/toolbar.ts';
import { rangesOf } from './marks.ts';
import { levelOf, schema } from './schema.ts';

const { nodes: types, marks } = schema;

export const MARK_OF: { readonly [tool in MarkTool]: MarkType } = {
  bold: marks.bold!, italic: marks.italic!, underline: marks.underline!, strike: marks.strike!, inlinecode: marks.code!, superscript: marks.superscript!, subscript: marks.subscript!,
};
/** What `unset` leaves: it is no format. */
const NO_FORMATS = new Set([marks.link, marks.anchor, marks.unknown_mark, marks.kept]);

/** A command on what a change makes of the text: both are one step. */
export function afterwards(state: EditorState, change: Transaction, command: Command, dispatch: ((tr: Transaction) => void) | undefined): boolean {
  return command(state.apply(change), dispatch && ((made) => {
    for (const step of made.steps) change.step(step);
    dispatch(change.setSelection(made.selection.getBookmark().resolve(change.doc)).scrollIntoView());
  }));
}

/** The lines of text that are selected, with where they are. */
function selectedLines({ doc, selection }: EditorState): readonly { readonly node: Node; readonly pos: number }[] {
  const found: { node: Node; pos: number }[] = [];
  for (const { $from, $to } of selection.ranges) {
    doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      if (node.isTextblock) found.push({ node, pos });
    });
  }
  return found;
}

export function lineTool(node: Node): LineTool | undefined {
  if (node.type === types.heading) return `h${levelOf(node.attrs)}` as LineTool;
  if (node.type === types.code_block) return 'code';
  return node.type === types.paragraph ? 'paragraph' : undefined;
}

const LINE_TYPES: { readonly [tool in LineTool]: readonly [NodeType, Attrs] } = {
  paragraph: [types.paragraph!, {}],
  h1: [types.heading!, { level: 1 }], h2: [types.heading!, { level: 2 }], h3: [types.heading!, { level: 3 }],
  h4: [types.heading!, { level: 4 }], h5: [types.heading!, { level: 5 }], h6: [types.heading!, { level: 6 }],
  code: [types.code_block!, {}],
};

/** What a line keeps when it becomes another one: how it is aligned and read. */
function layoutOf({ attrs }: Node, type: NodeType): Attrs {
  return Object.fromEntries(['textAlign', 'dir'].filter((name) => Object.hasOwn(type.spec.attrs ?? {}, name) && attrs[name]).map((name) => [name, attrs[name] as unknown]));
}

export function setLine(tool: LineTool): Command {
  const [type, attrs] = LINE_TYPES[tool];
  return (state, dispatch) => {
    const lines = selectedLines(state);
    if (!lines.some(({ node }) => lineTool(node) !== tool)) return false;
    if (!dispatch) return setBlockType(type, attrs)(state);
    const tr = state.tr;
    for (const { node, pos } of lines.filter((line) => lineTool(line.node) !== tool)) {
      const at = tr.mapping.map(pos);
      tr.setBlockType(at, at + node.nodeSize, type, (line) => ({ ...attrs, ...layoutOf(line, type) }));
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** The node of a type around the selection. */
function around({ selection: { $from } }: EditorState, ...of: readonly NodeType[]): { readonly node: Node; readonly pos: number } | undefined {
  for (let depth = $from.depth; depth > 0; depth--) if (of.includes($from.node(depth).type)) return { node: $from.node(depth), pos: $from.before(depth) };
  return undefined;
}

function toggleList(type: NodeType): Command {
  return (state, dispatch, view) => {
    const list = around(state, types.bullet_list!, types.ordered_list!);
    if (list?.node.type === type) return liftListItem(types.list_item!)(state, dispatch, view);
    if (!list) return wrapInList(type)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.pos, type).scrollIntoView());
    return true;
  };
}

/** What is selected of the innermost quote around all of it. */
function quoted({ selection: { $from, $to } }: EditorState): NodeRange | null {
  return $from.blockRange($to, ({ type }) => type === types.blockquote);
}

/** Lists are quoted as a whole, and a quote is taken off what is in it, lists as a whole. */
const toggleQuote: Command = (state, dispatch) => {
  const { $from, $to } = state.selection;
  const inQuote = quoted(state);
  const range = inQuote ?? $from.blockRange($to, ({ type }) => type !== types.list_item && type !== types.bullet_list && type !== types.ordered_list);
  const target = inQuote && liftTarget(inQuote);
  const around = range && !inQuote && findWrapping(range, types.blockquote!);
  if (!range || (target === null && !around)) return false;
  const tr = state.tr;
  dispatch?.((around ? tr.wrap(range, around) : tr.lift(range, target!)).scrollIntoView());
  return true;
};

/** Sets an attribute of the selected lines; nothing is the default. */
function setOfLines(name: string, value: string | null): Command {
  return (state, dispatch) => {
    const lines = selectedLines(state).filter(({ node }) => Object.hasOwn(node.attrs, name));
    if (lines.length === 0) return false;
    if (!dispatch) return true;
    const tr = state.tr;
    for (const { node, pos } of lines) if (node.attrs[name] !== value) tr.setNodeAttribute(pos, name, value);
    dispatch(tr);
    return true;
  };
}

/** Sets it, or takes it away where all selected lines have it. */
function toggleOfLines(name: string, value: string): Command {
  return (state, dispatch) => setOfLines(name, selectedLines(state).every(({ node }) => node.attrs[name] === value) ? null : value)(state, dispatch);
}

const unset: Command = (state, dispatch) => {
  if (state.selection.empty) return false;
  if (dispatch) {
    const tr = state.tr;
    for (const { from, to } of rangesOf(state.selection)) for (const type of Object.values(marks)) if (!NO_FORMATS.has(type)) tr.removeMark(from, to, type);
    dispatch(tr);
  }
  return true;
};

/** Puts a block where the cursor is; in an empty line it takes its place. The cursor goes on behind it, or into it. */
export function insertBlock(node: Node, cursor: 'behind' | 'inside' = 'behind'): Command {
  return (state, dispatch) => {
    if (!dispatch) return true;
    const { $from, empty } = state.selection;
    const tr = state.tr;
    const isEmptyLine = empty && $from.parent.isTextblock && $from.parent.content.size === 0;
    if (isEmptyLine && $from.node(-1).canReplaceWith($from.index(-1), $from.indexAfter(-1), node.type)) tr.replaceWith($from.before(), $from.after(), node);
    else tr.replaceSelectionWith(node, false);
    const start = placeOf(tr, node);
    if (start !== undefined) {
      const $end = tr.doc.resolve(start + node.nodeSize);
      // Something has to be behind it that can be written in.
      if (!$end.nodeAfter && $end.parent.canReplaceWith($end.index(), $end.index(), types.paragraph!)) tr.insert($end.pos, types.paragraph!.create());
      tr.setSelection(TextSelection.near(tr.doc.resolve(cursor === 'inside' ? start + 1 : $end.pos)));
    }
    dispatch(tr.scrollIntoView());
    return true;
  };
}

/** Where a node is that was put in. */
function placeOf({ doc }: Transaction, node: Node): number | undefined {
  let place: number | undefined;
  doc.descendants((other, pos) => {
    if (other === node) place = pos;
    return place === undefined;
  });
  return place;
}

/** The block that is selected goes up or down by one place, among those that it is in. */
export function moveNode(by: 1 | -1): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (!(selection instanceof NodeSelection) || selection.node.isInline) return false;
    const { $from } = selection;
    const other = $from.parent.maybeChild($from.index() + by);
    if (!other || !dispatch) return other !== null;
    const { node, from, to } = selection;
    const at = by < 0 ? from - other.nodeSize : from + other.nodeSize;
    const tr = state.tr.delete(from, to).insert(at, node);
    dispatch(tr.setSelection(NodeSelection.create(tr.doc, at)).scrollIntoView());
    return true;
  };
}

/** A new item of a list; an empty one leaves the list. */
export const splitItem: Command = (state, dispatch) => {
  const item = around(state, types.list_item!);
  return item !== undefined && splitListItem(types.list_item!, { dir: item.node.attrs.dir as unknown })(state, dispatch);
};

const splitLineAt = splitBlockAs((node, atEnd) => {
  const type = atEnd ? types.paragraph! : node.type;
  return { type, attrs: atEnd ? layoutOf(node, type) : { ...node.attrs, kept: null } };
});

/** A new line like this one; behind a heading plain text. What is not known of a line stays with the first part. */
export const splitLine: Command = (state, dispatch) => {
  const { selection, tr: change } = state;
  // All lines are selected: they go, and none is left to be divided, which ProseMirror does not look at.
  if (!(selection instanceof NodeSelection) && !selection.empty && change.deleteSelection().selection.$from.depth === 0) {
    dispatch?.(change.scrollIntoView());
    return true;
  }
  return splitLineAt(state, dispatch);
};

/** The items of one list that are selected, as `sinkListItem` finds them: the innermost list that holds the whole selection. */
function selectedItems({ selection: { $from, $to } }: EditorState): NodeRange | null {
  return $from.blockRange($to, (node) => node.firstChild?.type === types.list_item);
}

/** Into the item before; not where the list in that ends with something unknown, which `sinkListItem` would have to open. */
export const indent: Command = (state, dispatch) => {
  const items = selectedItems(state);
  const before = items && items.startIndex > 0 ? items.parent.child(items.startIndex - 1) : undefined;
  return before?.lastChild?.lastChild?.type !== types.unknown_item && sinkListItem(types.list_item!)(state, dispatch);
};
export const outdent: Command = liftListItem(types.list_item!);

export const breakLine: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(types.hard_break!.create()).scrollIntoView());
  return true;
};

/** What is beside the cursor and has no text is selected before it can be deleted. */
export function selectBeside(by: 1 | -1): Command {
  return (state, dispatch) => {
    const { $from, empty } = state.selection;
    if (!empty || !$from.parent.isTextblock || (by < 0 ? $from.parentOffset > 0 : $from.parentOffset < $from.parent.content.size)) return false;
    for (let depth = $from.depth; depth > 0; depth--) {
      const parent = $from.node(depth - 1);
      const beside = parent.maybeChild($from.index(depth - 1) + by);
      if (beside) {
        if (!beside.isAtom || !NodeSelection.isSelectable(beside)) return false;
        dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, by < 0 ? $from.before(depth) - beside.nodeSize : $from.after(depth))).scrollIntoView());
        return true;
      }
      if (parent.type.spec.isolating) return false;
    }
    return false;
  };
}

/** The command of a tool that asks for nothing. */
export function commandOf(tool: Tool): Command | undefined {
  switch (tool) {
    case 'paragraph': case 'h1': case 'h2': case 'h3': case 'h4': case 'h5': case 'h6': case 'code': return setLine(tool);
    case 'bold': case 'italic': case 'underline': case 'strike': case 'inlinecode': case 'superscript': case 'subscript': return toggleMark(MARK_OF[tool]);
    case 'list': return toggleList(types.bullet_list!);
    case 'olist': return toggleList(types.ordered_list!);
    case 'quote': return toggleQuote;
    case 'align-left': return setOfLines('textAlign', null);
    case 'align-center': case 'align-right': case 'align-justify': return setOfLines('textAlign', tool.slice('align-'.length));
    case 'ltr': case 'rtl': return toggleOfLines('dir', tool);
    case 'hrule': return insertBlock(types.horizontal_rule!.create());
    case 'unset': return unset;
    default: return undefined;
  }
}

/** Whether a tool is on where the selection is. */
export function isOn(state: EditorState, tool: Tool): boolean {
  const { $from, from, to, empty } = state.selection;
  if (Object.hasOwn(MARK_OF, tool)) {
    const type = MARK_OF[tool as MarkTool];
    return empty ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined : state.doc.rangeHasMark(from, to, type);
  }
  const line = $from.parent;
  switch (tool) {
    case 'list': return around(state, types.bullet_list!, types.ordered_list!)?.node.type === types.bullet_list;
    case 'olist': return around(state, types.bullet_list!, types.ordered_list!)?.node.type === types.ordered_list;
    case 'quote': return quoted(state) !== null;
    case 'ltr': case 'rtl': return line.attrs.dir === tool;
    case 'align-left': return Object.hasOwn(line.attrs, 'textAlign') && (line.attrs.textAlign ?? 'left') === 'left';
    case 'align-center': case 'align-right': case 'align-justify': return line.attrs.textAlign === tool.slice('align-'.length);
    case 'table': return around(state, types.table!) !== undefined;
    default: return lineTool(line) === tool;
  }
}
