// The story that a link or a reference leads to: what it is called, where it is, and what is odd about it.

import type { FieldSources, Target } from '../../model/sources.ts';
import type { Texts } from '../../texts/texts.ts';

/** Looks a story up whenever another one is named. */
export class LinkedStory {
  /** Nothing until it is known, or while none is named. */
  target: Target | undefined = $state.raw();
  folders: readonly string[] = $state.raw([]);
  /** The space has no such story, not even in its trash. */
  isForeign = $state(false);

  constructor(sources: FieldSources, reference: () => string) {
    const wanted = $derived(reference());
    $effect(() => {
      this.#forget();
      if (wanted === '') return;
      let isWanted = true;
      sources.stories([wanted]).then(async ([found]) => {
        if (!isWanted) return;
        this.target = found;
        this.isForeign = found === undefined;
        const folders = found ? await sources.breadcrumbs(found) : [];
        if (isWanted) this.folders = folders;
      }).catch(() => {
        // Without the server the path that the link has is shown; nothing is known to be wrong with it.
      });
      return () => {
        isWanted = false;
      };
    });
  }

  #forget(): void {
    this.target = undefined;
    this.folders = [];
    this.isForeign = false;
  }
}

/** What a reader of the link should know of the story that it leads to. */
export function notesOf(target: Target, t: Texts): readonly string[] {
  if (target.deleted_at !== null) return [t.linkDeleted];
  if (target.is_folder) return [t.linkIsFolder];
  return target.published ? [] : [t.linkUnpublished];
}

/** The same in a word or two, for stories that a field refers to. */
export function marksOf(target: Target, t: Texts): readonly string[] {
  if (target.deleted_at !== null) return [t.targetDeleted];
  return target.is_folder || target.published ? [] : [t.targetUnpublished];
}

/** What tells a story apart from others of its name: the start page of which folder it is, or which folders it is in, and its path. */
export function detailOf(target: Target, folders: readonly string[], t: Texts): string {
  const way = folders.join(' › ');
  const kind = target.is_folder ? t.linkFolder : target.is_startpage ? t.linkStartpage : '';
  return [kind, way, `/${target.full_slug}`].filter(Boolean).join(' · ');
}
