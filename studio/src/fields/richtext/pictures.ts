// Pictures of the library in a rich text.

import type { Asset } from '../../model/assets.ts';
import type { JsonObject } from '../../model/json.ts';

/** The attributes of a picture in a text that is a file of the library. What is told of the file goes with it. */
export function pictureOf(asset: Asset): JsonObject {
  return {
    id: asset.id,
    src: asset.filename,
    alt: asset.alt ?? '',
    title: asset.title ?? '',
    source: asset.source ?? '',
    copyright: asset.copyright ?? '',
    meta_data: asset.meta_data,
  };
}
