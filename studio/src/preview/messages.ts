// What a site says to the studio. Everything that comes in may be anything: what has another shape than its action promises is ignored, and no more of a
// message is looked at than is used.

/** What a site asked of the editor when it made its bridge. */
export interface BridgeConfig {
  /** `component.field`, whose stories stand in place of their uuids. */
  readonly resolveRelations: readonly string[];
  readonly resolveLinks: LinkForm | '';
  readonly fallbackLang: string;
}

export const LINK_FORMS = ['url', 'link', 'story'] as const;
export type LinkForm = (typeof LINK_FORMS)[number];

/** What the menu of a block in the page does. */
export const MENU_ACTS = ['addBlockBefore', 'addBlockAfter', 'duplicateBlock', 'copy', 'moveForward', 'moveBackward', 'deleteBlock'] as const;
export type MenuAct = (typeof MENU_ACTS)[number];

export type SiteMessage =
  | { readonly kind: 'initialized'; readonly config: BridgeConfig }
  | { readonly kind: 'ping' }
  /** A click on a block; `story` is nothing where the site does not say whose block it is. */
  | { readonly kind: 'edit'; readonly uid: string; readonly story: number | undefined }
  | { readonly kind: 'noFocus' }
  | { readonly kind: 'menu'; readonly act: MenuAct; readonly uid: string }
  /** A key that was pressed in the page, passed on by the relay. */
  | { readonly kind: 'key'; readonly key: string; readonly shiftKey: boolean; readonly isCommand: boolean };

const LONGEST = 256;
const MOST_RELATIONS = 100;

export const NO_CONFIG: BridgeConfig = { resolveRelations: [], resolveLinks: '', fallbackLang: '' };

/** The message that some data is; nothing for all else. */
export function parseMessage(data: unknown): SiteMessage | undefined {
  const message = record(data);
  const action = text(message?.action);
  if (!message || !action) return undefined;
  switch (action) {
    case 'initialized': return { kind: 'initialized', config: parseConfig(message.config) };
    case 'ping': return { kind: 'ping' };
    case 'noFocus': return { kind: 'noFocus' };
    case 'edit': return parseEdit(record(message.dataC));
    case 'lecternKey': return parseKey(message);
    default: return parseMenu(action, record(message.blok));
  }
}

/** Of several bridges in one page each gets what it asked for. */
export function mergeConfigs(one: BridgeConfig, other: BridgeConfig): BridgeConfig {
  const forms = [one.resolveLinks, other.resolveLinks];
  return {
    resolveRelations: [...new Set([...one.resolveRelations, ...other.resolveRelations])].slice(0, MOST_RELATIONS),
    // The form that has the most in it.
    resolveLinks: LINK_FORMS.findLast((form) => forms.includes(form)) ?? '',
    fallbackLang: one.fallbackLang || other.fallbackLang,
  };
}

/** Tolerant: a config of another shape asks for nothing. */
export function parseConfig(value: unknown): BridgeConfig {
  const config = record(value);
  if (!config) return NO_CONFIG;
  const named = config.resolveRelations;
  const relations = Array.isArray(named) ? named.slice(0, MOST_RELATIONS) : (text(named, MOST_RELATIONS * LONGEST)?.split(',').slice(0, MOST_RELATIONS) ?? []);
  return {
    resolveRelations: [...new Set(relations.flatMap((path) => text(path)?.trim() ?? []).filter((path) => /^[^.,\s]+\.[^.,\s]+$/.test(path)))],
    resolveLinks: linkForm(config.resolveLinks),
    fallbackLang: text(config.fallbackLang) ?? '',
  };
}

function linkForm(value: unknown): LinkForm | '' {
  if (value === '1' || value === 1) return 'url';
  return LINK_FORMS.find((form) => form === value) ?? '';
}

function parseEdit(block: Record<string, unknown> | undefined): SiteMessage | undefined {
  const uid = text(block?.uid);
  return uid ? { kind: 'edit', uid, story: storyNumber(block?.id) } : undefined;
}

function parseMenu(action: string, block: Record<string, unknown> | undefined): SiteMessage | undefined {
  const act = MENU_ACTS.find((known) => known === action);
  const uid = text(block?._uid);
  return act && uid ? { kind: 'menu', act, uid } : undefined;
}

/** The keys that lead out of the page, search, save and publish. Any script of a site can send a key, so all others are kept away here too, and not by the relay alone. */
function parseKey(message: Record<string, unknown>): SiteMessage | undefined {
  const key = text(message.key);
  const shiftKey = message.shiftKey === true;
  const isCommand = message.isCommand === true;
  const isMeant = key === 'F6' || (isCommand && key !== undefined && (/^[sk]$/i.test(key) || (key === 'Enter' && shiftKey)));
  return isMeant ? { kind: 'key', key, shiftKey, isCommand } : undefined;
}

/** Sites write the number of a story as text. */
function storyNumber(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(text(value));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function text(value: unknown, longest = LONGEST): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= longest ? value : undefined;
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
