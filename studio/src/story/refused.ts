// Which fields are why the server does not take a content. It names some of them; of a text that cannot be stored it says only that there is one, and of too large a
// story that it is: those are looked for here.
import type { Draft, Key } from '../draft/draft.ts';
import { isList, isObject, type Json } from '../model/json.ts';
import type { Refused, StoryProblem } from '../model/save.ts';
import { blocksWithin } from './find.ts';

/** A value that nests deeper than this may be why; the server counts 128 levels from the outermost. */
const DEEP = 60;

interface OwnField {
  readonly key: Key;
  readonly member: string;
  readonly value: Json;
}

export function refusedFields(draft: Draft, { fields, reason }: Refused): readonly StoryProblem[] {
  const named = fields.filter(({ field }) => draft.locate(field).rest !== '' && field.split('/').at(-1)! in draft.block(draft.locate(field).block));
  if (named.length > 0) return named.map((field): StoryProblem => ({ ...field, uid: null, severity: 'error' }));
  const own = ownFields(draft);
  const problem = (code: string) => ({ key, member }: OwnField): StoryProblem => ({ field: [draft.path(key), member].filter(Boolean).join('/'), uid: null, code, message: '', severity: 'error' });
  if (reason === 'forbidden') return [];
  if (reason === 'tooLarge') return largest(own).map(problem('storyTooLarge'));
  return [...own.filter(({ value }) => isUnstorable(value)).map(problem('notStorable')), ...own.filter(({ value }) => isDeep(value, DEEP)).map(problem('tooDeep'))];
}

/** What the blocks hold beside other blocks. */
function ownFields(draft: Draft): readonly OwnField[] {
  return [...blocksWithin(draft, draft.root)].flatMap((key) => {
    const block = draft.block(key);
    const lists = draft.lists(key);
    return Object.keys(block).filter((member) => !lists.includes(member)).map((member): OwnField => ({ key, member, value: block[member]! }));
  });
}

function largest(own: readonly OwnField[]): readonly OwnField[] {
  const sizes = own.map(({ value }) => JSON.stringify(value).length);
  const at = sizes.indexOf(Math.max(...sizes));
  return own.slice(at, at + 1);
}

/** A text with U+0000, or with half of a character: both are written as escapes. */
function isUnstorable(value: Json): boolean {
  return /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/.test(JSON.stringify(value));
}

function isDeep(value: Json, levels: number): boolean {
  if (levels === 0) return true;
  const members = isList(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.some((member) => isDeep(member, levels - 1));
}
