// Presets: contents that new blocks of a component can begin with.

import { readPreset } from '../model/components.ts';
import type { JsonObject } from '../model/json.ts';
import type { Preset } from '../model/schema.ts';
import type { Client } from './client.ts';

export interface PresetChange {
  readonly name?: string;
  readonly description?: string;
  /** The address of a picture. */
  readonly image?: string;
  readonly preset: JsonObject;
}

interface One {
  readonly preset: JsonObject;
}

/** Makes a preset of a component. */
export async function createPreset(client: Client, component: number, change: PresetChange): Promise<Preset> {
  return presetOf(await client.change<One>('POST', 'presets', { preset: { ...change, component_id: component } }));
}

/** Changes a preset; what is not named stays. */
export async function updatePreset(client: Client, id: number, change: PresetChange): Promise<Preset> {
  return presetOf(await client.change<One>('PUT', `presets/${id}`, { preset: change }));
}

function presetOf({ preset }: One): Preset {
  const [read] = readPreset(preset);
  if (!read) throw new Error('the server answered a preset without a block');
  return read;
}
