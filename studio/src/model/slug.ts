// Slugs that are made of names, as people write them into addresses.

const LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', œ: 'oe', đ: 'd', ł: 'l', þ: 'th' };

/** The slug of a name: small letters, digits and dashes. Letters of other scripts stay what they are. */
export function slugOf(name: string): string {
  const small = name.toLowerCase().replace(/[äöüßæøåœđłþ]/g, (letter) => LETTERS[letter] ?? letter);
  const plain = small.normalize('NFD').replace(/\p{M}+/gu, '').normalize('NFC');
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 120).replace(/-+$/, '');
}
