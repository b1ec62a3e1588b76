// Where a person is in the studio, and its address. Every list, filter and dialog is an address, so that it can be sent, bookmarked and gone back to: the path
// holds numbers and names of ours alone, everything else stands in the query.

import { STATES, type StoryState } from './story.ts';

/** The columns of the list that it can be sorted by, as the server names them. */
export const SORTS = ['name', 'slug', 'content_type', 'state', 'last_author', 'updated_at'] as const;
export type Sort = (typeof SORTS)[number];

/** What stands over the list. All but the new ones are about a story. */
export const DIALOGS = ['new-story', 'new-folder', 'rename', 'move', 'duplicate', 'delete', 'publish', 'unpublish', 'settings', 'schedule', 'keys'] as const;
export type DialogName = (typeof DIALOGS)[number];

export interface ListPlace {
  readonly screen: 'list';
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
  /** What was deleted, instead of what is there. */
  readonly trash: boolean;
  readonly dialog: DialogName | '';
  /** The story that the dialog is about. */
  readonly story: number;
}

/** What stands over a story. */
export const STORY_DIALOGS = ['add', 'preset', 'paste', 'languages', 'names', 'publish', 'publish-language', 'unpublish', 'unpublish-language', 'discard', 'history', 'conflict', 'copy', 'settings', 'schedule', 'keys'] as const;
export type StoryDialogName = (typeof STORY_DIALOGS)[number];

/** Which fields are shown of a translation beside the default language. */
export const TRANSLATION_FILTERS = ['all', 'missing', 'outdated'] as const;
export type TranslationFilter = (typeof TRANSLATION_FILTERS)[number];

export interface StoryPlace {
  readonly screen: 'story';
  readonly story: number;
  /** The path of the block whose form is shown, such as `body/3/cta/0`; nothing for the story's own fields. */
  readonly at: string;
  /** The `_uid` of that block: it is found by it when it stands elsewhere now. */
  readonly uid: string;
  /** The code of the language that is edited; nothing for the default one. */
  readonly language: string;
  /** The language stands beside the default one, with these of its fields; nothing where the form of a block is shown. */
  readonly translate: TranslationFilter | '';
  /** The tab of that form, by the name of its schema entry. */
  readonly tab: string;
  readonly dialog: StoryDialogName | '';
  /** What the dialog is about: the path of the list that a new block is to come into, with the place in it; that of a block; or codes of languages. */
  readonly into: string;
  readonly index: number;
}

export type Place = ListPlace | StoryPlace;

export const START: ListPlace = {
  screen: 'list', folder: 0, search: '', state: '', type: '', tag: '', sort: '', descending: false, trash: false, dialog: '', story: 0,
};

/** What is narrowed down no more. */
export const UNFILTERED = { search: '', state: '', type: '', tag: '', trash: false } as const;

export const STORY_START: Omit<StoryPlace, 'story'> = {
  screen: 'story', at: '', uid: '', language: '', translate: '', tab: '', dialog: '', into: '', index: 0,
};

function oneOf<T extends string>(known: readonly T[], text: string | null): T | '' {
  return known.find((name) => name === text) ?? '';
}

function count(text: string | null, least: number): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= least ? number : least;
}

/** The longest text of an address, in characters: a path through twenty blocks. */
const LONGEST = 400;
const STORY_PATH = /^\/studio\/\d+\/stories\/(\d{1,15})$/;

/** The place of an address; what it does not say, or not rightly, is as at the start. */
export function placeOf(address: { readonly pathname: string; readonly search: string }): Place {
  const query = new URLSearchParams(address.search);
  const story = count(STORY_PATH.exec(address.pathname)?.[1] ?? null, 0);
  return story ? storyPlaceOf(story, query) : listPlaceOf(query);
}

function listPlaceOf(query: URLSearchParams): ListPlace {
  const text = textsOf(query);
  const dialog = oneOf(DIALOGS, query.get('dialog'));
  return {
    screen: 'list',
    folder: count(query.get('folder'), 0),
    search: text('search'),
    state: oneOf(STATES, query.get('state')),
    type: text('type'),
    tag: text('tag'),
    sort: oneOf(SORTS, query.get('sort')),
    descending: query.get('order') === 'desc',
    trash: query.get('trash') === '1',
    dialog,
    story: dialog ? count(query.get('story'), 0) : 0,
  };
}

function storyPlaceOf(story: number, query: URLSearchParams): StoryPlace {
  const text = textsOf(query);
  const dialog = oneOf(STORY_DIALOGS, query.get('dialog'));
  return {
    screen: 'story',
    story,
    at: text('at'),
    uid: text('uid'),
    language: text('language'),
    translate: oneOf(TRANSLATION_FILTERS, query.get('translate')),
    tab: text('tab'),
    dialog,
    into: dialog ? text('into') : '',
    index: dialog ? count(query.get('index'), 0) : 0,
  };
}

function textsOf(query: URLSearchParams): (name: string) => string {
  return (name) => (query.get(name) ?? '').slice(0, LONGEST);
}

/** The address of a place in a space. */
export function addressOf(space: number, place: Place): string {
  const path = `/studio/${space}/stories${place.screen === 'story' ? `/${place.story}` : ''}`;
  const pairs = place.screen === 'story' ? storyPairs(place) : listPairs(place);
  const given = pairs.filter(([, value]) => value);
  // Written as the server's `ReturnTo` takes it, so that signing in leads back here.
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`);
  return `${path}${query.length ? `?${query.join('&')}` : ''}`;
}

function listPairs(place: ListPlace): [string, string][] {
  return [
    ['folder', place.folder ? String(place.folder) : ''],
    ['search', place.search],
    ['state', place.state],
    ['type', place.type],
    ['tag', place.tag],
    ['sort', place.sort],
    ['order', place.sort && place.descending ? 'desc' : ''],
    ['trash', place.trash ? '1' : ''],
    ['dialog', place.dialog],
    ['story', place.dialog && place.story ? String(place.story) : ''],
  ];
}

function storyPairs(place: StoryPlace): [string, string][] {
  return [
    ['at', place.at],
    ['uid', place.uid],
    ['language', place.language],
    ['translate', place.language && place.translate],
    ['tab', place.tab],
    ['dialog', place.dialog],
    ['into', place.dialog ? place.into : ''],
    ['index', place.dialog && place.index ? String(place.index) : ''],
  ];
}

/** Whether the list is narrowed by more than its folder. */
export function isFiltered(place: ListPlace): boolean {
  return Boolean(place.search || place.state || place.type || place.tag);
}
