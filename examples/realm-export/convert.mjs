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

/** One string for a password that is exported in parts; undefined for an algorithm that cannot be imported. */
export function hashOf(credential) {
  const secret = JSON.parse(credential.secretData ?? '{}');
  const { algorithm, hashIterations, additionalParameters = {} } = JSON.parse(credential.credentialData ?? '{}');
  // Extensions that bring bcrypt store its own string, which is complete.
  if (/^\$2[aby]\$/.test(secret.value ?? '')) return secret.value;
  if (!secret.value || !secret.salt) return undefined;
  const [salt, value] = [unpadded(secret.salt), unpadded(secret.value)];
  if (algorithm === 'argon2') {
    const { type = 'id', version = '1.3', memory, parallelism } = Object.fromEntries(
      Object.entries(additionalParameters).map(([name, values]) => [name, first(values)]),
    );
    if (type === 'd') return undefined;
    return `$argon2${type}$v=${version === '1.0' ? 16 : 19}$m=${memory},t=${hashIterations},p=${parallelism}$${salt}$${value}`;
  }
  const name = algorithm === 'pbkdf2' ? 'pbkdf2-sha1' : algorithm;
  if (!['pbkdf2-sha1', 'pbkdf2-sha256', 'pbkdf2-sha512'].includes(name)) return undefined;
  return `$${name}$${hashIterations}$${salt}$${value}`;
}

/** A user as provisioning takes it, with what was left out. */
export function convertUser(user, { clients, invite = false } = {}) {
  const left = [];
  if (user.serviceAccountClientId) return { left: ['it is the service account of a client'] };
  if (!user.email) return { left: ['it has no email'] };
  const password = (user.credentials ?? []).find(({ type }) => type === 'password');
  const hash = password && hashOf(password);
  if (password && !hash) left.push('its password: the algorithm cannot be imported');
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
    createdAt: user.createdTimestamp && new Date(user.createdTimestamp).toISOString(),
    suspended: user.enabled === false,
    legacySub: user.id,
    roles: roles.length ? Object.fromEntries(roles) : undefined,
    hashedPassword: hash && { value: hash },
    invite: !hash && invite ? true : undefined,
  };
  return { user: JSON.parse(JSON.stringify(converted)), left };
}

/** All users of a realm, in requests. `tell` is called for each user of whom something is left out. */
export function convertRealm({ users = [] }, options = {}, tell = () => {}) {
  const all = [];
  for (const original of users) {
    const { user, left } = convertUser(original, options);
    if (user) all.push(user);
    if (left.length) tell(original, Boolean(user), left);
  }
  const batches = [];
  for (let at = 0; at < all.length; at += BATCH) batches.push({ users: all.slice(at, at + BATCH) });
  return batches;
}

async function main() {
  const { values, positionals } = parseArgs({ options: { clients: { type: 'string' }, invite: { type: 'boolean' } }, allowPositionals: true });
  const users = [];
  for (const file of positionals) users.push(...(JSON.parse(await readFile(file, 'utf8')).users ?? []));
  const options = { clients: values.clients?.split(','), invite: values.invite };
  const tell = (user, isConverted, left) => console.error(`${user.username}: ${isConverted ? 'without' : 'left out,'} ${left.join('; ')}`);
  for (const batch of convertRealm({ users }, options, tell)) console.log(JSON.stringify(batch));
}

// The path of the command line may be a link.
if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) await main();
