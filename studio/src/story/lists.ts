// Lists of blocks: what may be in them, and how many.
import type { Draft, Key } from '../draft/draft.ts';
import { componentName, displayName } from '../model/blocks.ts';
import type { JsonObject } from '../model/json.ts';
import type { BloksField, Component, RichtextField, Schemas } from '../model/schema.ts';
import { blocksWithin } from './find.ts';

/** A list of blocks, by the block that it is in and its name there: `body`, or `text/0` within a rich text. */
export interface BlockList {
  readonly parent: Key;
  readonly list: string;
}

/** The field that a list is of; nothing when no schema names it. */
export function fieldOfList(draft: Draft, schemas: Schemas, { parent, list }: BlockList): BloksField | RichtextField | undefined {
  const field = schemas.field(draft.block(parent), list.split('/')[0] ?? '');
  return field?.type === 'bloks' || field?.type === 'richtext' ? field : undefined;
}

/** The components whose blocks a list may hold, by the names that people read. */
export function allowedIn(schemas: Schemas, field: BloksField | RichtextField | undefined): readonly Component[] {
  const isNamed = (component: Component) => field?.restriction?.by === 'names' && field.restriction.allowed.includes(component.name);
  return schemas
    .all()
    .filter((component) => (component.is_nestable || isNamed(component)) && schemas.allows(field?.restriction, component))
    .toSorted((one, other) => displayName(one).localeCompare(displayName(other)));
}

/** How many blocks a list takes beside those that it has. */
export function roomIn(draft: Draft, schemas: Schemas, list: BlockList): number {
  const field = fieldOfList(draft, schemas, list);
  const most = field?.type === 'bloks' ? field.maximum : undefined;
  if (most === undefined) return Infinity;
  return Math.max(0, most - draft.children(list.parent, list.list).length);
}

/** Whether a list may hold such a block. One without a schema is not judged, so that it can be moved. */
export function fits(draft: Draft, schemas: Schemas, list: BlockList, block: JsonObject): boolean {
  const component = schemas.component(componentName(block));
  return !component || schemas.allows(fieldOfList(draft, schemas, list)?.restriction, component);
}

/** Why a list does not take a block: of its component, of one that this space does not have, or because it has no room. */
export type Misfit = 'notAllowed' | 'unknown' | 'full';

/** Blocks that come into a list: as many as it takes, and the others with the reason. `isForeign`: they are of another space, so that an unknown component is a mistake. */
export function sortOut(draft: Draft, schemas: Schemas, list: BlockList, blocks: readonly JsonObject[], isForeign: boolean) {
  let room = roomIn(draft, schemas, list);
  const fitting: JsonObject[] = [];
  const left: { readonly block: JsonObject; readonly misfit: Misfit }[] = [];
  for (const block of blocks) {
    const misfit = !fits(draft, schemas, list, block) ? 'notAllowed' : isForeign && !schemas.component(block.component) ? 'unknown' : room < 1 ? 'full' : undefined;
    if (misfit) left.push({ block, misfit });
    else fitting.push(block);
    if (!misfit) room -= 1;
  }
  return { fitting, left };
}

/** The lists of a draft that take a block, in the order of the document; those that are empty as well. */
export function placesFor(draft: Draft, schemas: Schemas, block: JsonObject): readonly BlockList[] {
  return [...blocksWithin(draft, draft.root)].flatMap((parent) => {
    const named = schemas.component(draft.block(parent).component)?.fields.filter(({ type }) => type === 'bloks').map(({ name }) => name) ?? [];
    const lists = [...new Set([...named, ...draft.lists(parent)])].map((list) => ({ parent, list }));
    return lists.filter((list) => fits(draft, schemas, list, block) && roomIn(draft, schemas, list) > 0);
  });
}

/** The list that a block is in, and its place there; nothing of the root. */
export function listOf(draft: Draft, block: Key): (BlockList & { readonly at: number }) | undefined {
  const parent = draft.parent(block);
  return parent && { parent: parent.parent, list: parent.field, at: parent.at };
}
