// How the state of a story is shown: by a picture and in words, never by colour alone.
import type { IconName } from '../kit/Icon.svelte';
import type { StoryState } from '../model/story.ts';
import { texts } from '../texts/texts.ts';

export function stateText(state: StoryState): { readonly icon: IconName; readonly text: string } {
  const t = texts();
  return { icon: state, text: { draft: t.draft, scheduled: t.scheduled, published: t.published, changed: t.changedState }[state] };
}

const moment = new Intl.DateTimeFormat(navigator.languages, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in the zone of the reader. */
export function timeText(at: string): string {
  return moment.format(new Date(at));
}
