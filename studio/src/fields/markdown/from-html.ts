// HTML that was pasted, as Markdown: what Markdown can say of it. Word says lists by the classes of paragraphs, Docs says bold and italic by styles.

import { pastedDocument } from '../../kit/pasted.ts';

/** What Markdown has a word for. Where none of it is there the text alone is pasted, as from an editor of code. */
const MEANINGFUL = 'h1, h2, h3, h4, h5, h6, ul, ol, a[href], strong, b, em, i, del, s, table, img, blockquote, pre, code, hr, p[class^="MsoList"], [data-style*="font-weight:7"], [data-style*="italic"]';
const BLOCKS = 'address, article, aside, blockquote, dd, div, dl, dt, figure, figcaption, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, ul';
const SILENT = ['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'META', 'LINK', 'NOSCRIPT'];

/** A block of lines; items of a list stand without a blank line between them. */
interface Block {
  readonly text: string;
  readonly isItem: boolean;
}

/** Nothing where the HTML says no more than its text. */
export function markdownOfHtml(html: string): string | undefined {
  const { body } = pastedDocument(html);
  return body.querySelector(MEANINGFUL) ? joined(blocksOf(body)) : undefined;
}

function joined(blocks: readonly Block[]): string {
  return blocks.map(({ text, isItem }, index) => (index === 0 ? text : (isItem && blocks[index - 1]?.isItem ? '\n' : '\n\n') + text)).join('');
}

const block = (text: string, isItem = false): Block[] => (text === '' ? [] : [{ text, isItem }]);

function isBlock(node: Node): node is Element {
  // An inline element may hold blocks: Docs wraps all of it in one.
  return node instanceof Element && (node.matches(BLOCKS) || node.querySelector(BLOCKS) !== null);
}

function blocksOf(parent: Element): Block[] {
  const blocks: Block[] = [];
  let inline = '';
  const end = () => {
    blocks.push(...block(atLineStart(tidy(inline))));
    inline = '';
  };
  for (const child of parent.childNodes) {
    if (isBlock(child)) {
      end();
      blocks.push(...blockOf(child));
    } else inline += inlineOf(child);
  }
  end();
  return blocks;
}

function blockOf(element: Element): Block[] {
  const name = element.nodeName;
  if (/^H[1-6]$/.test(name)) {
    const text = tidy(inlineIn(element)).replace(/\s*\n\s*/g, ' ');
    return block(text && `${'#'.repeat(Number(name[1]))} ${text}`);
  }
  switch (name) {
    case 'UL':
    case 'OL': return listOf(element);
    case 'LI': return itemOf(element, '- ');
    case 'BLOCKQUOTE': return block(indented(joined(blocksOf(element)), '> '));
    case 'PRE': return block(fenced((element.textContent ?? '').replace(/\n$/, '')));
    case 'HR': return block('---');
    case 'TABLE': return block(tableOf(element as HTMLTableElement));
    case 'P': return /^MsoList/.test(element.className) ? wordItemOf(element) : blocksOf(element);
    default: return blocksOf(element);
  }
}

function listOf(list: Element): Block[] {
  let number = Number(list.getAttribute('start') ?? 1) - 1;
  return [...list.children].flatMap((child) => {
    // Docs puts a list that belongs to an item behind it.
    if (child.matches('ul, ol')) return listOf(child).map(({ text }) => ({ text: indented(text, '  '), isItem: true }));
    number += 1;
    return itemOf(child, list.nodeName === 'OL' ? `${number}. ` : '- ');
  });
}

function itemOf(item: Element, marker: string): Block[] {
  const [first, ...others] = blocksOf(item);
  const text = joined([{ text: first?.text ?? '', isItem: true }, ...others]);
  return block(marker + indented(text, ' '.repeat(marker.length)).trimStart(), true);
}

/** A paragraph that Word shows as an item: its level is in its style, and its sign is text that is left out. */
function wordItemOf(item: Element): Block[] {
  const level = Number(/level(\d)/.exec(item.getAttribute('data-style') ?? '')?.[1] ?? 1);
  const isNumbered = /^\s*[(\da-z]+[.)]/i.test(item.querySelector(IGNORED)?.textContent ?? '');
  return block(`${'  '.repeat(level - 1)}${isNumbered ? '1. ' : '- '}${tidy(inlineIn(item))}`, true);
}

const IGNORED = '[data-style*="mso-list:Ignore" i]';

function tableOf(table: HTMLTableElement): string {
  const rows = [...table.rows].map((row) => [...row.cells].map((cell) => joined(blocksOf(cell)).replace(/\s*\n+\s*/g, '<br>').replaceAll('|', '\\|')));
  const width = Math.max(0, ...rows.map((row) => row.length));
  const line = (cells: readonly string[]) => `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...others] = rows;
  return width === 0 ? '' : [line(head), line(Array.from({ length: width }, () => '---')), ...others.map(line)].join('\n');
}

function inlineIn(parent: Node): string {
  return [...parent.childNodes].map(inlineOf).join('');
}

function inlineOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped((node.textContent ?? '').replace(/[\s\u00a0]+/g, ' '));
  if (!(node instanceof Element) || SILENT.includes(node.nodeName) || node.matches(IGNORED)) return '';
  switch (node.nodeName) {
    case 'BR': return '  \n';
    case 'CODE':
    case 'KBD':
    case 'TT': return codeOf(node.textContent ?? '');
    case 'IMG': return pictureOf(node);
    case 'A': return linkOf(node);
    default: return styled(node, inlineIn(node));
  }
}

function styled(element: Element, text: string): string {
  const style = (element.getAttribute('data-style') ?? '').replace(/\s/g, '').toLowerCase();
  const weight = /font-weight:(\w+)/.exec(style)?.[1];
  const isBold = weight === undefined ? ['B', 'STRONG'].includes(element.nodeName) : weight === 'bold' || Number(weight) >= 600;
  const isItalic = style.includes('font-style:') ? style.includes('font-style:italic') : ['EM', 'I', 'CITE'].includes(element.nodeName);
  const isStruck = ['DEL', 'S', 'STRIKE'].includes(element.nodeName) || style.includes('line-through');
  return wrapped(wrapped(wrapped(text, isStruck ? '~~' : ''), isItalic ? '*' : ''), isBold ? '**' : '');
}

/** Code within a line: more signs around it than there are in it. */
function codeOf(text: string): string {
  const inner = text.trim().replace(/\s+/g, ' ');
  const mark = '`'.repeat(longestRun(inner) + 1);
  const gap = /^`|`$/.test(inner) ? ' ' : '';
  return inner === '' ? text : (/^\s/.exec(text)?.[0] ?? '') + mark + gap + inner + gap + mark + (/\s$/.exec(text)?.[0] ?? '');
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** Puts marks around a text; spaces at its ends stay outside of them. */
function wrapped(text: string, mark: string): string {
  const [, before = '', inner = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return inner === '' || mark === '' ? text : before + mark + inner + mark + behind;
}

function linkOf(link: Element): string {
  const text = styled(link, inlineIn(link));
  const href = link.getAttribute('href') ?? '';
  // An address within the page that was copied leads nowhere here.
  if (!/^(https?:|mailto:|tel:|\/)/i.test(href) || text.trim() === '') return text;
  const [, before = '', inner = '', behind = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return `${before}[${inner}](${target(href)})${behind}`;
}

/** An address as it stands behind a text: a space or a bracket would end it. */
function target(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address.replace(/[\s<>]/g, encodeURIComponent)}>` : address;
}

function pictureOf(picture: Element): string {
  const address = picture.getAttribute('src') ?? '';
  return /^(https?:)?\/\//i.test(address) ? `![${escaped((picture.getAttribute('alt') ?? '').replace(/\s+/g, ' '))}](${target(address)})` : '';
}

function indented(text: string, by: string): string {
  return text.split('\n').map((line) => (line === '' && by.trim() === '' ? '' : (by + line).trimEnd())).join('\n');
}

function tidy(inline: string): string {
  // Marks that end and begin again at the same place are none.
  return inline.replace(/\*\*(\s*)\*\*/g, '$1').replace(/(?<=\S) {2,}(?=\S)/g, ' ').replace(/\n +/g, '\n').replace(/^\s+|\s+$/g, '');
}

/** Text that Markdown would read as marks is written so that it stays text. */
function escaped(text: string): string {
  return text.replace(/[\\`*[\]]|<(?=[a-z/!])/gi, '\\$&').replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
}

function atLineStart(text: string): string {
  return text.replace(/^(#{1,6} |>|[-+] |-{3,}|={3,})/gm, '\\$1').replace(/^(\d+)([.)] )/gm, '$1\\$2');
}
