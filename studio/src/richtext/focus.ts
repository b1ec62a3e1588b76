// Keys that come at once after the focus. The browser puts the cursor of a text that gets the focus by Tab to its beginning; ProseMirror brings back its own a moment
// later, and what was typed in between would stand at the beginning.

import { Plugin, type EditorState } from 'prosemirror-state';

/** How long ProseMirror waits, in milliseconds. */
const MOMENT = 20;

export function focusPlugin(): Plugin {
  /** Who clicks has said where the cursor goes. The focus comes after that. */
  let isPointed = false;
  /** What was selected when the focus came, for a moment. */
  let before: EditorState | undefined;
  const point = () => {
    isPointed = true;
    before = undefined;
  };
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown: point,
        touchstart: point,
        focus: ({ state }) => {
          before = isPointed ? undefined : state;
          setTimeout(() => (before = undefined), MOMENT);
        },
        blur: () => {
          isPointed = false;
        },
        keydown: (view) => {
          const { doc, selection, tr } = view.state;
          // It may have taken the beginning for what the person selected.
          if (before?.doc === doc && !before.selection.eq(selection)) view.dispatch(tr.setSelection(before.selection));
          if (before) view.focus();
          before = undefined;
          isPointed = false;
        },
      },
    },
  });
}
