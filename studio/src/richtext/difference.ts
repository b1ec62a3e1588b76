// A document that came from elsewhere is taken in only where it differs, so that the selection stays where it is.

import type { Node } from 'prosemirror-model';
import type { Transaction } from 'prosemirror-state';

/** Makes a document another one, where they differ. */
export function replaceDifference(tr: Transaction, doc: Node): Transaction {
  const start = tr.doc.content.findDiffStart(doc.content);
  if (start === null) return tr;
  let { a, b } = tr.doc.content.findDiffEnd(doc.content)!;
  const overlap = start - Math.min(a, b);
  if (overlap > 0) [a, b] = [a + overlap, b + overlap];
  try {
    tr.replace(start, a, doc.slice(start, b));
  } catch {
    // The ends are at different depths: then all of it is replaced.
  }
  return tr.doc.content.eq(doc.content) ? tr : tr.replaceWith(0, tr.doc.content.size, doc.content);
}
