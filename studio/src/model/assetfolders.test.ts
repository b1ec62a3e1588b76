import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderRows, nameWithWay, targetsOf, wayTo } from './assetfolders.ts';

const folder = (id: number, name: string, parent_id: number | null = null) => ({ id, name, parent_id });
const FOLDERS = [folder(1, 'Photos'), folder(2, '2026', 1), folder(3, '2025', 1), folder(4, 'Documents'), folder(5, 'May', 2), folder(6, 'Lost', 99)];
const shown = (rows: ReturnType<typeof folderRows>) => rows.map(({ folder: { name }, level, hasChildren }) => `${level} ${name}${hasChildren ? ' >' : ''}`);

test('folders stand below each other by name, and one without its parent at the top', () => {
  assert.deepEqual(shown(folderRows(FOLDERS)), ['1 Documents', '1 Lost', '1 Photos >', '2 2025', '2 2026 >', '3 May']);
  assert.deepEqual(shown(folderRows(FOLDERS, (id) => id === 1)), ['1 Documents', '1 Lost', '1 Photos >', '2 2025', '2 2026 >']);
});

test('the way to a folder begins at the top, and ends also where folders go round', () => {
  assert.equal(nameWithWay(FOLDERS, 5), 'Photos / 2026 / May');
  assert.deepEqual(wayTo(FOLDERS, 77), []);
  assert.equal(wayTo([folder(1, 'a', 2), folder(2, 'b', 1)], 1).length, 2);
});

test('a folder moves neither into itself nor to where it is', () => {
  assert.deepEqual(targetsOf(FOLDERS, FOLDERS[1]!).map(({ name }) => name), ['2025', 'Documents', 'Lost']);
});
