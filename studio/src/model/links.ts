// Links as people see them, and the two ways in which content holds them: the value of a multilink field, and the link mark of a rich text. What of a link was not
// changed is not written, and members that are not known here stay.

import { isObject, textOf, withMember, type Json, type JsonObject } from './json.ts';
import { isReserved, MEMBERS, type Attribute } from './linkattributes.ts';

export const LINK_TYPES = ['story', 'url', 'email', 'asset'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

export interface Link {
  readonly type: LinkType;
  /** What its type is called where that is none of these; it keeps that until it leads elsewhere. */
  readonly unknownType: string;
  /** The UUID of the story that it leads to, in old content its number; nothing where the link has but a path. */
  readonly story: string;
  /** A URL, a mail address, the URL of a file; of a story the path that it had when it was chosen. */
  readonly address: string;
  readonly anchor: string;
  readonly target: string;
  /** `rel`, `title` and others, in their order. Each has a name of its own. */
  readonly attributes: readonly Attribute[];
}

export const NO_LINK: Link = { type: 'story', unknownType: '', story: '', address: '', anchor: '', target: '', attributes: [] };

/** What a multilink field holds when it leads nowhere. */
export const EMPTY_MULTILINK: JsonObject = { id: '', url: '', linktype: 'story', fieldtype: 'multilink', cached_url: '' };

/** What the schema of a field allows a link to be. */
export interface LinkOptions {
  readonly types: readonly LinkType[];
  readonly hasAnchor: boolean;
  /** A link may open in a new window. */
  readonly hasTarget: boolean;
  readonly hasAttributes: boolean;
  /** Stories of any of these; no name means all. */
  readonly contentTypes: readonly string[];
  /** The folder that the search begins in, as the schema names it; nothing is the whole space. */
  readonly folder: string | null;
  /** No story outside of that folder is offered. */
  readonly isFolderForced: boolean;
}

/** Whether a link leads anywhere. An empty one of a story may have `#` as its path. */
export function leadsSomewhere({ type, story, address }: Link): boolean {
  return story !== '' || (address !== '' && !(type === 'story' && address === '#'));
}

/** The address that a new tab can open; nothing of a path, which belongs to a site that is not known here. */
export function openAddress(address: string): string | undefined {
  if (address.startsWith('//')) return `https:${address}`;
  return /^https?:\/\//i.test(address) ? address : undefined;
}

/** The members that are read as text, and have to be one. */
const TEXTS = ['linktype', 'url', 'cached_url', 'email', 'asset', 'anchor', 'target'];
/** Where the address of each type stands: in the first of these that is not empty. */
const ADDRESSES: { readonly [type in LinkType]: readonly string[] } = {
  story: ['cached_url', 'url'], url: ['url', 'cached_url', 'input_value'], email: ['email', 'url', 'cached_url', 'input_value'], asset: ['url', 'cached_url', 'asset'],
};

/** Whether a value of a multilink field can be shown as a link. Anything else is for the JSON view. */
export function isLink(value: Json | undefined): boolean {
  if (!isObject(value)) return value === undefined || value === null || typeof value === 'string';
  return TEXTS.every((name) => isTextOrNothing(value[name])) && (typeof value.id === 'number' || isTextOrNothing(value.id));
}

/** The value of a multilink field as a link: an object, or the URL alone as older content has it. */
export function readLink(value: Json | undefined): Link {
  if (typeof value === 'string') return value === '' ? NO_LINK : { ...NO_LINK, type: 'url', address: value };
  if (!isObject(value)) return NO_LINK;
  const known = LINK_TYPES.find((name) => name === value.linktype);
  const type = known ?? likelyType(value);
  return {
    type,
    unknownType: known ? '' : (textOf(value.linktype) ?? ''),
    story: type === 'story' ? (textOf(value.id) ?? '') : '',
    address: firstText(value, ADDRESSES[type]),
    anchor: textOf(value.anchor) ?? '',
    target: textOf(value.target) ?? '',
    attributes: attributesOf(value, MEMBERS),
  };
}

/** The type of a link that names none, or one that is not known here, by what it has. */
function likelyType(value: JsonObject): LinkType {
  if (textOf(value.id)) return 'story';
  if (firstText(value, ['email'])) return 'email';
  return firstText(value, ADDRESSES.url) ? 'url' : 'story';
}

/** A link that leads nowhere is like any other of them. */
function settled(link: Link): Link {
  return leadsSomewhere(link) ? link : { ...link, type: NO_LINK.type, unknownType: '', story: '', address: '' };
}

/** What a multilink field holds when its first value `before` has become this link. */
export function writeLink(before: Json | undefined, changed: Link): Json | undefined {
  const [old, link] = [settled(readLink(before)), settled(changed)];
  const change = changeOf(old, link);
  if (!change.isAny) return before;
  // A URL alone stays one for as long as it says everything.
  if (typeof before === 'string' && before !== '' && link.type === 'url' && link.anchor === '' && link.target === '' && link.attributes.length === 0) return link.address;
  let value: JsonObject = isObject(before) ? before : EMPTY_MULTILINK;
  // A URL alone has to say all of it anew.
  if (change.hasTarget || typeof before === 'string') value = withTarget(value, old, link);
  if (link.anchor !== old.anchor) value = withMember(value, 'anchor', link.anchor);
  if (link.target !== old.target) value = withMember(value, 'target', link.target);
  return change.hasAttributes ? withAttributes(value, old.attributes, link.attributes) : value;
}

function withTarget(before: JsonObject, old: Link, { type, story, address }: Link): JsonObject {
  let value = before;
  if (type !== old.type) {
    // What belongs to the other type says nothing any more.
    for (const name of ['email', 'asset', 'input_value']) value = withMember(value, name, undefined);
  }
  const named: Record<string, Json> = { linktype: type, id: story, url: type === 'story' ? '' : address, cached_url: address };
  if (value.fieldtype === undefined && value.linktype === undefined) named.fieldtype = 'multilink';
  if (type === 'email') named.email = address;
  for (const name of ['asset', 'input_value']) if (typeof value[name] === 'string' && value[name] === old.address) named[name] = address;
  return { ...value, ...named };
}

function withAttributes(before: JsonObject, old: readonly Attribute[], attributes: readonly Attribute[]): JsonObject {
  let value = before;
  for (const { name } of old) if (!attributes.some((attribute) => attribute.name === name)) value = withMember(value, name, undefined);
  // None takes the place of a member; where one is there already it can be changed.
  for (const { name, value: text } of attributes) if (!isReserved(name) || old.some((attribute) => attribute.name === name)) value = withMember(value, name, text);
  return value;
}

/** The attributes of a link mark of a rich text as a link. */
export function readLinkMark(attrs: JsonObject): Link {
  const known = LINK_TYPES.find((name) => name === attrs.linktype);
  const type = known ?? (textOf(attrs.uuid) ? 'story' : 'url');
  return {
    type,
    unknownType: known ? '' : (textOf(attrs.linktype) ?? ''),
    story: type === 'story' ? (textOf(attrs.uuid) ?? '') : '',
    address: textOf(attrs.href) ?? '',
    anchor: textOf(attrs.anchor) ?? '',
    target: textOf(attrs.target) ?? '',
    attributes: isObject(attrs.custom) ? attributesOf(attrs.custom, []) : [],
  };
}

/** The attributes of a link mark that were `before` and have become this link. A new mark begins with no attributes. */
export function writeLinkMark(before: JsonObject, link: Link): JsonObject {
  const old = readLinkMark(before);
  const change = changeOf(old, link);
  let attrs = before;
  if (change.hasTarget) attrs = { ...attrs, href: hrefOf(link), uuid: link.story || null, linktype: link.type };
  if (link.anchor !== old.anchor) attrs = { ...attrs, anchor: link.anchor || null };
  if (link.target !== old.target) attrs = { ...attrs, target: link.target };
  if (!change.hasAttributes) return attrs;
  return { ...attrs, custom: withAttributes(isObject(before.custom) ? before.custom : {}, old.attributes, link.attributes) };
}

/** The path of a story begins with a slash in a mark, so that the page can use it as it is. */
function hrefOf({ type, address }: Link): string {
  return type === 'story' && !address.startsWith('/') ? `/${address}` : address;
}

function changeOf(old: Link, link: Link): { readonly isAny: boolean; readonly hasTarget: boolean; readonly hasAttributes: boolean } {
  const hasTarget = old.type !== link.type || old.unknownType !== link.unknownType || old.story !== link.story || old.address !== link.address;
  const hasAttributes = old.attributes.length !== link.attributes.length
    || link.attributes.some(({ name, value }, index) => old.attributes[index]?.name !== name || old.attributes[index]?.value !== value);
  return { isAny: hasTarget || hasAttributes || old.anchor !== link.anchor || old.target !== link.target, hasTarget, hasAttributes };
}

function isTextOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

function firstText(value: JsonObject, names: readonly string[]): string {
  return names.map((name) => value[name]).find((text) => typeof text === 'string' && text !== '') as string | undefined ?? '';
}

/** Those with a value. An empty one is as good as none, and stays. */
function attributesOf(members: JsonObject, others: readonly string[]): readonly Attribute[] {
  return Object.entries(members).flatMap(([name, value]) => (others.includes(name) || typeof value !== 'string' || value === '' ? [] : [{ name, value }]));
}
