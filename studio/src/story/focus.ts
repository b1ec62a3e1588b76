// Where the focus goes when something was added, moved or looked for.
import { tick } from 'svelte';
import type { Key } from '../draft/draft.ts';
import { controlOf } from '../fields/focus.ts';

/** The card of a block, once it is there. */
export async function focusCard(key: Key): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>(`[data-card="${key}"]`)?.focus();
}

/** The first field of the form that is shown, or the form where it has none. */
export async function focusForm(): Promise<void> {
  await tick();
  const form = document.querySelector<HTMLElement>('.story-form');
  const field = form?.querySelector<HTMLElement>('[data-field]');
  if (field) controlOf(field).focus();
  else form?.focus();
}

/** The control of a field, by its path. */
export async function focusField(path: string): Promise<void> {
  await tick();
  const field = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"]`);
  if (!field) return;
  for (const folded of foldedAround(field)) folded.open = true;
  field.scrollIntoView({ block: 'center' });
  controlOf(field).focus();
}

/** The sections around a field, the innermost first. */
function foldedAround(element: HTMLElement): readonly HTMLDetailsElement[] {
  const folded = element.closest('details');
  return folded ? [folded, ...(folded.parentElement ? foldedAround(folded.parentElement) : [])] : [];
}
