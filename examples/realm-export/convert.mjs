#!/usr/bin/env node
// Turns the export of a Keycloak realm into requests of the provisioning API: a line of JSON for each 500 users, on standard output. What is left out, and why,
// is on standard error. Passwords stay hashes.
//
//   node convert.mjs [--clients web,shop] [--invite] realm.json [realm-users-0.json …] > batches.jsonl
//
//   --clients   the clients whose roles come along; without it those of all clients
//   --invite    people without a password that can be used get an invitation to set one
//
// docs/moving-users.md has the steps before and after it.

import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** The most users of one request. */
const BATCH = 500;

const unpadded = (base64) => base64.replace(/=+$/, '');
const first = (value) => (Array.isArray(value) ? value[0] : value);
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why a file is not converted. Its message is a sentence of ours and never holds anything of the file, which is full of hashes and addresses. */
export class NotUnderstood extends Error {}

/** The text of a file: UTF-8, with a byte order mark or without. */
function decoded(bytes) {
  const [one, two] = bytes;
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff)) {
    throw new NotUnderstood('is UTF-16, as PowerShell writes it; save it as UTF-8 (Out-File -Encoding utf8)');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new NotUnderstood('is not UTF-8; save it in that encoding');
  }
}

/** Where the JSON of a text breaks off, if that is known. The message of JSON.parse has a piece of the text, so only its number is used. */
function placeOf(error, text) {
  const [, at] = /at position (\d+)/.exec(error.message) ?? [];
  if (error.message.startsWith('Unexpected end') || Number(at) >= text.length) return ': it ends too early, as a file does that was cut off';
  if (at === undefined) return '';
  const lines = text.slice(0, Number(at)).split('\n');
  return ` from line ${lines.length}, column ${lines.at(-1).length + 1} on`;
}

/** The users of a file of an export; undefined for one that has none, as the main file of an export in several files. */
export function usersOf(bytes) {
  const text = decoded(bytes);
  let realm;
  try {
    realm = JSON.parse(text);
  } catch (error) {
    throw new NotUnderstood(`is not JSON${placeOf(error, text)}`);
  }
  if (Array.isArray(realm)) {
    throw new NotUnderstood(`is a list (of ${realm.length}), as an export of all realms is; export one with kc.sh export --realm NAME, or take it out with jq '.[0]'`);
  }
  if (!isObject(realm)) throw new NotUnderstood('is no realm: a JSON object with a member "users" is expected');
  if (realm.users === undefined) return undefined;
  if (!Array.isArray(realm.users)) throw new NotUnderstood('has a member "users" that is no list');
  return realm.users;
}

/** What a member holds as JSON in a string; nothing when it is none. */
function parts(text) {
  try {
    const value = JSON.parse(text ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** One string for a password that is exported in parts; undefined for an algorithm that cannot be imported, and for parts that cannot be read. */
export function hashOf(credential) {
  const [secret, { algorithm, hashIterations, additionalParameters = {} }] = [credential.secretData, credential.credentialData].map(parts);
  // Extensions that bring bcrypt store its own string, which is complete.
  if (typeof secret.value !== 'string') return undefined;
  if (/^\$2[aby]\$/.test(secret.value)) return secret.value;
  if (typeof secret.salt !== 'string') return undefined;
  const [salt, value] = [unpadded(secret.salt), unpadded(secret.value)];
  if (algorithm === 'argon2') {
    const { type = 'id', version = '1.3', memory, parallelism } = Object.fromEntries(
      Object.entries(additionalParameters ?? {}).map(([name, values]) => [name, first(values)]),
    );
    if (type === 'd') return undefined;
    return `$argon2${type}$v=${version === '1.0' ? 16 : 19}$m=${memory},t=${hashIterations},p=${parallelism}$${salt}$${value}`;
  }
  const name = algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm;
  if (!['pbkdf2-sha1', 'pbkdf2-sha256', 'pbkdf2-sha512'].includes(name)) return undefined;
  return `$${name}$${hashIterations}$${salt}$${value}`;
}

/** The time of an export as provisioning takes it; undefined when it is none. */
function timeOf(milliseconds) {
  const time = new Date(milliseconds);
  return Number.isFinite(milliseconds) && Number.isFinite(time.getTime()) ? time.toISOString() : undefined;
}

/** The members of a user that are lists or objects, and are not here; each would break the conversion. */
function misshapen(user) {
  const lists = ['credentials', 'realmRoles', 'groups'].filter((name) => !Array.isArray(user[name] ?? []));
  const objects = ['clientRoles', 'attributes'].filter((name) => !isObject(user[name] ?? {}));
  if (lists.length === 0 && !(user.credentials ?? []).every(isObject)) lists.push('credentials');
  return [...lists, ...objects];
}

/** A user as provisioning takes it, with what was left out. */
export function convertUser(user, { clients, invite = false } = {}) {
  const left = [];
  if (!isObject(user)) return { left: ['it is no user: an object is expected'] };
  if (user.serviceAccountClientId) return { left: ['it is the service account of a client'] };
  if (!user.email || typeof user.email !== 'string') return { left: ['it has no email'] };
  const broken = misshapen(user);
  if (broken.length) return { left: broken.map((name) => `its member "${name}" has another form than that of an export`) };
  const password = (user.credentials ?? []).find(({ type }) => type === 'password');
  const hash = password && hashOf(password);
  if (password && !hash) left.push('its password: its algorithm or form cannot be imported');
  const createdAt = timeOf(user.createdTimestamp);
  if (user.createdTimestamp && !createdAt) left.push('when it was created, which is no time');
  for (const { type } of user.credentials ?? []) if (type !== 'password') left.push(`its credential of the type ${type}`);
  if (user.realmRoles?.length) left.push(`roles of the realm: ${user.realmRoles.join(', ')}`);
  if (user.groups?.length) left.push(`groups: ${user.groups.join(', ')}`);
  const roles = Object.entries(user.clientRoles ?? {}).filter(([client]) => !clients || clients.includes(client));
  const converted = {
    email: user.email,
    firstName: user.firstName || user.username,
    lastName: user.lastName,
    locale: first(user.attributes?.locale),
    emailVerified: user.emailVerified ?? false,
    createdAt,
    suspended: user.enabled === false,
    legacySub: user.id,
    roles: roles.length ? Object.fromEntries(roles) : undefined,
    hashedPassword: hash && { value: hash },
    invite: !hash && invite ? true : undefined,
  };
  return { user: JSON.parse(JSON.stringify(converted)), left };
}

/** All users of a realm, in requests. `tell` is called for each user of whom something is left out, with its place in the list. */
export function convertRealm({ users = [] }, options = {}, tell = () => {}) {
  const all = [];
  for (const [place, original] of users.entries()) {
    const { user, left } = convertUser(original, options);
    if (user) all.push(user);
    if (left.length) tell(original, Boolean(user), left, place);
  }
  const batches = [];
  for (let at = 0; at < all.length; at += BATCH) batches.push({ users: all.slice(at, at + BATCH) });
  return batches;
}

/** A line of the report: of a user by name, or by place for one without a name. Names may hold what would end the line, or steer a terminal. */
function lineOf(user, place, rest) {
  const name = typeof user?.username === 'string' && user.username ? user.username : `the user at ${place + 1}`;
  return `${name}: ${rest}`.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}

const USAGE = 'usage: node convert.mjs [--clients web,shop] [--invite] realm.json [realm-users-0.json …] > batches.jsonl';

/** The command line. */
function readArguments() {
  try {
    const options = { clients: { type: 'string' }, invite: { type: 'boolean' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length) return { values, files: positionals };
  } catch {
    // The usage says it.
  }
  throw new NotUnderstood(USAGE);
}

async function read(file) {
  try {
    return await readFile(file);
  } catch (error) {
    throw new NotUnderstood(`cannot be read (${error.code})`);
  }
}

/** Reads all files before anything is written, so that the output is of the whole export or empty. */
async function main() {
  const { values, files } = readArguments();
  const users = [];
  const without = [];
  for (const file of files) {
    try {
      const found = usersOf(await read(file));
      if (found) users.push(...found);
      else without.push(file);
    } catch (error) {
      throw error instanceof NotUnderstood ? new NotUnderstood(`${file} ${error.message}`) : error;
    }
  }
  if (without.length === files.length) {
    throw new NotUnderstood(
      `${without.join(', ')}: no users in it; the admin console never exports them, and kc.sh export does with --users realm_file (or into files beside it, which belong here too)`,
    );
  }
  for (const file of without) console.error(`${file}: no users in it`);
  const tell = (user, isConverted, left, place) =>
    console.error(lineOf(user, place, `${isConverted ? 'without' : 'left out,'} ${left.join('; ')}`));
  const batches = convertRealm({ users }, { clients: values.clients?.split(','), invite: values.invite }, tell);
  for (const batch of batches) console.log(JSON.stringify(batch));
  const converted = batches.reduce((sum, batch) => sum + batch.users.length, 0);
  console.error(`${converted} of ${users.length} users converted`);
}

// The path of the command line may be a link.
if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  try {
    await main();
  } catch (error) {
    // The message of any other error may hold a piece of the export.
    const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
    const fault = () => ['this script has a fault; its makers need these lines:', error.constructor.name, ...frames].join('\n');
    console.error(error instanceof NotUnderstood ? error.message : fault());
    process.exitCode = 1;
  }
}
