// The menu that `/` opens in a text: what is typed behind it searches, and goes when something is chosen.

import { Plugin, PluginKey, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';

export interface Slash {
  /** Where the `/` is. */
  readonly from: number;
  /** What was typed behind it. */
  readonly search: string;
}

export interface SlashActs {
  /** Whether there is anything to choose. */
  hasSlash(): boolean;
  /** It is open, with what is typed, or not any more. */
  onslash(slash: Slash | undefined): void;
  /** A key while it is open; whether it was used. */
  slashKey(key: string): boolean;
}

const KEY = new PluginKey<number | undefined>('slash');
const CLOSE = 'close';

export function slashPlugin({ hasSlash, onslash, slashKey }: SlashActs): Plugin {
  return new Plugin<number | undefined>({
    key: KEY,
    state: {
      init: () => undefined,
      apply(tr, from) {
        const asked = tr.getMeta(KEY) as number | typeof CLOSE | undefined;
        if (asked === CLOSE) return undefined;
        return asked ?? (from === undefined ? undefined : tr.mapping.map(from, -1));
      },
    },
    view: () => {
      let before: Slash | undefined;
      return {
        update({ state }) {
          const slash = slashOf(state);
          if (slash?.from === before?.from && slash?.search === before?.search) return;
          before = slash;
          onslash(slash);
        },
        destroy: () => onslash(undefined),
      };
    },
    props: {
      handleTextInput(view, from, to, text) {
        if (text !== '/' || !hasSlash()) return false;
        const $from = view.state.doc.resolve(from);
        const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc');
        if ($from.parent.type.spec.code || !/(^|\s)$/.test(before)) return false;
        view.dispatch(view.state.tr.insertText(text, from, to).setMeta(KEY, from));
        return true;
      },
      handleKeyDown(view, event) {
        if (!slashOf(view.state) || event.isComposing) return false;
        if (event.key !== 'Escape') return slashKey(event.key);
        closeSlash(view);
        return true;
      },
      handleDOMEvents: {
        blur: (view) => {
          if (slashOf(view.state)) closeSlash(view);
        },
      },
    },
  });
}

function closeSlash(view: EditorView): void {
  view.dispatch(view.state.tr.setMeta(KEY, CLOSE));
}

/** What was typed goes, and the menu with it. */
export function takeSlash(view: EditorView): void {
  const slash = slashOf(view.state);
  if (slash) view.dispatch(view.state.tr.delete(slash.from, view.state.selection.from).setMeta(KEY, CLOSE));
}

/** The search ends where the cursor goes away, and with what is no word any more. */
function slashOf(state: EditorState): Slash | undefined {
  const from = KEY.getState(state);
  const { $from, empty } = state.selection;
  if (from === undefined || !empty || from < $from.start() || from >= $from.pos) return undefined;
  const typed = $from.parent.textBetween(from - $from.start(), $from.parentOffset, undefined, '\ufffc');
  return /^\/[\p{L}\d -]{0,30}$/u.test(typed) && !typed.endsWith('  ') ? { from, search: typed.slice(1).trim() } : undefined;
}
