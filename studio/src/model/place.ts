// Where a person is in the studio, and its address. Every list, filter and dialog is an address, so that it can be sent, bookmarked and gone back to: the path
// holds numbers and names of ours alone, everything else stands in the query.

import { STATES, type StoryState } from './story.ts';

export const SORTS = ['name', 'slug', 'updated_at'] as const;
export type Sort = (typeof SORTS)[number];

/** What stands over the list. All but the new ones are about a story. */
export const DIALOGS = ['new-story', 'new-folder', 'rename', 'move', 'duplicate', 'delete', 'publish', 'unpublish', 'keys'] as const;
export type DialogName = (typeof DIALOGS)[number];

export interface Place {
  /** The folder whose stories are shown; 0 is the top. */
  readonly folder: number;
  /** A part of the name or the path; it searches all folders. */
  readonly search: string;
  readonly state: '' | StoryState;
  /** The name of a component. */
  readonly type: string;
  readonly tag: string;
  /** By position without it. */
  readonly sort: Sort | '';
  readonly descending: boolean;
  readonly page: number;
  /** What was deleted, instead of what is there. */
  readonly trash: boolean;
  readonly dialog: DialogName | '';
  /** The story that the dialog is about. */
  readonly story: number;
}

export const START: Place = {
  folder: 0, search: '', state: '', type: '', tag: '', sort: '', descending: false, page: 1, trash: false, dialog: '', story: 0,
};

function oneOf<T extends string>(known: readonly T[], text: string | null): T | '' {
  return known.find((name) => name === text) ?? '';
}

function count(text: string | null, least: number): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= least ? number : least;
}

/** The place of an address; what it does not say, or not rightly, is as at the start. */
export function placeOf(address: { readonly pathname: string; readonly search: string }): Place {
  const query = new URLSearchParams(address.search);
  const text = (name: string) => (query.get(name) ?? '').slice(0, 200);
  const dialog = oneOf(DIALOGS, query.get('dialog'));
  return {
    folder: count(query.get('folder'), 0),
    search: text('search'),
    state: oneOf(STATES, query.get('state')),
    type: text('type'),
    tag: text('tag'),
    sort: oneOf(SORTS, query.get('sort')),
    descending: query.get('order') === 'desc',
    page: count(query.get('page'), 1),
    trash: query.get('trash') === '1',
    dialog,
    story: dialog ? count(query.get('story'), 0) : 0,
  };
}

/** The address of a place in a space. */
export function addressOf(space: number, place: Place): string {
  const pairs: [string, string][] = [
    ['folder', place.folder ? String(place.folder) : ''],
    ['search', place.search],
    ['state', place.state],
    ['type', place.type],
    ['tag', place.tag],
    ['sort', place.sort],
    ['order', place.sort && place.descending ? 'desc' : ''],
    ['page', place.page > 1 ? String(place.page) : ''],
    ['trash', place.trash ? '1' : ''],
    ['dialog', place.dialog],
    ['story', place.dialog && place.story ? String(place.story) : ''],
  ];
  const given = pairs.filter(([, value]) => value);
  // Written as the server's `ReturnTo` takes it, so that signing in leads back here.
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`);
  return `/studio/${space}/stories${query.length ? `?${query.join('&')}` : ''}`;
}

/** Whether the list is narrowed by more than its folder. */
export function isFiltered(place: Place): boolean {
  return Boolean(place.search || place.state || place.type || place.tag);
}
