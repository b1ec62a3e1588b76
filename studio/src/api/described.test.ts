// What the studio reads is what docs/openapi describes: the type checker says what an answer lacks, and no
// request is left out here.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Asset, AssetFolder, AssetTag } from '../model/assets.ts';
import type { Json } from '../model/json.ts';
import type { Plan } from '../model/plans.ts';
import type { PageCheck } from '../model/preview.ts';
import type { StoryDetail, StoryProblem } from '../model/save.ts';
import type { Choice } from '../model/schema.ts';
import type { Target } from '../model/sources.ts';
import type { Story } from '../model/story.ts';
import type { SettingsStory } from '../model/storysettings.ts';
import type { DeliveredDraft } from './drafts.ts';
import type { components } from './schema.d.ts';
import type { SpaceName } from './spaces.ts';
import type { StoryVersion } from './story.ts';
import type { Translation } from './translations.ts';

/** Any JSON is described as `unknown`. */
type Described<T> = unknown extends T ? any : T extends object ? { [Member in keyof T]: Described<T[Member]> } : T;

/** With the members that may be missing: these are described as well. */
type Whole<T> = unknown extends T ? any : T extends Json ? T : T extends object ? { [Member in keyof T]-?: Whole<T[Member]> } : T;

/** What is read of the answers. */
interface Read {
  'GET /api/v1/spaces': { spaces: readonly SpaceName[] };
  'PUT /api/v1/spaces/{space}': object;
  'POST api_keys': object;
  'POST environments/check': PageCheck;
  'GET components': object;
  'GET components/{id}/options': { options: readonly Choice[]; total: number };
  'POST presets': { preset: object };
  'PUT presets/{id}': { preset: object };
  'GET datasource_entries': { datasource_entries: readonly Choice[] };
  'GET tags': { tags: readonly { name: string }[] };

  'GET stories': { stories: readonly (Story & Target)[] };
  'POST stories': { story: StoryDetail };
  'GET stories/{id}': { story: SettingsStory };
  'PUT stories/{id}': { story: SettingsStory; problems: readonly StoryProblem[] };
  'DELETE stories/{id}': object;
  'PUT stories/{id}/move': { story: Story };
  'POST stories/{id}/duplicate': { story: Story };
  'POST stories/{id}/undelete': { story: Story };
  'POST stories/{id}/publish': { story: StoryDetail };
  'POST stories/{id}/unpublish': { story: StoryDetail };
  'POST stories/{id}/discard_changes': { story: StoryDetail };
  'POST stories/{id}/restore_with': { story: StoryDetail };
  'POST stories/{id}/validate': { problems: readonly StoryProblem[] };
  'GET stories/{id}/versions': { versions: readonly StoryVersion[] };
  'GET stories/{id}/translations': { translations: readonly Translation[] };
  'PUT stories/{id}/translations': { translations: readonly Translation[] };
  'GET story_schedulings': { story_schedulings: readonly Plan[] };
  'POST story_schedulings': object;
  'DELETE story_schedulings/{id}': object;
  'GET cdn/stories': { stories: readonly object[] };
  'GET cdn/stories/{id}': DeliveredDraft;

  'GET assets': { assets: readonly Asset[] };
  /** A form is answered with the asset, JSON with where to upload it. */
  'POST assets': Asset | { post_url: string };
  'GET assets/{id}': Asset;
  'PUT assets/{id}': object;
  'POST assets/copy_from_url': Asset;
  'POST assets/bulk_destroy': { assets: readonly Asset[] };
  'POST assets/bulk_restore': { assets: readonly Asset[] };
  'POST assets/bulk_update': { assets: readonly Asset[] };
  'POST assets/bulk_tags_association': { assets: readonly Asset[] };
  'GET asset_folders': { asset_folders: readonly AssetFolder[] };
  'POST asset_folders': { asset_folder: AssetFolder };
  'PUT asset_folders/{id}': { asset_folder: AssetFolder };
  'DELETE asset_folders/{id}': object;
  'GET internal_tags': { internal_tags: readonly AssetTag[] };
  'POST internal_tags': { internal_tag: AssetTag };
}

// These do not compile while an answer lacks something.
export const read = (answers: Described<components['schemas']>): Read => answers;
export const readWhole = (answers: Whole<components['schemas']>): Whole<Read> => answers;

const folder = new URL('.', import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, folder), 'utf8');

test('every request of the studio is compared with its description', () => {
  const compared = [...textOf('described.test.ts').matchAll(/^  '([A-Z]+ \S+)':/gm)].map(([, request = '']) => request);
  const sent = readdirSync(fileURLToPath(folder)).filter((name) => !/\.(test|d)\.ts$|^client\.ts$/.test(name)).flatMap((name) => requestsOf(textOf(name)));
  assert.ok(sent.length > 30);
  // What is filled in may be anything but a slash.
  const shapeOf = (request: string) => new RegExp(`^${request.replace(/\$\{[^}]*\}/g, '[^/]+')}$`);
  assert.deepEqual(sent.filter((request) => !compared.some((other) => shapeOf(request).test(other))), []);
});

function requestsOf(text: string): string[] {
  const calls = text.matchAll(/client\.(?:get|change|upload)(?:<.*>)?\((?:'([A-Z]+)', )?['`]([^'`]+)['`]/g);
  return [...calls].map(([call, method, path]) => `${method ?? (call.includes('.upload') ? 'POST' : 'GET')} ${path}`);
}
