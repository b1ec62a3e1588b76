// A client that openapi-typescript generates from the description of the API compiles, and makes calls.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { Account } from './support/account.mjs';
import { Server } from './support/server.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

let server, folder;
before(async () => {
  server = await Server.start();
  folder = await mkdtemp(join(tmpdir(), 'lectern-generated-'));
  await cp(path('generated'), folder, { recursive: true });
  await symlink(path('../node_modules'), join(folder, 'node_modules'));
});
after(async () => {
  await server?.dispose();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('a client that openapi-typescript generates compiles and makes calls', async () => {
  // With its default, members that have a default would have to be sent.
  const description = await fetch(`${server.url}/api/openapi.json`).then((answer) => answer.json());
  await writeFile(join(folder, 'schema.d.ts'), astToString(await openapiTypeScript(description, { defaultNonNullable: false })));
  // An error of the compiler is on its standard output.
  await promisify(execFile)(process.execPath, [path('../node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) => assert.fail(error.stdout || error.message));

  const { publishAndRead } = await import(pathToFileURL(join(folder, 'out/use.js')));
  const account = await Account.signedIn(server);
  const space = await account.space('Generated');
  const { id, uuid, title, refusal } = await publishAndRead(server.url, space.id, space.managementToken, space.tokens.public);
  assert.equal(title, 'Hello');
  assert.match(uuid, /^[0-9a-f-]{36}$/);
  assert.ok(id > 0);
  assert.match(refusal, /could not be found/);
});
