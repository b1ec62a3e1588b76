// Which editor a value has, by the type of its field. What has no line here, and a value that its type does not know, is shown as JSON, which keeps everything.
// A new editor is a file of its own and a line here; `model/values.ts` says which values it takes.

import type { Json } from '../model/json.ts';
import type { Field } from '../model/schema.ts';
import { hasLines, isOfType, type EditedType } from '../model/values.ts';
import BooleanEditor from './BooleanEditor.svelte';
import DatetimeEditor from './DatetimeEditor.svelte';
import type { Editor } from './editor.ts';
import JsonEditor from './JsonEditor.svelte';
import LinkEditor from './link/LinkEditor.svelte';
import NumberEditor from './NumberEditor.svelte';
import OptionEditor from './OptionEditor.svelte';
import OptionsEditor from './OptionsEditor.svelte';
import TextareaEditor from './TextareaEditor.svelte';
import TextEditor from './TextEditor.svelte';

const loadAsset = () => import('./asset/AssetEditor.svelte');

const EDITORS: { readonly [type in EditedType]: Editor } = {
  text: { component: TextEditor, hasPlaceholder: true },
  textarea: { component: TextareaEditor, hasPlaceholder: true },
  markdown: { load: () => import('./markdown/MarkdownEditor.svelte'), hasPlaceholder: true },
  number: { component: NumberEditor, hasPlaceholder: true },
  datetime: { component: DatetimeEditor, hasPlaceholder: true },
  option: { component: OptionEditor },
  options: { component: OptionsEditor, isGroup: true },
  multilink: { component: LinkEditor, isGroup: true },
  asset: { load: loadAsset, isGroup: true },
  image: { load: loadAsset, isGroup: true },
  file: { load: loadAsset, isGroup: true },
  multiasset: { load: () => import('./asset/AssetListEditor.svelte'), isGroup: true },
  table: { load: () => import('./table/TableEditor.svelte'), isGroup: true },
  custom: { load: () => import('./custom/CustomEditor.svelte'), isGroup: true },
  richtext: { load: () => import('./richtext/RichtextEditor.svelte'), isGroup: true, hasBlocks: true },
  boolean: { component: BooleanEditor, hasLabel: (schema) => schema.type === 'boolean' && schema.inline_label },
};

export const JSON_VIEW = { component: JsonEditor, isGroup: true } satisfies Editor;

/** A field of one line would drop the line breaks of a text. */
export const LINES = EDITORS.textarea;

/** The editor of a value. */
export function editorOf(schema: Field, value: Json | undefined): Editor {
  // That of a plugin has the JSON view in it, so that it stays while what is typed becomes flat, or is so no longer.
  if (schema.type === 'custom') return EDITORS.custom;
  if (schema.type === 'text' && hasLines(value)) return LINES;
  return isOfType(schema.type, value) ? EDITORS[schema.type] : JSON_VIEW;
}
