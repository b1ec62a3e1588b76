// Stories and folders of a space, as the studio asks for them.

import type { ListPlace } from '../model/place.ts';
import type { Ancestor, Folder } from '../model/shell.ts';
import type { Story } from '../model/story.ts';
import type { Client } from './client.ts';
import type { Page } from './paged.ts';

/** How many stories are read at once into a list, and how many folders are loaded into the tree at once. */
export const PER_PAGE = 50;
export const FOLDERS = 100;

interface One {
  readonly story: Story;
}

/** A page of the list of a place, counted from 1. A search, and what was deleted, is of all folders. */
export async function listStories(client: Client, place: ListPlace, page: number, hasLanguages: boolean, signal: AbortSignal): Promise<Page<Story>> {
  const isEverywhere = place.trash || Boolean(place.search || place.type || place.tag || place.state);
  const { body, total } = await client.get<{ stories: Story[] }>('stories', {
    page,
    per_page: PER_PAGE,
    with_parent: isEverywhere ? undefined : place.folder,
    search: place.search,
    content_type: place.type,
    with_tag: place.tag,
    state: place.state,
    in_trash: place.trash ? 1 : undefined,
    sort_by: place.sort ? `${place.sort}:${place.descending ? 'desc' : 'asc'}` : undefined,
    with_translated_stories: hasLanguages && !place.trash ? 1 : undefined,
    with_translations: hasLanguages && !place.trash ? 1 : undefined,
  }, signal);
  return { items: body.stories, total };
}

/** A page of the folders in a folder, counted from 1. */
export async function listFolders(client: Client, parent: number, page: number, signal: AbortSignal): Promise<{ folders: Folder[]; total: number }> {
  const { body, total } = await client.get<{ stories: Story[] }>('stories', { with_parent: parent, folder_only: 1, with_counts: 1, per_page: FOLDERS, page }, signal);
  return { folders: body.stories, total };
}

/** Folders by a part of their name or path, and the way from the top to one. */
export async function findFolders(client: Client, search: string, signal: AbortSignal): Promise<Folder[]> {
  return (await client.get<{ stories: Story[] }>('stories', { search, folder_only: 1, per_page: 20 }, signal)).body.stories;
}

export async function readStory(client: Client, id: number, signal?: AbortSignal): Promise<Story & { breadcrumbs: Ancestor[] }> {
  return (await client.get<{ story: Story & { breadcrumbs: Ancestor[] } }>(`stories/${id}`, {}, signal)).body.story;
}

export interface NewStory {
  readonly name: string;
  readonly slug: string;
  readonly parent_id: number;
  /** The component of a story; none of a folder. */
  readonly component?: string;
}

export async function createStory(client: Client, { component, ...story }: NewStory): Promise<Story> {
  const body = component === undefined ? { story: { ...story, is_folder: true } } : { story: { ...story, content: { component } } };
  // A type may say which preset its stories begin with.
  return (await client.change<One>('POST', 'stories', body, { use_default_preset: component === undefined ? undefined : 1 })).story;
}

export async function renameStory(client: Client, id: number, name: string, slug: string): Promise<Story> {
  return (await client.change<One>('PUT', `stories/${id}`, { story: { name, slug } })).story;
}

/** Into a folder, after its last story. */
export async function moveToFolder(client: Client, id: number, folder: number): Promise<Story> {
  return (await client.change<One>('PUT', `stories/${id}`, { story: { parent_id: folder } })).story;
}

/** Behind a sibling; first without one. */
export async function moveBehind(client: Client, id: number, after: number | undefined): Promise<Story> {
  return (await client.change<One>('PUT', `stories/${id}/move`, undefined, { after_id: after })).story;
}

export async function duplicateStory(client: Client, id: number, name: string, slug: string): Promise<Story> {
  return (await client.change<One>('POST', `stories/${id}/duplicate`, { story: { name, slug } })).story;
}

export async function deleteStory(client: Client, id: number): Promise<void> {
  await client.change('DELETE', `stories/${id}`);
}

export async function undeleteStory(client: Client, id: number): Promise<Story> {
  return (await client.change<One>('POST', `stories/${id}/undelete`)).story;
}

export async function publishStory(client: Client, id: number): Promise<Story> {
  return (await client.change<One>('POST', `stories/${id}/publish`)).story;
}

export async function unpublishStory(client: Client, id: number): Promise<Story> {
  return (await client.change<One>('POST', `stories/${id}/unpublish`)).story;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** How many stories are asked for by name in one request. */
const AT_ONCE = 100;

/** Which of these UUIDs are those of stories of the space. */
export async function knownStories(client: Client, uuids: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(uuids.filter((uuid) => UUID.test(uuid)))];
  const known = new Set<string>();
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const some = asked.slice(at, at + AT_ONCE);
    const { body } = await client.get<{ stories: { uuid: string }[] }>('stories', { by_uuids: some.join(','), per_page: AT_ONCE });
    for (const { uuid } of body.stories) known.add(uuid);
  }
  return known;
}
