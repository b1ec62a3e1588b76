import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Folder } from './shell.ts';
import { branchesOf, rowsOf, type Branch } from './tree.ts';

const folder = (id: number, parent_id = 0): Folder => ({ id, name: `Folder ${id}`, slug: `${id}`, full_slug: `${id}`, parent_id });

test('the rows are what is open, with the places that a screen reader says', () => {
  const branches = new Map<number, Branch>([
    [0, { folders: [folder(1), folder(2)], total: 3 }],
    [1, { folders: [folder(3, 1)], total: 1 }],
    [3, { folders: [], total: 0 }],
  ]);
  const shown = (open: number[]) => rowsOf(branches, new Set(open)).map(({ kind, folder: { id }, level, position, count }) => [kind, id, level, position, count]);
  assert.deepEqual(shown([]), [['folder', 1, 1, 1, 3], ['folder', 2, 1, 2, 3], ['more', 0, 1, 3, 3]]);
  assert.deepEqual(shown([1, 3]), [['folder', 1, 1, 1, 3], ['folder', 3, 2, 1, 1], ['folder', 2, 1, 2, 3], ['more', 0, 1, 3, 3]]);
  assert.deepEqual(shown([2]).slice(1, 3), [['folder', 2, 1, 2, 3], ['loading', 2, 2, 1, 1]]);
  const rows = rowsOf(branches, new Set([1, 3]));
  assert.deepEqual(rows.map((row) => row.isOpen), [true, false, false, false], 'a folder without folders cannot be open');
});

test('a folder that was not opened is known to have none by its count', () => {
  const counted = (id: number, folders: number): Folder => ({ ...folder(id), children: { folders, stories: 5 } });
  const branches = new Map<number, Branch>([[0, { folders: [counted(1, 0), counted(2, 1), folder(3)], total: 3 }]]);
  assert.deepEqual(rowsOf(branches, new Set()).map((row) => row.isLeaf), [true, false, false]);
  // What was read of the folder itself is newer.
  branches.set(1, { folders: [folder(4, 1)], total: 1 });
  assert.equal(rowsOf(branches, new Set())[0]!.isLeaf, false);
});

test('what changes in a folder is told by its own branch and the one it is in', () => {
  const branches = new Map<number, Branch>([[0, { folders: [folder(1), folder(2)], total: 2 }], [1, { folders: [folder(3, 1)], total: 1 }]]);
  assert.deepEqual([0, 1, 2, 3, 9].map((id) => branchesOf(branches, id)), [[0], [1, 0], [0], [1], []]);
});
