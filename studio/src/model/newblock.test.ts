import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readComponent } from './components.ts';
import { defaultPreset, newBlock } from './newblock.ts';
import { withNewUids } from './uids.ts';

const component = readComponent({
  name: 'teaser', preset_id: 2,
  schema: {
    title: { type: 'text', default_value: 'New' },
    count: { type: 'number', default_value: 3 },
    big: { type: 'boolean', default_value: 'true' },
    tags: { type: 'options', default_value: 'red blue' },
    list: { type: 'bloks', default_value: '[{"component": "button", "_uid": "kept?", "label": "Go"}, 3]' },
    broken: { type: 'bloks', default_value: '[{' },
    empty: { type: 'bloks' },
    plain: { type: 'text' },
    'tab-1': { type: 'tab', default_value: 'x' },
  },
  all_presets: [{ id: 1, name: 'One', preset: {} }, { id: 2, name: 'Two', preset: { _uid: 'p', component: 'other', title: 'Of the preset', list: [{ _uid: 'q', component: 'button' }] } }],
});

test('a new block has the default values of its fields, in their kinds', () => {
  const { _uid: uid, list, ...others } = newBlock(component);
  assert.match(String(uid), /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.deepEqual(others, { component: 'teaser', title: 'New', count: '3', big: true, tags: ['red', 'blue'], broken: [], empty: [] });
  const [button] = list as { _uid: string }[];
  assert.deepEqual({ ...button, _uid: '' }, { component: 'button', label: 'Go', _uid: '' });
  assert.notEqual(button?._uid, 'kept?');
});

test('a preset goes over the default values, with `_uid`s of its own', () => {
  const block = newBlock(component, defaultPreset(component));
  assert.deepEqual([block.component, block.title, block.count], ['teaser', 'Of the preset', '3']);
  const uids = [block._uid, (block.list as { _uid: string }[])[0]?._uid];
  assert.equal(new Set([...uids, 'p', 'q']).size, 4);
});

test('copies of a language keep the `_uid`s that they share', () => {
  const node = (title: string) => ({ type: 'doc', content: [{ type: 'blok', attrs: { body: [{ _uid: 'same', component: 'button', title }] } }] });
  const block = withNewUids({ _uid: 'a', component: 'text', text: node('One'), text__i18n__de: node('Eins'), list: [{ _uid: '', component: 'x' }, { _uid: '', component: 'x' }] });
  const uids = JSON.stringify(block).match(/"_uid":"([^"]+)"/g) ?? [];
  assert.equal(uids.length, 5);
  assert.equal(new Set(uids).size, 4);
});
