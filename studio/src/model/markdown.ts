// What the buttons of a Markdown field do to its text. What is selected is formatted; the same button once more takes the format away.

import { textOf, type Json, type JsonObject } from './json.ts';

/** A text, and what is selected in it. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The buttons that a toolbar may have, as schemas name them and in the order in which they are shown. */
export const MARKDOWN_TOOLS = [
  'paragraph', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'bold', 'italic', 'inlinecode', 'link', 'image', 'list', 'olist', 'quote', 'code', 'hrule', 'ltr', 'rtl', 'help',
] as const;
export type MarkdownTool = (typeof MARKDOWN_TOOLS)[number];

/** The buttons that a schema asks for: all of them, unless it names some. */
export function toolsOf(raw: JsonObject): readonly MarkdownTool[] {
  const isOn = raw.customize_toolbar === true || textOf(raw.customize_toolbar) === 'true' || raw.customize_toolbar === 1;
  const named: readonly Json[] | undefined = isOn && Array.isArray(raw.toolbar) ? raw.toolbar : undefined;
  return named ? MARKDOWN_TOOLS.filter((tool) => named.includes(tool)) : MARKDOWN_TOOLS;
}

const MARKS = { bold: '**', italic: '*', inlinecode: '`' } as const;

export function formatted(tool: MarkdownTool, selected: Selected): Selected {
  switch (tool) {
    case 'bold':
    case 'italic':
    case 'inlinecode': return withMark(selected, MARKS[tool]);
    case 'paragraph': return withLines(selected, (lines) => lines.map((line) => line.replace(PREFIX, '')));
    case 'list': return withPrefixes(selected, () => '- ', /^[-*+] /);
    case 'olist': return withPrefixes(selected, (index) => `${index + 1}. `, /^\d+[.)] /);
    case 'quote': return withPrefixes(selected, () => '> ', /^> ?/);
    case 'code': return withLines(selected, (lines) => ['```', ...lines, '```']);
    case 'hrule': return withLines(selected, (lines) => [...lines, ...(lines.at(-1) === '' ? [] : ['']), '---', '']);
    case 'link': return withLink(selected);
    case 'image':
    case 'ltr':
    case 'rtl':
    case 'help': return selected;
    default: return withPrefixes(selected, () => `${'#'.repeat(Number(tool[1]))} `, new RegExp(`^#{${tool[1]}} `));
  }
}

/** A text in the place of what is selected, with the cursor behind it. */
export function inserted({ text, start, end }: Selected, insert: string): Selected {
  return { text: text.slice(0, start) + insert + text.slice(end), start: start + insert.length, end: start + insert.length };
}

export function imageText(alt: string, address: string): string {
  return `![${alt.replace(/[[\]\n]/g, ' ')}](${/[\s()]/.test(address) ? `<${address}>` : address})`;
}

/** What a line begins with that says what kind of line it is. */
const PREFIX = /^(#{1,6} |[-*+] |\d+[.)] |> ?)/;

function withMark({ text, start, end }: Selected, mark: string): Selected {
  // Spaces at the ends are not a part of it: a mark beside a space is none.
  const chosen = text.slice(start, end);
  const from = chosen.trim() === '' ? start : start + (chosen.length - chosen.trimStart().length);
  const to = chosen.trim() === '' ? end : end - (chosen.length - chosen.trimEnd().length);
  const { length } = mark;
  if (hasMark(text.slice(0, from), text.slice(to), mark)) {
    return { text: text.slice(0, from - length) + text.slice(from, to) + text.slice(to + length), start: from - length, end: to - length };
  }
  return { text: text.slice(0, from) + mark + text.slice(from, to) + mark + text.slice(to), start: from + length, end: to + length };
}

/** Whether a mark stands around: one star alone is not that of two. */
function hasMark(before: string, behind: string, mark: string): boolean {
  const sign = mark[0] ?? '';
  const count = Math.min(runAt(before.split('').reverse().join(''), sign), runAt(behind, sign));
  return mark.length === 2 ? count >= 2 : count % 2 === 1;
}

function runAt(text: string, sign: string): number {
  let length = 0;
  while (text[length] === sign) length += 1;
  return length;
}

/** Puts a prefix before each line, in the place of another one; away, where all have it. */
function withPrefixes(selected: Selected, prefix: (index: number) => string, own: RegExp): Selected {
  return withLines(selected, (lines) => {
    if (lines.every((line) => own.test(line))) return lines.map((line) => line.replace(own, ''));
    return lines.map((line, index) => prefix(index) + line.replace(PREFIX, ''));
  });
}

/** Changes whole lines, and selects what came of them. */
function withLines({ text, start, end }: Selected, change: (lines: readonly string[]) => readonly string[]): Selected {
  const from = text.slice(0, start).lastIndexOf('\n') + 1;
  // A line whose beginning alone is selected is not one of them.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const at = text.indexOf('\n', last);
  const to = at < 0 ? text.length : at;
  const next = change(text.slice(from, to).split('\n')).join('\n');
  return { text: text.slice(0, from) + next + text.slice(to), start: start === end ? from + next.length : from, end: from + next.length };
}

function withLink({ text, start, end }: Selected): Selected {
  const chosen = text.slice(start, end);
  const isAddress = /^(https?:\/\/|mailto:|\/)\S*$/.test(chosen);
  const link = isAddress ? `[](${chosen})` : `[${chosen}](https://)`;
  // What is to be typed next is selected: the text of an address, the address of a text.
  const from = isAddress ? start + 1 : start + chosen.length + 3;
  return { text: text.slice(0, start) + link + text.slice(end), start: from, end: isAddress ? from : from + 'https://'.length };
}
