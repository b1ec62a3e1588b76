// Files of the library, as the studio asks for them.

import type { Asset } from '../model/assets.ts';
import type { Client } from './client.ts';
import { Problem } from './problem.ts';

/** One by its number, also one of the trash; nothing when there is none. */
export async function readAsset(client: Client, id: number): Promise<Asset | undefined> {
  try {
    return (await client.get<Asset>(`assets/${id}`)).body;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'gone') return undefined;
    throw error;
  }
}

/** Copies a file of another server into the library. */
export function copyAsset(client: Client, url: string): Promise<Asset> {
  return client.change('POST', 'assets/copy_from_url', { url });
}
