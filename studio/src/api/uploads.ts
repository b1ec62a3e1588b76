// Files on their way into the library: a few at a time, each with its own progress and its own end.

import type { Asset } from '../model/assets.ts';
import type { UploadOptions } from './client.ts';

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
/** Why a file is not sent at all. */
export type Refusal = 'empty' | 'tooLarge' | 'wrongKind' | 'broken';

export interface Upload {
  readonly key: number;
  readonly file: File;
  /** The folder that it goes into; `null` is none. */
  readonly folder: number | null;
  readonly state: UploadState;
  /** How much of it was sent, from 0 to 1. */
  readonly progress: number;
  /** When it is done. */
  readonly asset?: Asset;
  /** When it has failed: why it was not sent, or what became of it. */
  readonly refusal?: Refusal;
  readonly problem?: unknown;
}

export interface UploadActs {
  /** Looks at a file before it is sent. */
  check(file: File): Promise<Refusal | undefined>;
  send(file: File, folder: number | null, options: UploadOptions): Promise<Asset>;
  /** Something else is to be shown. */
  onchange(): void;
  ondone(asset: Asset): void;
}

/** How many are sent at the same time. */
const AT_ONCE = 3;

export class UploadQueue {
  readonly #acts: UploadActs;
  readonly #aborts = new Map<number, AbortController>();
  #uploads: readonly Upload[] = [];
  #count = 0;

  constructor(acts: UploadActs) {
    this.#acts = acts;
  }

  get uploads(): readonly Upload[] {
    return this.#uploads;
  }

  /** Whether some are not at their end yet. */
  get isBusy(): boolean {
    return this.#uploads.some(({ state }) => state === 'waiting' || state === 'sending');
  }

  add(files: readonly File[], folder: number | null): void {
    const added = files.map((file): Upload => ({ key: ++this.#count, file, folder, state: 'waiting', progress: 0 }));
    this.#show([...this.#uploads, ...added]);
  }

  cancel(key: number): void {
    this.#aborts.get(key)?.abort();
    this.#set(key, { state: 'cancelled' });
  }

  /** One that failed or was cancelled begins again. */
  retry(key: number): void {
    this.#show(this.#uploads.map((one) => (one.key === key ? { key, file: one.file, folder: one.folder, state: 'waiting', progress: 0 } : one)));
  }

  /** What is told of a file that has come was changed. */
  changed(asset: Asset): void {
    this.#show(this.#uploads.map((one) => (one.asset?.id === asset.id ? { ...one, asset } : one)));
  }

  /** Shows no longer what is at its end. */
  clear(): void {
    this.#show(this.#uploads.filter(({ state }) => state === 'waiting' || state === 'sending'));
  }

  #set(key: number, change: Partial<Upload>): void {
    this.#show(this.#uploads.map((one) => (one.key === key ? { ...one, ...change } : one)));
  }

  #show(uploads: readonly Upload[]): void {
    this.#uploads = uploads;
    const free = AT_ONCE - uploads.filter(({ state }) => state === 'sending').length;
    for (const next of uploads.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void this.#begin(next);
    this.#acts.onchange();
  }

  async #begin({ key, file, folder }: Upload): Promise<void> {
    const abort = new AbortController();
    const { signal } = abort;
    this.#aborts.set(key, abort);
    this.#uploads = this.#uploads.map((one) => (one.key === key ? { ...one, state: 'sending' } : one));
    const end = (change: Partial<Upload>) => {
      // One that was cancelled, and may have begun again, is at its end already.
      if (!signal.aborted) this.#set(key, change);
    };
    try {
      const refusal = await this.#acts.check(file);
      if (signal.aborted) return;
      if (refusal) return end({ state: 'failed', refusal });
      const asset = await this.#acts.send(file, folder, { signal, onprogress: (progress) => end({ progress }) });
      end({ state: 'done', progress: 1, asset });
      this.#acts.ondone(asset);
    } catch (problem) {
      end({ state: 'failed', problem });
    }
  }
}
