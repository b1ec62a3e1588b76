// Files of the library: what the Management API tells of them, and the value by which content names one.

import { isObject, textOf, type Json, type JsonObject } from './json.ts';

/** The kinds that the library tells apart. */
export const ASSET_KINDS = ['image', 'video', 'audio', 'text', 'other'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** What is told of a file, in the library and at each place that uses it. */
export const ASSET_TEXTS = ['alt', 'title', 'copyright', 'source'] as const;
export type AssetText = (typeof ASSET_TEXTS)[number];

export interface AssetTag {
  readonly id: number;
  readonly name: string;
}

export interface Asset extends Readonly<Record<AssetText, string | null>> {
  readonly id: number;
  /** Its URL, by which content names it. */
  readonly filename: string;
  /** Its name alone. */
  readonly short_filename: string;
  readonly content_type: string;
  readonly content_length: number;
  /** The part of a picture that matters: `320x240:321x241`. */
  readonly focus: string | null;
  readonly meta_data: JsonObject;
  readonly is_private: boolean;
  /** Of a private one: a URL that opens it for a while. */
  readonly signed_url?: string | null;
  readonly asset_folder_id: number | null;
  readonly internal_tags_list: readonly AssetTag[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly expire_at: string | null;
}

export interface AssetFolder {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
}

/** Which files a person is asked for. */
export interface AssetQuestion {
  /** More than one can be picked, in an order. */
  readonly multiple: boolean;
  /** Any of these; none means all. */
  readonly kinds: readonly AssetKind[];
  /** The folder that is shown first, and into which files are uploaded; `null` is the top. */
  readonly folder: number | null;
  /** These are uploaded at once: they were pasted or dropped where the question comes from. */
  readonly files?: readonly File[];
}

/** Whether a file is a picture that is there for its looks alone, so that it needs no text. */
export function isDecorative(asset: Pick<Asset, 'meta_data'>): boolean {
  return asset.meta_data.decorative === true;
}

/** A member of `meta_data` that the space asks for. */
export interface MetaField {
  readonly name: string;
  readonly label: string;
}

/** The space's own fields of files. They are kept as they were written: names alone, or objects with a name and a label. */
export function metaFieldsOf(schema: readonly Json[] = []): readonly MetaField[] {
  const fields = schema.map((one): MetaField | undefined => {
    const member = (...names: string[]) => (isObject(one) ? names.map((name) => textOf(one[name])).find((text) => text?.trim()) : textOf(one));
    const name = member('key', 'name', 'id');
    return name ? { name, label: member('display_name', 'label', 'name') ?? name } : undefined;
  });
  return fields.filter((field, index) => field !== undefined && fields.findIndex((other) => other?.name === field.name) === index) as MetaField[];
}

/** The value of a field that names an asset. What is told of the asset goes with it, and can then be changed for this use alone. */
export function valueOfAsset(asset: Asset): JsonObject {
  return {
    id: asset.id,
    alt: asset.alt ?? '',
    name: '',
    focus: asset.focus ?? '',
    title: asset.title ?? '',
    source: asset.source ?? '',
    filename: asset.filename,
    copyright: asset.copyright ?? '',
    fieldtype: 'asset',
    meta_data: asset.meta_data,
    is_external_url: false,
  };
}

/** The URL that a value of a field for files names: of an object its `filename`, of old content the text itself. */
export function urlOfValue(value: Json | undefined): string {
  return (isObject(value) ? textOf(value.filename) : textOf(value)) ?? '';
}
