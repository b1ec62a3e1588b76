// URLs that open private files: the server signs them for an hour, so they are asked for when something is shown and never stored.

import { isOwnFile } from '../model/pictures.ts';
import { assetAt } from './assets.ts';
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

  /** A URL that opens a file, by one that content has, now or from before the file was replaced. Nothing where it is not private, or not of this space. */
  async of(url: string): Promise<string | undefined> {
    if (!isOwnFile(url, this.#base)) return undefined;
    const before = this.#asked.get(url);
    const known = await before;
    // What is not private is known as well: a picture that cannot be loaded may be shown again with each key.
    if (before && (known === undefined || isOpen(known))) return known;
    const asked = this.#ask(url);
    this.#asked.set(url, asked);
    // Without an answer it is asked for again.
    asked.catch(() => this.#asked.delete(url));
    return asked;
  }

  async #ask(url: string): Promise<string | undefined> {
    const [path = ''] = url.split('?');
    const [, file = path, picture = ''] = /^(.*?)(\/m(?:\/.*)?)$/.exec(path) ?? [];
    const found = await assetAt(this.#client, file);
    // It opens pictures that are made of the file as well.
    return found?.signed_url?.replace('?', `${picture}?`);
  }
}

/** Whether a signed URL still opens what it is of. One that does not say so is taken as it is. */
function isOpen(url: string): boolean {
  const [, expires] = /[?&]expires=(\d+)/.exec(url) ?? [];
  return expires === undefined || Number(expires) > Date.now() / 1000 + MARGIN;
}
