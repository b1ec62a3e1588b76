// The settings of the story that is open are written in turn with its draft, which names the revision.

import { overtakenBy, saveSettings } from '../api/storysettings.ts';
import { Problem } from '../api/problem.ts';
import { NotSaved } from '../draft/saver.ts';
import type { JsonObject } from '../model/json.ts';
import { overtaken, type SettingsStory } from '../model/storysettings.ts';
import { texts } from '../texts/texts.ts';
import type { Editing } from './editing.svelte.ts';

/** Writes members that were changed of a story as it was, unless others have changed the same. */
export async function writeSettings(editing: Editing, change: JsonObject, before: SettingsStory): Promise<SettingsStory> {
  const { saver, story, studio } = editing;
  try {
    return await saver.run(async (revision) => {
      // The draft goes on with the revisions of others as long as the content is the same.
      const now = editing.story as SettingsStory;
      if (now.revision > before.revision && overtaken(change, before, now).length > 0) throw overtakenBy(now);
      return saveSettings(studio.client, story.id, change, revision);
    });
  } catch (error) {
    throw error instanceof NotSaved ? new Problem('unsaved', texts().historyNotSaved) : error;
  }
}
