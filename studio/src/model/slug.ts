// Slugs that are made of names, as people write them into addresses.

const LETTERS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', œ: 'oe', đ: 'd', ł: 'l', þ: 'th' };

/** The slug of a name: small letters, digits and dashes. Letters of other scripts stay what they are. */
export function slugOf(name: string): string {
  const small = name.toLowerCase().replace(/[äöüßæøåœđłþ]/g, (letter) => LETTERS[letter] ?? letter);
  const plain = small.normalize('NFD').replace(/\p{M}+/gu, '').normalize('NFC');
  return plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 120).replace(/-+$/, '');
}

/** The address of a story with a slug; a start page has that of its folder. */
export function pathOf(story: { readonly full_slug: string; readonly is_startpage: boolean }, slug: string, isStartPage = story.is_startpage): string {
  const parts = story.full_slug.replace(/\/$/, '').split('/');
  const above = story.is_startpage ? parts : parts.slice(0, -1);
  return [...above, ...(isStartPage ? [] : [slug || '…'])].filter((part) => part !== '').join('/');
}
