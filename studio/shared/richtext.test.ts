// The rich texts of the example spaces, which are real: each opens in the editor, comes out as it went in, and an edit changes the line that it is in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EditorState } from 'prosemirror-state';
import { Draft } from '../src/draft/draft.ts';
import { readSchemas } from '../src/model/components.ts';
import { isList, isObject, type Json, type JsonObject } from '../src/model/json.ts';
import { readDocument, writeDocument } from '../src/richtext/document.ts';
import { edit, someSteps } from '../src/richtext/generated.ts';
import { isWellFormed } from '../src/richtext/structure.ts';
import { read, SPACES } from './spaces.ts';

interface Found {
  readonly draft: Draft;
  readonly block: number;
  readonly field: string;
  readonly value: JsonObject;
}

/** Every rich text of a space, where it is in its story. */
function richTexts(space: string): Found[] {
  const schemas = readSchemas({ ...read<object>(space, 'components.json'), ...read<object>(space, 'component_groups.json') });
  return read<{ stories: { content: JsonObject; is_folder: boolean }[] }>(space, 'stories.json').stories.filter((story) => !story.is_folder).flatMap(({ content }) => {
    let now = 0;
    const draft = new Draft({ revision: 1, content }, schemas, () => (now += 10_000));
    const within = (block: number): Found[] => [
      ...Object.entries(draft.block(block)).flatMap(([field, value]) => (isObject(value) && value.type === 'doc' ? [{ draft, block, field, value }] : [])),
      ...draft.lists(block).flatMap((list) => draft.children(block, list)).flatMap(within),
    ];
    return within(draft.root);
  });
}

/** How many rich texts a content holds, counted without the draft. */
function countIn(json: Json): number {
  if (isList(json)) return json.reduce<number>((sum, item) => sum + countIn(item), 0);
  if (!isObject(json)) return 0;
  return Object.values(json).reduce<number>((sum, value) => sum + countIn(value), json.type === 'doc' ? 1 : 0);
}

const all = SPACES.flatMap(richTexts);

test('every rich text opens as text, and opening it changes nothing', () => {
  const there = SPACES.reduce((sum, space) => sum + countIn(read<{ stories: Json }>(space, 'stories.json').stories), 0);
  assert.equal(all.length, there);
  assert.equal(all.length, 37);
  assert.equal(all.filter(({ draft, block, field }) => draft.nodes(block, field).length > 0).length, 12);
  for (const { draft, block, field, value } of all) {
    assert.ok(isWellFormed(value), JSON.stringify(value));
    const keys = draft.nodes(block, field);
    const before = JSON.stringify(value);
    const written = writeDocument(readDocument(value, keys));
    assert.equal(JSON.stringify(written.value), before);
    assert.deepEqual(written.nodes, keys);
    draft.apply({ kind: 'set', block, field, ...written });
    assert.equal(draft.isChanged, false);
  }
});

test('a word typed into each line changes that line alone, and undo takes it back', () => {
  let lines = 0;
  for (const { draft, block, field, value } of all) {
    const doc = readDocument(value, draft.nodes(block, field));
    doc.descendants((node, pos) => {
      if (!node.isTextblock) return;
      lines++;
      const state = EditorState.create({ doc });
      const content = draft.content();
      draft.apply({ kind: 'set', block, field, ...writeDocument(state.apply(state.tr.insertText('typed ', pos + 1)).doc) });
      const [before, after] = [value.content, (draft.block(block)[field] as JsonObject).content].map((list) => list as readonly JsonObject[]);
      const index = doc.resolve(pos).index(0);
      assert.equal(after!.length, before!.length);
      after!.forEach((one, at) => assert.equal(at === index, JSON.stringify(one) !== JSON.stringify(before![at])));
      assert.equal(JSON.stringify(after![index]).includes('typed '), true);
      draft.undo();
      assert.deepEqual(draft.content(), content);
    });
  }
  assert.ok(lines > 100, String(lines));
});

test('whatever is done to a text keeps it right, and as many undos bring the story back', () => {
  for (const { draft, block, field } of all) {
    const content = draft.content();
    fc.assert(fc.property(someSteps(), (steps) => {
      edit(draft, block, field, steps);
      assert.deepEqual(draft.content(), content);
    }), { numRuns: 60 });
  }
});
