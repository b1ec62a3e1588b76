import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meantFiles } from './pastedfiles.ts';

const png = { name: 'image.png', type: 'image/png' };
const pdf = { name: 'plan.pdf', type: 'application/pdf' };
const meant = (files: readonly { name: string; type: string }[], html = '', text = '') =>
  meantFiles({ files, getData: (type) => ({ 'text/html': html, 'text/plain': text })[type] ?? '' }).length;

const EXCEL = '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!--td {padding:1px}--></style></head><body><!--StartFragment--><table><tr><td>Ship</td></tr></table><!--EndFragment--></body></html>';
const EMPTY_CELLS = '<table><tr><td>&nbsp;</td><td></td></tr></table>';
const WORD_PICTURE = '<html><head><title>a</title><style>p {}</style></head><body><!--[if gte vml 1]>x<![endif]--><p class=MsoNormal><![if !vml]><img width=1 src="file:///C:/clip_image001.png"><![endif]>&nbsp;</p></body></html>';

test('cells and texts are no pictures, and pictures and files are files', () => {
  assert.equal(meant([png], EXCEL, 'Ship'), 0);
  assert.equal(meant([png], EMPTY_CELLS, '\t'), 0);
  assert.equal(meant([png], '<p>Words with <img src="https://example.org/a.png"></p>', 'Words with'), 0);
  assert.equal(meant([png], '', 'Ship\tTons'), 0);
  assert.equal(meant([png], '<meta charset="utf-8"><img src="https://example.org/a.png" alt="a > b">'), 1);
  assert.equal(meant([png], WORD_PICTURE, ' '), 1);
  assert.equal(meant([png]), 1);
  assert.equal(meant([png], '', 'image.png'), 1);
  assert.equal(meant([png], '', '/home/ann/image.png'), 1);
  assert.equal(meant([png, png], EXCEL, 'Ship'), 2);
  assert.equal(meant([pdf], EXCEL, 'Ship'), 1);
  assert.equal(meant([]), 0);
  assert.deepEqual(meantFiles(null), []);
});
