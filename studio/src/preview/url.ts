// The address at which a site shows a story to the studio. Sites verify its signature and take it for an hour.

import type { PreviewToken } from '../model/preview.ts';

/** What of a story is in its address. */
export interface PreviewedStory {
  readonly id: number;
  readonly full_slug: string;
  /** The real path of the site, where it is not the slug. */
  readonly path: string | null;
  /** The component of its root block. */
  readonly component: string;
  /** The path in the language that is shown, without its code; nothing where it is that of the story. */
  readonly translatedPath?: string | undefined;
}

export interface PreviewUrl {
  readonly location: string;
  readonly space: number;
  readonly story: PreviewedStory;
  /** The code of the language; empty for the default one. */
  readonly language: string;
  /** Nothing where the space has no token that can sign. */
  readonly signature: PreviewToken | null;
  /** Milliseconds. */
  readonly now: number;
}

/** Sites take a signature for 3600 s; it is made anew before, so that a page that loads slowly has time left. */
const SIGNATURE_LIFE = 50 * 60 * 1000;

export function previewUrl(options: PreviewUrl): string {
  const [address, fragment = ''] = splitAtHash(placed(options));
  const query = parameters(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}${query}${fragment}`;
}

/** Whether a site might refuse a signature, so that the next load of the frame needs another one. */
export function isStale(signature: PreviewToken | null, now: number): boolean {
  return signature !== null && now - Number(signature.timestamp) * 1000 >= SIGNATURE_LIFE;
}

/** The location with the path of the story in it. */
function placed({ location, story, language }: PreviewUrl): string {
  const slug = encodePath(story.translatedPath ?? story.full_slug);
  // A real path is that of the default language.
  const path = language || story.path === null || story.path === '' ? slug : encodePath(story.path);
  const hasLanguage = location.includes('{lang}');
  const prefix = language && !hasLanguage ? `${language}/` : '';
  if (hasLanguage || /\{(path|full_slug)\}/.test(location)) {
    const filled = location
      .replaceAll('{lang}', encodeURIComponent(language || 'default'))
      .replaceAll('{full_slug}', prefix + slug)
      .replaceAll('{path}', `${prefix}${path.replace(/^\//, '')}`);
    return /\{(path|full_slug)\}/.test(location) ? filled : append(filled, path);
  }
  return append(location, prefix + path);
}

/** Puts a path at the end of a location, also of one that ends in `?path=`. */
function append(location: string, path: string): string {
  if (location.endsWith('/')) return location + path.replace(/^\//, '');
  const isInQuery = /[?#]/.test(location);
  return isInQuery || path.startsWith('/') ? location + path : `${location}/${path}`;
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function splitAtHash(address: string): [string, string?] {
  const at = address.indexOf('#');
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at)];
}

function parameters({ space, story, language, signature, now }: PreviewUrl): [string, string][] {
  const plain: [string, string][] = [
    ['_storyblok', String(story.id)],
    ['_storyblok_c', story.component],
    ['_storyblok_version', ''],
    ['_storyblok_lang', language || 'default'],
    ['_storyblok_release', '0'],
    ['_storyblok_rl', String(now)],
    // SDKs start their bridge by this one, also where there is nothing to verify.
    ['_storyblok_tk[space_id]', String(space)],
  ];
  if (!signature) return plain;
  return [...plain, ['_storyblok_tk[timestamp]', signature.timestamp], ['_storyblok_tk[token]', signature.token]];
}
