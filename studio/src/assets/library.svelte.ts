// What the library shows: the files of a filter, all folders, and what is selected. The screen and the picker have one each.

import { getContext, setContext, untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { createAssetTag, listAssetFolders, listAssets, listAssetTags, PER_PAGE } from '../api/assets.ts';
import { PagedList } from '../api/paged.ts';
import { sentenceOf, type Studio } from '../app/context.svelte.ts';
import type { Asset, AssetFolder, AssetKind, AssetTag } from '../model/assets.ts';
import type { AssetFilter } from '../model/assetsplace.ts';
import { mayWrite } from '../model/shell.ts';
import { Uploads } from './uploads.svelte.ts';

/** How a library is used: it is looked after, or one file or many are picked of it. */
export interface LibraryUse {
  readonly picks: 'nothing' | 'one' | 'many';
  /** The kinds that may be shown at all; none means all. */
  readonly kinds: readonly AssetKind[];
  /** Which files are shown. */
  filter(): AssetFilter;
  /** Shows others. What is typed changes the same entry of the browser's history. */
  narrow(change: Partial<AssetFilter>, options?: { replace: boolean }): void;
  /** The address of others, where they have one. */
  addressOf?(change: Partial<AssetFilter>): string;
}

export class Library {
  readonly studio: Studio;
  readonly use: LibraryUse;
  readonly uploads: Uploads;
  /** Whether the person may change anything here. */
  readonly writes: boolean;
  readonly selected = new SvelteMap<number, Asset>();
  folders: readonly AssetFolder[] = $state.raw([]);
  tags: readonly AssetTag[] = $state.raw([]);
  /** What is being dragged onto a folder. */
  dragged: readonly number[] = $state.raw([]);
  /** The list that is shown; the next one takes its place when it has something to show. */
  #list: PagedList<Asset> | undefined = $state.raw();
  #version = $state(0);
  #problem: unknown = $state.raw();

  /** Made with the component that shows it: it lives as long. */
  constructor(studio: Studio, use: LibraryUse) {
    this.studio = studio;
    this.use = use;
    this.writes = mayWrite(studio.shell.role);
    this.uploads = new Uploads(this);
    const wanted = $derived(JSON.stringify(onlyFilter(use.filter())));
    $effect(() => {
      const next = this.#listOf(JSON.parse(wanted) as AssetFilter);
      return () => next.close();
    });
    $effect(() => {
      untrack(() => void this.loadFolders());
      untrack(() => void this.loadTags());
      return () => this.uploads.leave();
    });
  }

  get filter(): AssetFilter {
    return this.use.filter();
  }

  get total(): number {
    void this.#version;
    return this.#list?.total ?? 0;
  }

  get isRead(): boolean {
    void this.#version;
    return this.#list?.isRead ?? false;
  }

  /** A sentence about why the files could not be read. */
  get problem(): string {
    void this.#version;
    const problem = this.#problem;
    return problem ? sentenceOf(problem) : '';
  }

  at(index: number): Asset | undefined {
    void this.#version;
    return this.#list?.at(index);
  }

  /** The files that were read. */
  items(): readonly Asset[] {
    void this.#version;
    return this.#list?.items() ?? [];
  }

  /** Which files are in sight. */
  show(first: number, end: number): void {
    this.#list?.show(first, end);
  }

  reload(): void {
    this.#list?.reload();
  }

  /** Where what is uploaded goes. */
  get folder(): number | null {
    const { folder } = this.filter;
    return folder > 0 ? folder : null;
  }

  toggle(asset: Asset): void {
    if (!this.selected.delete(asset.id)) this.selected.set(asset.id, asset);
  }

  /** Selects every file of the filter, also those that were not read yet. */
  async selectAll(): Promise<void> {
    const filter = onlyFilter(this.filter);
    const isSame = () => JSON.stringify(onlyFilter(this.filter)) === JSON.stringify(filter);
    const found: Asset[] = [];
    try {
      for (let page = 1, total = 1; found.length < total && isSame(); page += 1) {
        const read = await listAssets(this.studio.client, filter, this.use.kinds, page, new AbortController().signal);
        if (read.items.length === 0) break;
        found.push(...read.items);
        total = read.total;
      }
    } catch (error) {
      return this.studio.say(sentenceOf(error));
    }
    // Others are shown by now.
    if (isSame()) for (const asset of found) this.selected.set(asset.id, asset);
  }

  async loadFolders(): Promise<void> {
    try {
      this.folders = await listAssetFolders(this.studio.client);
    } catch (error) {
      this.studio.say(sentenceOf(error));
    }
  }

  async loadTags(): Promise<void> {
    try {
      this.tags = await listAssetTags(this.studio.client);
    } catch (error) {
      this.studio.say(sentenceOf(error));
    }
  }

  /** The tag of a name, however it is written. */
  tagOf(name: string): AssetTag | undefined {
    return this.tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
  }

  /** The tag of a name, a new one where there is none. */
  async tagNamed(name: string): Promise<AssetTag> {
    const tag = this.tagOf(name) ?? (await createAssetTag(this.studio.client, name));
    if (!this.tags.includes(tag)) this.tags = [...this.tags, tag].toSorted((one, other) => one.name.localeCompare(other.name));
    return tag;
  }

  /** Some were changed: what is shown of them is read again. */
  changed(assets: readonly Asset[]): void {
    for (const asset of assets) {
      this.uploads.changed(asset);
      if (this.selected.has(asset.id)) this.selected.set(asset.id, asset);
    }
    this.reload();
  }

  #listOf(filter: AssetFilter): PagedList<Asset> {
    const read = (page: number, signal: AbortSignal) => listAssets(this.studio.client, filter, this.use.kinds, page, signal);
    const list: PagedList<Asset> = new PagedList(PER_PAGE, read, () => {
      this.#list = list;
      this.#problem = list.problem;
      this.#version += 1;
    });
    return list;
  }
}

function onlyFilter({ folder, search, kind, withoutAlt, isPrivate, tag, sort, descending, trash }: AssetFilter): AssetFilter {
  return { folder, search, kind, withoutAlt, isPrivate, tag, sort, descending, trash };
}

const KEY = Symbol('library');

export function provideLibrary(library: Library): Library {
  return setContext(KEY, library);
}

export function useLibrary(): Library {
  return getContext(KEY);
}
