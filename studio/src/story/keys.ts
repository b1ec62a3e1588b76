// The keys that act everywhere in a story.
import { texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';

/** What a key does; nothing where it is not ours, or where something in the page has used it. */
export function keyCommand(event: KeyboardEvent, editing: Editing): (() => void) | undefined {
  const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
  // A dialog has fields of its own, and is about something else than the content.
  if (!isCommand || event.defaultPrevented) return undefined;
  const isInDialog = (event.target as Element | null)?.closest?.('dialog');
  // The browser would save the page.
  if (isInDialog) return event.key.toLowerCase() === 's' ? () => {} : undefined;
  switch (event.key.toLowerCase()) {
    case 's': return event.shiftKey ? undefined : () => void editing.save();
    case 'enter': return event.shiftKey && !editing.isReadOnly ? () => editing.openDialog('publish') : undefined;
    case 'z': return () => (event.shiftKey ? redo(editing) : undo(editing));
    case 'y': return event.shiftKey ? undefined : () => redo(editing);
    default: return undefined;
  }
}

export function undo(editing: Editing): void {
  if (editing.draft.undo()) tell(editing, texts().storyUndone);
}

export function redo(editing: Editing): void {
  if (editing.draft.redo()) tell(editing, texts().storyRedone);
}

export function undoAll(editing: Editing): void {
  if (editing.draft.undoAll()) tell(editing, texts().storyUndone);
}

function tell(editing: Editing, text: string): void {
  if (editing.draft.leftTheirs) editing.studio.say(texts().storyLeftTheirs);
  else editing.announce(text);
}
