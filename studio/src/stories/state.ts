// How the state of a story is shown: by a picture and in words, never by colour alone.
import type { IconName } from '../kit/Icon.svelte';
import type { Sort } from '../model/place.ts';
import type { StoryState } from '../model/story.ts';
import { texts } from '../texts/texts.ts';

export function stateText(state: StoryState): { readonly icon: IconName; readonly text: string } {
  const t = texts();
  return { icon: state, text: { draft: t.draft, scheduled: t.scheduled, published: t.published, changed: t.changedState }[state] };
}

/** What the columns are called that the list can be sorted by. */
export function columnTexts(): Readonly<Record<Sort, string>> {
  const t = texts();
  return { name: t.name, slug: t.slug, content_type: t.type, state: t.state, last_author: t.author, updated_at: t.changed };
}
