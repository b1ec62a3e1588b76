import assert from 'node:assert/strict';

const MARK = '__i18n__';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What delivery makes of a written content tree: one value for each field, and no `__i18n__` key. */
export function delivered(content, language, fallback) {
  const marks = [fallback, language].filter(Boolean).map((code) => MARK + code.replaceAll('-', '_'));
  const visit = (node) => {
    if (Array.isArray(node)) return node.map(visit);
    if (node === null || typeof node !== 'object') return node;
    const fields = Object.entries(node).filter(([key]) => !key.includes(MARK));
    const translated = marks.flatMap((mark) => {
      const wanted = Object.entries(node).filter(([key, value]) => key.endsWith(mark) && !blank(value));
      return wanted.map(([key, value]) => [key.slice(0, -mark.length), value]);
    });
    return Object.fromEntries([...fields, ...translated].map(([key, value]) => [key, visit(value)]));
  };
  return visit(content);
}

function blank(value) {
  return value === null || (typeof value === 'string' && !value.trim()) || (Array.isArray(value) && !value.length);
}

/** Takes the visual editor's marks out of a draft, after checking that every block has a right one. */
export function withoutMarks(content, spaceId, storyId) {
  return eachBlock(content, ({ _editable, ...block }) => {
    const mark = JSON.parse(/^<!--#storyblok#(.*)-->$/.exec(_editable)?.[1] ?? 'null');
    const expected = { name: block.component, space: String(spaceId), uid: block._uid, id: String(storyId) };
    assert.deepEqual(mark, expected, 'the mark of a block');
    return block;
  });
}

/** The content is what was written, but that a block without a `_uid` has been given one. */
export function assertContent(actual, written, message) {
  assert.deepEqual(withGivenUids(actual, written), written, message);
}

function withGivenUids(actual, written) {
  if (Array.isArray(actual) && Array.isArray(written)) return actual.map((item, at) => withGivenUids(item, written[at]));
  if (!isObject(actual) || !isObject(written)) return actual;
  const given = 'component' in written && !written._uid && UUID.test(actual._uid);
  const kept = Object.entries(actual).filter(([key]) => !(given && key === '_uid' && !('_uid' in written)));
  return Object.fromEntries(kept.map(([key, value]) => [key, withGivenUids(value, written[key])]));
}

function eachBlock(node, change) {
  if (Array.isArray(node)) return node.map((item) => eachBlock(item, change));
  if (!isObject(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, eachBlock(value, change)]));
  return 'component' in inner ? change(inner) : inner;
}

function isObject(node) {
  return node !== null && typeof node === 'object' && !Array.isArray(node);
}

/** The call is refused with this status; answers the error as the clients show it. */
export async function refused(call, status) {
  let answer;
  try {
    answer = await call;
  } catch (error) {
    const found = error.status ?? error.response?.status;
    if (found !== status) throw error;
    return error;
  }
  assert.fail(`expected ${status}, but it was answered: ${JSON.stringify(answer?.data ?? answer)?.slice(0, 500)}`);
}
