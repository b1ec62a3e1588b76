// Keys that every keyboard has, whatever is on them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EditorState, TextSelection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import type { Json, JsonObject } from '../model/json.ts';
import { readDocument, writeDocument } from './document.ts';
import { keyPlugin } from './keys.ts';

const item = (words: string, ...inner: Json[]): JsonObject => ({ type: 'list_item', content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }, ...inner] });
const list = (...content: Json[]): JsonObject => ({ type: 'bullet_list', content });
const doc = (...content: Json[]): JsonObject => ({ type: 'doc', content });
const flat = doc(list(item('one'), item('two')));
const nested = doc(list(item('one', list(item('two')))));

/** The document after a key, with the cursor in `two`; nothing where the key is left to the browser. */
function after(document: JsonObject, event: Partial<KeyboardEvent>): JsonObject | undefined {
  let state = EditorState.create({ doc: readDocument(document) });
  const place = { at: 0 };
  state.doc.descendants((node, pos) => void (node.text === 'two' && (place.at = pos + 1)));
  state = state.apply(state.tr.setSelection(TextSelection.create(state.doc, place.at)));
  const view = { get state() { return state; }, dispatch: (tr) => (state = state.apply(tr)), domObserver: { flush() {} } } as Partial<EditorView> as EditorView;
  const plugin = keyPlugin({ offers: () => true, cell: () => undefined, onlink() {}, ontoolbar() {} });
  const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  const isHandled = plugin.props.handleKeyDown!.call(plugin, view, { ...none, ...event } as KeyboardEvent);
  return isHandled ? writeDocument(state.doc).value : undefined;
}

test('items are indented on each keyboard', () => {
  const right = { code: 'BracketRight', ctrlKey: true };
  const left = { code: 'BracketLeft', ctrlKey: true };
  // English, German, French, Swedish; on a Mac.
  for (const key of [']', '$', '¨']) assert.deepEqual(after(flat, { ...right, key }), nested, key);
  for (const key of ['[', 'ü', '^', 'å']) assert.deepEqual(after(nested, { ...left, key }), flat, key);
  assert.deepEqual(after(flat, { ...right, key: '$', ctrlKey: false, metaKey: true }), nested);
  // The browser zooms by this one.
  assert.equal(after(flat, { ...right, key: '+' }), undefined);
  assert.deepEqual(after(flat, { ...right, key: '*', shiftKey: true }), nested);
  // What is typed, with AltGr too, is text.
  assert.equal(after(flat, { ...right, key: '$', ctrlKey: false }), undefined);
  assert.equal(after(flat, { ...right, key: '~', altKey: true }), undefined);
  // A keyboard that has the brackets the other way round is taken at its word.
  assert.equal(after(flat, { ...right, key: '[' , code: 'BracketLeft' }) === undefined, false);
  assert.equal(after(flat, { ...left, key: ']', code: 'BracketLeft' }) === undefined, false);
});
