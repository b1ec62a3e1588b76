// What the toolbar of a rich text offers: the names are those of a field's `toolbar`. What it does not offer can neither be typed nor pasted, and what is there stays.

import type { RichtextField } from './schema.ts';

/** Formats of words. */
export const MARK_TOOLS = ['bold', 'italic', 'underline', 'strike', 'inlinecode', 'superscript', 'subscript'] as const;
/** What a line of text is. */
export const LINE_TOOLS = ['paragraph', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'code'] as const;
export const LIST_TOOLS = ['list', 'olist', 'quote'] as const;
export const ALIGN_TOOLS = ['align-left', 'align-center', 'align-right', 'align-justify'] as const;
export const DIRECTION_TOOLS = ['ltr', 'rtl'] as const;
/** What asks for something first, or puts something in. */
export const INSERT_TOOLS = ['link', 'anchor', 'image', 'emoji', 'hrule', 'table', 'blok'] as const;
/** What is done with the whole story, and with what is selected. */
export const EDIT_TOOLS = ['undo', 'redo', 'cut', 'copy', 'paste-action'] as const;
/** How a text comes from elsewhere and goes there: Markdown is pasted, a file is read, and one is made. */
export const EXCHANGE_TOOLS = ['paste', 'import', 'export'] as const;
export const COLOUR_TOOLS = ['color', 'highlight'] as const;

export type MarkTool = (typeof MARK_TOOLS)[number];
export type LineTool = (typeof LINE_TOOLS)[number];
export type ColourTool = (typeof COLOUR_TOOLS)[number];
export type EditTool = (typeof EDIT_TOOLS)[number];
export type ExchangeTool = (typeof EXCHANGE_TOOLS)[number];
export type Tool =
  | MarkTool | LineTool | ColourTool | (typeof LIST_TOOLS)[number] | (typeof ALIGN_TOOLS)[number] | (typeof DIRECTION_TOOLS)[number] | (typeof INSERT_TOOLS)[number] | EditTool | ExchangeTool | 'unset' | 'styled';

/** Whether a field offers a tool. Text without a format can always be written. */
export function offers({ toolbar, styles }: Pick<RichtextField, 'toolbar' | 'styles'>, tool: Tool): boolean {
  if (tool === 'paragraph') return true;
  if (tool === 'styled') return styles.length > 0;
  return toolbar === undefined || toolbar.includes(tool);
}
