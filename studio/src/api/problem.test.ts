import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOf } from './problem.ts';

test('a refusal keeps its fields and the number that support asks for', () => {
  const body = { error: 'validation', message: 'No', details: [{ field: 'slug', code: 'taken', message: 'is taken' }], requestId: 'r' };
  const problem = problemOf(422, body);
  assert.deepEqual([problem.kind, problem.message, problem.requestId], ['invalid', 'No', 'r']);
  assert.deepEqual(problem.fields, [{ field: 'slug', code: 'taken', message: 'is taken' }]);
});

test('an answer of something else than the server is a problem as well', () => {
  for (const body of [undefined, null, '<html>', [], { details: 'x', message: 3 }, { details: [null, 'a', {}] }]) {
    const problem = problemOf(502, body);
    assert.equal(problem.kind, 'busy');
    assert.equal(problem.message, '');
    assert.ok(problem.fields.every(({ field }) => field === ''));
  }
  const kinds = [401, 403, 404, 409, 412, 413, 429, 500, 418].map((status) => problemOf(status, {}).kind);
  assert.deepEqual(kinds, ['signedOut', 'forbidden', 'gone', 'conflict', 'conflict', 'invalid', 'busy', 'failed', 'failed']);
});

test('how long to wait is told in seconds', () => {
  assert.deepEqual([null, '5', ' 30 ', 'Wed, 21 Oct 2026 07:28:00 GMT', '-1', '1e9'].map((value) => problemOf(503, {}, value).retryAfter), [0, 5000, 30_000, 0, 0, 0]);
});
