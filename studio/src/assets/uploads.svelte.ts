// The uploads of a library: how they are shown, and what a file is looked at for before it is sent.

import { uploadAsset } from '../api/assets.ts';
import { UploadQueue, type Refusal, type Upload } from '../api/uploads.ts';
import { isBroken } from '../kit/broken.ts';
import type { Asset } from '../model/assets.ts';
import { isOfKinds } from '../model/filekinds.ts';
import { fill, texts } from '../texts/texts.ts';
import type { Library } from './library.svelte.ts';

const MEGABYTE = 1_048_576;

export class Uploads {
  readonly #library: Library;
  readonly #queue: UploadQueue;
  /** What shows them is gone. They go on. */
  #isLeft = false;
  all: readonly Upload[] = $state.raw([]);

  constructor(library: Library) {
    this.#library = library;
    this.#queue = new UploadQueue({
      check: (file) => this.#check(file),
      send: (file, folder, options) => uploadAsset(library.studio.client, file, { folder }, options),
      onchange: () => this.#changed(),
      ondone: (asset) => this.#done(asset),
    });
  }

  get isBusy(): boolean {
    void this.all;
    return this.#queue.isBusy;
  }

  add(files: readonly File[]): void {
    if (this.#library.writes && !this.#library.filter.trash) this.#queue.add(files, this.#library.folder);
  }

  cancel = (key: number): void => this.#queue.cancel(key);
  retry = (key: number): void => this.#queue.retry(key);
  clear = (): void => this.#queue.clear();
  changed = (asset: Asset): void => this.#queue.changed(asset);

  /** What shows them goes: what is under way goes on, and is told at its end. */
  leave(): void {
    this.#isLeft = this.#queue.isBusy;
  }

  #changed(): void {
    this.all = this.#queue.uploads;
    if (this.#queue.isBusy) return addEventListener('beforeunload', this.#holdPage);
    removeEventListener('beforeunload', this.#holdPage);
    if (!this.#isLeft) return;
    this.#isLeft = false;
    this.#tell();
  }

  /** What came of them, where nothing shows them. What was refused for what it is would be refused again. */
  #tell(): void {
    const failed = this.all.filter(({ problem }) => problem);
    const act = () => {
      this.#isLeft = true;
      for (const { key } of failed) this.retry(key);
    };
    this.#library.studio.say({ text: summaryOf(this.all), ...(failed.length > 0 && { undo: { label: texts().tryAgain, act } }) });
  }

  /** A page that is closed ends what is under way. */
  readonly #holdPage = (event: BeforeUnloadEvent) => {
    if (!this.#library.studio.isSigningOut) event.preventDefault();
  };

  #done(asset: Asset): void {
    const { studio, use, selected } = this.#library;
    if (use.picks === 'many') selected.set(asset.id, asset);
    this.#library.reload();
    if (!this.#queue.isBusy) studio.announcement = fill(texts().assetsUploaded, { name: asset.short_filename });
  }

  async #check(file: File): Promise<Refusal | undefined> {
    const most = this.#library.studio.shell.asset_max_mb;
    if (file.size === 0) return 'empty';
    if (most !== undefined && file.size > most * MEGABYTE) return 'tooLarge';
    if (!isOfKinds(file.name, this.#library.use.kinds)) return 'wrongKind';
    return (await isBroken(file)) ? 'broken' : undefined;
  }
}

/** How many have come, and how many have not. */
export function summaryOf(uploads: readonly Upload[]): string {
  const t = texts();
  const [done, failed] = (['done', 'failed'] as const).map((state) => uploads.filter((one) => one.state === state).length) as [number, number];
  return [fill(t.uploadCount, { done, count: uploads.length }), failed ? fill(t.uploadFailedCount, { count: failed }) : ''].filter(Boolean).join(' ');
}
