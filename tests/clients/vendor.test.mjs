// The stand-in of Storyblok, read by Storyblok's own clients: it returns what its files hold, so that imports can be tested against it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { delivered, refused, withoutMarks } from './support/expect.mjs';
import { Entry, folder, found } from './support/spaces.mjs';
import { Vendor, sampleSpace } from './support/vendor.mjs';

// Our own other space has no delivery tokens: it is none of an import's.
const folders = [sampleSpace, ...found.filter((name) => name !== 'magazine').map(folder)];

let vendor;
before(async () => {
  vendor = await Vendor.start(folders);
});
after(() => vendor?.dispose());

for (const path of folders) {
  describe(basename(path), () => {
    const { stories } = JSON.parse(readFileSync(join(path, 'stories.json'), 'utf8'));
    const entries = stories.map((story) => new Entry(story)).filter((entry) => !entry.isFolder);
    let space;
    before(() => {
      space = vendor.space(path);
    });

    for (const version of ['published', 'draft']) {
      test(`every ${version} story is read in every language`, async () => {
        const reader = space.reader(version);
        const shown = entries.filter((entry) => entry[version]);
        for (const language of ['default', ...space.languages.map(({ code }) => code)]) {
          const listed = await reader.getAll('cdn/stories', { version, per_page: 100, language });
          const byUuid = new Map(listed.map((story) => [story.uuid, story]));
          assert.equal(byUuid.size, shown.length, language);
          for (const entry of shown) {
            const story = byUuid.get(entry.source.uuid);
            const content = version === 'draft' ? withoutMarks(story.content, space.id, story.id) : story.content;
            assert.deepEqual(content, delivered(entry[version].content, language === 'default' ? undefined : language), entry.path);
            assert.equal(story.lang, language);
          }
        }
      });
    }

    test('the management API gives the whole of each story', async () => {
      const { data, response } = await space.management.stories.list({ query: { per_page: 100 } });
      assert.equal(Number(response.headers.get('total')), stories.length);
      assert.equal(data.stories.length, Math.min(100, stories.length));
      for (const { id } of data.stories.slice(0, 20)) {
        const { _published, ...written } = stories.find((story) => story.id === id);
        assert.deepEqual((await space.management.stories.get(id)).data.story, written);
      }
    });
  });
}

test('faults, limits and counters can be asked for over HTTP', async () => {
  const { management } = vendor.space(sampleSpace);
  await vendor.control('PUT', 'faults', [{ path: '/presets', times: 1, what: { kind: 'status', code: 503 } }]);
  await refused(management.presets.list(), 503);
  assert.equal((await management.presets.list()).data.presets.length, 1);
  await vendor.control('DELETE', 'faults');
  await vendor.control('PUT', 'rate', 1);
  // More than one in a second, and all of them answered before the counters are read.
  let refusals = [];
  for (let round = 0; refusals.length === 0; round++) {
    assert.ok(round < 100, 'the rate is limited');
    const asked = await Promise.allSettled(Array.from({ length: 3 }, () => management.presets.list()));
    refusals = asked.filter(({ status }) => status === 'rejected');
  }
  for (const { reason } of refusals) await refused(Promise.reject(reason), 429);
  await vendor.control('PUT', 'rate', null);
  const counters = await vendor.control('GET', 'counters');
  assert.ok(counters.limited >= 1 && counters.faulted === 1 && counters.open === 0, JSON.stringify(counters));
});
