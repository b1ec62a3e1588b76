import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Remembered } from './remembered.ts';

class Values extends Map<string, string> {
  getItem = (key: string) => this.get(key) ?? null;
  setItem = (key: string, value: string) => void this.set(key, value);
}

const DEFAULTS = { environment: '', width: 'fill', ownWidth: 1024, onSave: [] };

test('choices and what sites asked for are kept for each space', () => {
  const values = new Values();
  const remembered = new Remembered(values, 5);
  assert.deepEqual(remembered.choices(), DEFAULTS);
  const choices = { environment: 'https://a', width: 'own', ownWidth: 500, onSave: ['https://a'] } as const;
  remembered.keepChoices(choices);
  const config = { resolveRelations: ['a.b'], resolveLinks: 'url', fallbackLang: '' } as const;
  remembered.keepConfig('https://a', config);
  const again = new Remembered(values, 5);
  assert.deepEqual([again.choices(), again.config('https://a'), again.config('https://b')], [choices, config, undefined]);
  assert.deepEqual(new Remembered(values, 6).choices(), DEFAULTS);
});

test('what somebody else has written there, or a browser that keeps nothing, is as nothing', () => {
  for (const text of ['', '[', '3', 'null', '[]', '{"environment":1,"width":"constructor","ownWidth":7,"onSave":{}}']) {
    assert.deepEqual(new Remembered(new Values([['lectern.preview.5', text]]), 5).choices(), DEFAULTS, text);
  }
  const refuse = () => {
    throw new Error('refused');
  };
  const remembered = new Remembered({ getItem: refuse, setItem: refuse }, 5);
  remembered.keepChoices(remembered.choices());
  assert.equal(remembered.config('x'), undefined);
});

test('the sites that are kept are no more than environments can be', () => {
  const values = new Values();
  const remembered = new Remembered(values, 5);
  for (let at = 0; at < 50; at += 1) remembered.keepConfig(`https://${at}`, { resolveRelations: [], resolveLinks: '', fallbackLang: '' });
  assert.equal(Object.keys(JSON.parse(values.get('lectern.preview.5.sites') ?? '')).length, 20);
  assert.ok(remembered.config('https://49'));
});
