// Where the pictures of a pasted text are, and the files of those that are in the text itself.

/** On the web, within the text, or where no browser reads them: the files of Word, the attachments of a mail. */
export type PicturePlace = 'web' | 'text' | 'nowhere';

const WITHIN = /^data:(image\/[\w.+-]+)((?:;[^,;]*)*),(.*)$/is;

export function placeOf(address: string): PicturePlace {
  if (/^(https?:)?\/\//i.test(address)) return 'web';
  return WITHIN.test(address) ? 'text' : 'nowhere';
}

/** The file of a picture that is within the text (RFC 2397), which is called by a name and its kind. Throws where it is none. */
export function fileWithin(address: string, name: string): File {
  const [, type = '', parameters = '', data = ''] = WITHIN.exec(address) ?? [];
  const bytes = /;base64$/i.test(parameters) ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : new TextEncoder().encode(decodeURIComponent(data));
  const [kind = ''] = type.slice('image/'.length).toLowerCase().split('+');
  return new File([bytes], `${name}.${kind === 'jpeg' ? 'jpg' : kind}`, { type });
}
