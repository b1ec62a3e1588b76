// Datasources with their dimensions: written with the management client, read with the delivery client.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Account } from './support/account.mjs';
import { refused } from './support/expect.mjs';
import { Server } from './support/server.mjs';

const CODES = ['de', 'pt-br'];
const LABELS = [
  ['cancel', 'Cancel', { de: 'Abbrechen', 'pt-br': 'Cancelar' }],
  ['save', 'Save', { de: 'Speichern' }],
  ['ünder', '', {}],
];

let server, space, reader, labels;
before(async () => {
  server = await Server.start();
  space = await (await Account.signedIn(server)).space('labels');
  reader = space.reader('public');
  const { datasources, datasourceEntries } = space.management;
  const dimensions_attributes = CODES.map((code) => ({ name: code.toUpperCase(), entry_value: code }));
  const { data } = await datasources.create({ body: { datasource: { name: 'Labels', slug: 'labels', dimensions_attributes } } });
  labels = data.datasource;
  for (const [name, value, translations] of LABELS) {
    const body = { datasource_entry: { name, value, datasource_id: labels.id } };
    const { datasource_entry } = (await datasourceEntries.create({ body })).data;
    for (const { id, entry_value } of labels.dimensions) {
      if (!(entry_value in translations)) continue;
      const body = { datasource_entry: { name, value, dimension_value: translations[entry_value] } };
      await datasourceEntries.update(datasource_entry.id, { query: { dimension_id: id }, body });
    }
  }
});
after(() => server?.dispose());

async function read(params) {
  const { data, total } = await reader.get('cdn/datasource_entries', params);
  assert.equal(total, data.datasource_entries.length);
  return data.datasource_entries.map(({ name, value, dimension_value }) => [name, value, dimension_value]);
}

test('entries come in the order they were made in, in each dimension', async () => {
  const expected = (code) => LABELS.map(([name, value, translations]) => [name, value, translations[code] ?? null]);
  assert.deepEqual(await read({ datasource: 'labels' }), expected());
  for (const dimension of CODES) {
    assert.deepEqual(await read({ datasource: 'labels', dimension }), expected(dimension));
    assert.deepEqual(await read({ datasource: labels.id, dimension }), expected(dimension));
  }
  assert.deepEqual(await read({ datasource: 'nothing' }), []);
});

test('getAll pages through datasources and entries', async () => {
  const { datasources } = space.management;
  for (let n = 0; n < 5; n += 1) {
    await datasources.create({ body: { datasource: { name: `More ${n}`, slug: `more-${n}` } } });
  }
  const all = await reader.getAll('cdn/datasources', { per_page: 2 });
  assert.deepEqual(all.map(({ slug }) => slug), ['labels', ...[0, 1, 2, 3, 4].map((n) => `more-${n}`)]);
  assert.deepEqual(all[0], labels);
  const entries = await reader.getAll('cdn/datasource_entries', { per_page: 2, datasource: 'labels' });
  assert.deepEqual(entries.map(({ name }) => name), LABELS.map(([name]) => name));

  const listed = await datasources.list({ query: { sort_by: 'name:desc', per_page: 3 } });
  assert.deepEqual(listed.data.datasources.map(({ name }) => name), ['More 4', 'More 3', 'More 2']);
  assert.deepEqual([listed.response.headers.get('total'), listed.response.headers.get('per-page')], ['6', '3']);
});

test('a change is seen as soon as the client has dropped its cache', async () => {
  const { datasources, datasourceEntries } = space.management;
  const { data } = await datasources.create({ body: { datasource: { name: 'Sizes', slug: 'sizes' } } });
  const { id } = data.datasource;
  const add = (name) => datasourceEntries.create({ body: { datasource_entry: { name, value: name, datasource_id: id } } });
  const { datasource_entry } = (await add('small')).data;
  const names = async () => {
    await reader.flushCache();
    return (await read({ datasource: 'sizes' })).map(([name]) => name);
  };
  assert.deepEqual(await names(), ['small']);
  await add('large');
  assert.deepEqual(await names(), ['small', 'large']);
  await datasourceEntries.delete(datasource_entry.id);
  assert.deepEqual(await names(), ['large']);
  await datasources.delete(id);
  assert.deepEqual(await names(), []);
  await refused(reader.get('cdn/datasources/sizes'), 404);
});

test('a taken slug is refused in words', async () => {
  const body = { datasource: { name: 'Other', slug: 'labels' } };
  await refused(space.management.datasources.create({ body }), 422);
  const params = { datasource: 'labels', foo: 1 };
  const error = await refused(reader.get('cdn/datasource_entries', params), 422);
  assert.match(JSON.stringify(error), /foo/);
});
