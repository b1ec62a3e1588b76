// What the server found wrong with a value, in the language of the interface: by its code where that is known, else in the server's words.

import { fill, type Texts } from '../texts/texts.ts';

/** A problem as `validate` answers it; what it is about is known by where it is shown. */
export interface ValueProblem {
  readonly code: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** The texts by code. `{number}` is the bound, which the server's sentence has. */
const TEXTS = {
  blank: 'problemBlank',
  tooLong: 'problemTooLong',
  tooShort: 'problemTooShort',
  patternMismatch: 'problemPattern',
  patternUndecided: 'problemPatternUndecided',
  badPattern: 'problemBadPattern',
  notANumber: 'problemNotANumber',
  tooSmall: 'problemTooSmall',
  tooLarge: 'problemTooLarge',
  tooPrecise: 'problemTooPrecise',
  notAMultiple: 'problemNotAMultiple',
  tooFew: 'problemTooFew',
  tooMany: 'problemTooMany',
  unknownOption: 'problemUnknownOption',
  unknownStory: 'problemUnknownStory',
  storyTypeNotAllowed: 'problemStoryType',
  outsideFolder: 'problemOutsideFolder',
  fileTypeNotAllowed: 'problemFileType',
  externalUrlNotAllowed: 'problemExternalUrl',
  linkTypeNotAllowed: 'problemLinkType',
  timeNotAllowed: 'problemTime',
  componentNotAllowed: 'problemComponent',
  unknownComponent: 'problemUnknownComponent',
  unknownField: 'problemUnknownField',
  unknownCondition: 'problemUnknownCondition',
  wrongType: 'problemWrongType',
  tooDeep: 'problemTooDeep',
  notStorable: 'problemNotStorable',
  storyTooLarge: 'problemStoryTooLarge',
} as const satisfies Record<string, keyof Texts>;

export function problemText({ code, message }: Pick<ValueProblem, 'code' | 'message'>, t: Texts): string {
  const text = Object.hasOwn(TEXTS, code) ? t[TEXTS[code as keyof typeof TEXTS]] : undefined;
  const number = /-?\d+(\.\d+)?/.exec(message)?.[0];
  // A text that names a number is of no use without it.
  if (text === undefined || (text.includes('{number}') && number === undefined)) return fill(t.problemOther, { message });
  return fill(text, { number: number ?? '' });
}
