// The schema of the editor: every node and mark of rich text, with what the editor shows them as. Each has an attribute `kept` for what it does not know of them.

import { Schema, type AttributeSpec, type DOMOutputSpec, type MarkSpec, type NodeSpec } from 'prosemirror-model';
import { textOf, type Json } from '../model/json.ts';
import { MARKS, NODES, type Attributes } from './types.ts';

/** Attributes of an element, without those that are nothing. */
function attributes(values: Readonly<Record<string, Json | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined || text === '' ? [] : [[name, text]];
  }));
}

const specs = (attrs: Attributes): Record<string, AttributeSpec> =>
  Object.fromEntries([...Object.entries(attrs), ['kept', null]].map(([name, value]) => [name, { default: value }]));

/** How a block is aligned and read. */
const laidOut = ({ textAlign, dir }: Attributes) => attributes({ style: ALIGNMENTS.includes(textAlign as string) ? `text-align: ${String(textAlign)}` : undefined, dir });

export const ALIGNMENTS: readonly string[] = ['left', 'center', 'right', 'justify'];

export function levelOf({ level }: Attributes): number {
  const number = Math.floor(Number(level));
  return number >= 1 && number <= 6 ? number : 1;
}

/** An address as a picture can be loaded from it: what content names without a scheme is https. */
export function pictureAddress(src: Json | undefined): string {
  const address = textOf(src) ?? '';
  if (address.startsWith('//')) return `https:${address}`;
  return /^(https?:\/\/|\/|blob:)/.test(address) ? address : '';
}

const picture = ({ src, alt, title }: Attributes): DOMOutputSpec => ['img', { ...attributes({ src: pictureAddress(src), title }), alt: textOf(alt) ?? '', loading: 'lazy', referrerpolicy: 'no-referrer' }];
/** What is not known is shown as a box with its type. */
const box = (json: Json | undefined): string => (typeof json === 'object' && json !== null && 'type' in json ? (textOf(json.type) ?? '') : '') || '?';

const unknown = (name: string): NodeSpec => ({
  atom: true, attrs: { json: { default: null }, keys: { default: [] } }, toDOM: ({ attrs }) => [name, { class: 'rich-unknown' }, box(attrs.json as Json)],
});

const attributesOf = (element: HTMLElement, ...names: string[]) => Object.fromEntries(names.map((name) => [name, element.getAttribute(name)]));
const spanOf = (cell: HTMLElement) => ({
  colspan: Number(cell.getAttribute('colspan')) || 1,
  rowspan: Number(cell.getAttribute('rowspan')) || 1,
  colwidth: cell.dataset.colwidth ? cell.dataset.colwidth.split(',').map(Number) : null,
});
const alignOf = ({ style, dir }: HTMLElement) => ({ textAlign: ALIGNMENTS.includes(style.textAlign) && style.textAlign !== 'left' ? style.textAlign : null, dir: dir === 'rtl' ? dir : null });
const cellAttributes = ({ colspan, rowspan, colwidth }: Attributes) => attributes({
  colspan: colspan === 1 ? undefined : colspan, rowspan: rowspan === 1 ? undefined : rowspan, 'data-colwidth': Array.isArray(colwidth) ? colwidth.join(',') : undefined,
});

const node = (name: string, spec: NodeSpec): NodeSpec => ({ ...spec, attrs: { ...specs(NODES[name]?.attrs ?? {}), ...spec.attrs } });
const mark = (name: string, spec: MarkSpec): MarkSpec => ({ ...spec, attrs: specs(MARKS[name]?.attrs ?? {}) });

const nodes: Record<string, NodeSpec> = {
  doc: node('doc', { content: 'block+' }),
  paragraph: node('paragraph', { content: 'inline*', group: 'block', parseDOM: [{ tag: 'p', getAttrs: alignOf }], toDOM: ({ attrs }) => ['p', laidOut(attrs), 0] }),
  heading: node('heading', {
    content: 'inline*', group: 'block', defining: true,
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, getAttrs: (element) => ({ level, ...alignOf(element) }) })),
    toDOM: ({ attrs }) => [`h${levelOf(attrs)}`, laidOut(attrs), 0],
  }),
  blockquote: node('blockquote', { content: 'block+', group: 'block', defining: true, parseDOM: [{ tag: 'blockquote' }], toDOM: ({ attrs }) => ['blockquote', laidOut(attrs), 0] }),
  // A list item may begin with any block, as it does in what other editors wrote.
  bullet_list: node('bullet_list', { content: '(list_item | unknown_item)+', group: 'block', parseDOM: [{ tag: 'ul' }], toDOM: () => ['ul', 0] }),
  ordered_list: node('ordered_list', {
    content: '(list_item | unknown_item)+', group: 'block',
    parseDOM: [{ tag: 'ol', getAttrs: (element) => ({ order: Number(element.getAttribute('start')) || 1 }) }],
    toDOM: ({ attrs }) => ['ol', attributes({ start: attrs.order === 1 ? undefined : (attrs.order as Json) }), 0],
  }),
  list_item: node('list_item', { content: 'block+', defining: true, parseDOM: [{ tag: 'li' }], toDOM: ({ attrs }) => ['li', laidOut(attrs), 0] }),
  code_block: node('code_block', {
    content: '(text | hard_break | unknown_inline)*', group: 'block', code: true, defining: true,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full', getAttrs: ({ className }) => ({ class: /language-\S+/.exec(className)?.[0] ?? null }) }],
    toDOM: ({ attrs }) => ['pre', { ...laidOut(attrs), spellcheck: 'false' }, ['code', 0]],
  }),
  horizontal_rule: node('horizontal_rule', { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] }),
  image_block: node('image', { group: 'block', draggable: true, toDOM: ({ attrs }) => ['div', { class: 'rich-picture' }, picture(attrs)] }),
  table: node('table', { content: 'tableRow+', group: 'block', tableRole: 'table', isolating: true, parseDOM: [{ tag: 'table' }], toDOM: () => ['table', ['tbody', 0]] }),
  tableRow: node('tableRow', { content: '(tableCell | tableHeader)+', tableRole: 'row', parseDOM: [{ tag: 'tr' }], toDOM: () => ['tr', 0] }),
  tableCell: node('tableCell', {
    content: 'block+', tableRole: 'cell', isolating: true,
    parseDOM: [{ tag: 'td', getAttrs: spanOf }],
    toDOM: ({ attrs }) => ['td', { ...cellAttributes(attrs), ...attributes({ style: attrs.backgroundColor ? `background-color: ${String(attrs.backgroundColor)}` : undefined }) }, 0],
  }),
  tableHeader: node('tableHeader', { content: 'block+', tableRole: 'header_cell', isolating: true, parseDOM: [{ tag: 'th', getAttrs: spanOf }], toDOM: ({ attrs }) => ['th', cellAttributes(attrs), 0] }),
  // One that the draft knows has a key, and its blocks are there; one that is new has them here.
  blok: node('blok', { group: 'block', draggable: true, attrs: { key: { default: null } }, toDOM: () => ['div', { class: 'rich-blok' }] }),
  // The keys are those of the `blok` nodes within it.
  unknown: { ...unknown('div'), group: 'block', draggable: true },
  unknown_item: unknown('li'),
  text: { group: 'inline' },
  hard_break: node('hard_break', { inline: true, group: 'inline', selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] }),
  image: node('image', {
    inline: true, group: 'inline', draggable: true,
    parseDOM: [{ tag: 'img[src]', getAttrs: (element) => attributesOf(element, 'src', 'alt', 'title') }],
    toDOM: ({ attrs }) => picture(attrs),
  }),
  emoji: node('emoji', { inline: true, group: 'inline', toDOM: ({ attrs }) => ['span', { class: 'rich-emoji' }, (textOf(attrs.emoji as Json) ?? '') || `:${textOf(attrs.name as Json) ?? ''}:`] }),
  unknown_inline: { ...unknown('span'), inline: true, group: 'inline' },
};

const tag = (name: string, ...others: string[]): MarkSpec => ({ parseDOM: [name, ...others].map((one) => ({ tag: one })), toDOM: () => [name, 0] });
/** Several of these may stand on one text. */
const many = { excludes: '' };

const marks: Record<string, MarkSpec> = {
  link: mark('link', {
    inclusive: false,
    parseDOM: [{ tag: 'a[href]', getAttrs: (element) => linkOf(element) }],
    toDOM: ({ attrs }) => ['a', attributes({ href: linkAddress(attrs), title: attrs.href as Json }), 0],
  }),
  bold: mark('bold', { ...tag('strong', 'b'), parseDOM: [{ tag: 'strong' }, { tag: 'b' }, { style: 'font-weight', getAttrs: (weight) => (/^(bold(er)?|[6-9]\d{2})$/.test(weight) ? null : false) }] }),
  italic: mark('italic', { ...tag('em', 'i'), parseDOM: [{ tag: 'em' }, { tag: 'i' }, { style: 'font-style=italic' }] }),
  strike: mark('strike', { ...tag('s', 'del', 'strike'), parseDOM: [{ tag: 's' }, { tag: 'del' }, { tag: 'strike' }, { style: 'text-decoration-line=line-through' }] }),
  underline: mark('underline', { ...tag('u'), parseDOM: [{ tag: 'u' }, { style: 'text-decoration-line=underline' }] }),
  code: mark('code', { ...tag('code'), code: true }),
  superscript: mark('superscript', { ...tag('sup'), parseDOM: [{ tag: 'sup' }, { style: 'vertical-align=super' }] }),
  subscript: mark('subscript', { ...tag('sub'), parseDOM: [{ tag: 'sub' }, { style: 'vertical-align=sub' }] }),
  highlight: mark('highlight', {
    parseDOM: [{ tag: 'mark' }, { style: 'background-color', getAttrs: (color) => (isPlain(color) ? false : { color }) }],
    toDOM: ({ attrs }) => ['mark', attributes({ style: attrs.color ? `background-color: ${String(attrs.color)}` : undefined }), 0],
  }),
  textStyle: mark('textStyle', {
    ...many,
    parseDOM: [{ style: 'color', getAttrs: (color) => (isPlain(color) ? false : { color }) }],
    toDOM: ({ attrs }) => ['span', attributes({ class: attrs.color ? 'rich-colour' : undefined, style: attrs.color ? `color: ${String(attrs.color)}` : undefined }), 0],
  }),
  anchor: mark('anchor', { ...many, toDOM: ({ attrs }) => ['span', { class: 'rich-anchor', ...attributes({ title: attrs.id ? `#${String(attrs.id)}` : undefined }) }, 0] }),
  styled: mark('styled', { ...many, toDOM: ({ attrs }) => ['span', { class: 'rich-styled', ...attributes({ title: attrs.class as Json }) }, 0] }),
  unknown_mark: { ...many, inclusive: false, attrs: { json: { default: null } }, toDOM: ({ attrs }) => ['span', { class: 'rich-unknown-mark', ...attributes({ title: box(attrs.json as Json) }) }, 0] },
  // What the editor does not know of a text: texts have no attributes.
  kept: { ...many, inclusive: false, attrs: { members: { default: null } }, toDOM: () => ['span', 0] },
};

/** Colours that say nothing: that of text, and none. */
function isPlain(color: string): boolean {
  return /^(inherit|initial|unset|transparent|windowtext|black|#000(000)?|rgb\(0, 0, 0\)|white|#fff(fff)?|rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/i.test(color.trim());
}

/** Where a link leads, if that is safe to show as a link. */
export function linkAddress({ href, linktype, anchor }: Attributes): string | undefined {
  const address = textOf(href) ?? '';
  const end = textOf(anchor) ? `#${textOf(anchor)!}` : '';
  if (linktype === 'email' && address !== '') return `mailto:${address.replace(/^mailto:/i, '')}`;
  return /^(https?:\/\/|\/|mailto:|tel:)/i.test(address) ? address + end : undefined;
}

function linkOf(element: HTMLElement): Attributes | false {
  const href = element.getAttribute('href') ?? '';
  if (/^\s*(javascript|data|vbscript|file):/i.test(href) || href.startsWith('#')) return false;
  const target = element.getAttribute('target');
  if (/^mailto:/i.test(href)) return { href: href.slice('mailto:'.length), linktype: 'email', target };
  return { href, linktype: 'url', target };
}

export const schema = new Schema({ nodes, marks });
