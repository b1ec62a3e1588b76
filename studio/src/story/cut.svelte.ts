// The blocks of this story that were cut. They stay where they are until they are pasted in this story, which moves them: so no cut that is never pasted loses
// anything, and one that is pasted elsewhere is a copy that the person removes here, or not.
import type { Draft, Key } from '../draft/draft.ts';
import type { CopiedBlocks } from '../model/clipboard.ts';
import type { Clipboard } from './clipboard.ts';
import { findBlock } from './find.ts';

export class CutBlocks {
  keys: readonly Key[] = $state.raw([]);
  /** The story that they were pasted into. */
  pastedIn = $state('');
  readonly #draft: Draft;
  readonly #clipboard: Clipboard;
  readonly #space: number;
  readonly #story: number;
  #id = '';

  constructor(draft: Draft, clipboard: Clipboard, space: number, story: number) {
    this.#draft = draft;
    this.#clipboard = clipboard;
    this.#space = space;
    this.#story = story;
    this.refresh();
  }

  /** They were cut here, now. */
  begin({ id }: CopiedBlocks, keys: readonly Key[]): void {
    this.#id = id;
    this.keys = keys;
    this.pastedIn = '';
  }

  /** Whether pasting this moves blocks of this draft. */
  isOf({ id }: CopiedBlocks): boolean {
    return id === this.#id && this.keys.length > 0;
  }

  /** They stay, were moved, or are gone. */
  end(): void {
    if (this.#clipboard.read()?.id === this.#id) this.#clipboard.endCut();
    this.#id = '';
    this.keys = [];
  }

  /** Looks what the person has cut, pasted or copied since: in another tab, or before the story was left. */
  refresh(): void {
    const copied = this.#clipboard.read();
    if (copied?.id !== this.#id) {
      const isHere = copied?.space.id === this.#space && copied.story === this.#story && copied.cut.length > 0;
      this.#id = isHere ? copied.id : '';
      this.keys = isHere ? this.#find(copied) : [];
    } else if (copied.cut.length === 0) {
      this.keys = [];
    }
    this.pastedIn = this.#clipboard.pastedIn;
  }

  /** What is gone is cut no more. */
  prune(): void {
    if (this.keys.some((key) => !this.#draft.has(key))) this.keys = this.keys.filter((key) => this.#draft.has(key));
  }

  /** By `_uid`, and those without one by their place. */
  #find({ cut, blocks }: CopiedBlocks): readonly Key[] {
    const found = cut.map(({ path, uid }) => findBlock(this.#draft, path, uid));
    return found.filter((key, index) => {
      const { component, _uid: uid } = this.#draft.block(key);
      return key !== this.#draft.root && component === blocks[index]?.component && (cut[index]!.uid === '' || uid === cut[index]!.uid);
    });
  }
}
