// The tree of folders as rows: what is open of it, from top to bottom. Folders are loaded when they are opened, a page at a time.

import type { Folder } from './shell.ts';

/** The folders in a folder that are loaded. */
export interface Branch {
  readonly folders: readonly Folder[];
  /** How many there are, loaded or not. */
  readonly total: number;
}

export interface TreeRow {
  readonly key: string;
  readonly kind: 'folder' | 'more' | 'loading';
  /** The folder; of the other kinds the one that they are in. */
  readonly folder: Folder;
  readonly level: number;
  readonly position: number;
  readonly count: number;
  readonly isOpen: boolean;
  /** It has no folders. */
  readonly isLeaf: boolean;
}

/** The folder that all are in. */
export const TOP: Folder = { id: 0, name: '', slug: '', full_slug: '', parent_id: 0 };

/** The rows of the tree, given what is loaded and what is open. */
export function rowsOf(branches: ReadonlyMap<number, Branch>, open: ReadonlySet<number>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (row: Omit<TreeRow, 'key'>) => rows.push({ ...row, key: `${row.kind}-${row.folder.id}` });
  const visit = (parent: Folder, level: number) => {
    const branch = branches.get(parent.id);
    if (!branch) {
      if (parent.id !== 0) add({ kind: 'loading', folder: parent, level, position: 1, count: 1, isOpen: false, isLeaf: true });
      return;
    }
    const hasMore = branch.folders.length < branch.total;
    branch.folders.forEach((folder, index) => {
      const known = branches.get(folder.id);
      const isLeaf = (known ? known.total : folder.children?.folders) === 0;
      const isOpen = open.has(folder.id) && !isLeaf;
      add({ kind: 'folder', folder, level, position: index + 1, count: branch.total, isOpen, isLeaf });
      if (isOpen) visit(folder, level + 1);
    });
    if (hasMore) {
      add({ kind: 'more', folder: parent, level, position: branch.folders.length + 1, count: branch.total, isOpen: false, isLeaf: true });
    }
  };
  visit(TOP, 1);
  return rows;
}

/** The branches that say something of a folder: its own, and the one that it is in, which says how much is in it. */
export function branchesOf(branches: ReadonlyMap<number, Branch>, folder: number): number[] {
  const around = [...branches].filter(([, branch]) => branch.folders.some(({ id }) => id === folder));
  return [...(branches.has(folder) ? [folder] : []), ...around.map(([id]) => id)];
}
