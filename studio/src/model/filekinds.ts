// Which kind a file is of, by the extension of its name. The server judges by the same extensions.

import { isDecorative, type Asset, type AssetKind } from './assets.ts';

const EXTENSIONS: Readonly<Record<Exclude<AssetKind, 'other'>, string>> = {
  image: 'apng avif bmp gif heic heif ico jfif jpe jpeg jpg png svg tif tiff webp',
  video: '3gp avi flv m4v mkv mov mp4 mpeg mpg ogv webm wmv',
  audio: 'aac aif aiff flac m4a mid midi mp3 oga ogg opus wav wma',
  text: 'csv doc docx htm html ics json key md odp ods odt pdf pages ppt pptx rtf txt vcf xls xlsx xml zip',
};
const KIND_OF = new Map(Object.entries(EXTENSIONS).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as AssetKind])));

/** The words of `filetypes` in a schema. */
const WORDS: Readonly<Record<string, AssetKind>> = { images: 'image', videos: 'video', audios: 'audio', texts: 'text' };
/** Pictures that browsers show. */
const SHOWN = /\.(avif|gif|jpe?g|png|svg|webp)$/i;

/** The name of a file: the last part of its URL, without what the image service is asked for. */
export function nameOfFile(url: string): string {
  const name = url.split(/[?#]/)[0]?.replace(/\/m(\/.*)?$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** By the extension of a name or URL; nothing where it says nothing. */
export function kindOfName(name: string): AssetKind | undefined {
  const file = nameOfFile(name);
  return file.includes('.') ? KIND_OF.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase()) : undefined;
}

export function kindOfAsset(asset: Pick<Asset, 'short_filename'>): AssetKind {
  return kindOfName(asset.short_filename) ?? 'other';
}

/** Whether a picture says nothing to a person who does not see it, and ought to. */
export function lacksAlt(asset: Asset): boolean {
  return kindOfAsset(asset) === 'image' && !asset.alt && !isDecorative(asset);
}

/** Whether a file may be where only these kinds are; one whose name says nothing may be anything, and so may any file where none is named. */
export function isOfKinds(name: string, kinds: readonly AssetKind[]): boolean {
  const kind = kindOfName(name);
  return kinds.length === 0 || kind === undefined || kinds.includes(kind);
}

/** The kinds that a schema names by its words. */
export function kindsOfWords(words: readonly string[]): readonly AssetKind[] {
  return words.flatMap((word) => WORDS[word] ?? []);
}

/** Whether a browser shows it as a picture. */
export function isPicture(name: string): boolean {
  return SHOWN.test(nameOfFile(name));
}

/** What a browser offers first when a person chooses files: types and extensions. */
export function acceptOf(kinds: readonly AssetKind[]): string {
  return kinds
    .map((kind) => (kind === 'text' ? EXTENSIONS.text.split(' ').map((name) => `.${name}`).join(',') : kind === 'other' ? '' : `${kind}/*`))
    .filter(Boolean)
    .join(',');
}
