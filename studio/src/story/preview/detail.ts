// The story that a pane shows.

import type { JsonObject } from '../../model/json.ts';
import type { PreviewToken } from '../../model/preview.ts';
import type { PreviewedStory } from '../../preview/url.ts';

/** What the pane reads of a story, in the names of the Management API. */
export interface PreviewedDetail {
  readonly id: number;
  readonly name: string;
  readonly full_slug: string;
  readonly content: JsonObject;
  readonly path?: string | null;
  readonly localized_paths?: readonly { readonly lang: string; readonly path: string }[];
  /** Only where one story is read. */
  readonly preview_token?: PreviewToken | null;
}

/** What of it is in the address of its page. */
export function previewedStory(story: PreviewedDetail, language: string): PreviewedStory {
  const { id, full_slug, path = null, content, localized_paths } = story;
  const translatedPath = localized_paths?.find(({ lang }) => lang === language)?.path;
  return { id, full_slug, path, component: typeof content.component === 'string' ? content.component : '', translatedPath };
}
