// What the tools of a rich text are called.

import type { Loss, Losses } from '../../model/pastedtext.ts';
import { LINE_TOOLS, type Tool } from '../../model/toolbar.ts';
import { fill, type Texts } from '../../texts/texts.ts';

const NAMES: { readonly [tool in Exclude<Tool, `h${number}` | 'styled'>]: keyof Texts } = {
  bold: 'toolBold', italic: 'toolItalic', underline: 'toolUnderline', strike: 'toolStrike', inlinecode: 'toolCode', superscript: 'toolSuperscript', subscript: 'toolSubscript',
  paragraph: 'toolParagraph', code: 'toolCodeBlock', list: 'toolList', olist: 'toolOrderedList', quote: 'toolQuote',
  'align-left': 'toolAlignLeft', 'align-center': 'toolAlignCenter', 'align-right': 'toolAlignRight', 'align-justify': 'toolAlignJustify', ltr: 'toolLtr', rtl: 'toolRtl',
  link: 'toolLink', anchor: 'toolAnchor', image: 'toolImage', emoji: 'toolEmoji', hrule: 'toolRule', table: 'toolTable', blok: 'toolBlock',
  color: 'toolColour', highlight: 'toolHighlight', unset: 'toolUnset', undo: 'storyUndo', redo: 'storyRedo', cut: 'blockCut', copy: 'blockCopy', 'paste-action': 'toolPaste',
  paste: 'toolPasteMarkdown', import: 'toolImport', export: 'toolExport',
};

export function toolName(tool: Exclude<Tool, 'styled'>, t: Texts): string {
  if (/^h\d$/.test(tool)) return fill(t.toolHeading, { level: tool.slice(1) });
  return t[NAMES[tool as keyof typeof NAMES]];
}

const LOST: { readonly [loss in Loss]: keyof Texts } = {
  picture: 'lostPicture', block: 'lostBlock', table: 'lostTable', link: 'lostLink', rule: 'lostRule', unknown: 'lostUnknown',
};

/** What was left out of a text that was pasted, as a sentence; none where nothing was. */
export function lostSentence(lost: Losses, t: Texts): string {
  const parts = [...lost].map(([loss, count]) => fill(t[LOST[loss]], { count }));
  return parts.length > 0 ? fill(t.lostLead, { parts: parts.join(', ') }) : '';
}

/** What the `/` menu offers, in its order. */
export const SLASH_TOOLS = [...LINE_TOOLS, 'list', 'olist', 'quote', 'table', 'image', 'blok', 'hrule', 'emoji', 'link'] as const satisfies readonly Tool[];
