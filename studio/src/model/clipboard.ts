// Blocks on the clipboard: how they are written to it, and found again. Every application that pastes gets a text; what knows blocks finds them in a type of its
// own, and where a browser has dropped that, in an attribute of the HTML.

import { displayName } from './blocks.ts';
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { fieldOf, type Schemas } from './schema.ts';

export const BLOCKS_TYPE = 'application/x-lectern-blocks+json';
const FORMAT = 2;
const ATTRIBUTE = 'data-lectern-blocks';
/** The longest text that is looked into, in characters: no story has more. */
const LONGEST = 20_000_000;

/** The server and the space that a copy is from: its references lead to something only there. */
export interface CopyPlace {
  readonly origin: string;
  readonly space: { readonly id: number; readonly name: string };
}

export interface CopiedBlocks extends CopyPlace {
  /** Of this copy alone. */
  readonly id: string;
  readonly story: number;
  readonly blocks: readonly JsonObject[];
  /** Where they stand in that story, when they were cut: pasted there they move. */
  readonly cut: readonly { readonly path: string; readonly uid: string }[];
}

/** What is written to the clipboard, by type. */
export function clipboardTexts(copied: CopiedBlocks, schemas: Schemas): Readonly<Record<string, string>> {
  const json = jsonOf(copied);
  const lines = copied.blocks.flatMap((block) => readable(block, schemas));
  const html = lines.map((line) => `<p>${line.trim().replace(/&/g, '&amp;').replace(/</g, '&lt;')}</p>`).join('');
  // Written so that no browser changes it on the way.
  return { [BLOCKS_TYPE]: json, 'text/html': `<div ${ATTRIBUTE}="${encodeURIComponent(json)}">${html}</div>`, 'text/plain': lines.join('\n') };
}

/** The blocks of a clipboard, whose texts are read by type. It may hold anything. */
export function copiedBlocks(read: (type: string) => string): CopiedBlocks | undefined {
  const own = parseCopied(read(BLOCKS_TYPE));
  if (own) return own;
  const [, attribute] = new RegExp(`${ATTRIBUTE}="([^"<>]*)"`).exec(read('text/html').slice(0, LONGEST)) ?? [];
  try {
    return parseCopied(decodeURIComponent(attribute ?? ''));
  } catch {
    return undefined;
  }
}

/** As it is kept. */
export function jsonOf(copied: CopiedBlocks): string {
  return JSON.stringify({ format: FORMAT, ...copied });
}

/** Reads what `jsonOf` has written; nothing of what is something else. */
export function parseCopied(text: string): CopiedBlocks | undefined {
  if (text === '' || text.length > LONGEST) return undefined;
  try {
    const found = JSON.parse(text) as Json;
    if (!isObject(found) || found.format !== FORMAT || !isList(found.blocks)) return undefined;
    const place = parsePlace(found);
    const blocks = found.blocks.filter(isObject);
    const cut = (isList(found.cut) ? found.cut : []).filter(isObject).map(({ path, uid }) => ({ path: String(path), uid: String(uid) }));
    return place && blocks.length > 0 ? { id: String(found.id), ...place, story: Number(found.story), blocks, cut } : undefined;
  } catch {
    return undefined;
  }
}

/** Where a copy is from, if it says so. */
export function parsePlace({ origin, space }: JsonObject): CopyPlace | undefined {
  return isObject(space) ? { origin: String(origin), space: { id: Number(space.id), name: String(space.name) } } : undefined;
}

/** A block as lines that can be read: what it is called, its texts, and the blocks in it. */
function readable(block: JsonObject, schemas: Schemas): string[] {
  const component = schemas.component(block.component);
  const lines: string[] = [component ? displayName(component) : String(block.component ?? '')];
  for (const [member, value] of Object.entries(block)) {
    // The other languages say the same once more.
    if (member === '_uid' || member === 'component' || fieldOf(member) !== member) continue;
    const isText = ['text', 'textarea', 'markdown', 'richtext', 'bloks', undefined].includes(schemas.field(block, member)?.type);
    if (isText) lines.push(...linesOf(value, schemas).map((line) => `  ${line}`));
  }
  return lines;
}

function linesOf(value: Json, schemas: Schemas): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : value.split('\n');
  if (isList(value)) return value.flatMap((item) => (isObject(item) ? linesOf(item, schemas) : []));
  if (!isObject(value)) return [];
  if (typeof value.component === 'string') return readable(value, schemas);
  if (value.type === 'blok') return isObject(value.attrs) ? linesOf(value.attrs.body ?? [], schemas) : [];
  const content = isList(value.content) ? value.content.filter(isObject) : [];
  // A paragraph is a line.
  if (content.some(({ type }) => type === 'text')) return [content.map(({ text }) => (typeof text === 'string' ? text : '')).join('')];
  return content.flatMap((node) => linesOf(node, schemas));
}
