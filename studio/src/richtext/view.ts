// The editor of one rich text in the page. It holds no content of its own: what is typed goes to the draft at once, and what comes from there, by undo, by another
// person, or from the cards of its blocks, is taken in where it differs.

import { dropCursor } from 'prosemirror-dropcursor';
import { gapCursor } from 'prosemirror-gapcursor';
import type { Node } from 'prosemirror-model';
import { EditorState, Plugin, type Command, type Transaction } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { Decoration, DecorationSet, EditorView, type NodeViewConstructor } from 'prosemirror-view';
import { blokNodes } from '../draft/blocks.ts';
import { isEqual, isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Tool } from '../model/toolbar.ts';
import { newUid } from '../model/uids.ts';
import { BlokView, type BlokPlace } from './blokview.ts';
import { clipboardPlugin, htmlOf, type PasteActs } from './clipboard.ts';
import { commandOf } from './commands.ts';
import { copyOf, keysOf, withBodies } from './copies.ts';
import { replaceDifference } from './difference.ts';
import { EMPTY, holdsBlok, readDocument, writeDocument, type NodeKey, type Written } from './document.ts';
import { focusPlugin } from './focus.ts';
import { insertMarkdown, settlePastes } from './inserting.ts';
import { keyPlugin } from './keys.ts';
import { rulePlugin } from './rules.ts';
import { schema } from './schema.ts';
import { slashPlugin, type SlashActs } from './slash.ts';
import { tablesOf, type Tables } from './tables.ts';

export interface RichTextOptions extends PasteActs, SlashActs {
  offers(tool: Tool): boolean;
  readonly attributes: () => Record<string, string>;
  readonly isReadonly: () => boolean;
  readonly placeholder: () => string;
  /** The document was changed here; typing is a key of many. */
  onchange(written: Written, isTyping: boolean): void;
  /** What the toolbar shows may be another. */
  onstate(): void;
  onbloks(places: readonly BlokPlace[]): void;
  onlink(): void;
  ontoolbar(): void;
}

export type { BlokPlace } from './blokview.ts';

/** Marks what comes from the draft, which need not go back there. */
const FROM_DRAFT = 'from the draft';

export class RichText {
  readonly view: EditorView;
  readonly #options: RichTextOptions;
  /** By which it knows its own copies again, whatever is loaded in between. */
  readonly #name = newUid();
  readonly #bloks = new Set<BlokView>();
  /** What the draft has, as far as it is known here. */
  #value: Json | undefined;
  #keys: readonly NodeKey[];
  /** What the document was when it came, for when it becomes that again. */
  #first: { readonly value: Json | undefined; readonly doc: Node };
  #tables: Tables | undefined;

  constructor(host: HTMLElement, value: Json | undefined, keys: readonly NodeKey[], options: RichTextOptions) {
    this.#options = options;
    this.#value = value;
    this.#keys = keys;
    const doc = read(value, keys);
    this.#first = { value, doc };
    this.view = new EditorView({ mount: host }, {
      state: EditorState.create({ doc, plugins: this.#plugins() }),
      attributes: () => options.attributes(),
      editable: () => !options.isReadonly(),
      dispatchTransaction: (tr) => this.#dispatch(tr),
      nodeViews: { blok: this.#blokView() },
      handleDOMEvents: {
        // What the browser would undo is not what the story would.
        beforeinput: (_, event) => {
          if (event.inputType.startsWith('history')) event.preventDefault();
          return event.defaultPrevented;
        },
      },
    });
    void this.#loadTables(doc);
    this.#tellBloks();
  }

  get state(): EditorState {
    return this.view.state;
  }

  get tables(): Tables | undefined {
    return this.#tables;
  }

  destroy(): void {
    settlePastes(this.view);
    this.view.destroy();
  }

  /** Runs a command, with the focus in the text again. Whether it could be done. */
  run(command: Command | undefined): boolean {
    const isDone = command?.(this.state, this.view.dispatch.bind(this.view), this.view) ?? false;
    this.view.focus();
    return isDone;
  }

  can(command: Command | undefined): boolean {
    return !this.#options.isReadonly() && (command?.(this.state) ?? false);
  }

  use(tool: Tool): boolean {
    return this.run(commandOf(tool));
  }

  /** Puts Markdown where the cursor is. It fails where what reads it cannot be loaded. */
  insertMarkdown(markdown: string): Promise<void> {
    return insertMarkdown(this.view, markdown, this.#options);
  }

  /** Puts HTML where the cursor is, as if it were pasted. */
  insertHtml(html: string): void {
    this.view.pasteHTML(html);
  }

  /** Pastes what the system's clipboard has. */
  paste(clipboardData: DataTransfer): void {
    this.view.dom.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }

  /** The text as others read it; blocks are left out. */
  get html(): string {
    return htmlOf(this.state.doc);
  }

  get plainText(): string {
    const { content } = this.state.doc;
    return content.textBetween(0, content.size, '\n\n', '\n');
  }

  /** The blocks of a `blok` node as the draft has them; nothing of one that has no list of them. */
  bodyOf(key: NodeKey): Json | undefined {
    const at = this.#keys.indexOf(key);
    const node = at >= 0 && isObject(this.#value) ? blokNodes(this.#value)[at] : undefined;
    return isObject(node?.attrs) ? node.attrs.body : undefined;
  }

  /** Takes in what the draft has now. */
  show(value: Json | undefined, keys: readonly NodeKey[]): void {
    if (value === this.#value && isEqual(keys, this.#keys)) return;
    this.#value = value;
    this.#keys = keys;
    const doc = read(value, keys);
    const tr = replaceDifference(this.state.tr, doc);
    if (!tr.docChanged) return;
    this.view.dispatch(tr.setMeta(FROM_DRAFT, true));
    // What came from elsewhere is a new beginning.
    this.#first = { value, doc: this.state.doc };
  }

  /** Attributes of the text field may be others. */
  refresh(): void {
    this.view.setProps({});
  }

  #plugins(): Plugin[] {
    const { offers, onlink, ontoolbar, placeholder } = this.#options;
    return [
      focusPlugin(),
      slashPlugin(this.#options),
      rulePlugin(offers),
      clipboardPlugin(this.#name, this.#options, (key) => this.bodyOf(key)),
      keyPlugin({ offers, onlink, ontoolbar, cell: (by) => this.#tables?.cell(by) }),
      dropCursor({ class: 'rich-drop', color: false }),
      gapCursor(),
      new Plugin({ appendTransaction: (all, _, state) => (all.some(({ docChanged }) => docChanged) ? this.#newKeys(state) : null) }),
      new Plugin({ props: { decorations: ({ doc }) => placeholderOf(doc, placeholder()) } }),
      // It handles many keys and clicks, and so comes last.
      ...(this.#tables ? [this.#tables.plugin] : []),
    ];
  }

  #dispatch(tr: Transaction): void {
    const { state, transactions } = this.state.applyTransaction(tr);
    const own = transactions.filter((one) => one.docChanged && !isFromDraft(one));
    this.view.updateState(state);
    if (own.length > 0) this.#write(own.every(isTyping));
    if (tr.docChanged) void this.#loadTables(state.doc);
    this.#options.onstate();
  }

  #write(isTyped: boolean): void {
    const { doc } = this.state;
    const { value, nodes } = writeDocument(doc);
    // A document that is as it came is written as it came.
    const isFirst = doc.eq(this.#first.doc);
    this.#options.onchange({ value: isFirst ? (this.#first.value as JsonObject) : value, nodes }, isTyped);
  }

  /** A copy of what holds blocks is new, with blocks of its own. */
  #newKeys(state: EditorState): Transaction | null {
    const seen = new Set<NodeKey>();
    let tr: Transaction | null = null;
    state.doc.descendants((node, pos) => {
      const keys = keysOf(node);
      if (keys.some((key) => seen.has(key))) tr = (tr ?? state.tr).setNodeMarkup(pos, undefined, copyOf(withBodies(node, (key) => this.bodyOf(key))).attrs);
      for (const key of keys) seen.add(key);
      return !node.isTextblock || holdsBlok(node);
    });
    return tr;
  }

  async #loadTables(doc: Node): Promise<void> {
    if (this.#tables || !holdsTable(doc)) return;
    // Without it the table is there to read and to write in.
    await this.useTables().catch(() => {});
  }

  /** The part for tables, which is loaded when there is one. */
  async useTables(): Promise<Tables> {
    const tables = this.#tables ?? (await tablesOf());
    if (!this.#tables && !this.view.isDestroyed) {
      this.#tables = tables;
      this.view.updateState(this.state.reconfigure({ plugins: this.#plugins() }));
      this.#options.onstate();
    }
    return tables;
  }

  #blokView(): NodeViewConstructor {
    return (node, _, position) => {
      const view = new BlokView(node, position, () => this.#tellBloks(), () => this.#bloks.delete(view));
      this.#bloks.add(view);
      queueMicrotask(() => this.#tellBloks());
      return view;
    };
  }

  #tellBloks(): void {
    if (!this.view?.isDestroyed) this.#options.onbloks([...this.#bloks].map((view) => view.place));
  }
}

/** What follows from what came from the draft is no change of the person either: it is written with the next one. */
function isFromDraft(tr: Transaction): boolean {
  const cause = tr.getMeta('appendedTransaction') as Transaction | undefined;
  return tr.getMeta(FROM_DRAFT) === true || (cause !== undefined && isFromDraft(cause));
}

/** Whether a change is a key of many: text comes or goes within one line. */
function isTyping(tr: Transaction): boolean {
  const { steps: [step], docs } = tr;
  if (tr.steps.length !== 1 || !(step instanceof ReplaceStep) || tr.getMeta('uiEvent') !== undefined) return false;
  return docs[0]!.resolve(step.from).sameParent(docs[0]!.resolve(step.to)) && step.slice.content.content.every(({ isText }) => isText);
}

/** The document of a value; nothing is an empty one. */
function read(value: Json | undefined, keys: readonly NodeKey[]): Node {
  return readDocument(isObject(value) ? value : EMPTY, keys);
}

function holdsTable(doc: Node): boolean {
  let holds = false;
  doc.descendants((node) => {
    holds ||= node.type === schema.nodes.table;
    return !holds && !node.isTextblock;
  });
  return holds;
}

function placeholderOf(doc: Node, text: string): DecorationSet | null {
  const [first] = doc.content.content;
  const isEmpty = doc.childCount === 1 && first!.isTextblock && first!.content.size === 0;
  return isEmpty && text !== '' ? DecorationSet.create(doc, [Decoration.node(0, first!.nodeSize, { class: 'rich-empty', 'data-placeholder': text })]) : null;
}
