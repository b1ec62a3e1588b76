// A copy has nothing of the draft that it is from but what it shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Node } from 'prosemirror-model';
import { Draft } from '../draft/draft.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { Schemas } from '../model/schema.ts';
import { copyOf, keysOf, mapHolders, withBodies } from './copies.ts';
import { readDocument, writeDocument, type NodeKey } from './document.ts';
import { documents } from './generated.ts';
import { schema } from './schema.ts';

const draftOf = (content: JsonObject) => new Draft({ revision: 1, content: { _uid: 'root', component: 'article', ...content } }, new Schemas(), () => 0);

/** The same without what a copy has anew: `_uid`s of blocks, ids of `blok` nodes. */
function withoutNames(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNames);
  if (value === null || typeof value !== 'object') return value;
  const { _uid, ...others } = value as JsonObject;
  const attrs = others.type === 'blok' ? { attrs: { ...(others.attrs as JsonObject), id: null } } : {};
  return Object.fromEntries(Object.entries({ ...others, ...attrs }).map(([name, member]) => [name, withoutNames(member)]));
}

const uidsIn = (value: Json): string[] => [...JSON.stringify(value).matchAll(/"_uid":"([^"]+)"/g)].map(([, uid]) => uid!);

test('a copy of a text is all there in another draft, with blocks of its own', () => {
  fc.assert(fc.property(documents(), (text) => {
    const from = draftOf({ text });
    const doc = readDocument(text, from.nodes(from.root, 'text'));
    const bodyOf = (key: NodeKey) => from.block(key).body;
    // As the clipboard carries it.
    const written = () => Node.fromJSON(schema, mapHolders(doc, (holder) => withBodies(holder, bodyOf)).toJSON());
    const copy = mapHolders(written(), copyOf);
    copy.descendants((node) => assert.deepEqual(keysOf(node), []));
    const to = draftOf({});
    to.apply({ kind: 'set', block: to.root, field: 'text', ...writeDocument(copy) });
    const pasted = to.block(to.root).text as JsonObject;
    assert.deepEqual(withoutNames(pasted), withoutNames(writeDocument(written()).value));
    const before = new Set(uidsIn(text));
    assert.ok(uidsIn(pasted).every((uid) => !before.has(uid)), JSON.stringify(pasted));
  }), { numRuns: 1000 });
});

test('what has no list of blocks has none in its copy', () => {
  const bare: Json = { type: 'blok', attrs: { id: 'a' } };
  const text: JsonObject = { type: 'doc', content: [bare, { type: 'callout', content: [bare, { type: 'blok' }, { type: 'blok', attrs: { id: 'b', body: null } }] }] };
  const from = draftOf({ text });
  const doc = readDocument(text, from.nodes(from.root, 'text'));
  const copy = mapHolders(mapHolders(doc, (holder) => withBodies(holder, (key) => from.block(key).body)), copyOf);
  const [one, callout] = writeDocument(copy).value.content as JsonObject[];
  const attrs = (node: Json) => (node as JsonObject).attrs as JsonObject;
  const inner = callout!.content as JsonObject[];
  assert.deepEqual([one!, ...inner].map((node) => Object.keys(attrs(node))), [['id'], ['id'], ['id'], ['id', 'body']]);
  assert.equal(attrs(inner[2]!).body, null);
});
