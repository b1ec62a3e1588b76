// Where fields get what they look up. The screen that shows them provides it.

import { getContext, setContext } from 'svelte';
import type { FieldSources } from '../model/sources.ts';

const KEY = Symbol('field sources');

export function provideSources(sources: FieldSources): void {
  setContext(KEY, sources);
}

export function useSources(): FieldSources {
  return getContext(KEY);
}
