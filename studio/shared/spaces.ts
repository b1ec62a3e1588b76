// The example spaces beside the repository, which the tests of this folder read.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SPACES = ['component-library', 'energy-site', 'field-types', 'starter-articles', 'studies-abroad'];

/** A file of a space. It fails, and skips nothing, where the spaces are missing. */
export function read<T>(space: string, file: string): T {
  const shared = process.env.LECTERN_SHARED;
  assert.ok(shared, 'LECTERN_SHARED names no folder of example spaces');
  return JSON.parse(readFileSync(join(shared, space, file), 'utf8')) as T;
}
