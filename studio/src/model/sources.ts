// What fields look up: stories that can be referred to, files of the library, entries of datasources, languages. The screen hands it over, so that fields know no
// server.

import type { Asset, AssetQuestion } from './assets.ts';
import type { Choice } from './schema.ts';
import type { Language } from './shell.ts';

/** A story that a field can refer to. */
export interface Target {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly full_slug: string;
  readonly content_type: string | null;
  readonly is_folder: boolean;
  readonly is_startpage: boolean;
  readonly published: boolean;
  /** When it went to the trash; a reference to it leads nowhere. */
  readonly deleted_at: string | null;
}

/** The first of what was found, and how many there are. */
export interface Found<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Which stories a field may refer to: of some content types, below a folder. */
export interface Scope {
  /** Any of these; no name means all. */
  readonly contentTypes: readonly string[];
  /** The path of the folder; `null` is the whole space. */
  readonly folder: string | null;
}

/** A content type as people know it. */
export interface ContentType {
  readonly name: string;
  readonly display_name: string | null;
}

export interface FieldSources {
  /** Those of the space beside the default one. */
  readonly languages: readonly Language[];
  /** What a story can be of. */
  readonly contentTypes: readonly ContentType[];
  /** The path of the story that is open. */
  storyPath(): string;
  /** Where a story, or the list of a folder, is in the studio. */
  addressOf(target: Target): string;
  /** Stories by a part of their name or path, in their order; without a search those that the person opened or chose last, then the ones that were changed last. */
  searchStories(search: string, scope: Scope, signal: AbortSignal): Promise<Found<Target>>;
  /** The person has chosen a story. */
  remember(target: Target): void;
  /** Stories and folders by what content names them with: a UUID, in old content a number. Those in the trash are in the answer, what is not there is not. */
  stories(references: readonly string[]): Promise<readonly Target[]>;
  /** The names of the folders above a story, from the top. */
  breadcrumbs(target: Target): Promise<readonly string[]>;
  /** Entries of a datasource by a part of their name or value. */
  searchEntries(datasource: string, search: string, signal?: AbortSignal): Promise<Found<Choice>>;
  /** The options that the server reads from the URL of a field, by a part of their name or value. The error says why that is not possible. */
  searchOptions(component: number, field: string, search: string, signal?: AbortSignal): Promise<Found<Choice>>;
  /** The address of this server: pictures below it can be made small. */
  readonly base_url: string;
  /** This space: what is copied says where it is from. */
  readonly space: { readonly id: number; readonly name: string };
  /** Asks the person for files of the library, into which they can upload some; none when they picked nothing. `valueOfAsset` makes a field's value of one. */
  pickAssets(question: AssetQuestion): Promise<readonly Asset[]>;
  /** A URL that opens a private file now, by the one that content names it by. Nothing for any other file. */
  signedUrl(url: string): Promise<string | undefined>;
  /** Copies a file of another server into the library; a `Problem` says why not. */
  copyAsset(url: string): Promise<Asset>;
  /** Puts a file into the library, at its top; a `Problem` says why not. */
  uploadAsset(file: File): Promise<Asset>;
}

/**
 * The folder that a schema names, as the server takes it: `{0}` is the first part of the path of the open story. It ends with a slash, so that no folder with a
 * longer name is meant. One that cannot be filled is none.
 */
export function folderIn(folder: string | null, storyPath: string): string | null {
  const parts = storyPath.split('/').filter(Boolean);
  const path = (folder ?? '').trim().replace(/\{(\d+)\}/g, (place, at: string) => parts[Number(at)] ?? place).replace(/^\/+|\/+$/g, '');
  return path === '' || path.includes('{') ? null : `${path}/`;
}
