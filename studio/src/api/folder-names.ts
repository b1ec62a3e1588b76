// The names of folders by their paths: many are asked for at once, each one once.

import type { Client } from './client.ts';

/** How many are asked for in one request. */
const AT_ONCE = 100;

/** The paths of the folders that a path is in, from the top: `blog`, `blog/2026` of `blog/2026/first`. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').filter(Boolean);
  // The path of a start page is that of its folder, which it is in, with a slash behind.
  const folders = path.endsWith('/') ? parts : parts.slice(0, -1);
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'));
}

export class FolderNames {
  readonly #client: Client;
  readonly #names = new Map<string, string>();
  #wanted = new Set<string>();
  #request: Promise<void> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The names of the folders that a path is in; of one that is not there the last part of its own path. */
  async above(path: string): Promise<readonly string[]> {
    const folders = foldersOf(path);
    const missing = folders.filter((folder) => !this.#names.has(folder));
    if (missing.length > 0) {
      for (const folder of missing) this.#wanted.add(folder);
      this.#request ??= Promise.resolve().then(() => this.#ask());
      await this.#request;
    }
    return folders.map((folder) => this.#names.get(folder) ?? folder);
  }

  async #ask(): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted = new Set();
    this.#request = undefined;
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const slugs = wanted.slice(from, from + AT_ONCE);
      const { body } = await this.#client.get<{ stories: { name: string; full_slug: string }[] }>('stories', { by_slugs: slugs.join(','), folder_only: 1, per_page: AT_ONCE });
      for (const { name, full_slug } of body.stories) this.#names.set(full_slug, name);
    }
    for (const folder of wanted) if (!this.#names.has(folder)) this.#names.set(folder, folder.slice(folder.lastIndexOf('/') + 1));
  }
}
