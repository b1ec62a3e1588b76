// Files of the library and their folders, as the studio asks for them.

import type { Asset, AssetFolder, AssetKind, AssetTag, AssetText } from '../model/assets.ts';
import { ALL_FILES, UNFILED, type AssetFilter } from '../model/assetsplace.ts';
import type { JsonObject } from '../model/json.ts';
import type { Client, UploadOptions } from './client.ts';
import type { Page } from './paged.ts';
import { Problem } from './problem.ts';

/** How many assets are read at once, and how many the server changes at once. */
export const PER_PAGE = 100;

/** What is told of a file; what is not named stays. */
export type AssetChange = Partial<Readonly<Record<AssetText, string>>> & {
  readonly focus?: string;
  readonly short_filename?: string;
  readonly asset_folder_id?: number | null;
  readonly internal_tag_ids?: readonly number[];
  readonly is_private?: boolean;
  readonly meta_data?: JsonObject;
};

/** A page of the files of a filter, counted from 1. `kinds` are those that may be shown at all. */
export async function listAssets(client: Client, filter: AssetFilter, kinds: readonly AssetKind[], page: number, signal: AbortSignal): Promise<Page<Asset>> {
  const { body, total } = await client.get<{ assets: Asset[] }>('assets', {
    page,
    per_page: PER_PAGE,
    in_folder: filter.trash ? -1 : folderOf(filter),
    search: filter.search,
    // Only pictures lack an alternative text.
    kind: filter.kind || (filter.withoutAlt ? 'image' : kinds.join(',')),
    without_alt: filter.withoutAlt ? 1 : undefined,
    is_private: filter.isPrivate ? 1 : undefined,
    with_tags: filter.tag || undefined,
    sort_by: filter.sort ? `${filter.sort}:${filter.descending ? 'desc' : 'asc'}` : undefined,
  }, signal);
  return { items: body.assets, total };
}

/** A search is of all folders. */
function folderOf({ folder, search }: AssetFilter): number | undefined {
  if (search || folder === ALL_FILES) return undefined;
  return folder === UNFILED ? 0 : folder;
}

/** One by its number, also one of the trash; nothing when there is none. */
export async function readAsset(client: Client, id: number): Promise<Asset | undefined> {
  try {
    return (await client.get<Asset>(`assets/${id}`)).body;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'gone') return undefined;
    throw error;
  }
}

/** One by a URL that content has or had; nothing when there is none. */
export async function assetAt(client: Client, filename: string): Promise<Asset | undefined> {
  return (await client.get<{ assets: Asset[] }>('assets', { filename })).body.assets[0];
}

/** Changes what is told of one, and gives it as it is now. */
export async function changeAsset(client: Client, id: number, asset: AssetChange): Promise<Asset> {
  await client.change('PUT', `assets/${id}`, { asset });
  return (await client.get<Asset>(`assets/${id}`)).body;
}

/** Sends a file: a new one, or in place of that of an asset. */
export function uploadAsset(client: Client, file: File, to: { folder: number | null } | { replaces: number }, options: UploadOptions): Promise<Asset> {
  const form = new FormData();
  // The file is the last: what stands before it is known when it arrives.
  if ('replaces' in to) form.append('id', String(to.replaces));
  else if (to.folder !== null) form.append('asset_folder_id', String(to.folder));
  form.append('file', file, file.name);
  return client.upload('assets', form, options);
}

/** Copies a file of another server into the library. */
export function copyAsset(client: Client, url: string): Promise<Asset> {
  return client.change('POST', 'assets/copy_from_url', { url });
}

export const trashAssets = (client: Client, ids: readonly number[]) => inParts(client, 'bulk_destroy', ids, {});
export const restoreAssets = (client: Client, ids: readonly number[]) => inParts(client, 'bulk_restore', ids, {});
export const moveAssets = (client: Client, ids: readonly number[], folder: number | null) => inParts(client, 'bulk_update', ids, { asset: { asset_folder_id: folder } });

/** Puts tags on them and takes others away. */
export const tagAssets = (client: Client, ids: readonly number[], added: readonly number[], removed: readonly number[]) =>
  inParts(client, 'bulk_tags_association', ids, { internal_tag_ids: added, removed_internal_tag_ids: removed });

/** Does something with many, as many at once as the server takes. */
async function inParts(client: Client, act: string, ids: readonly number[], more: object): Promise<Asset[]> {
  const changed: Asset[] = [];
  for (let from = 0; from < ids.length; from += PER_PAGE) {
    const body = { ids: ids.slice(from, from + PER_PAGE), ...more };
    changed.push(...(await client.change<{ assets: Asset[] }>('POST', `assets/${act}`, body)).assets);
  }
  return changed;
}

/** All folders. */
export async function listAssetFolders(client: Client): Promise<AssetFolder[]> {
  return (await client.get<{ asset_folders: AssetFolder[] }>('asset_folders')).body.asset_folders;
}

export async function createAssetFolder(client: Client, name: string, parent: number | null): Promise<AssetFolder> {
  return (await client.change<{ asset_folder: AssetFolder }>('POST', 'asset_folders', { asset_folder: { name, parent_id: parent } })).asset_folder;
}

export async function changeAssetFolder(client: Client, id: number, change: { readonly name?: string; readonly parent_id?: number | null }): Promise<AssetFolder> {
  return (await client.change<{ asset_folder: AssetFolder }>('PUT', `asset_folders/${id}`, { asset_folder: change })).asset_folder;
}

/** Deletes a folder. What is in it moves up, or goes with it: files to the trash. */
export async function deleteAssetFolder(client: Client, id: number, withContent: boolean): Promise<void> {
  await client.change('DELETE', `asset_folders/${id}`, undefined, { recursive: withContent ? 1 : undefined });
}

/** The tags of files by a part of their name. */
export async function listAssetTags(client: Client, search = '', signal?: AbortSignal): Promise<AssetTag[]> {
  return (await client.get<{ internal_tags: AssetTag[] }>('internal_tags', { by_object_type: 'asset', search, per_page: 1000 }, signal)).body.internal_tags;
}

export async function createAssetTag(client: Client, name: string): Promise<AssetTag> {
  return (await client.change<{ internal_tag: AssetTag }>('POST', 'internal_tags', { internal_tag: { name, object_type: 'asset' } })).internal_tag;
}
