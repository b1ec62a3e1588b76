// What people call a block: the name of its component, and what it begins with.
import { isList, isObject, type Json, type JsonObject } from './json.ts';
import { fieldOf, memberOf, type Component } from './schema.ts';

/** Members of every block, which are no fields. */
const OWN = new Set(['_uid', 'component', '_editable']);
/** The longest summary, in characters. */
const LONGEST = 120;

/** The name of a block's component, as the block says it; nothing when it says none. */
export function componentName(block: JsonObject): string {
  return typeof block.component === 'string' ? block.component : '';
}

/** What a component is called: its display name, or its own. */
export function displayName(component: Component): string {
  return component.display_name?.trim() || component.name;
}

/** The fields of a block that its schema does not name, in the order of the block. */
export function unknownFields(block: JsonObject, component: Component | undefined): string[] {
  const known = new Set(component?.fields.map((field) => field.name));
  return Object.keys(block).filter((name) => !OWN.has(name) && !known.has(name) && !known.has(fieldOf(name)));
}

/** What a block begins with: the text of its preview field, else of the first of its texts. */
export function blockSummary(block: JsonObject, component: Component | undefined, language = ''): string {
  const text = (name: string) => plainText(block[memberOf(name, language)]) || plainText(block[name]);
  const named = component?.preview_field ? text(component.preview_field) : '';
  if (named) return named;
  const fields = component?.fields.filter((field) => TEXTS.has(field.type)).map((field) => field.name) ?? unknownFields(block, component);
  for (const name of fields) {
    const found = text(name);
    if (found) return found;
  }
  return '';
}

const TEXTS = new Set<string>(['text', 'textarea', 'markdown', 'richtext']);

/** The beginning of a text or of a rich text, in one line. */
function plainText(value: Json | undefined): string {
  const text = typeof value === 'string' ? value.slice(0, 4 * LONGEST) : textWithin(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).trimEnd()}…` : line;
}

/** The texts of a rich text, one after the other, until there are enough. */
function textWithin(node: Json | undefined): string {
  if (isList(node)) {
    let text = '';
    for (const one of node) {
      text += `${textWithin(one)} `;
      if (text.length > LONGEST) break;
    }
    return text;
  }
  if (!isObject(node)) return '';
  return node.type === 'text' && typeof node.text === 'string' ? node.text : textWithin(node.content);
}
