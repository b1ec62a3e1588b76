// The keys of a rich text. Undo is not among them: it is that of the whole story.

import { baseKeymap, chainCommands, createParagraphNear, liftEmptyBlock, newlineInCode } from 'prosemirror-commands';
import { undoInputRule } from 'prosemirror-inputrules';
import { keydownHandler } from 'prosemirror-keymap';
import { Plugin, type Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { Tool } from '../model/toolbar.ts';
import { breakLine, commandOf, indent, moveNode, outdent, selectBeside, splitItem, splitLine } from './commands.ts';

export interface KeyActs {
  offers(tool: Tool): boolean;
  /** The cell of a table beside; nothing where there is none. */
  cell(by: 1 | -1): Command | undefined;
  /** Asks for the link at the cursor. */
  onlink(): void;
  /** The focus goes to the toolbar. */
  ontoolbar(): void;
}

const TOOL_KEYS: Readonly<Record<string, Tool>> = {
  'Mod-b': 'bold', 'Mod-i': 'italic', 'Mod-u': 'underline', 'Mod-Shift-x': 'strike', 'Mod-e': 'inlinecode', 'Mod-.': 'superscript', 'Mod-,': 'subscript',
  'Mod-Alt-0': 'paragraph', 'Mod-Alt-1': 'h1', 'Mod-Alt-2': 'h2', 'Mod-Alt-3': 'h3', 'Mod-Alt-4': 'h4', 'Mod-Alt-5': 'h5', 'Mod-Alt-6': 'h6', 'Mod-Alt-c': 'code',
  'Mod-Shift-7': 'olist', 'Mod-Shift-8': 'list', 'Mod-Shift-9': 'quote',
  'Mod-Shift-l': 'align-left', 'Mod-Shift-e': 'align-center', 'Mod-Shift-r': 'align-right', 'Mod-Shift-j': 'align-justify',
};

const ZOOMS = /^[+\-=]$/;

/** The keys right of P with Ctrl, whatever is on them: where brackets need AltGr they cannot be typed with Ctrl. Those by which the browser zooms do that, and this with Shift. */
function bracketCommand({ altKey, code, ctrlKey, key, metaKey, shiftKey }: KeyboardEvent): Command | undefined {
  if (ctrlKey === metaKey || altKey || /^[[\]]$/.test(key) || (!shiftKey && ZOOMS.test(key))) return undefined;
  return { BracketRight: indent, BracketLeft: outdent }[code];
}

/** The browser tells of a selection a moment later than of the next key, which is about it already. */
function readSelection(view: EditorView): void {
  (view as unknown as { readonly domObserver: { flush(): void } }).domObserver.flush();
}

export function keyPlugin({ offers, cell, onlink, ontoolbar }: KeyActs): Plugin {
  const tools = Object.entries(TOOL_KEYS).map(([key, tool]): [string, Command] => {
    const command = commandOf(tool)!;
    return [key, (state, dispatch, view) => offers(tool) && command(state, dispatch, view)];
  });
  const act = (does: () => void): Command => () => {
    does();
    return true;
  };
  /** After Esc, Tab leaves also from within a table. */
  let isLeaving = false;
  const toCell = (by: 1 | -1): Command => (state, dispatch, view) => !isLeaving && (cell(by)?.(state, dispatch, view) ?? false);
  const bindings: Record<string, Command> = {
    ...baseKeymap,
    ...Object.fromEntries(tools),
    Enter: chainCommands(newlineInCode, createParagraphNear, splitItem, liftEmptyBlock, splitLine),
    'Shift-Enter': chainCommands(newlineInCode, breakLine),
    Backspace: chainCommands(undoInputRule, selectBeside(-1), baseKeymap.Backspace!),
    Delete: chainCommands(selectBeside(1), baseKeymap.Delete!),
    'Mod-]': indent,
    'Mod-[': outdent,
    'Alt-ArrowUp': moveNode(-1),
    'Alt-ArrowDown': moveNode(1),
    'Mod-k': (state, dispatch) => offers('link') && act(onlink)(state, dispatch),
    'Alt-F10': act(ontoolbar),
    Tab: toCell(1),
    'Shift-Tab': toCell(-1),
  };
  const handle = keydownHandler(bindings);
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        readSelection(view);
        const isHandled = handle(view, event) || (bracketCommand(event)?.(view.state, view.dispatch.bind(view), view) ?? false);
        if (event.key === 'Escape') isLeaving = true;
        else if (event.key !== 'Tab' && event.key !== 'Shift') isLeaving = false;
        return isHandled;
      },
      handleDOMEvents: {
        // ProseMirror leaves these alone, so that they reach the page: it takes every Enter else.
        keydown: (_, event) => (event.ctrlKey || event.metaKey) && !event.altKey && (/^[zy]$/i.test(event.key) || (event.shiftKey && event.key === 'Enter')),
        blur: () => void (isLeaving = false),
      },
    },
  });
}
