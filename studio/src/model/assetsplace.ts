// Where a person is in the library of files, and its address.

import { ASSET_KINDS, type AssetKind } from './assets.ts';
import { count, oneOf, textsOf, withQuery } from './query.ts';

export const ASSET_SORTS = ['short_filename', 'content_length', 'updated_at'] as const;
export type AssetSort = (typeof ASSET_SORTS)[number];

/** In place of the number of a folder: all files, and those that are in none. */
export const ALL_FILES = 0;
export const UNFILED = -1;

/** Which files are shown. */
export interface AssetFilter {
  /** The number of a folder, `ALL_FILES` or `UNFILED`. */
  readonly folder: number;
  /** A part of what is told of a file; it searches all folders. */
  readonly search: string;
  readonly kind: '' | AssetKind;
  readonly withoutAlt: boolean;
  readonly isPrivate: boolean;
  /** The number of a tag. */
  readonly tag: number;
  /** The newest first without it. */
  readonly sort: AssetSort | '';
  readonly descending: boolean;
  readonly trash: boolean;
}

/** What stands over the list; all but the keys are about its folder. */
export const ASSET_DIALOGS = ['new-folder', 'rename-folder', 'move-folder', 'delete-folder', 'keys'] as const;
export type AssetDialogName = (typeof ASSET_DIALOGS)[number];

export interface AssetsPlace extends AssetFilter {
  readonly screen: 'assets';
  readonly view: 'grid' | 'list';
  readonly dialog: AssetDialogName | '';
  /** The file that is shown in full. */
  readonly asset: number;
}

export const ALL_ASSETS: AssetFilter = {
  folder: ALL_FILES, search: '', kind: '', withoutAlt: false, isPrivate: false, tag: 0, sort: '', descending: false, trash: false,
};

export const ASSETS_START: AssetsPlace = { ...ALL_ASSETS, screen: 'assets', view: 'grid', dialog: '', asset: 0 };

export const ASSETS_PATH = /^\/studio\/\d+\/assets$/;

export function assetsPlaceOf(query: URLSearchParams): AssetsPlace {
  return {
    screen: 'assets',
    folder: query.get('folder') === 'none' ? UNFILED : count(query.get('folder'), ALL_FILES),
    search: textsOf(query)('search'),
    kind: oneOf(ASSET_KINDS, query.get('kind')),
    withoutAlt: query.get('alt') === 'none',
    isPrivate: query.get('private') === '1',
    tag: count(query.get('tag'), 0),
    sort: oneOf(ASSET_SORTS, query.get('sort')),
    descending: query.get('order') === 'desc',
    trash: query.get('trash') === '1',
    view: query.get('view') === 'list' ? 'list' : 'grid',
    dialog: oneOf(ASSET_DIALOGS, query.get('dialog')),
    asset: count(query.get('asset'), 0),
  };
}

export function assetsAddress(space: number, place: AssetsPlace): string {
  const number = (value: number) => (value > 0 ? String(value) : '');
  return withQuery(`/studio/${space}/assets`, [
    ['folder', place.folder === UNFILED ? 'none' : number(place.folder)],
    ['search', place.search],
    ['kind', place.kind],
    ['alt', place.withoutAlt ? 'none' : ''],
    ['private', place.isPrivate ? '1' : ''],
    ['tag', number(place.tag)],
    ['sort', place.sort],
    ['order', place.sort && place.descending ? 'desc' : ''],
    ['trash', place.trash ? '1' : ''],
    ['view', place.view === 'list' ? 'list' : ''],
    ['dialog', place.dialog],
    ['asset', number(place.asset)],
  ]);
}

/** Whether the files are narrowed by more than their folder. */
export function isNarrowed(filter: AssetFilter): boolean {
  return Boolean(filter.search || filter.kind || filter.withoutAlt || filter.isPrivate || filter.tag);
}
