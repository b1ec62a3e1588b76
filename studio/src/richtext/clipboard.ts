// Copy and paste of a rich text. A copy carries what it is in an attribute of its HTML, so that within the studio nothing of it is lost, in other browsers too.

import { DOMParser, DOMSerializer, Fragment, Slice, type Node } from 'prosemirror-model';
import { Plugin, Selection, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { copiedBlocks, parsePlace, type CopiedBlocks, type CopyPlace } from '../model/clipboard.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { meantFiles } from '../model/pastedfiles.ts';
import { newUid } from '../model/uids.ts';
import { insertBlock } from './commands.ts';
import { copyOf, keysOf, mapHolders, withBodies } from './copies.ts';
import type { NodeKey } from './document.ts';
import { asksForCopy, beginDrag, draggedInto, endDrag, isInside, putNear, takeAway, type Dragged } from './dragged.ts';
import { insertCopy, insertMarkdown, insertSlice, put, type InsertActs } from './inserting.ts';
import { looksLikeMarkdown } from './markdown.ts';
import { cleanPasted, hideStyles } from './pastedhtml.ts';
import { placeOf } from './pastedpictures.ts';
import { picturesIn, reduceSlice } from './reduce.ts';
import { linkAddress, schema } from './schema.ts';

export interface PasteActs extends InsertActs {
  /** Files that were pasted or dropped: the attributes of the pictures that become of them. */
  pickPictures(files: readonly File[]): Promise<readonly JsonObject[]>;
  /** What is written during it, also by another text, is one step of undo. */
  asOneStep(act: () => void): void;
  /** Blocks that were copied or cut: those that may be in the field go in by `putIn`, as copies; the others are told. */
  pasteBlocks(copied: CopiedBlocks, putIn: (blocks: readonly JsonObject[]) => void): void;
  /** Where this text is. */
  readonly place: CopyPlace;
}

interface Copied {
  /** The editor that it was copied from. */
  readonly from: string;
  readonly slice: JsonObject;
  /** Where that is. */
  readonly place: CopyPlace | undefined;
}

const ATTRIBUTE = 'data-lectern-richtext';
const { nodes: types } = schema;

/** `own` names the editor. */
export function clipboardPlugin(own: string, acts: PasteActs, bodyOf: (key: NodeKey) => Json | undefined): Plugin {
  /** The slice as others can read it: blocks are in it, and no keys of this draft. */
  function written(slice: Slice): JsonObject {
    return mapSlice(slice, (holder) => withBodies(holder, bodyOf)).toJSON() as JsonObject;
  }

  function copy(view: EditorView, event: ClipboardEvent, isCut: boolean): boolean {
    const { selection } = view.state;
    if (selection.empty || !event.clipboardData) return false;
    const slice = selection.content();
    const { dom, text } = view.serializeForClipboard(slice);
    dom.firstElementChild?.setAttribute(ATTRIBUTE, JSON.stringify({ from: own, ...acts.place, slice: written(slice) }));
    event.clipboardData.setData('text/html', dom.innerHTML);
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    if (isCut && view.editable) view.dispatch(view.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut'));
    return true;
  }

  async function insertFiles(view: EditorView, files: readonly File[]): Promise<void> {
    if (!acts.offers('image')) return acts.paste({ lost: new Map([['picture', files.length]]), from: undefined, nodes: [] }, () => {});
    const pictures = await acts.pickPictures(files);
    if (view.isDestroyed || pictures.length === 0) return;
    view.dispatch(view.state.tr.replaceSelection(new Slice(Fragment.fromArray(pictures.map((attrs) => types.image!.create(attrs))), 0, 0)).scrollIntoView());
  }

  /** What another text of the page has lost comes here with its blocks; what does not fit here stays there, and what fits is copied. */
  function drop(view: EditorView, dragged: Dragged, at: number, isCopy: boolean): void {
    const copied = readCopied(view.state, dragged.written, false);
    if (!copied || isInside(dragged, view)) return;
    if (isCopy || !dragged.view.editable || reduceSlice(copied, acts) !== copied) return insertCopy(view, copied, acts.place, acts, (fitting) => putNear(view, at, fitting));
    acts.asOneStep(() => {
      takeAway(dragged);
      putNear(view, at, dragged.slice);
    });
  }

  const picturesOf = (files: Iterable<File>) => [...files].filter(({ type }) => type.startsWith('image/'));

  return new Plugin({
    props: {
      handleDOMEvents: { copy: (view, event) => copy(view, event, false), cut: (view, event) => copy(view, event, true), dragstart: (view) => beginDrag(view, written), dragend: endDrag },
      transformPastedHTML: hideStyles,
      clipboardParser: PARSER,
      clipboardSerializer: SERIALIZER,
      handlePaste(view, event, slice) {
        const html = event.clipboardData?.getData('text/html') ?? '';
        const isCode = view.state.selection.$from.parent.type.spec.code === true;
        const copied = copiedIn(html);
        const read = copied && readCopied(view.state, copied.slice, copied.from === own);
        if (read) {
          if (copied.from === own) put(view, read);
          else insertCopy(view, read, copied.place, acts);
          return true;
        }
        const blocks = isCode ? undefined : copiedBlocks((type) => event.clipboardData?.getData(type) ?? '');
        if (blocks) {
          acts.pasteBlocks(blocks, (body) => insertBlock(types.blok!.create({ id: newUid(), body }))(view.state, view.dispatch.bind(view)));
          return true;
        }
        const files = picturesOf(meantFiles(event.clipboardData));
        // A picture that was copied in Word comes as a file, beside HTML that names one of Word's.
        if (files.length > 0 && (html === '' || isPictureOfNowhere(slice))) {
          void insertFiles(view, files);
          return true;
        }
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (html === '' && !isCode && looksLikeMarkdown(text)) {
          void insertMarkdown(view, text, acts);
          return true;
        }
        if (isCode) return false;
        insertSlice(view, slice, acts);
        return true;
      },
      handleDrop(view, event, slice, isMoved) {
        if (isMoved || view.dragging) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (!at) return false;
        view.focus();
        const dragged = draggedInto(view);
        if (dragged) {
          drop(view, dragged, at.pos, asksForCopy(event));
          return true;
        }
        view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))));
        const files = picturesOf(event.dataTransfer?.files ?? []);
        const copied = copiedIn(event.dataTransfer?.getData('text/html') ?? '');
        const read = copied && readCopied(view.state, copied.slice, false);
        if (files.length > 0) void insertFiles(view, files);
        else if (read) insertCopy(view, read, copied.place, acts);
        else insertSlice(view, slice, acts);
        return true;
      },
    },
  });
}

/** Whether it is nothing but a picture that no browser reads. */
function isPictureOfNowhere(slice: Slice): boolean {
  const addresses = picturesIn(slice);
  return addresses.length === 1 && addresses.every((one) => placeOf(one) === 'nowhere') && slice.content.textBetween(0, slice.content.size).trim() === '';
}

/** What a copy from the studio carries. */
function copiedIn(html: string): Copied | undefined {
  const found = new RegExp(`${ATTRIBUTE}="([^"]*)"`).exec(html)?.[1];
  if (found === undefined) return undefined;
  try {
    const copied: unknown = JSON.parse(found.replace(/&quot;/g, '"').replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&nbsp;/g, '\u00a0').replace(/&amp;/g, '&'));
    return isObject(copied) && typeof copied.from === 'string' && isObject(copied.slice) ? { from: copied.from, slice: copied.slice, place: parsePlace(copied) } : undefined;
  } catch {
    return undefined;
  }
}

/** A cut that comes back to its own text keeps its blocks; any other copy has new ones. */
function readCopied({ doc }: EditorState, copied: JsonObject, isOwn: boolean): Slice | undefined {
  const there = new Set<NodeKey>();
  doc.descendants((node) => keysOf(node).forEach((key) => there.add(key)));
  const isBack = (keys: readonly NodeKey[]) => isOwn && keys.length > 0 && !keys.some((key) => there.has(key));
  try {
    return mapSlice(Slice.fromJSON(schema, copied), (holder) => (isBack(keysOf(holder)) ? holder : copyOf(holder)));
  } catch {
    return undefined;
  }
}

function mapSlice({ content, openStart, openEnd }: Slice, change: (holder: Node) => Node): Slice {
  return new Slice(Fragment.fromArray(content.content.map((node) => mapHolders(node, change))), openStart, openEnd);
}

/** Reads what others copied, made plain first. */
class PastedParser extends DOMParser {
  override parseSlice(dom: HTMLElement, options?: Parameters<DOMParser['parseSlice']>[1]): Slice {
    cleanPasted(dom);
    return super.parseSlice(dom, options);
  }
}
const PARSER = new PastedParser(schema, DOMParser.fromSchema(schema).rules);

/** A text as others read it. */
export function htmlOf(doc: Node): string {
  const host = document.createElement('div');
  host.append(SERIALIZER.serializeFragment(doc.content));
  return host.innerHTML;
}

/** What others read of a copy: links lead somewhere, and blocks are their places. */
const SERIALIZER = new DOMSerializer(
  { ...DOMSerializer.nodesFromSchema(schema), blok: () => ['p', '…'], unknown: () => ['p', '…'] },
  { ...DOMSerializer.marksFromSchema(schema), link: ({ attrs }) => ['a', { href: linkAddress(attrs) ?? '' }, 0], kept: () => ['span', 0], unknown_mark: () => ['span', 0] },
);
