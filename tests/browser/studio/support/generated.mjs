// Values that no editor expects: those that are of no use to any type of field, and those of a field with parts of them replaced by anything. They are always the
// same ones for a number.

/** A generator of numbers from 0 to 1 (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const nested = (depth) => (depth === 0 ? 'x' : depth % 2 ? [nested(depth - 1)] : { deeper: nested(depth - 1) });
const uid = (number) => `f0000000-0000-4000-8000-0000000001${number}`;

/** Values that hardly any type of field has. Names that mean something to JavaScript are read from JSON, where they are names as any other. */
export const ODD = [
  null, true, false, 0, -1.5, 1e21, 5e-324,
  'NaN', 'Infinity', '-', '.', '1e999', '12px', '0x10', '1.000,5', '2026-02-31 25:61', '0000-00-00 00:00', '2026-01-02T03:04:05.678+02:00',
  '', ' ', ' \t\r\n ', 'x'.repeat(20_000), `${'long words '.repeat(500)}\n`, 'text', '{"json": 1}', '<b>html</b><script>throw 1</script>', 'javascript:throw 1', '](javascript:throw 1)', '# head\n\n| a |\n| --- |\n| b |',
  '\u0001\b\u001b\u007f\u0085', '\u2028\u2029\ufeff\u200b\u00ad', '\u202eright \u2066isolated', 'e\u0301 \ud83d\udc69\u200d\ud83d\ude80 \uffff',
  [], [[]], [null], [[1], [[2]]], ['', ' '], ['a', 'a', 'a'], ['a', 5, {}, null, true, ['b']], [1, 2.5], Array.from({ length: 300 }, (_, index) => `entry ${index}`),
  {}, { '': '' }, { a: { b: [] } }, { 'a b.c/d': 1, '0': 2, 'ключ': true }, nested(40), { value: 'x' },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 5, "toString": "x", "hasOwnProperty": null}'), JSON.parse('{"plugin": "x", "__proto__": "y", "constructor": true, "length": 3}'), JSON.parse('[{"__proto__": null, "then": "x"}]'),
  { type: 'doc' }, { type: 'doc', content: 5 }, { type: 'doc', content: [null, 5, 'x', [], { type: 'nonsense', content: [{ type: 'text' }] }] }, { type: 'paragraph', content: [] }, { type: ['doc'] },
  { type: 'doc', content: [{ type: 'paragraph', content: 'x', attrs: [] }, { type: 'text', text: '', marks: {} }, { type: 'heading', attrs: { level: 'x' } }, { type: 'image', attrs: null }, { type: 'paragraph', content: [{ type: 'text', text: 'a', marks: [{ type: 'link', attrs: { href: 5 } }, 5, { type: 'blink' }] }] }] },
  { type: 'doc', content: [{ type: 'blok' }, { type: 'blok', attrs: null }, { type: 'blok', attrs: { id: 5, body: 'x' } }, { type: 'blok', attrs: { body: [null, { component: 5 }] } }] },
  { linktype: 'story' }, { linktype: 5, id: [], url: null, cached_url: {}, anchor: 5, fieldtype: 'multilink' }, { linktype: 'asset', url: 5 }, { linktype: 'email', email: {} }, { fieldtype: 'multilink', linktype: 'url', url: 'javascript:throw 1' },
  { fieldtype: 'asset' }, { fieldtype: 'asset', id: 'x', filename: 'http://[', alt: 5, meta_data: [], focus: '1:2' }, { filename: null, id: -1 }, { filename: 5 }, { filename: ['a.png'], fieldtype: 'multilink' }, [{ filename: '' }, { filename: '//a.test/ b.png' }, 'x.png', null],
  { thead: 'x' }, { thead: null, tbody: 5 }, { thead: [{ value: {} }], tbody: [] }, { thead: [null], tbody: [{ body: [null, 'x', { value: [1] }] }, 5] }, { tbody: [{ body: 5 }, {}] }, { body: 5 },
  { thead: [{ value: 1 }, {}], tbody: [{ body: [{ value: true, note: {} }, { value: null }, { value: 1.5 }] }, {}, { body: [] }], fieldtype: 5 },
  { plugin: 5 }, { plugin: 'x', _uid: uid(10), on: true, size: 1, none: null, text: '' }, { plugin: {}, items: [] },
  { component: 'nowhere', _uid: uid(11) }, { component: 5, _uid: 5 }, [{ component: 'nowhere', _uid: uid(12) }, 5], [{ component: 'nowhere', _uid: uid(13), body: 'x' }], [{ _uid: uid(14) }], [{ component: null, _uid: [] }], [{ component: '__proto__', _uid: uid(15) }, { component: 'constructor', _uid: uid(16) }],
];

/** Small ones, for parts of values. */
const PARTS = ODD.filter((value) => (JSON.stringify(value)).length < 200);

/** A value that was once like this one. */
export function spoilt(seed, like) {
  const next = random(seed);
  const pick = () => PARTS[Math.floor(next() * PARTS.length)];
  const spoil = (value, depth) => {
    if (depth > 0 ? next() < 0.2 : next() < 0.1) return pick();
    if (Array.isArray(value)) return value.flatMap((item) => (next() < 0.1 ? [] : [spoil(item, depth + 1)]));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(() => next() > 0.1).map(([name, member]) => [name, spoil(member, depth + 1)]);
    return Object.fromEntries(next() < 0.2 ? [...kept, ['unknown', pick()]] : kept);
  };
  return spoil(like, 0);
}
