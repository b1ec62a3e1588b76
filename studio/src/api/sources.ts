// What fields look up, asked of the Management API. Stories and entries that were found once are remembered for as long as the screen is open, and what many
// fields want at the same moment is one request.

import type { Asset, AssetQuestion } from '../model/assets.ts';
import type { RecentStories } from '../model/recent.ts';
import type { Choice } from '../model/schema.ts';
import type { Language } from '../model/shell.ts';
import type { ContentType, FieldSources, Found, Scope, Target } from '../model/sources.ts';
import { Unread, type UnreadReason } from '../model/unread.ts';
import { copyAsset, uploadAsset } from './assets.ts';
import type { Client, Query } from './client.ts';
import { FolderNames } from './folder-names.ts';
import { Problem } from './problem.ts';
import { SignedUrls } from './signed.ts';

/** How many stories a list shows at once. More are found by searching. */
export const SHOWN = 50;
/** Up to how many entries a datasource is searched here, and how many are shown of a larger one. */
const ENTRIES = 200;
/** How many stories are asked for by name in one request. */
const AT_ONCE = 100;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^[1-9][0-9]{0,15}$/;

interface Stories {
  readonly stories: readonly Target[];
}

/** What is the screen's: what it knows of the space and of the story that is open, and the library that it shows. */
export interface Surroundings {
  readonly languages: readonly Language[];
  readonly contentTypes: readonly ContentType[];
  readonly base_url: string;
  readonly space: { readonly id: number; readonly name: string };
  readonly recent: RecentStories;
  storyPath(): string;
  addressOf(target: Target): string;
  pickAssets(question: AssetQuestion): Promise<readonly Asset[]>;
}

export function createSources(client: Client, surroundings: Surroundings): FieldSources {
  const { recent } = surroundings;
  const known = new StoryCache(client);
  const folders = new FolderNames(client);
  const signed = new SignedUrls(client, surroundings.base_url);
  const first = new Map<string, Promise<Found<Choice>>>();

  async function askForStories(query: Query, scope: Scope, signal: AbortSignal): Promise<Found<Target>> {
    const { body, total } = await client.get<Stories>('stories', {
      ...query,
      story_only: 1,
      content_type: scope.contentTypes.join(','),
      starts_with: scope.folder ?? undefined,
      per_page: SHOWN,
    }, signal);
    known.add(body.stories);
    return { items: body.stories, total };
  }

  async function searchStories(search: string, scope: Scope, signal: AbortSignal): Promise<Found<Target>> {
    if (search !== '') return askForStories({ search: search.slice(0, 200) }, scope, signal);
    const uuids = recent.list();
    const [own, changed] = await Promise.all([
      uuids.length > 0 ? askForStories({ by_uuids_ordered: uuids.join(',') }, scope, signal) : undefined,
      askForStories({ sort_by: 'updated_at:desc' }, scope, signal),
    ]);
    // The story that is open is the last one that was opened, and seldom the one that is looked for.
    const first = (own?.items ?? []).filter(({ full_slug }) => full_slug !== surroundings.storyPath());
    const named = new Set(first.map(({ uuid }) => uuid));
    return { items: [...first, ...changed.items.filter(({ uuid }) => !named.has(uuid))].slice(0, SHOWN), total: changed.total };
  }

  async function askForEntries(datasource: string, search: string, signal?: AbortSignal): Promise<Found<Choice>> {
    const query = { datasource_slug: datasource, search: search.slice(0, 200), per_page: ENTRIES };
    const { body, total } = await client.get<{ datasource_entries: Choice[] }>('datasource_entries', query, signal);
    return { items: body.datasource_entries, total };
  }

  async function askForOptions(component: number, field: string, search: string, signal?: AbortSignal): Promise<Found<Choice>> {
    try {
      // A space may read so many in a minute, and no form waits for that.
      const { body } = await client.getOnce<{ options: Choice[]; total: number }>(`components/${component}/options`, { field, search: search.slice(0, 200) }, signal);
      return { items: body.options, total: body.total };
    } catch (problem) {
      throw problem instanceof Problem ? unreadOf(problem) : problem;
    }
  }

  /** What is asked for without a search is asked for once: every field shows these first. Where that is all there is, the search is made here. */
  async function searchChoices(name: string, search: string, ask: (search: string, own?: AbortSignal) => Promise<Found<Choice>>, signal?: AbortSignal): Promise<Found<Choice>> {
    let asked = first.get(name);
    if (!asked) {
      // It is not given up with the field that asked.
      asked = ask('');
      first.set(name, asked);
      asked.catch(() => first.delete(name));
    }
    const { items, total } = await asked;
    if (search === '') return { items, total };
    if (total > items.length) return ask(search, signal);
    const text = search.toLowerCase();
    const found = items.filter((choice) => choice.name.toLowerCase().includes(text) || choice.value.toLowerCase().includes(text));
    return { items: found, total: found.length };
  }

  return {
    ...surroundings,
    searchStories,
    remember: ({ uuid }) => recent.add(uuid),
    stories: (references) => known.find(references),
    breadcrumbs: (target) => folders.above(target.full_slug),
    searchEntries: (datasource, search, signal) => searchChoices(`entries ${datasource}`, search, (text, own) => askForEntries(datasource, text, own), signal),
    searchOptions: (component, field, search, signal) => searchChoices(`options ${component} ${field}`, search, (text, own) => askForOptions(component, field, text, own), signal),
    signedUrl: (url) => signed.of(url),
    copyAsset: (url) => copyAsset(client, url),
    uploadAsset: (file) => uploadAsset(client, file, { folder: null }, { signal: new AbortController().signal, onprogress: () => {} }),
  };
}

/** What is wrong with the URL has a code for each reason. */
const UNREAD: { readonly [code: string]: UnreadReason } = { blocked_target: 'blocked', timedOut: 'timedOut', tooLarge: 'tooLarge', wrongType: 'noList', unavailable: 'unavailable' };

function unreadOf({ kind, code, fields, message }: Problem): Unread {
  switch (kind) {
    case 'offline': return new Unread('offline');
    case 'busy': return new Unread(code === 'rateLimited' ? 'often' : 'busy');
    // The component, or the URL of its field, is not there any more.
    case 'gone': return new Unread('schema');
    case 'invalid': {
      const [field] = fields;
      const isOfUrl = field?.field === 'external_datasource' && field.code !== 'blank';
      return isOfUrl ? new Unread(UNREAD[field.code] ?? 'failed', field.message) : new Unread('schema');
    }
    default: return new Unread('failed', message);
  }
}

/** Stories by what content names them with. */
class StoryCache {
  readonly #client: Client;
  /** What was found; `undefined` is not there. */
  readonly #found = new Map<string, Target | undefined>();
  /** What is asked for with the next request. */
  #wanted = new Set<string>();
  #request: Promise<void> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  add(stories: readonly Target[]): void {
    for (const story of stories) {
      this.#found.set(story.uuid, story);
      this.#found.set(String(story.id), story);
    }
  }

  async find(references: readonly string[]): Promise<readonly Target[]> {
    const missing = references.filter((reference) => (UUID.test(reference) || NUMBER.test(reference)) && !this.#found.has(reference));
    if (missing.length > 0) {
      for (const reference of missing) this.#wanted.add(reference);
      this.#request ??= Promise.resolve().then(() => this.#ask());
      await this.#request;
    }
    return references.map((reference) => this.#found.get(reference)).filter((story) => story !== undefined);
  }

  async #ask(): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted = new Set();
    this.#request = undefined;
    await this.#askFor(wanted, {});
    await this.#askFor(wanted.filter((one) => !this.#found.has(one)), { in_trash: 1 });
    for (const reference of wanted) if (!this.#found.has(reference)) this.#found.set(reference, undefined);
  }

  async #askFor(wanted: readonly string[], query: Query): Promise<void> {
    for (const [name, those] of [['by_uuids', wanted.filter((one) => UUID.test(one))], ['by_ids', wanted.filter((one) => NUMBER.test(one))]] as const) {
      for (let from = 0; from < those.length; from += AT_ONCE) {
        const { body } = await this.#client.get<Stories>('stories', { [name]: those.slice(from, from + AT_ONCE).join(','), per_page: AT_ONCE, ...query });
        this.add(body.stories);
      }
    }
  }
}
