import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatted, imageText, inserted, MARKDOWN_TOOLS, toolsOf, type MarkdownTool, type Selected } from './markdown.ts';

/** A text in which `[` and `]` stand around what is selected; `|` is the cursor. */
function read(marked: string): Selected {
  if (marked.includes('|')) return { text: marked.replace('|', ''), start: marked.indexOf('|'), end: marked.indexOf('|') };
  return { text: marked.replace('«', '').replace('»', ''), start: marked.indexOf('«'), end: marked.indexOf('»') - 1 };
}
const shown = ({ text, start, end }: Selected) => (start === end ? `${text.slice(0, start)}|${text.slice(start)}` : `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`);

const CASES: readonly (readonly [MarkdownTool, string, string])[] = [
  ['bold', 'a «b» c', 'a **«b»** c'],
  ['bold', 'a **«b»** c', 'a «b» c'],
  ['bold', 'a « b »c', 'a  **«b»** c'],
  ['italic', 'a **«b»** c', 'a ***«b»*** c'],
  ['italic', 'a ***«b»*** c', 'a **«b»** c'],
  ['inlinecode', 'a |', 'a `|`'],
  ['h2', 'one\ntw|o', 'one\n## two|'],
  ['h2', '## tw|o', 'two|'],
  ['h3', '## tw|o', '### two|'],
  ['paragraph', '> «a\n- b»', '«a\nb»'],
  ['list', '«a\nb»\nc', '«- a\n- b»\nc'],
  ['olist', '«- a\n- b»', '«1. a\n2. b»'],
  ['olist', '«1. a\n2. b»', '«a\nb»'],
  ['quote', 'a\n«b\n»c', 'a\n«> b»\nc'],
  ['code', '«a»', '«```\na\n```»'],
  ['hrule', 'a|', 'a\n\n---\n|'],
  ['link', 'see «here» now', 'see [here](«https://») now'],
  ['link', '«https://a.example»', '[|](https://a.example)'],
  ['help', 'a|', 'a|'],
];

test('each button does what it says, and takes it back', () => {
  for (const [tool, before, after] of CASES) assert.equal(shown(formatted(tool, read(before))), after, `${tool}: ${before}`);
});

test('marks put on and taken off leave the text as it was', () => {
  const word = fc.stringMatching(/^[a-z]{1,5}$/);
  fc.assert(fc.property(word, word, word, fc.constantFrom<MarkdownTool>('bold', 'italic', 'inlinecode', 'list', 'quote', 'h1'), (before, chosen, behind, tool) => {
    const selected = { text: `${before} ${chosen} ${behind}`, start: before.length + 1, end: before.length + 1 + chosen.length };
    assert.equal(formatted(tool, formatted(tool, selected)).text, selected.text);
  }));
});

test('no button loses a line, or touches those that are not selected', () => {
  const lines = fc.array(fc.stringMatching(/^[a-z #>*`-]{0,6}$/), { minLength: 3, maxLength: 6 });
  fc.assert(fc.property(lines, fc.constantFrom(...MARKDOWN_TOOLS), (all, tool) => {
    const [first = '', ...others] = all;
    const text = all.join('\n');
    const next = formatted(tool, { text, start: first.length + 1, end: text.length - others.at(-1)!.length - 1 });
    assert.ok(next.text.startsWith(`${first}\n`) && next.text.endsWith(`\n${others.at(-1)}`), next.text);
    assert.ok(next.start >= 0 && next.start <= next.end && next.end <= next.text.length);
  }));
});

test('the schema says which buttons there are', () => {
  assert.equal(toolsOf({}), MARKDOWN_TOOLS);
  assert.equal(toolsOf({ toolbar: ['bold'] }), MARKDOWN_TOOLS);
  assert.deepEqual(toolsOf({ customize_toolbar: true, toolbar: ['h1', 'bold', 'toggle-richtext', 5] }), ['h1', 'bold']);
});

test('a picture is written so that it is read as one', () => {
  assert.equal(imageText('A [crane]', 'https://a.example/b (1).png'), '![A  crane ](<https://a.example/b (1).png>)');
  assert.equal(shown(inserted(read('a «b» c'), 'xy')), 'a xy| c');
});
