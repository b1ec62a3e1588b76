import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserTabs } from './tabs.ts';

test('a tab has a lock of the browser with its name until it leaves', async () => {
  const held = new Set<string>();
  const locks = {
    request: async (name: string, holding: () => Promise<void>) => {
      held.add(name);
      await holding();
      held.delete(name);
    },
    query: async () => ({ held: [...held, 'of another program'].map((name) => ({ name })) }),
  };
  const tabs = browserTabs(locks as unknown as LockManager);
  const leave = tabs.enter('a');
  assert.deepEqual([...(await tabs.present())], ['a']);
  leave();
  await new Promise(setImmediate);
  assert.deepEqual([...(await tabs.present())], []);
  const unlocked = browserTabs(undefined);
  unlocked.enter('a')();
  assert.deepEqual([...(await unlocked.present())], []);
});
