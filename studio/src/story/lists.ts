// Lists of blocks: what may be in them, and how many.
import type { Draft, Key } from '../draft/draft.ts';
import { componentName, displayName } from '../model/blocks.ts';
import type { JsonObject } from '../model/json.ts';
import type { BloksField, Component, RichtextField, Schemas } from '../model/schema.ts';

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

/** The list that a block is in, and its place there; nothing of the root. */
export function listOf(draft: Draft, block: Key): (BlockList & { readonly at: number }) | undefined {
  const parent = draft.parent(block);
  return parent && { parent: parent.parent, list: parent.field, at: parent.at };
}
