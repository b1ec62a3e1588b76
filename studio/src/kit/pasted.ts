// HTML that was pasted, as a document in which nothing runs and nothing is loaded. The page's policy allows text to become HTML only here.

interface Policy {
  createHTML(html: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): Policy;
}

let policy: Policy | undefined;

/** The document of an HTML text. What it says of its looks in `style` stands in `data-style`: the page's policy would report each of them. */
export function pastedDocument(html: string): Document {
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= types?.createPolicy('lectern-paste', { createHTML: (text) => text }) ?? { createHTML: (text) => text };
  const quiet = html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, '').replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle(?=\s*=)/gi, ' data-style'));
  return new DOMParser().parseFromString(policy.createHTML(quiet), 'text/html');
}

/** The text of what was pasted: that of its HTML where it has none of its own, and nothing where only files were copied. */
export function pastedText(data: DataTransfer): string {
  return data.getData('text/plain') || textOfElement(pastedDocument(data.getData('text/html')).body);
}

/** What is read as a line of its own. */
const BLOCKS = 'P, DIV, LI, TR, H1, H2, H3, H4, H5, H6, PRE, BLOCKQUOTE';

/** The text of an element as it is read, with its lines. */
export function textOfElement(element: Element): string {
  const lines = [''];
  const walk = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) lines[lines.length - 1] += (node.textContent ?? '').replace(/\s+/g, ' ');
    else if (node.nodeName === 'BR') lines.push('');
    else if (node.nodeName !== 'SCRIPT') {
      const isBlock = node !== element && node instanceof Element && node.matches(BLOCKS);
      if (isBlock && lines.at(-1)!.trim() !== '') lines.push('');
      node.childNodes.forEach(walk);
      if (isBlock && lines.at(-1)!.trim() !== '') lines.push('');
    }
  };
  walk(element);
  return lines.map((line) => line.trim()).join('\n').trim();
}

/** Pastes into a plain field what the browser would take for an empty text: what is selected there stays, or gives way to the text of the HTML. */
export function pasteIntoField(event: ClipboardEvent): void {
  const { target, clipboardData } = event;
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  if (event.defaultPrevented || !isField || target.readOnly || !clipboardData || clipboardData.getData('text/plain') !== '') return;
  event.preventDefault();
  const text = pastedText(clipboardData);
  // It is deprecated, and the only way that leaves the field's own undo as it is.
  if (text !== '') document.execCommand('insertText', false, target instanceof HTMLInputElement ? text.replace(/\s+/g, ' ') : text);
}
