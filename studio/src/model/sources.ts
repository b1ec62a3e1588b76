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

export interface FieldSources {
  /** Those of the space beside the default one. */
  readonly languages: readonly Language[];
  /** Stories by a part of their name or path. */
  searchStories(search: string, scope: Scope, signal: AbortSignal): Promise<Found<Target>>;
  /** Stories by what content names them with: a UUID, in old content a number. What is not there is not in the answer. */
  stories(references: readonly string[]): Promise<readonly Target[]>;
  /** Entries of a datasource by a part of their name or value. */
  searchEntries(datasource: string, search: string, signal?: AbortSignal): Promise<Found<Choice>>;
  /** Asks the person for files of the library, into which they can upload some; none when they picked nothing. `valueOfAsset` makes a field's value of one. */
  pickAssets(question: AssetQuestion): Promise<readonly Asset[]>;
  /** A file of the library as it is now; nothing when it is not there any more. */
  asset(id: number): Promise<Asset | undefined>;
  /** Copies a file of another server into the library; a `Problem` says why not. */
  copyAsset(url: string): Promise<Asset>;
}
