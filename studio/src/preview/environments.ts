// The places where a space is previewed. The default one is the `domain` of the space.

export interface Environment {
  /** Empty for the default one. */
  readonly name: string;
  /** A URL; the path of a story follows it, or takes the place of patterns in it. */
  readonly location: string;
  /** Messages are sent to this origin, and taken from no other. */
  readonly origin: string;
}

/** What the space says of them, as the Management API has it. */
export interface PreviewSettings {
  readonly domain: string | null;
  readonly environments: readonly { readonly name: string; readonly location: string }[];
}

/** Those that can be shown, the default one first. One that is no web address, or of the studio itself, is none: a page of the studio's own origin could do in the frame whatever the person may. An address stands there once: by its first name, at its first place. */
export function environmentsOf({ domain, environments }: PreviewSettings, studio: string): readonly Environment[] {
  const all = [...(domain ? [{ name: '', location: domain }] : []), ...environments];
  const shown = new Map<string, Environment>();
  for (const { name, location } of all) {
    const origin = webOrigin(location);
    if (origin && origin !== studio && !shown.get(location)?.name) shown.set(location, { name, location, origin });
  }
  return [...shown.values()];
}

/** The origin of an address with http or https; nothing for any other text. */
export function webOrigin(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** Why browsers may show nothing of an environment, though the site is there. */
export type Obstacle = 'insecure' | 'local';

/** The obstacle between a studio and an environment, by their origins; nothing for most. */
export function obstacleBetween(studio: string, environment: string): Obstacle | undefined {
  if (isLocal(environment)) return isLocal(studio) ? undefined : 'local';
  return studio.startsWith('https:') && environment.startsWith('http:') ? 'insecure' : undefined;
}

const LOCAL_NAME = /^(localhost|.*\.localhost|.*\.local)$/;
const PRIVATE_ADDRESS = /^((127|10)\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[::1\]|\[f[cde][^.]*\])$/;

/** Whether an origin is this machine or one beside it. */
function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin);
  return LOCAL_NAME.test(hostname) || PRIVATE_ADDRESS.test(hostname);
}
