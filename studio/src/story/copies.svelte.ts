// The copies of the open story in this browser: this tab writes one while something is unsent, and what earlier visits have left is put in or offered.

import { Copies, type Copy } from '../draft/copies.ts';
import { openCopyStore } from '../draft/copystore.ts';
import { CopyWriter } from '../draft/copywriter.ts';
import type { Draft } from '../draft/draft.ts';
import { recover } from '../draft/recovery.ts';
import type { Clock, Saver } from '../draft/saver.ts';
import { browserTabs } from '../draft/tabs.ts';
import { isEqual, type JsonObject } from '../model/json.ts';
import { newUid } from '../model/uids.ts';

export class StoryCopies {
  /** What was put into the draft at opening. */
  continued: Copy | undefined = $state.raw();
  /** What was made on another version of the story, the newest first. */
  offered: readonly Copy[] = $state.raw([]);
  readonly #draft: Draft;
  readonly #opened: JsonObject;
  readonly #copies: Copies;
  readonly #writer: CopyWriter;

  private constructor(draft: Draft, copies: Copies, writer: CopyWriter) {
    this.#draft = draft;
    this.#opened = draft.content();
    this.#copies = copies;
    this.#writer = writer;
  }

  /** Nothing where the browser keeps no data; `onbroken` tells when it stops to, or begins again. */
  static async open(
    owner: { person: string; space: number; story: number },
    draft: Draft,
    saver: Saver,
    clock: Clock,
    onbroken: (isBroken: boolean) => void,
  ): Promise<StoryCopies | undefined> {
    let writer: CopyWriter | undefined;
    try {
      const store = await openCopyStore();
      const { person, space, story } = owner;
      const channel = new BroadcastChannel(`lectern-story-${space}-${story}`);
      const copies = new Copies({ person, space, story, tab: newUid() }, store, channel, browserTabs(navigator.locks), clock);
      writer = new CopyWriter(draft, saver, copies, clock, onbroken);
      const opened = new StoryCopies(draft, copies, writer);
      const { recovered, beside } = await recover(draft, copies, writer);
      opened.#continue(recovered);
      opened.offered = beside;
      return opened;
    } catch {
      await writer?.stop();
      return undefined;
    }
  }

  /** The bar goes with the next change, because discarding would take back that one too. */
  #continue(copy: Copy | undefined): void {
    if (!copy || !isEqual(this.#draft.content(), copy.content)) return;
    this.continued = copy;
    const stop = this.#draft.subscribe('any', () => {
      stop();
      this.continued = undefined;
    });
  }

  /** The story is as it was opened, before the copy was put in. */
  discardContinued(): void {
    this.continued = undefined;
    this.#draft.replace(this.#opened);
  }

  async discard(copy: Copy): Promise<void> {
    this.offered = this.offered.filter((other) => other !== copy);
    await this.#copies.delete(copy);
  }

  /** The draft holds what the copy held. */
  async adopt(copy: Copy): Promise<void> {
    this.offered = this.offered.filter((other) => other !== copy);
    await this.#writer.adopt(copy);
  }

  /** The tab is hidden, and may not come back. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  stop(): Promise<void> {
    return this.#writer.stop();
  }
}
