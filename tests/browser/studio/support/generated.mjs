// Values that no editor expects: those of a field with parts of them replaced by anything, always the same ones for a number.

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

const ANYTHING = [null, true, false, 0, -1.5, 1e21, '', ' ', 'text', '{"json": 1}', '<b>html</b>', '\u202eright', [], {}, [null], [[1]], ['a', 5, {}], { a: { b: [] } }, { linktype: 'story' }, { value: 'x' }, { body: 5 }, { thead: 'x' }, { plugin: 5 }];

/** A value that was once like this one. */
export function generated(seed, like) {
  const next = random(seed);
  const pick = () => ANYTHING[Math.floor(next() * ANYTHING.length)];
  const spoil = (value, depth) => {
    if (depth > 0 ? next() < 0.3 : next() < 0.35) return pick();
    if (Array.isArray(value)) return value.flatMap((item) => (next() < 0.1 ? [] : [spoil(item, depth + 1)]));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(() => next() > 0.1).map(([name, member]) => [name, spoil(member, depth + 1)]);
    return Object.fromEntries(next() < 0.2 ? [...kept, ['unknown', pick()]] : kept);
  };
  return spoil(like, 0);
}
