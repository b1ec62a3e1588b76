// The blocks of a draft as a site names them: by their `_uid`, which is data and may stand in a draft more than once.

import type { JsonObject } from '../model/json.ts';
import { languagesOf, shownMembers } from './deliver.ts';

/** What is asked of a draft here; `Draft` has it all. */
export interface BlockTree {
  readonly root: number;
  block(key: number): JsonObject;
  /** The fields of a block that hold blocks: `body`, `text__i18n__de/0`. */
  lists(key: number): readonly string[];
  children(key: number, field: string): readonly number[];
  parent(key: number): { readonly parent: number; readonly field: string; readonly at: number } | undefined;
}

/** A language with the one that a site falls back to. */
export interface Shown {
  readonly language: string;
  readonly fallback: string;
}

/** The block that a site means: of several with one `_uid` the first that is shown in the language. A translated text holds copies of its blocks. */
export function findBlock(tree: BlockTree, uid: string, { language, fallback }: Shown): number | undefined {
  const suffixes = languagesOf(language, fallback).map((code) => code.replaceAll('-', '_'));
  const isNamed = (key: number) => tree.block(key)._uid === uid;
  const isShown = (key: number) => {
    const shown = new Set(shownMembers(tree.block(key), suffixes));
    return (field: string) => shown.has(field.split('/')[0] ?? '');
  };
  return search(tree, tree.root, isNamed, isShown) ?? search(tree, tree.root, isNamed, () => () => true);
}

function search(tree: BlockTree, key: number, isFound: (key: number) => boolean, fieldsOf: (key: number) => (field: string) => boolean): number | undefined {
  if (isFound(key)) return key;
  for (const field of tree.lists(key).filter(fieldsOf(key))) {
    for (const child of tree.children(key, field)) {
      const found = search(tree, child, isFound, fieldsOf);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A block and what it is in, as the menus of the bridge want it: the root first. */
export interface Breadcrumb {
  readonly _uid: string;
  readonly component: string;
  readonly _parentUid?: string;
  readonly _parentfield?: string;
  readonly _parentName?: string;
  readonly _parentindex?: number;
}

export function breadcrumbs(tree: BlockTree, key: number): readonly Breadcrumb[] {
  const place = tree.parent(key);
  const own = { _uid: textOf(tree.block(key)._uid), component: textOf(tree.block(key).component) };
  if (!place) return [own];
  const parent = tree.block(place.parent);
  const above = { _parentUid: textOf(parent._uid), _parentfield: place.field, _parentName: textOf(parent.component), _parentindex: place.at };
  return [...breadcrumbs(tree, place.parent), { ...own, ...above }];
}

/** What the bridge draws around a block. */
export interface BlockFrame {
  readonly blok: { readonly uid: string; readonly id: string; readonly space: number; readonly name: string };
  readonly breadcrumbs: readonly Breadcrumb[];
  readonly canAddBlocks: boolean;
  readonly canMoveForward: boolean;
  readonly canMoveBackward: boolean;
  readonly canDeleteBlocks: boolean;
}

/** `hasRoom`: the list of the block takes one more. */
export function frameOf(tree: BlockTree, key: number, story: { readonly space: number; readonly id: number }, { mayWrite, hasRoom }: { readonly mayWrite: boolean; readonly hasRoom: boolean }): BlockFrame {
  const place = tree.parent(key);
  const mayChange = mayWrite && place !== undefined;
  const count = place ? tree.children(place.parent, place.field).length : 0;
  const path = breadcrumbs(tree, key);
  const { _uid: uid, component: name } = path[path.length - 1] ?? { _uid: '', component: '' };
  return {
    blok: { uid, id: String(story.id), space: story.space, name },
    breadcrumbs: path,
    canAddBlocks: mayChange && hasRoom,
    canMoveForward: mayChange && place.at < count - 1,
    canMoveBackward: mayChange && place.at > 0,
    canDeleteBlocks: mayChange,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
