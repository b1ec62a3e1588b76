// What other programs put on the clipboard, made plain: Word, Google Docs and Sheets, Excel, pages. The policy of the page lets no `style` attribute of a pasted text
// in, so that they are hidden while the text is read, and put back by script: bold and colours of Google Docs are nowhere else.

const HIDDEN = 'data-lectern-style';
const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/** What is quoted in a tag, which stays; else the name of an attribute that the page's policy has something against. */
const ATTRIBUTE = /"[^"]*"|'[^']*'|\s(style|on[a-z]+)(?=\s*=)/gi;

/** Hides the styles of a pasted text, and leaves out its sheets and what it would run. */
export function hideStyles(html: string): string {
  const hidden = (found: string, name: string | undefined) => (name === undefined ? found : ` ${name.toLowerCase() === 'style' ? HIDDEN : 'data-lectern-act'}`);
  return html.replace(/<style\b[\s\S]*?<\/style>/gi, '').replace(TAG, (tag) => tag.replace(ATTRIBUTE, hidden));
}

/** Makes a pasted text one of plain elements. */
export function cleanPasted(root: HTMLElement): void {
  const isWord = root.querySelector('[class^=Mso], [class*=" Mso"]') !== null;
  // Colours are formats where they were chosen; of a page they are what it looks like.
  const keepsColours = isWord || root.querySelector('[id^=docs-internal-guid], google-sheets-html-origin') !== null;
  if (isWord) makeWordLists(root);
  for (const element of root.querySelectorAll<HTMLElement>(`[${HIDDEN}]`)) {
    element.style.cssText = element.getAttribute(HIDDEN) ?? '';
    element.removeAttribute(HIDDEN);
    if (!keepsColours) element.style.color = element.style.backgroundColor = '';
    else if (element.matches('td, th, tr, table, p, li, h1, h2, h3, h4, h5, h6')) element.style.backgroundColor = '';
  }
  for (const bold of root.querySelectorAll<HTMLElement>('b')) if (/^(normal|[1-5]\d\d)$/.test(bold.style.fontWeight)) bold.replaceWith(...bold.childNodes);
  // The code of a block is no code in a line.
  for (const code of root.querySelectorAll('pre > code')) {
    code.parentElement!.className = code.className;
    code.replaceWith(...code.childNodes);
  }
  // Headings are bold as they are.
  for (const heading of root.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')) for (const part of [heading, ...heading.querySelectorAll<HTMLElement>('*')]) part.style.fontWeight = '';
  // Google Docs writes an empty line as a break between paragraphs.
  for (const line of root.querySelectorAll('br')) if (line.parentElement === root && (line.nextElementSibling || line.previousElementSibling)) line.remove();
  for (const cell of root.querySelectorAll<HTMLElement>('table')) openSingleCell(cell);
}

/** One cell alone is its text. */
function openSingleCell(table: HTMLElement): void {
  const cells = table.querySelectorAll('td, th');
  if (cells.length === 1) table.replaceWith(...cells[0]!.childNodes);
}

interface WordItem {
  readonly level: number;
  readonly isNumbered: boolean;
  readonly content: readonly Node[];
}

/** Word writes an item of a list as a paragraph that names its level, with the sign in front of it. */
function makeWordLists(root: HTMLElement): void {
  for (const title of root.querySelectorAll('p.MsoTitle')) rename(title, 'h1');
  for (const paragraph of [...root.querySelectorAll('p')]) {
    if (!root.contains(paragraph)) continue;
    const list = wordItem(paragraph);
    if (!list) {
      if (paragraph.textContent?.replace(/\u00a0/g, ' ').trim() === '' && !paragraph.querySelector('img')) paragraph.remove();
      continue;
    }
    const run = [paragraph];
    for (let next = paragraph.nextElementSibling; next && wordItem(next)?.list === list.list; next = next.nextElementSibling) run.push(next as HTMLParagraphElement);
    paragraph.before(listOf(root.ownerDocument, run.map(itemOf)));
    for (const one of run) one.remove();
  }
}

/** The list of an item, and how deep it is in it; nothing of what is no item. */
function wordItem(paragraph: Element): { readonly list: string; readonly level: number } | undefined {
  const [, list, level] = /mso-list:\s*(\S+)\s+level(\d+)/i.exec(paragraph.getAttribute(HIDDEN) ?? '') ?? [];
  return list === undefined ? undefined : { list, level: Number(level) };
}

function itemOf(paragraph: HTMLElement): WordItem {
  const sign = [...paragraph.querySelectorAll(`[${HIDDEN}]`)].find((one) => /mso-list:\s*ignore/i.test(one.getAttribute(HIDDEN) ?? ''));
  const text = sign?.textContent?.trim() ?? '';
  sign?.remove();
  return { level: wordItem(paragraph)?.level ?? 1, isNumbered: /^\(?[\da-z]{1,4}[.)]/i.test(text), content: [...paragraph.childNodes] };
}

/** Items of one level and those within them. */
function listOf(document: Document, items: readonly WordItem[]): HTMLElement {
  const [first] = items;
  const list = document.createElement(first!.isNumbered ? 'ol' : 'ul');
  for (let at = 0; at < items.length;) {
    const item = document.createElement('li');
    const line = document.createElement('p');
    line.append(...items[at]!.content);
    item.append(line);
    const end = items.findIndex((one, index) => index > at && one.level <= first!.level);
    const inner = items.slice(at + 1, end < 0 ? items.length : end);
    if (inner.length > 0) item.append(listOf(document, inner));
    list.append(item);
    at += 1 + inner.length;
  }
  return list;
}

function rename(element: Element, name: string): void {
  const other = element.ownerDocument.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
}
