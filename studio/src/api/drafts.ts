// Drafts in the shape of the Delivery API, of which previews are made.

import type { JsonObject } from '../model/json.ts';
import type { Client } from './client.ts';

/** A story in the shape that sites get. */
export type DeliveredStory = JsonObject & { readonly id: number };

export interface DraftWishes {
  /** Empty for the default language. */
  readonly language: string;
  readonly fallback: string;
  /** `component.field`. */
  readonly relations: readonly string[];
  readonly links: string;
}

/** A draft with the stories that it refers to; these are left out where there are too many. */
export interface DeliveredDraft {
  readonly story: DeliveredStory;
  readonly rels?: readonly JsonObject[];
  readonly links?: readonly JsonObject[];
}

export async function readDraft(client: Client, story: number, { language, fallback, relations, links }: DraftWishes): Promise<DeliveredDraft> {
  const query = { language, fallback_lang: language && fallback, resolve_relations: relations.join(','), resolve_links: links };
  return (await client.get<DeliveredDraft>(`cdn/stories/${story}`, query)).body;
}

/** At most 100 of them. */
export async function readDrafts(client: Client, uuids: readonly string[], { language, fallback }: DraftWishes): Promise<readonly JsonObject[]> {
  const query = { by_uuids: uuids.join(','), per_page: 100, language, fallback_lang: language && fallback };
  return (await client.get<{ stories: readonly JsonObject[] }>('cdn/stories', query)).body.stories;
}
