// Markdown as rich text. What reads it is given as its tree.

import type { Nodes, Parents, Root, Table } from 'mdast';
import type { Json, JsonObject } from '../model/json.ts';

/** Whether a plain text looks like Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  return /^(#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|> \S|```|\|.+\|\s*$)/m.test(text) || /\*\*\S.*?\S\*\*|\[[^\]\n]+\]\([^)\s]+\)/.test(text);
}

/** The blocks of a Markdown text. */
export function fromMarkdown(root: Root): readonly JsonObject[] {
  return blocksOf(root);
}

const node = (type: string, content: readonly Json[], attrs?: JsonObject): JsonObject => ({ type, ...(attrs ? { attrs } : {}), ...(content.length > 0 ? { content } : {}) });

function blocksOf({ children }: Parents): readonly JsonObject[] {
  return (children as readonly Nodes[]).flatMap(blockOf);
}

function blockOf(block: Nodes): readonly JsonObject[] {
  switch (block.type) {
    case 'paragraph': return [node('paragraph', textsOf(block, []))];
    case 'heading': return [node('heading', textsOf(block, []), { level: block.depth })];
    case 'blockquote': return [node('blockquote', blocksOf(block))];
    case 'list': return [block.ordered ? node('ordered_list', blocksOf(block), { order: block.start ?? 1 }) : node('bullet_list', blocksOf(block))];
    case 'listItem': return [node('list_item', blocksOf(block))];
    case 'code': return [node('code_block', block.value ? [{ type: 'text', text: block.value }] : [], { class: block.lang ? `language-${block.lang}` : null })];
    case 'thematicBreak': return [node('horizontal_rule', [])];
    case 'table': return [tableOf(block)];
    case 'html': return [node('paragraph', [{ type: 'text', text: block.value }])];
    case 'footnoteDefinition': return blocksOf(block);
    default: return [];
  }
}

function tableOf(table: Table): JsonObject {
  const rows = table.children.map((row, index) => node('tableRow', row.children.map((cell) =>
    node(index === 0 ? 'tableHeader' : 'tableCell', [node('paragraph', textsOf(cell, []))], { colspan: 1, rowspan: 1, colwidth: null }))));
  return node('table', rows);
}

function textsOf({ children }: Parents, marks: readonly JsonObject[]): readonly JsonObject[] {
  return (children as readonly Nodes[]).flatMap((child) => textOf(child, marks));
}

function textOf(text: Nodes, marks: readonly JsonObject[]): readonly JsonObject[] {
  const words = (value: string, more: readonly JsonObject[] = marks): readonly JsonObject[] => (value === '' ? [] : [{ type: 'text', text: value, ...(more.length > 0 ? { marks: more } : {}) }]);
  switch (text.type) {
    case 'text': return words(text.value.replace(/\n/g, ' '));
    case 'strong': return textsOf(text, [...marks, { type: 'bold' }]);
    case 'emphasis': return textsOf(text, [...marks, { type: 'italic' }]);
    case 'delete': return textsOf(text, [...marks, { type: 'strike' }]);
    case 'inlineCode': return words(text.value, [...marks, { type: 'code' }]);
    case 'break': return [{ type: 'hard_break' }];
    case 'link': return textsOf(text, [...marks, linkOf(text.url)]);
    case 'image': return [{ type: 'image', attrs: { src: text.url, alt: text.alt ?? '', title: text.title ?? '' } }];
    case 'html': return words(text.value);
    default: return 'children' in text ? textsOf(text as Parents, marks) : [];
  }
}

function linkOf(url: string): JsonObject {
  const isMail = url.startsWith('mailto:');
  return { type: 'link', attrs: { href: isMail ? url.slice('mailto:'.length) : url, uuid: null, anchor: null, target: null, linktype: isMail ? 'email' : 'url' } };
}
