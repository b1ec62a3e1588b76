// What is in the fields of a block, for both sites: they have one component for every block of every space.

import { buildStoryblokImage } from '@storyblok/richtext';

/** The fields of a block as `{name, kind, value}`: `blocks`, `richtext`, `image` (the URL of a small WebP) or `text`. */
export function fields(block) {
  return Object.entries(block)
    .filter(([name]) => !['_uid', '_editable', 'component'].includes(name))
    .flatMap(([name, value]) => {
      const found = field(value);
      return found ? [{ name, ...found }] : [];
    });
}

function field(value) {
  if (typeof value === 'string') return isImage(value) ? image(value) : value && { kind: 'text', value };
  if (Array.isArray(value)) {
    const blocks = value.filter((item) => item?.component);
    return blocks.length > 0 && { kind: 'blocks', value: blocks };
  }
  if (value?.type === 'doc') return { kind: 'richtext', value };
  if (value?.filename) return isImage(value.filename) && image(value.filename);
  return null;
}

/** SVG is no raster image: it is shown as it is. */
const isImage = (url) => /\/f\/[^\s]+\.(avif|gif|jpe?g|png|svg|webp)$/i.test(url);

function image(url) {
  if (/\.svg$/i.test(url)) return { kind: 'image', value: url };
  return { kind: 'image', value: buildStoryblokImage(url, { width: 320, filters: { format: 'webp', quality: 70 } }).src };
}
