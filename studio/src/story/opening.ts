// Opens a story: what the screen needs to know, asked for at the same time.
import type { Client } from '../api/client.ts';
import { readSchemas } from '../model/components.ts';
import type { JsonObject } from '../model/json.ts';
import type { Schemas } from '../model/schema.ts';
import type { Folder } from '../model/shell.ts';
import type { Story } from '../model/story.ts';

export interface StoryDetail extends Story {
  readonly content: JsonObject;
  readonly revision: number;
  readonly breadcrumbs: readonly Folder[];
}

export async function openStory(client: Client, id: number, signal: AbortSignal): Promise<{ story: StoryDetail; schemas: Schemas }> {
  const [{ body }, schemas] = await Promise.all([
    client.get<{ story: StoryDetail }>(`stories/${id}`, {}, signal),
    client.get<unknown>('components', {}, signal),
  ]);
  return { story: body.story, schemas: readSchemas(schemas.body) };
}
