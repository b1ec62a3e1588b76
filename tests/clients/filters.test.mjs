// filter_query with every operation, over real content: what the client gets is what plain JavaScript finds in the files.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Account } from './support/account.mjs';
import { assertContent, delivered, withoutMarks } from './support/expect.mjs';
import { load } from './support/load-space.mjs';
import { at } from './support/look.mjs';
import { Server } from './support/server.mjs';
import { dataset, found } from './support/spaces.mjs';

const isText = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const number = (value) => (isText(value) && /^[+-]?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : NaN);
const isMissing = (value) => value === undefined || value === null;
const isEmpty = (value) => isMissing(value) || value === '';
/** To the minute; nothing for what is no date. */
const minute = (value) => /^\d{4}-\d\d-\d\d \d\d:\d\d/.exec(value)?.[0] ?? '';

/** Each operation in the plainest JavaScript, over one value. */
const HOLDS = {
  in: (value, wanted) => isText(value) && wanted.split(',').includes(String(value)),
  not_in: (value, wanted) => !HOLDS.in(value, wanted),
  like: (value, pattern) => isText(value) && pattern.test(String(value)),
  not_like: (value, pattern) => !HOLDS.like(value, pattern),
  any_in_array: (value, wanted) => Array.isArray(value) && wanted.split(',').some((it) => value.includes(it)),
  all_in_array: (value, wanted) => Array.isArray(value) && wanted.split(',').every((it) => value.includes(it)),
  gt_int: (value, bound) => number(value) > bound,
  lt_int: (value, bound) => number(value) < bound,
  gt_float: (value, bound) => number(value) > bound,
  lt_float: (value, bound) => number(value) < bound,
  gt_date: (value, bound) => minute(value) > bound,
  lt_date: (value, bound) => minute(value) !== '' && minute(value) < bound,
  exists: (value, wanted) => (value !== undefined) === wanted,
  is: (value, what) =>
    ({
      empty: isEmpty(value),
      not_empty: !isEmpty(value),
      empty_array: Array.isArray(value) && !value.length,
      not_empty_array: Array.isArray(value) && value.length > 0,
      true: value === true,
      false: value === false,
      null: isMissing(value),
      not_null: !isMissing(value),
    })[what],
};

/** Which field, which operation, what is sent; a `like` has its pattern as a regular expression beside. */
const CASES = {
  magazine: [
    ['component', 'in', 'article,issue'],
    ['component', 'not_in', 'page'],
    ['title', 'like', '*issue*', /issue/i],
    ['title', 'exists', 'false'],
    ['price', 'gt_float', '4.25'],
    ['body', 'is', 'empty_array'],
  ],
  'starter-articles': [
    ['component', 'in', 'article,author'],
    ['component', 'not_in', 'article'],
    ['component', 'like', 'CAT*', /^cat/i],
    ['intro', 'not_like', '*vokalia*', /vokalia/i],
    ['categories', 'any_in_array', '2a863bf7-b15c-4ec9-b273-aa9d0f646092,nothing'],
    ['categories', 'all_in_array', '0b87cb6f-b089-4dd2-a1e3-87f9427d0700'],
    ['body.*.width.large', 'gt_int', '4'],
    ['body.*.width.medium', 'lt_int', '8'],
    ['body.*.in_box', 'is', 'true'],
    ['body', 'is', 'not_empty_array'],
    ['title', 'exists', 'true'],
    ['title', 'exists', 'false'],
  ],
  'studies-abroad': [
    ['component', 'in', 'category'],
    ['component', 'not_in', 'page,category'],
    ['preview_title', 'like', '*bali*', /bali/i],
    ['preview_title', 'not_like', '*praktikum*', /praktikum/i],
    ['preview_title', 'is', 'empty'],
    ['preview_title', 'is', 'not_empty'],
    ['preview_publish_date', 'gt_date', '2020-03-05 04:56'],
    ['preview_publish_date', 'lt_date', '2020-05-19 20:55'],
    ['drawer_width', 'gt_int', '399'],
    ['seo_robots', 'is', 'false'],
    ['toolbar_config', 'all_in_array', 'fixed,enable_system_bar'],
    ['tag_reference.values', 'like', '*s*', /s/i],
    ['mobile_breakpoint', 'exists', 'true'],
  ],
  'field-types': [
    ['num', 'gt_int', '100'],
    ['num', 'lt_int', '188'],
    ['number-v2', 'gt_float', '8.5'],
    ['number_v1', 'lt_float', '6.5'],
    ['tab-v1-number-v2', 'lt_int', '1'],
    ['date', 'gt_date', '2022-07-13 18:56'],
    ['Start', 'lt_date', '2021-12-02 00:01'],
    ['boolean-v2', 'is', 'true'],
    ['boolean-v2', 'is', 'false'],
    ['select_self_multi', 'all_in_array', 'a,b'],
    ['multi_select_self', 'any_in_array', 'x,y'],
    ['multi_select_self', 'is', 'empty_array'],
    ['multi_select_self', 'is', 'not_empty_array'],
    ['multi_select_self', 'is', 'null'],
    ['multi_select_self', 'is', 'not_null'],
    ['Title', 'in', 'asd'],
    ['component', 'in', 'test presets 123'],
  ],
  'component-library': [
    ['section.*.inverted', 'is', 'true'],
    ['section.*.components.*.logosPerRow', 'gt_int', '4'],
    ['section.*.components.*.testimonial.*.rating', 'gt_float', '4.5'],
    ['section.*.components.*.centered', 'is', 'true'],
    ['latest_tags.*.entry', 'in', 'Training,AI'],
    ['head_tags.*.entry', 'like', 'tech*', /^tech/i],
    ['latestTitle', 'exists', 'false'],
  ],
};

/** Two conditions that some stories fulfil together, and not all in turn. */
const JOINED = {
  magazine: [['component', 'in', 'article'], ['title', 'like', '*first*', /first/i]],
  'starter-articles': [['component', 'in', 'article,author'], ['intro', 'like', '*vokalia*', /vokalia/i]],
  'studies-abroad': [['preview_title', 'like', '*bali*', /bali/i], ['mobile_breakpoint', 'exists', 'true']],
  'field-types': [['boolean-v2', 'is', 'false'], ['num', 'gt_int', '100']],
  'component-library': [['component', 'in', 'blog-post,blog-overview'], ['latestTitle', 'exists', 'true']],
};

const VERSIONS = [
  { version: 'published', kind: 'public' },
  { version: 'draft', kind: 'preview' },
];

/** Whether a story is to be found, by its file. */
function holds(content, [path, operation, sent, pattern]) {
  const wanted = pattern ?? (/^(gt|lt)_(int|float)$/.test(operation) ? Number(sent) : operation === 'exists' ? sent === 'true' : sent);
  return at(content, path).some((value) => HOLDS[operation](value, wanted));
}

let server, account;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server);
});
after(() => server?.dispose());

for (const name of found) {
  describe(name, () => {
    const set = dataset(name);
    let space;
    before(async () => {
      space = await account.space(name);
      await load(space, set);
    });

    /** Both versions of the stories for which `isWanted` holds, and no others, with the content of the files. */
    async function assertFound(params, isWanted, label) {
      for (const { version, kind } of VERSIONS) {
        const stories = set.entries.filter((entry) => !entry.isFolder && entry[version]);
        const expected = stories.filter((entry) => isWanted(entry[version].content));
        assert.ok(expected.length > 0 && expected.length < stories.length, `${label}: ${expected.length} of ${stories.length}`);
        const listed = await space.reader(kind).getAll('cdn/stories', { version, per_page: 100, ...params });
        const paths = listed.map((story) => story.full_slug).sort();
        assert.deepEqual(paths, expected.map((entry) => entry.path).sort(), `${label} ${version}`);
        for (const entry of expected) {
          const story = listed.find((it) => it.full_slug === entry.path);
          const content = version === 'draft' ? withoutMarks(story.content, space.id, story.id) : story.content;
          assertContent(content, delivered(entry[version].content), `${entry.path} ${version}`);
        }
      }
    }

    for (const it of CASES[name]) {
      const [path, operation, sent] = it;
      test(`${path} ${operation} ${sent}`, () =>
        assertFound({ filter_query: { [path]: { [operation]: sent } } }, (content) => holds(content, it), path));
    }

    test('conditions are joined by and, groups by or', async () => {
      const [one, other] = JOINED[name];
      const query = ([path, operation, sent]) => ({ [path]: { [operation]: sent } });
      const both = { ...query(one), ...query(other) };
      await assertFound({ filter_query: both }, (content) => holds(content, one) && holds(content, other), 'and');
      const either = { __or: [query(one), query(other)] };
      await assertFound({ filter_query: either }, (content) => holds(content, one) || holds(content, other), 'or');
    });
  });
}

test('every operation was asked for', () => {
  const asked = new Set(found.flatMap((name) => CASES[name]).map(([, operation]) => operation));
  if (found.length === Object.keys(CASES).length) assert.deepEqual([...asked].sort(), Object.keys(HOLDS).sort());
});
