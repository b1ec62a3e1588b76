// What the editor of a value is given, and what it says back. It knows no story and no draft.

import type { Component, Snippet } from 'svelte';
import type { CopiedBlocks, CopyPlace } from '../model/clipboard.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Field } from '../model/schema.ts';

/** The attributes of the control that holds the value: they tie it to its label, its language and its problems. */
export interface ControlAttributes {
  readonly id: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl' | 'auto';
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-required': 'true' | undefined;
}

/** Keeps what was typed and cannot be written, also while the field is not shown. */
export interface PendingText {
  readonly text: string | undefined;
  keep(text: string | undefined): void;
  /** The field itself has written a value: its text is of that one. */
  renew(text: string): void;
  /** A text that was kept before the value changed from elsewhere. */
  readonly outdated: string | undefined;
  /** Makes it the text of the value that is there now. */
  takeBack(): void;
  drop(): void;
}

/** The blocks within a rich text. The screen has them, and shows them where the editor has a place. */
export interface InnerBlocks {
  /** The `blok` nodes of the value by name, in the order of the document. */
  readonly nodes: readonly number[];
  /** The blocks of a node. */
  readonly cards: Snippet<[node: number]>;
  /** Asks for a block to put in; nothing when none was chosen. */
  choose(): Promise<JsonObject | undefined>;
  /** Whether a block may be in the field. */
  allows(block: JsonObject): boolean;
  /** Takes a new document: nodes by name keep their blocks, those without one are new. What is no key of many is a step of undo by itself. */
  write(value: Json, nodes: readonly (number | undefined)[], isTyping: boolean): void;
  /** What is written during it, also in another field, is one step of undo. */
  asOneStep(act: () => void): void;
  /** What is pasted goes in by `putIn`. Then it is told what was left out of it, in the sentence that is given, and what leads to another space. */
  paste(lost: string, from: CopyPlace | undefined, nodes: readonly JsonObject[], putIn: () => void): void;
  /** Blocks that were copied or cut: copies of those that may be in the field go in by `putIn`, and the others are told. */
  pasteBlocks(copied: CopiedBlocks, isOffered: boolean, putIn: (blocks: readonly JsonObject[]) => void): void;
  /** Takes back the last step of the story, in whatever field that was. */
  undo(): void;
  redo(): void;
}

export interface EditorProps {
  readonly schema: Field;
  /** Nothing while the block has no such member. */
  readonly value: Json | undefined;
  readonly label: string;
  readonly readonly: boolean;
  /** What is shown where nothing is: the text of the default language. */
  readonly placeholder: string;
  /** What describes the control, as text: for a control that ids do not reach. */
  readonly description: string;
  readonly control: ControlAttributes;
  readonly pending?: PendingText | undefined;
  readonly inner?: InnerBlocks | undefined;
  /** Takes the new value; `undefined` removes the member. */
  readonly onchange: (value: Json | undefined) => void;
}

export type EditorComponent = Component<EditorProps>;

/** An editor. One that is large is loaded when the first field of its type is opened. */
export type Editor = {
  /** It is a group of controls, so that its label is that of a group. */
  readonly isGroup?: boolean;
  /** It shows the default language's text where a translation is missing, and a translation begins with the first key. */
  readonly hasPlaceholder?: boolean;
  /** It has a place for the blocks within the value; below any other editor they stand by themselves. */
  readonly hasBlocks?: boolean;
  /** It shows its label itself. */
  readonly hasLabel?: (schema: Field) => boolean;
} & ({ readonly component: EditorComponent } | { readonly load: () => Promise<{ readonly default: EditorComponent }> });

/** The ids of what describes a control; those that are not there are left out. */
export function describedBy(...ids: readonly (string | false | undefined)[]): string | undefined {
  return ids.filter(Boolean).join(' ') || undefined;
}
