// Which folder may import which: read from the imports themselves, so that no edge comes to be by accident.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/** What each folder may import from beside itself. Screens import each other never. */
const EDGES: Record<string, readonly string[]> = {
  '.': ['app', 'model', 'styles', 'texts'],
  model: [],
  draft: ['model'],
  preview: ['draft', 'model'],
  api: ['model'],
  texts: [],
  styles: [],
  kit: ['texts'],
  richtext: ['draft', 'model'],
  fields: ['kit', 'model', 'richtext', 'texts'],
  assets: ['api', 'app', 'kit', 'model', 'texts'],
  app: ['api', 'assets', 'draft', 'kit', 'model', 'texts', 'stories', 'story'],
  stories: ['api', 'app', 'kit', 'model', 'storysettings', 'texts'],
  story: ['api', 'app', 'draft', 'fields', 'kit', 'model', 'preview', 'storysettings', 'texts'],
  // Dialogs over the list and over a story.
  storysettings: ['api', 'app', 'fields', 'kit', 'model', 'texts'],
};
/** These import no framework and touch no document: what they need is given to them. */
const PLAIN = ['model', 'draft', 'preview', 'api'];
/** The one file that sends requests. */
const SENDS = 'api/client.ts';
/** The one file that imports CodeMirror. It is large, and loaded when it is needed. */
const CODE = 'kit/codemirror.ts';
/** The one file that imports idb: what keeps copies is given to the others. */
const DATABASE = 'draft/copystore.ts';
/** The one file that reads Markdown, whose packages are large, loaded with the preview. */
const MARKDOWN = 'fields/markdown/parse.ts';
const MARKDOWN_PACKAGES = /^(mdast-util-from-markdown|mdast-util-gfm|micromark-extension-gfm)$/;
/** The one folder that imports ProseMirror. It is loaded with the first rich text, by what is in the other one. */
const RICH = 'richtext';
const RICH_FIELDS = 'fields/richtext/';
/** What only tests import. */
const OF_TESTS = /^(node:|fast-check$)/;
/** Tests, and what makes values for several of them. */
const TESTS = /(\.test|\/generated)\.ts$/;
const LONGEST = 300;
/** Printed from the description of the API. */
const PRINTED = 'api/schema.d.ts';

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name));
const folderOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '.');

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g)].map(([, path]) => path ?? '');
}

test('each folder imports what it may, and no other', () => {
  const wrong: string[] = [];
  for (const name of files) {
    const text = readFileSync(join(root, name), 'utf8');
    const folder = folderOf(name);
    for (const path of importsOf(text.replace(/\bimport type [^;]*'mdast';/g, ''))) {
      if (path.startsWith('.')) {
        const other = folderOf(relative(root, normalize(join(root, dirname(name), path))));
        if (other !== folder && !EDGES[folder]?.includes(other)) wrong.push(`${name} may not import ${path}`);
      } else if (path.startsWith('@codemirror/')) {
        if (name !== CODE) wrong.push(`${name} imports ${path}, which only ${CODE} does`);
      } else if (MARKDOWN_PACKAGES.test(path)) {
        if (name !== MARKDOWN) wrong.push(`${name} imports ${path}, which only ${MARKDOWN} does`);
      } else if (path === 'idb') {
        if (name !== DATABASE) wrong.push(`${name} imports ${path}, which only ${DATABASE} does`);
      } else if (path.startsWith('prosemirror-')) {
        if (folder !== RICH) wrong.push(`${name} imports ${path}, which only ${RICH} does`);
      } else if (OF_TESTS.test(path) ? !TESTS.test(name) : !/^svelte(\/|$)/.test(path)) {
        wrong.push(`${name} imports ${path}`);
      } else if (PLAIN.includes(folder) && !OF_TESTS.test(path)) {
        wrong.push(`${name} is plain TypeScript and imports ${path}`);
      }
    }
    if (/\bimport\s+(?!type)[^;]*codemirror\.ts'/.test(text)) wrong.push(`${name} imports ${CODE} at once: import it when it is needed`);
    if (/\bimport\s+(?!type)[^;]*\/preview\.ts'/.test(text) && folder === 'fields') wrong.push(`${name} imports the preview of Markdown at once: import it when it is needed`);
    if (!name.startsWith(RICH_FIELDS) && folder !== RICH && /\bfrom '[./]+richtext\//.test(text)) wrong.push(`${name} imports ${RICH} at once: import it when it is needed`);
    if (/\bfetch\(/.test(text) && name !== SENDS) wrong.push(`${name} sends a request, which only ${SENDS} does`);
    const lines = text.split('\n').length;
    if (lines > LONGEST && name !== PRINTED) wrong.push(`${name} has ${lines} lines, ${LONGEST} are enough`);
  }
  assert.ok(files.length > 20);
  assert.deepEqual(wrong, []);
});

test('every folder has a line', () => {
  assert.deepEqual([...new Set(files.map(folderOf))].filter((folder) => !(folder in EDGES)), []);
});
