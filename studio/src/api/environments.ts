// The places where a space is previewed, and what the URLs of previews are signed with.

import type { PageCheck, PreviewToken } from '../model/preview.ts';
import type { Client } from './client.ts';

/** Has the server look at a page, because a browser says nothing about one that it does not frame. */
export function checkPage(client: Client, url: string): Promise<PageCheck> {
  return client.change<PageCheck>('POST', 'environments/check', { url });
}

/** Makes a location the default environment of the space. */
export async function setDefaultEnvironment(client: Client, space: number, location: string): Promise<void> {
  await client.change('PUT', `/api/v1/spaces/${space}`, { space: { domain: location } });
}

/** A signature that is new; nothing where the space has no token that can sign. */
export async function readSignature(client: Client, story: number): Promise<PreviewToken | null> {
  return (await client.get<{ story: { preview_token?: PreviewToken | null } }>(`stories/${story}`)).body.story.preview_token ?? null;
}

/** Makes a token that can sign. */
export async function makePreviewToken(client: Client, name: string): Promise<void> {
  await client.change('POST', 'api_keys', { api_key: { access: 'preview', name } });
}

/** What a story is called. */
export async function readStoryName(client: Client, story: number): Promise<string> {
  return (await client.get<{ story: { name: string } }>(`stories/${story}`)).body.story.name;
}
