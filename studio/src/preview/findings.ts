// Why a page does not show itself in the frame, of what the server has seen of it. Browsers say nothing about that.

import type { PageCheck } from '../model/preview.ts';

export type Finding =
  /** The server may not look there. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'status'; readonly status: number }
  /** The page names who may frame it: by one of two headers. */
  | { readonly kind: 'refuses'; readonly header: 'X-Frame-Options' | 'Content-Security-Policy'; readonly value: string };

/** What is wrong with a page; nothing where it would show itself. */
export function findingOf(check: PageCheck, studio: string): Finding | undefined {
  if (check.reachable === null) return { kind: 'unknown' };
  if (!check.reachable) return { kind: 'unreachable', reason: check.reason ?? '' };
  if (check.status !== null && check.status >= 400) return { kind: 'status', status: check.status };
  const policies = check.frame_ancestors;
  const refusing = policies.find((policy) => !policy.split(/\s+/).some((source) => allowsOrigin(source, studio)));
  if (refusing !== undefined) return { kind: 'refuses', header: 'Content-Security-Policy', value: `frame-ancestors ${refusing}` };
  // Browsers look at `frame-ancestors` alone where both are there.
  const options = policies.length > 0 ? '' : (check.x_frame_options ?? '');
  return /\b(deny|sameorigin)\b/i.test(options) ? { kind: 'refuses', header: 'X-Frame-Options', value: options } : undefined;
}

/** Whether a source of `frame-ancestors` stands for an origin. */
export function allowsOrigin(source: string, origin: string): boolean {
  const { protocol, hostname, port } = new URL(origin);
  const lower = source.toLowerCase();
  if (lower === '*') return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(lower)) return lower === protocol;
  const parts = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*\.)?([^/:*']+|\[[^\]]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(lower);
  if (!parts) return false;
  const [, scheme, wildcard, host, asked] = parts;
  // `http://` stands for https as well.
  const isScheme = !scheme || scheme === protocol || (scheme === 'http:' && protocol === 'https:');
  const isHost = wildcard ? hostname.endsWith(`.${host}`) : hostname === host;
  const isPort = asked === '*' || (asked ?? '') === port || asked === (protocol === 'https:' ? '443' : '80');
  return isScheme && isHost && isPort;
}
