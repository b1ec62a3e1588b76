// What stands in the query of an address: read with care, because people write addresses by hand, and written as the server's `ReturnTo` takes them.

/** The longest text of an address, in characters: a path through twenty blocks. */
const LONGEST = 400;

/** One of the names that are known; nothing for any other. */
export function oneOf<T extends string>(known: readonly T[], text: string | null): T | '' {
  return known.find((name) => name === text) ?? '';
}

/** A whole number from the least one on, which it is without a right one. */
export function count(text: string | null, least: number): number {
  const number = Number(text);
  return text !== null && text !== '' && Number.isSafeInteger(number) && number >= least ? number : least;
}

export function textsOf(query: URLSearchParams): (name: string) => string {
  return (name) => (query.get(name) ?? '').slice(0, LONGEST);
}

/** A path with its query; what is empty is left out. Signing in leads back to an address only if it is written like this. */
export function withQuery(path: string, pairs: readonly (readonly [string, string])[]): string {
  const given = pairs.filter(([, value]) => value);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`);
  return `${path}${query.length ? `?${query.join('&')}` : ''}`;
}
