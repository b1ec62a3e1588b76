// What is left out of a pasted text: all that one has more of than what became of it.

import type { Fragment, Mark, Slice } from 'prosemirror-model';
import { isList, type Json } from '../model/json.ts';
import { LOSSES, type Loss, type Losses } from '../model/pastedtext.ts';
import { isUnknown } from './document.ts';
import { schema } from './schema.ts';

const { nodes: types, marks } = schema;

export function lossesOf(before: Slice, after: Slice): Losses {
  if (before === after) return new Map();
  const [had, has] = [countIn(before.content), countIn(after.content)];
  return new Map(LOSSES.map((loss): [Loss, number] => [loss, (had.get(loss) ?? 0) - (has.get(loss) ?? 0)]).filter(([, count]) => count > 0));
}

function countIn(content: Fragment): ReadonlyMap<Loss, number> {
  const counts = new Map<Loss, number>();
  const add = (loss: Loss, count = 1) => counts.set(loss, (counts.get(loss) ?? 0) + count);
  /** The link that goes on: its words may be several texts. */
  let link: Mark | undefined;
  content.descendants((node) => {
    const own = marks.link!.isInSet(node.marks);
    if (own && !(link && own.eq(link))) add('link');
    link = own;
    if (isUnknown(node)) add('unknown');
    switch (node.type) {
      case types.image:
      case types.image_block: return void add('picture');
      case types.table: return void add('table');
      case types.horizontal_rule: return void add('rule');
      case types.blok: return void add('block', isList(node.attrs.body as Json) ? (node.attrs.body as readonly Json[]).length : 1);
    }
  });
  return counts;
}
