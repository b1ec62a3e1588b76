// What the shell brings: everything that the first screen shows, so that the first request of the studio is the list itself.

import type { Json, JsonObject } from './json.ts';

export type Role = 'admin' | 'editor' | 'viewer';

export interface Language {
  readonly code: string;
  readonly name: string;
}

/** A folder of the tree, as the shell and the Management API name it. */
export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly full_slug: string;
  readonly parent_id: number;
  readonly default_root?: string | null;
  /** It is not previewed, and nothing in it. */
  readonly disable_fe_editor?: boolean;
  /** What it takes, where it was read alone. */
  readonly content?: JsonObject;
  /** How much is directly in it, where that was asked for. */
  readonly children?: { readonly folders: number; readonly stories: number };
}

/** A folder as the way to a story names it. */
export type Ancestor = Pick<Folder, 'id' | 'name' | 'disable_fe_editor'>;

export interface Shell {
  /** The language of the interface. */
  readonly language: 'en' | 'de';
  readonly csrf_token: string;
  /** `APP_BASE_URL`: the one origin that uploads and previews name. */
  readonly base_url: string;
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly role: Role;
  /** `APP_ASSET_MAX_MB`: how many megabytes an uploaded file may have. */
  readonly asset_max_mb?: number;
  readonly space: {
    readonly id: number;
    readonly name: string;
    /** Beside the default one. */
    readonly languages: readonly Language[];
    readonly default_lang_name: string | null;
    /** Stories with errors are not published. */
    readonly publish_requires_valid: boolean;
    /** The default place of its previews, and the others. */
    readonly domain: string | null;
    /** The space's own fields of files, as they are written there. */
    readonly asset_meta_fields?: readonly Json[];
    readonly environments: readonly { readonly name: string; readonly location: string }[];
  };
  /** The first folders at the top of the tree, and how many there are. */
  readonly tree: { readonly folders: readonly Folder[]; readonly total: number };
  /** The components of the space: what a story can be of. */
  readonly components: readonly { readonly name: string; readonly display_name: string | null; readonly is_root: boolean }[];
}

/** Reads it from the document. */
export function readShell(document: Document): Shell {
  const text = document.querySelector<HTMLElement>('#studio')?.dataset.shell;
  if (!text) throw new Error('the shell brings no data');
  return JSON.parse(text) as Shell;
}

/** Whether a role may change content. */
export function mayWrite(role: Role): boolean {
  return role !== 'viewer';
}
