// Pictures as the studio shows them: made small by the image service where the file is one of ours, and as they are where it is not.

/** The largest that is asked for, in pixels. The image service makes none larger. */
const LARGEST = 4000;

/** A URL that can be loaded: what content names without a scheme is https. Nothing for what is no URL, and for a path, which is one of the site. */
export function loadableUrl(url: string): string | undefined {
  if (/^\/\/[^/]/.test(url)) return `https:${url}`;
  return /^https?:\/\//i.test(url) ? url : undefined;
}

/** Whether the image service of this server has the file: it is below `/f/` at the server's own address. */
export function isOwnFile(url: string, base: string): boolean {
  return url.startsWith(`${base}/f/`);
}

/**
 * A picture made to fit into a box, in pixels of CSS: twice as many of the file, for screens that have them. `base` is the address of this server; an animation is
 * its first frame.
 */
export function thumbnailUrl(url: string, base: string, width: number, height: number): string | undefined {
  if (!isOwnFile(url, base)) return loadableUrl(url);
  const [path = '', query] = url.split('?');
  const size = [width, height].map((side) => Math.min(LARGEST, Math.round(side * 2))).join('x');
  return `${path}/m/fit-in/${size}${/\.gif$/i.test(path) ? '/filters:format(png)' : ''}${query ? `?${query}` : ''}`;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The size of a picture in pixels of its file, from its URL, or as the browser shows it where the URL has none. A photo that lies on its side in the file is shown
 * upright, by its thumbnail too.
 */
export function sizeOfPicture(url: string, shown: Size): Size {
  const [, one, other] = /\/f\/\d+\/(\d+)x(\d+)\//.exec(url) ?? [];
  if (!Number(one) || !Number(other)) return shown;
  const isTurned = Number(one) > Number(other) !== shown.width > shown.height && one !== other && shown.width !== shown.height;
  return isTurned ? { width: Number(other), height: Number(one) } : { width: Number(one), height: Number(other) };
}

/** A part of a picture as the image service makes it, in pixels of the file. */
export interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

export function partUrl(url: string, part: Part): string {
  const [path = '', query] = url.split('?');
  return `${path}/m/${part.left}x${part.top}:${part.left + part.width}x${part.top + part.height}/filters:quality(92)${query ? `?${query}` : ''}`;
}

/** Whether the image service can cut a part out of a picture. */
export function isCroppable(name: string): boolean {
  return /\.(gif|jpe?g|png|webp)$/i.test(name);
}

/** A part that lies within a picture, of at least one pixel, in whole ones. */
export function partWithin({ left, top, width, height }: Part, size: Size): Part {
  const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, Math.round(value)));
  const [x, y] = [within(left, 0, size.width - 1), within(top, 0, size.height - 1)];
  return { left: x, top: y, width: within(width, 1, size.width - x), height: within(height, 1, size.height - y) };
}
