// What is wrong with a draft, by block: the server names problems by path, and blocks move.
import type { Draft, Key } from '../draft/draft.ts';
import { grouped } from '../model/grouped.ts';
import type { StoryProblem } from '../model/save.ts';
import { blocksAbove } from './find.ts';

export interface BlockProblem extends StoryProblem {
  readonly block: Key;
  /** The member of the block; nothing when it is about the block itself. */
  readonly member: string;
}

export interface Problems {
  readonly all: readonly BlockProblem[];
  readonly byBlock: ReadonlyMap<Key, readonly BlockProblem[]>;
  /** The blocks with errors in or below them. */
  readonly withErrors: ReadonlySet<Key>;
}

export const NO_PROBLEMS: Problems = { all: [], byBlock: new Map(), withErrors: new Set() };

/** The problems of the draft as it is now. */
export function locateProblems(draft: Draft, found: readonly StoryProblem[]): Problems {
  const all = found.map((problem) => locate(draft, problem));
  const withErrors = new Set<Key>();
  for (const { block, severity } of all) {
    if (severity === 'error') for (const key of [...blocksAbove(draft, block), block]) withErrors.add(key);
  }
  return { all, byBlock: grouped(all, (problem) => problem.block), withErrors };
}

/** What is left of the path behind the block begins with the member. */
function locate(draft: Draft, problem: StoryProblem): BlockProblem {
  const { block, rest } = draft.locate(problem.field);
  return { ...problem, block, member: rest.split('/')[0] ?? '' };
}
