// Changes of a file that is open. They are sent one after another, and each is made of the file as the one before has left it: so none takes back another that was
// still under way when it was made.

import type { AssetChange } from '../api/assets.ts';
import type { Asset } from '../model/assets.ts';

/** What is to be changed of a file as it is then. */
export type Change = (asset: Asset) => AssetChange | Promise<AssetChange>;

/** Sends a change after those before. Whether it is saved. */
export type Save = (change: Change) => Promise<boolean>;

/** Several changes as one; nothing when there is none. */
export function allOf(changes: readonly (Change | undefined)[]): Change | undefined {
  const wanted = changes.filter((change) => change !== undefined);
  if (wanted.length === 0) return undefined;
  return async (asset) => {
    let [now, sent]: [Asset, AssetChange] = [asset, {}];
    for (const change of wanted) {
      const part = await change(now);
      sent = { ...sent, ...part };
      now = { ...now, meta_data: part.meta_data ?? now.meta_data };
    }
    return sent;
  };
}
