// The outline of a draft as rows: every block that is not below a closed one.
import type { Draft, Key } from '../draft/draft.ts';

export interface OutlineRow {
  readonly key: Key;
  /** From 1 on. */
  readonly level: number;
  /** From 1 on, among the blocks of its parent. */
  readonly position: number;
  readonly count: number;
  readonly isLeaf: boolean;
  readonly isOpen: boolean;
  /** The list that it is in, where its parent has several. */
  readonly list: string;
}

export function outlineRows(draft: Draft, isOpen: (key: Key, level: number) => boolean): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const add = (key: Key, level: number, position: number, count: number, list: string) => {
    const lists = draft.lists(key).filter((one) => draft.children(key, one).length > 0);
    const opens = lists.length > 0 && isOpen(key, level);
    rows.push({ key, level, position, count, isLeaf: lists.length === 0, isOpen: opens, list });
    if (!opens) return;
    const all = lists.flatMap((one) => draft.children(key, one).map((child) => ({ child, list: lists.length > 1 ? one : '' })));
    all.forEach(({ child, list: one }, index) => add(child, level + 1, index + 1, all.length, one));
  };
  add(draft.root, 1, 1, 1, '');
  return rows;
}
