// What is typed and becomes something else: `# ` a heading, `- ` a list, `**bold**`. Backspace right behind it takes it back. Only what the field offers.

import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType } from 'prosemirror-model';
import type { Plugin } from 'prosemirror-state';
import type { Tool } from '../model/toolbar.ts';
import { afterwards, insertBlock } from './commands.ts';
import { schema } from './schema.ts';

const { nodes: types, marks } = schema;

/** Words between two signs: the signs go. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (state, match, start, end) => {
    const [, before = '', words = ''] = match;
    if (state.doc.resolve(start).parent.type.spec.code) return null;
    const from = start + before.length;
    const tr = state.tr.delete(from, end);
    tr.insert(from, schema.text(words, type.create().addToSet(state.doc.resolve(from).marks())));
    return tr.removeStoredMark(type);
  });
}

export function rulePlugin(offers: (tool: Tool) => boolean): Plugin {
  const rules: [Tool, InputRule][] = [
    ...([1, 2, 3, 4, 5, 6] as const).map((level): [Tool, InputRule] => [`h${level}`, textblockTypeInputRule(new RegExp(`^#{${level}}\\s$`), types.heading!, { level })]),
    ['list', wrappingInputRule(/^\s*[-*+]\s$/, types.bullet_list!)],
    ['olist', wrappingInputRule(/^(\d{1,4})[.)]\s$/, types.ordered_list!, ([, order]) => ({ order: Number(order) }), ([, order], list) => list.childCount + Number(list.attrs.order) === Number(order))],
    ['quote', wrappingInputRule(/^\s*>\s$/, types.blockquote!)],
    ['code', textblockTypeInputRule(/^```(\S*)\s$/, types.code_block!, ([, language]) => ({ class: language ? `language-${language}` : null }))],
    ['hrule', new InputRule(/^(---|\*\*\*)$/, (state, _, start, end) => {
      const tr = state.tr.delete(start, end);
      afterwards(state, tr, insertBlock(types.horizontal_rule!.create()), () => {});
      return tr;
    })],
    ['bold', markRule(/(^|\s|\()\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.bold!)],
    ['italic', markRule(/(^|\s|\()\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks.italic!)],
    ['italic', markRule(/(^|\s|\()_([^_\s](?:[^_]*[^_\s])?)_$/, marks.italic!)],
    ['strike', markRule(/(^|\s|\()~~([^~\s](?:[^~]*[^~\s])?)~~$/, marks.strike!)],
    ['inlinecode', markRule(/(^|\s|\()`([^`]+)`$/, marks.code!)],
  ];
  return inputRules({ rules: rules.filter(([tool]) => offers(tool)).map(([, rule]) => rule) });
}
