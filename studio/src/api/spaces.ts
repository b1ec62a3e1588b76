// The spaces of the person.

import type { Client } from './client.ts';

export interface SpaceName {
  readonly id: number;
  readonly name: string;
}

/** All of them, in the order of their names. */
export async function listSpaces(client: Client): Promise<SpaceName[]> {
  const { spaces } = (await client.get<{ spaces: SpaceName[] }>('/api/v1/spaces', { per_page: 100 })).body;
  return [...spaces].sort((one, other) => one.name.localeCompare(other.name));
}
