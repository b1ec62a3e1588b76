// The folders of the library. A space has few: all of them are read at once.

import type { AssetFolder } from './assets.ts';
import { grouped } from './grouped.ts';

export interface FolderRow {
  readonly folder: AssetFolder;
  /** From 1 on. */
  readonly level: number;
  readonly hasChildren: boolean;
}

/** The folders below each other, those of a parent by name. One whose parent is not there stands at the top. */
export function folderRows(folders: readonly AssetFolder[], isOpen: (folder: number) => boolean = () => true): readonly FolderRow[] {
  const known = new Set(folders.map(({ id }) => id));
  const byParent = grouped(folders, ({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : 0));
  const rows: FolderRow[] = [];
  const add = (parent: number, level: number) => {
    for (const folder of (byParent.get(parent) ?? []).toSorted((one, other) => one.name.localeCompare(other.name))) {
      const hasChildren = byParent.has(folder.id);
      rows.push({ folder, level, hasChildren });
      if (hasChildren && isOpen(folder.id)) add(folder.id, level + 1);
    }
  };
  add(0, 1);
  return rows;
}

/** The way to a folder, from the top, itself the last. */
export function wayTo(folders: readonly AssetFolder[], id: number): readonly AssetFolder[] {
  const way: AssetFolder[] = [];
  for (let at = folders.find((folder) => folder.id === id); at && !way.includes(at); at = folders.find((folder) => folder.id === way[0]?.parent_id)) way.unshift(at);
  return way;
}

/** What a folder is called, with those above it: `Photos / 2026`. */
export function nameWithWay(folders: readonly AssetFolder[], id: number): string {
  return wayTo(folders, id).map(({ name }) => name).join(' / ');
}

/** Where a folder can be moved: not into itself, and not where it is. */
export function targetsOf(folders: readonly AssetFolder[], moved: AssetFolder): readonly AssetFolder[] {
  return folders.filter((folder) => folder.id !== moved.parent_id && !wayTo(folders, folder.id).some(({ id }) => id === moved.id));
}
