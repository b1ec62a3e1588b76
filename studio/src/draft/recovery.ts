// What copies in this browser become when their story is opened.

import { judge, type Copies, type Copy } from './copies.ts';
import type { CopyWriter } from './copywriter.ts';
import type { Draft } from './draft.ts';

export interface Recovery {
  /** It is in the draft now, as one step that undo takes back; a bar says so. */
  readonly recovered: Copy | undefined;
  /** They are offered beside the story, and never put into it unasked; also what would go on, when the person was faster and has changed the draft. */
  readonly beside: readonly Copy[];
}

export async function recover(draft: Draft, copies: Copies, writer: CopyWriter): Promise<Recovery> {
  let recovered: Copy | undefined;
  const beside: Copy[] = [];
  for (const copy of await copies.left()) {
    const judgement = judge(copy, draft.base());
    if (judgement === 'done') await copies.delete(copy);
    else if (judgement === 'continues' && !recovered && !draft.canUndo) recovered = copy;
    else beside.push(copy);
  }
  if (recovered) {
    draft.replace(recovered.content);
    await writer.adopt(recovered);
  }
  return { recovered, beside };
}
