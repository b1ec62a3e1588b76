// Keys that come at once after the focus. The browser puts the cursor of a text that gets the focus by Tab to its beginning; ProseMirror brings back its own a moment
// later, and what was typed in between would stand at the beginning.

import { Plugin } from 'prosemirror-state';

/** How long ProseMirror waits, in milliseconds. */
const MOMENT = 20;

export function focusPlugin(): Plugin {
  /** Who clicks has said where the cursor goes. The focus comes after that. */
  let isPointed = false;
  let isFresh = false;
  const point = () => {
    isPointed = true;
    isFresh = false;
  };
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown: point,
        touchstart: point,
        focus: () => {
          isFresh = !isPointed;
          setTimeout(() => (isFresh = false), MOMENT);
        },
        blur: () => {
          isPointed = false;
        },
        keydown: (view) => {
          if (isFresh) view.focus();
          isFresh = isPointed = false;
        },
      },
    },
  });
}
