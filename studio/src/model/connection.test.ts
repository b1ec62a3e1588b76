import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionAfter, type Connection, type ConnectionEvent } from './connection.ts';

test('the connection is what the last requests and the browser say', () => {
  let now: Connection = { state: 'connected', since: 0, lastAnswer: 0 };
  const steps: [ConnectionEvent, Connection['state'], since: number, lastAnswer: number][] = [
    ['answer', 'connected', 0, 1],
    ['online', 'connected', 0, 1],
    ['failure', 'unreachable', 3, 1],
    ['failure', 'unreachable', 3, 1],
    ['answer', 'connected', 5, 5],
    ['offline', 'offline', 6, 5],
    ['failure', 'offline', 6, 5],
    // The network is there again; whether the server is, only an answer says.
    ['online', 'unreachable', 8, 5],
    ['answer', 'connected', 9, 9],
    ['offline', 'offline', 10, 9],
    ['answer', 'connected', 11, 11],
  ];
  steps.forEach(([event, state, since, lastAnswer], index) => {
    now = connectionAfter(now, event, index + 1);
    assert.deepEqual(now, { state, since, lastAnswer }, `${index + 1}: ${event}`);
  });
});
