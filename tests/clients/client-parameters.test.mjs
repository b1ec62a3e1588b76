// Every query parameter that the types of Storyblok's management client name is taken: of a resource that exists here as of a feature that does not. So a client of a type checker
// never sends a parameter that is refused.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import ts from 'typescript';
import { Account } from './support/account.mjs';
import { Server } from './support/server.mjs';

const TYPES = new URL('../node_modules/@storyblok/management-api-client/dist/generated/mapi/types.gen.d.mts', import.meta.url);

/** A request of the client: `ListStoriesData` → GET, its path, and the names of its parameters. */
async function operations() {
  const source = ts.createSourceFile('types.ts', await readFile(TYPES, 'utf8'), ts.ScriptTarget.Latest);
  const found = [];
  source.forEachChild((node) => {
    if (!ts.isTypeAliasDeclaration(node) || !ts.isTypeLiteralNode(node.type)) return;
    const members = new Map(node.type.members.filter((member) => member.name).map((member) => [member.name.text, member.type]));
    if (!members.has('url')) return;
    const query = members.get('query');
    const names = query && ts.isTypeLiteralNode(query) ? query.members.map((member) => member.name.text) : [];
    found.push({ name: node.name.text.replace(/Data$/, ''), path: members.get('url').literal.text, names });
  });
  return found;
}

/** The methods by the verbs of the operations' names. */
const METHODS = { List: 'GET', Get: 'GET', Publish: 'GET', Create: 'POST', Bulk: 'POST', Duplicate: 'PUT', Restore: 'PUT', Update: 'PUT', Replace: 'PUT', Partial: 'PATCH', Delete: 'DELETE' };
/** What the parameters of a switch, a number or a list say when they ask for nothing special. */
const QUIET = { sort_by: 'name:asc', by_object_type: 'asset', by_status: 'draft', scheduled_by_status: 'scheduled', model: 'stories' };

let server, space;
before(async () => {
  server = await Server.start();
  space = await (await Account.signedIn(server)).space('parameters');
});
after(() => server?.dispose());

async function ask(method, path) {
  const url = new URL(`${server.url}/api${path.replace('{space_id}', space.id).replaceAll(/\{\w+\}/g, '999999')}`);
  return fetch(url, { method, headers: { authorization: space.managementToken, 'content-type': 'application/json' }, body: method === 'GET' || method === 'DELETE' ? undefined : '{}' });
}

test('every parameter that the client names is taken', async () => {
  const all = await operations();
  assert.ok(all.length > 50 && all.some((operation) => operation.names.includes('update_content')), 'the types are read');
  const refused = [];
  let asked = 0;
  for (const { name, path, names } of all) {
    const method = METHODS[/^[A-Z][a-z]+/.exec(name)[0]];
    for (const parameter of names.filter(() => method)) {
      const answer = await ask(method, `${path}?${parameter}=${encodeURIComponent(QUIET[parameter] ?? '')}`);
      asked += 1;
      const { message } = await answer.json().catch(() => ({}));
      if (answer.status >= 500 || /not allowed/.test(message ?? '')) refused.push(`${method} ${path}?${parameter}: ${answer.status} ${message}`);
    }
  }
  assert.deepEqual(refused, []);
  assert.ok(asked > 100, `${asked} parameters`);
});

test('lists of features that are not here are empty, and nothing can be written to them', async () => {
  const absent = (await operations()).filter(({ path }) => /experiments|shared_|convert/.test(path));
  for (const { name, path } of absent) {
    const method = METHODS[/^[A-Z][a-z]+/.exec(name)[0]] ?? 'POST';
    const answer = await ask(method, path);
    const body = await answer.json();
    if (name.startsWith('List')) assert.deepEqual([answer.status, Object.values(body)[0]], [200, []], path);
    else assert.equal(answer.status, 404, `${method} ${path}`);
  }
});
