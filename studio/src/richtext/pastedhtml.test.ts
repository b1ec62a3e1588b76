// What a pasted text must not bring along, and what of it stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideStyles } from './pastedhtml.ts';

test('styles are hidden, sheets and handlers go, and what is quoted or text stays', () => {
  const cases: [string, string][] = [
    ['<p style="color: red">a style=b</p>', '<p data-lectern-style="color: red">a style=b</p>'],
    ["<p\nSTYLE='mso-list:l0 level1'>", "<p data-lectern-style='mso-list:l0 level1'>"],
    ['<img alt="my style=1 and on top=2" onerror="alert(1)">', '<img alt="my style=1 and on top=2" data-lectern-act="alert(1)">'],
    ['<a title="a > b" onclick=x style=y>', '<a title="a > b" data-lectern-act=x data-lectern-style=y>'],
    ['<style>p { color: red }</style><p>a</p>', '<p>a</p>'],
  ];
  for (const [html, hidden] of cases) assert.equal(hideStyles(html), hidden);
});
