// A value in a few words: above its JSON, as the placeholder of a translation, and in lists of changes. Values may have any shape.

import { isList, isObject, textOf, type Json, type JsonObject } from '../model/json.ts';
import type { Field } from '../model/schema.ts';
import { fill, type Texts } from '../texts/texts.ts';

/** How many characters it has at most. */
const LONGEST = 140;

export function summaryOf(schema: Field, value: Json | undefined, t: Texts): string {
  if (value === undefined || value === null || value === '') return '';
  return shortened(wordsOf(schema, value, t) || compact(value));
}

function wordsOf(schema: Field, value: Json, t: Texts): string {
  switch (schema.type) {
    case 'boolean': return typeof value === 'boolean' ? (value ? t.fieldYes : t.fieldNo) : '';
    case 'option':
    case 'options': return (isList(value) ? value : [value]).map((item) => optionName(schema.options, item)).join(', ');
    case 'asset':
    case 'image':
    case 'file': return fileName(value);
    case 'multiasset': return isList(value) ? value.map(fileName).filter(Boolean).join(', ') : '';
    case 'multilink': return typeof value === 'string' ? value : linkTarget(value);
    case 'richtext': return isObject(value) ? words(value, t) : '';
    case 'bloks': return isList(value) ? countOf(value.length, t.summaryBlock, t.summaryBlocks) : '';
    case 'table': return tableSize(value, t);
    case 'custom': return isObject(value) && typeof value.plugin === 'string' ? fill(t.summaryPlugin, { name: value.plugin }) : '';
    default: return textOf(value) ?? '';
  }
}

/** The address of a picture that can be shown: what content names without a scheme is https. */
export function pictureOf(schema: Field, value: Json | undefined): string | undefined {
  const file = schema.type === 'multiasset' && isList(value) ? value[0] : value;
  if (!['asset', 'multiasset', 'image'].includes(schema.type)) return undefined;
  const name = isObject(file) ? textOf(file.filename) : textOf(file);
  if (!name || !/\.(avif|gif|jpe?g|png|svg|webp)(\/m\/.*)?([?#].*)?$/i.test(name)) return undefined;
  if (name.startsWith('//')) return `https:${name}`;
  return /^(https?:\/\/|\/)/.test(name) ? name : undefined;
}

function optionName(options: readonly { readonly name: string; readonly value: string }[], value: Json): string {
  const text = textOf(value) ?? compact(value);
  return options.find((option) => option.value === text)?.name ?? text;
}

/** The last part of the address of a file. */
function fileName(file: Json): string {
  const address = (isObject(file) ? textOf(file.filename) : textOf(file)) ?? '';
  return address.split(/[?#]/)[0]?.replace(/\/m\/.*$/, '').split('/').at(-1) ?? '';
}

function linkTarget(link: Json): string {
  if (!isObject(link)) return '';
  const target = ['email', 'cached_url', 'url', 'id'].map((name) => textOf(link[name])).find((text) => text) ?? '';
  const anchor = textOf(link.anchor);
  return anchor ? `${target}#${anchor}` : target;
}

/** The first words of a rich text, and how many blocks are in it. */
function words(document: JsonObject, t: Texts): string {
  const found: string[] = [];
  let blocks = 0;
  const nodes: Json[] = [document];
  // Documents come from anywhere: a list of what is left to do takes any depth.
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!isObject(node)) continue;
    if (node.type === 'text' && typeof node.text === 'string') found.push(node.text);
    if (node.type === 'blok' && isObject(node.attrs) && isList(node.attrs.body)) blocks += node.attrs.body.length;
    if (isList(node.content)) nodes.push(...[...node.content].reverse());
  }
  const text = shortened(found.join(' ').replace(/\s+/g, ' ').trim());
  return [text, blocks > 0 ? countOf(blocks, t.summaryBlock, t.summaryBlocks) : ''].filter(Boolean).join(' · ');
}

function tableSize(table: Json, t: Texts): string {
  if (!isObject(table)) return '';
  const [rows, columns] = [isList(table.tbody) ? table.tbody.length : 0, isList(table.thead) ? table.thead.length : 0];
  return fill(t.summaryTable, { rows, columns });
}

function countOf(count: number, one: string, many: string): string {
  return fill(count === 1 ? one : many, { count });
}

function compact(value: Json): string {
  return JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
