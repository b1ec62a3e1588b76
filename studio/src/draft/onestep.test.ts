import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../model/json.ts';
import { Draft, type Key } from './draft.ts';
import { blok, paragraph, schemas, teaser } from './example.ts';

test('what is applied during an act is one step: a node goes from one text into another, and keeps its Key', () => {
  const page = (uid: string, ...nodes: JsonObject[]): JsonObject => ({ _uid: uid, component: 'page', text: { type: 'doc', content: [paragraph(uid), ...nodes] } });
  const draft = new Draft({ revision: 1, content: { ...page('outer', blok('one', teaser('e'))), body: [page('inner')] } }, schemas, () => 0);
  const before = draft.content();
  const inner = draft.at('body/0')!;
  const [node] = draft.nodes(draft.root, 'text') as [Key];
  const blocks = draft.children(node, 'body');
  let steps = 0;
  draft.subscribe('any', () => (steps += 1));
  draft.asOneStep(() => {
    draft.apply({ kind: 'set', block: draft.root, field: 'text', value: { type: 'doc', content: [paragraph('outer')] }, nodes: [] });
    draft.apply({ kind: 'set', block: inner, field: 'text', value: { type: 'doc', content: [blok('one'), paragraph('inner')] }, nodes: [node] });
  });
  assert.equal(steps, 1);
  assert.deepEqual([draft.nodes(draft.root, 'text'), draft.nodes(inner, 'text'), draft.children(node, 'body')], [[], [node], blocks]);
  assert.equal(draft.path(blocks[0]!), 'body/0/text/0/0');
  const after = draft.content();
  draft.undo();
  assert.deepEqual([draft.content(), draft.canUndo, draft.path(blocks[0]!)], [before, false, 'text/0/0']);
  draft.redo();
  assert.deepEqual(draft.content(), after);
});
