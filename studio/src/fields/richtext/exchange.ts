// How a rich text comes from elsewhere and goes there: from the system's clipboard, from a file, as Markdown.

import { downloadText } from '../../kit/download.ts';
import type { RichText } from '../../richtext/view.ts';
import type { Texts } from '../../texts/texts.ts';

/** Why it was not done: the name of the text that says it. */
export type Trouble = keyof Pick<Texts, 'partFailed' | 'toolPasteRefused' | 'toolImportTooLarge' | 'toolImportUnread'>;

/** What can be read: Markdown, plain text, and HTML. */
export const TEXT_FILES = '.md,.markdown,.txt,.html,.htm';
/** The most that a file may have, in bytes. */
const LARGEST = 1 << 20;

/** Pastes what the system's clipboard has. The browser may ask the person, or refuse. */
export async function pasteClipboard(text: RichText): Promise<Trouble | undefined> {
  const data = new DataTransfer();
  try {
    for (const item of await navigator.clipboard.read()) {
      for (const type of item.types) {
        const blob = await item.getType(type);
        if (type.startsWith('text/')) data.setData(type, await blob.text());
        else data.items.add(new File([blob], type.replace('/', '.'), { type }));
      }
    }
  } catch {
    return 'toolPasteRefused';
  }
  text.view.focus();
  text.paste(data);
  return undefined;
}

/** Puts what a file says where the cursor is. */
export async function importFile(text: RichText, file: File): Promise<Trouble | undefined> {
  if (file.size > LARGEST) return 'toolImportTooLarge';
  const read = await file.arrayBuffer().then((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).catch(() => undefined);
  if (read === undefined || read.includes('\0')) return 'toolImportUnread';
  text.view.focus();
  if (/\.html?$/i.test(file.name)) text.insertHtml(read);
  else return text.insertMarkdown(read).then(() => undefined, () => 'partFailed');
  return undefined;
}

/** Gives the text to the person as a file of Markdown: what Markdown has no word for is left out. */
export async function exportMarkdown(text: RichText, name: string): Promise<Trouble | undefined> {
  try {
    const { markdownOfHtml } = await import('../markdown/from-html.ts');
    downloadText(`${name}.md`, markdownOfHtml(text.html) ?? text.plainText, 'text/markdown');
    return undefined;
  } catch {
    return 'partFailed';
  }
}
