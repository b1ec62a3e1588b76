// Opens a story: what the screen needs to know, asked for at the same time.
import type { Client } from '../api/client.ts';
import { readComponents, readStory } from '../api/story.ts';
import { readSchemas } from '../model/components.ts';
import type { StoryDetail } from '../model/save.ts';
import type { Schemas } from '../model/schema.ts';

export async function openStory(client: Client, id: number, signal: AbortSignal): Promise<{ story: StoryDetail; schemas: Schemas }> {
  const [story, components] = await Promise.all([readStory(client, id, signal), readComponents(client, signal)]);
  return { story, schemas: readSchemas(components) };
}
