// URLs that open private files: the server signs them for an hour, so they are asked for when something is shown and never stored.

import type { Asset } from '../model/assets.ts';
import { ALL_ASSETS } from '../model/assetsplace.ts';
import { nameOfFile } from '../model/filekinds.ts';
import { isOwnFile } from '../model/pictures.ts';
import { listAssets, readAsset } from './assets.ts';
import type { Client } from './client.ts';

/** How long before its end a URL is no longer given, in seconds: what it opens has to be loaded yet. */
const MARGIN = 60;

export class SignedUrls {
  readonly #client: Client;
  readonly #base: string;
  readonly #asked = new Map<string, Promise<string | undefined>>();

  /** `base` is the address of this server. */
  constructor(client: Client, base: string) {
    this.#client = client;
    this.#base = base;
  }

  /** A URL that opens a file, by the one that content has; its number finds it by a former URL too. Nothing where it is not private, or not of this space. */
  async of(url: string, id?: number): Promise<string | undefined> {
    if (!isOwnFile(url, this.#base)) return undefined;
    const known = await this.#asked.get(url);
    if (known !== undefined && isOpen(known)) return known;
    const asked = this.#ask(url, id);
    this.#asked.set(url, asked);
    // Without an answer it is asked for again.
    asked.catch(() => this.#asked.delete(url));
    return asked;
  }

  async #ask(url: string, id: number | undefined): Promise<string | undefined> {
    const found = id === undefined ? await this.#find(url) : await readAsset(this.#client, id);
    return found?.signed_url ?? undefined;
  }

  async #find(url: string): Promise<Asset | undefined> {
    const { items } = await listAssets(this.#client, { ...ALL_ASSETS, search: nameOfFile(url), isPrivate: true }, [], 1, new AbortController().signal);
    return items.find(({ filename }) => filename === url);
  }
}

/** Whether a signed URL still opens what it is of. One that does not say so is taken as it is. */
function isOpen(url: string): boolean {
  const [, expires] = /[?&]expires=(\d+)/.exec(url) ?? [];
  return expires === undefined || Number(expires) > Date.now() / 1000 + MARGIN;
}
