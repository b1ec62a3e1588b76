// Prints the types of what the API answers about spaces, as docs/openapi describes it:
//
//     node schema.ts > src/api/schema.d.ts
//
// scripts/check_studio.sh compares them, and src/api/described.test.ts holds against them what the studio
// reads.

import { parseYaml } from '@redocly/openapi-core';
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Answer {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: object } };
}
interface Operation {
  readonly responses?: Record<string, Answer>;
}
/** A file has the paths and the components of one resource. */
interface Part {
  readonly paths?: Record<string, Record<string, Operation>>;
  readonly components?: { readonly schemas?: Record<string, object>; readonly responses?: Record<string, Answer> };
}

const DESCRIPTION = fileURLToPath(new URL('../docs/openapi', import.meta.url));
const OURS = /^\/api\/v1\/spaces/;
/** The studio leaves it out, too. */
const OF_SPACE = '/api/v1/spaces/{space}/';
const SCHEMA = /"#\/components\/schemas\/([^/"]+)"/g;

const names = readdirSync(DESCRIPTION, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml')).sort();
const parts = names.map((name) => parseYaml(readFileSync(join(DESCRIPTION, name), 'utf8')) as Part);
const described: Record<string, object> = Object.assign({}, ...parts.map((part) => part.components?.schemas));
const responses: Record<string, Answer> = Object.assign({}, ...parts.map((part) => part.components?.responses));

/** The answers by their requests, such as `GET stories/{id}`, and the schemas that these need. */
const schemas: Record<string, object> = {};

function add(name: string, schema: object): void {
  schemas[name] = withoutTexts(schema);
  for (const [, other = ''] of JSON.stringify(schema).matchAll(SCHEMA)) if (!(other in schemas)) add(other, described[other] ?? {});
}

/** Texts for readers are no part of a type. */
function withoutTexts(schema: object): object {
  const isText = (name: string, value: unknown) => name === 'example' || (name === 'description' && typeof value === 'string');
  return JSON.parse(JSON.stringify(schema, (name, value: unknown) => (isText(name, value) ? undefined : value)));
}

for (const part of parts) {
  for (const [path, item] of Object.entries(part.paths ?? {}).filter(([path]) => OURS.test(path))) {
    for (const [method, { responses: own = {} }] of Object.entries(item)) {
      const answer = own['200'] ?? own['201'] ?? own['204'];
      const { content } = (answer?.$ref ? responses[answer.$ref.split('/').at(-1) ?? ''] : answer) ?? {};
      const schema = content?.['application/json']?.schema ?? {};
      if (answer) add(`${method.toUpperCase()} ${path.replace(OF_SPACE, '')}`, schema);
    }
  }
}

// A member is always there where the description does not say which ones are.
const types = await openapiTypeScript({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } } as OpenAPI3, { propertiesRequiredByDefault: true });
process.stdout.write(`// Printed by studio/schema.ts from docs/openapi. It is not edited.\n\n${astToString(types)}`);
