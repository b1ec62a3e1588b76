// Copies of what holds blocks. The draft has the blocks of a text by Key: what leaves the text takes them along, and what comes as a copy has new ones. Nodes that are
// not known hold `blok` nodes as well, in their JSON.

import { Fragment, type Node } from 'prosemirror-model';
import { blokNodes, withBlokNodes } from '../draft/blocks.ts';
import { isList, isObject, type Json, type JsonObject } from '../model/json.ts';
import { newUid, withNewUids } from '../model/uids.ts';
import { holdsBlok, isUnknown, type NodeKey } from './document.ts';
import { schema } from './schema.ts';

const { nodes: types } = schema;

/** The Keys of a node itself: one of a `blok` node, those in one that is not known. */
export function keysOf({ type, attrs }: Node): readonly NodeKey[] {
  if (type === types.blok) return attrs.key === null ? [] : [attrs.key as NodeKey];
  return (attrs.keys as readonly NodeKey[] | undefined) ?? [];
}

/** Changes what holds blocks, wherever it is in a node. */
export function mapHolders(node: Node, change: (holder: Node) => Node): Node {
  if (node.type === types.blok || (isUnknown(node) && holdsBlok(node))) return change(node);
  return holdsBlok(node) ? node.copy(Fragment.fromArray(node.content.content.map((child) => mapHolders(child, change)))) : node;
}

/** What holds blocks with those that it has now; one that has no list of them has none then. The Keys stay. */
export function withBodies(holder: Node, bodyOf: (key: NodeKey) => Json | undefined): Node {
  const keys = keysOf(holder);
  if (keys.length === 0) return holder;
  if (holder.type === types.blok) return types.blok!.create({ ...holder.attrs, body: bodyOf(keys[0]!) ?? null });
  return changed(holder, keys, (blok, index) => {
    const key = keys[index];
    const body = key === undefined ? undefined : bodyOf(key);
    return body === undefined ? blok : withAttributes(blok, { body });
  });
}

/** What holds blocks, new and with new blocks. */
export function copyOf(holder: Node): Node {
  if (holder.type === types.blok) return types.blok!.create({ ...holder.attrs, key: null, id: newUid(), body: copiedBody(holder.attrs.body as Json) });
  return changed(holder, [], (blok) => withAttributes(blok, { id: newUid(), ...(isObject(blok.attrs) && 'body' in blok.attrs ? { body: copiedBody(blok.attrs.body!) } : {}) }));
}

function copiedBody(body: Json): Json {
  return isList(body) ? body.map((block) => (isObject(block) ? withNewUids(block) : block)) : body;
}

function changed(holder: Node, keys: readonly NodeKey[], change: (blok: JsonObject, index: number) => JsonObject): Node {
  const json = holder.attrs.json as JsonObject;
  return holder.type.create({ json: withBlokNodes(json, blokNodes(json).map(change)), keys }, null, holder.marks);
}

function withAttributes(blok: JsonObject, attrs: JsonObject): JsonObject {
  return { ...blok, attrs: { ...(isObject(blok.attrs) ? blok.attrs : {}), ...attrs } };
}
