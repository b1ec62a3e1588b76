// The JSON view's text field: CodeMirror in a shadow root, because the policy of the page allows no style elements, and a shadow root takes sheets instead. A part
// of its own, which is loaded when the first JSON is shown.

import { defaultKeymap, history, redo, undo } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, syntaxTree } from '@codemirror/language';
import { forceLinting, linter } from '@codemirror/lint';
import { Compartment, EditorState, Transaction, type Extension, type Range } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, keymap, lineNumbers, ViewPlugin, type DecorationSet, type ViewUpdate } from '@codemirror/view';
import { pastedText } from './pasted.ts';

export interface CodeSettings {
  readonly label: string;
  /** What describes it; ids do not reach into a shadow root. */
  readonly description: string;
  readonly isInvalid: boolean;
  readonly isReadonly: boolean;
}

/** What is wrong with a text, and where. */
export type CodeCheck = (text: string) => { readonly at: number; readonly message: string } | undefined;

export interface Code {
  /** Shows another text, which was not typed here. */
  show(text: string): void;
  set(settings: CodeSettings): void;
  destroy(): void;
}

const theme = EditorView.theme({
  '&': { border: '1px solid var(--edge)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '.875rem', maxBlockSize: '24rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '0', borderColor: 'var(--accent)' },
  '&:has([aria-invalid])': { borderColor: 'var(--bad)' },
  '&:has([aria-readonly])': { backgroundColor: 'var(--raised)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { minBlockSize: '4.5rem', caretColor: 'var(--text)' },
  '.cm-cursor': { borderInlineStartColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', borderInlineEnd: '1px solid var(--line)', borderStartStartRadius: 'var(--radius)', borderEndStartRadius: 'var(--radius)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--edge)' },
  '.cm-json-PropertyName': { color: 'var(--accent)' },
  '.cm-json-String': { color: 'var(--good)' },
  '.cm-json-Number, .cm-json-True, .cm-json-False, .cm-json-Null': { color: 'var(--text)', fontWeight: '600' },
  '.cm-tooltip': { border: '1px solid var(--line)', backgroundColor: 'var(--surface)', color: 'var(--text)' },
});

/** Colours by the names of the syntax, so that they are those of the page in light and dark. */
const colours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = coloured(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged || syntaxTree(update.startState) !== syntaxTree(update.state)) this.decorations = coloured(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const COLOURED = ['PropertyName', 'String', 'Number', 'True', 'False', 'Null'];

function coloured(view: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        if (COLOURED.includes(node.name)) found.push(Decoration.mark({ class: `cm-json-${node.name}` }).range(node.from, node.to));
      },
    });
  }
  return Decoration.set(found, true);
}

function settingsOf({ label, description, isInvalid, isReadonly }: CodeSettings): Extension {
  const attributes: Record<string, string> = { 'aria-label': label, 'aria-description': description, tabindex: '0' };
  if (isInvalid) attributes['aria-invalid'] = 'true';
  if (isReadonly) attributes['aria-readonly'] = 'true';
  return [EditorState.readOnly.of(isReadonly), EditorView.contentAttributes.of(attributes)];
}

/** Makes the field in an element. Tab leaves it, as it leaves any other. */
export function createCode(host: HTMLElement, text: string, settings: CodeSettings, check: CodeCheck, oninput: (text: string) => void): Code {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  const adjustable = new Compartment();
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        adjustable.of(settingsOf(settings)),
        lineNumbers(),
        drawSelection(),
        bracketMatching(),
        history(),
        EditorView.lineWrapping,
        json(),
        colours,
        theme,
        linter((of) => {
          const wrong = check(of.state.doc.toString());
          return wrong ? [{ from: wrong.at, to: Math.min(wrong.at + 1, of.state.doc.length), severity: 'error', message: wrong.message }] : [];
        }, { delay: 300 }),
        // Undo is that of this text while it is typed in, and does not reach the undo of the story.
        keymap.of([
          { key: 'Mod-z', run: undo, preventDefault: true, stopPropagation: true },
          { key: 'Mod-Shift-z', run: redo, preventDefault: true, stopPropagation: true },
          { key: 'Mod-y', run: redo, preventDefault: true, stopPropagation: true },
          ...defaultKeymap,
        ]),
        EditorView.domEventHandlers({
          // What has no text of its own would take away what is selected.
          paste(event, pasted) {
            if (!event.clipboardData || event.clipboardData.getData('text/plain') !== '' || pasted.state.readOnly) return false;
            const copied = pastedText(event.clipboardData);
            if (copied !== '') pasted.dispatch(pasted.state.replaceSelection(copied), { userEvent: 'input.paste', scrollIntoView: true });
            event.preventDefault();
            return true;
          },
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((transaction) => transaction.annotation(Transaction.remote))) oninput(update.state.doc.toString());
        }),
      ],
    }),
  });

  // Outside of the shadow root nothing shows that a key is typed into a text: what is typed stays here, or it would be taken as a key of the page.
  host.addEventListener('keydown', (event) => {
    if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  });

  return {
    show(next) {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] });
      forceLinting(view);
    },
    set: (next) => view.dispatch({ effects: adjustable.reconfigure(settingsOf(next)) }),
    destroy: () => view.destroy(),
  };
}
