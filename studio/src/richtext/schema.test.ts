import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkAddress } from './schema.ts';

test('a link leads where its address says, and nowhere else', () => {
  for (const [href, linktype, anchor, expected] of [
    ['ann@example.org', 'email', null, 'mailto:ann@example.org'],
    ['mailto:ann@example.org', 'email', null, 'mailto:ann@example.org'],
    ['/blog', 'story', 'end', '/blog#end'],
    ['https://example.org', 'url', null, 'https://example.org'],
    ['javascript:alert(1)', 'url', null, undefined],
    ['', 'email', null, undefined],
  ] as const) {
    assert.equal(linkAddress({ href, linktype, anchor }), expected, href);
  }
});
