// What is done with files of the library, one or many. Each act says what came of it, with a way back where there is one.

import { moveAssets, restoreAssets, trashAssets } from '../api/assets.ts';
import { sentenceOf } from '../app/context.svelte.ts';
import { copyText } from '../kit/copytext.ts';
import type { Asset } from '../model/assets.ts';
import { fill, texts } from '../texts/texts.ts';
import type { Library } from './library.svelte.ts';

/** Between two downloads, in milliseconds: browsers drop what comes faster. */
const PAUSE = 300;

export async function moveFiles(library: Library, ids: readonly number[], folder: number | null): Promise<boolean> {
  return tell(library, async () => {
    library.changed(await moveAssets(library.studio.client, ids, folder));
    const name = library.folders.find(({ id }) => id === folder)?.name ?? texts().assetsUnfiled;
    library.studio.say(fill(texts().assetsMoved, { count: ids.length, folder: name }));
  });
}

export async function trashFiles(library: Library, assets: readonly Asset[]): Promise<boolean> {
  return tell(library, async () => {
    const t = texts();
    const ids = assets.map(({ id }) => id);
    await trashAssets(library.studio.client, ids);
    for (const id of ids) library.selected.delete(id);
    library.reload();
    const text = assets.length === 1 ? fill(t.deletedNotice, { name: assets[0]!.short_filename }) : fill(t.assetsDeleted, { count: assets.length });
    library.studio.say({ text, undo: { label: t.bringBack, act: () => void restoreFiles(library, ids) } });
  });
}

export async function restoreFiles(library: Library, ids: readonly number[]): Promise<boolean> {
  return tell(library, async () => {
    const back = await restoreAssets(library.studio.client, ids);
    for (const id of ids) library.selected.delete(id);
    library.reload();
    library.studio.say(fill(texts().assetsRestored, { count: back.length }));
  });
}

export function copyUrls(library: Library, assets: readonly Asset[]): void {
  const t = texts();
  const isCopied = copyText(assets.map(({ filename }) => filename).join('\n'));
  library.studio.say(isCopied ? fill(t.assetsCopied, { count: assets.length }) : t.assetsNotCopied);
}

/** Gives files to the person, one after another. */
export async function downloadFiles(library: Library, assets: readonly Asset[]): Promise<void> {
  for (const [index, asset] of assets.entries()) {
    if (index > 0) await new Promise((resume) => setTimeout(resume, PAUSE));
    const link = document.createElement('a');
    link.href = pathOf(library, asset.signed_url || asset.filename);
    link.download = asset.short_filename;
    link.click();
  }
}

/** A file of this server by its path: only from there can a browser download it, whatever address the studio was opened at. */
export function pathOf(library: Library, url: string): string {
  const { base_url } = library.studio.shell;
  return url.startsWith(`${base_url}/`) ? url.slice(base_url.length) : url;
}

async function tell(library: Library, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    library.studio.say(sentenceOf(error));
    return false;
  }
}
