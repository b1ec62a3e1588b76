// Storyblok's command line against the server: whole flows, each from a space of its own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Account } from './support/account.mjs';
import { Server } from './support/server.mjs';

const cli = fileURLToPath(new URL('../node_modules/storyblok/dist/index.mjs', import.meta.url));
const hosts = new URL('support/storyblok-hosts.mjs', import.meta.url).href;

let server, account, space, directory;
before(async () => {
  server = await Server.start();
  account = await Account.signedIn(server, 'cli@example.com');
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lectern-cli-'));
  space = await account.space('source');
});
afterEach(() => rm(directory, { recursive: true, force: true }));
after(() => server?.dispose());

/** Runs the command line in the directory of the test, signed in unless `env` says otherwise. Returns what it prints. */
function run(args, env = { STORYBLOK_LOGIN: 'cli@example.com', STORYBLOK_TOKEN: space.managementToken, STORYBLOK_REGION: 'eu' }) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STORYBLOK_'));
  const options = {
    cwd: directory,
    env: { ...Object.fromEntries(inherited), HOME: directory, LECTERN_URL: server.url, NO_COLOR: '1', CI: '1', ...env },
    timeout: 60_000,
    maxBuffer: 10 << 20,
  };
  return new Promise((done) => {
    execFile(process.execPath, ['--import', hosts, cli, ...args], options, (error, stdout, stderr) => {
      done({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr });
    });
  });
}

/** The same; it must succeed. */
async function ran(...args) {
  const { code, output } = await run(args);
  assert.equal(code, 0, `storyblok ${args.join(' ')}\n${output}`);
  assert.doesNotMatch(output, /failed to|error:/i, `storyblok ${args.join(' ')}`);
  return output;
}

/** A JSON file below the folder in which the command line keeps what it pulls. */
async function pulled(...path) {
  return JSON.parse(await readFile(join(directory, '.storyblok', ...path), 'utf8'));
}

const manage = (method, path, body, of = space) => of.manage(method, path, body && { body });

/** Components with a group, an internal tag and a preset; a datasource with a dimension; stories. */
async function fill() {
  const { component_group: group } = await manage('post', 'component_groups', { component_group: { name: 'Blocks' } });
  const { internal_tag: tag } = await manage('post', 'internal_tags', { internal_tag: { name: 'Layout', object_type: 'component' } });
  const hero = {
    name: 'hero',
    is_nestable: true,
    component_group_uuid: group.uuid,
    internal_tag_ids: [tag.id],
    schema: { headline: { type: 'text', pos: 0, required: true }, tone: { type: 'option', source: 'internal', datasource_slug: 'tones', pos: 1 } },
  };
  const made = (await manage('post', 'components', { component: hero })).component;
  const page = { name: 'page', is_root: true, is_nestable: false, schema: { title: { type: 'text', pos: 0 }, body: { type: 'bloks', pos: 1 } } };
  await manage('post', 'components', { component: page });
  await manage('post', 'presets', { preset: { name: 'Loud', component_id: made.id, preset: { headline: 'HEY' } } });
  const tones = { name: 'Tones', slug: 'tones', dimensions_attributes: [{ name: 'German', entry_value: 'de' }] };
  const { datasource } = await manage('post', 'datasources', { datasource: tones });
  for (const [name, value] of [['warm', 'Warm'], ['cold', 'Cold']]) {
    await manage('post', 'datasource_entries', { datasource_entry: { name, value, datasource_id: datasource.id } });
  }
  const body = [{ component: 'hero', _uid: 'h1', headline: 'Hello', tone: 'warm' }];
  for (const slug of ['home', 'about']) {
    const story = { name: slug, slug, content: { component: 'page', _uid: slug, title: slug, body } };
    await manage('post', 'stories', { story, publish: 1 });
  }
}

test('signing in by token finds the person who made it', async () => {
  const outside = {};
  const login = await run(['login', '--token', space.managementToken, '--region', 'eu'], outside);
  assert.equal(login.code, 0, login.output);
  assert.match(login.output, /Welcome Erika Muster/);
  const user = await run(['user'], outside);
  assert.match(user.output, /Erika Muster/);
  const wrong = await run(['login', '--token', 'sbmcp_wrong', '--region', 'eu'], { HOME: join(directory, 'elsewhere') });
  assert.match(wrong.output, /invalid/i);
});

test('components are pulled with groups, presets and tags, and pushed into another space', async () => {
  await fill();
  await ran('components', 'pull', '--space', String(space.id));
  const components = await pulled('components', String(space.id), 'components.json');
  assert.deepEqual(components.map((component) => component.name).sort(), ['hero', 'page']);
  const tags = await pulled('components', String(space.id), 'tags.json');
  assert.deepEqual(tags.map((tag) => tag.name), ['Layout']);

  const target = await account.space('target');
  const env = { STORYBLOK_LOGIN: 'cli@example.com', STORYBLOK_TOKEN: target.managementToken, STORYBLOK_REGION: 'eu' };
  await ran('datasources', 'pull', '--space', String(space.id));
  for (const kind of ['datasources', 'components']) {
    const pushed = await run([kind, 'push', '--from', String(space.id), '--space', String(target.id)], env);
    assert.equal(pushed.code, 0, pushed.output);
  }
  const { components: there } = await manage('get', 'components', undefined, target);
  const hero = there.find((component) => component.name === 'hero');
  assert.deepEqual(there.map((component) => component.name).sort(), ['hero', 'page']);
  assert.deepEqual(hero.schema.headline.type, 'text');
  assert.deepEqual(hero.internal_tags_list.map((tag) => tag.name), ['Layout']);
  assert.deepEqual(hero.all_presets.map((preset) => preset.name), ['Loud']);
  const { component_groups: groups } = await manage('get', 'component_groups', undefined, target);
  assert.equal(hero.component_group_uuid, groups.find((group) => group.name === 'Blocks').uuid);
  const { datasources } = await manage('get', 'datasources', undefined, target);
  assert.deepEqual(datasources.map((datasource) => datasource.slug), ['tones']);
  const entries = await target.manage('get', 'datasource_entries', { query: { datasource_slug: 'tones' } });
  assert.deepEqual(entries.datasource_entries.map((entry) => [entry.name, entry.value]), [['warm', 'Warm'], ['cold', 'Cold']]);

  // Pushed again, everything is updated and nothing doubled.
  const again = await run(['components', 'push', '--from', String(space.id), '--space', String(target.id)], env);
  assert.equal(again.code, 0, again.output);
  assert.equal((await manage('get', 'components', undefined, target)).components.length, 2);
  assert.equal((await manage('get', 'internal_tags', undefined, target)).internal_tags.length, 1);
});

test('types are generated from pulled components', async () => {
  await fill();
  await ran('components', 'pull', '--space', String(space.id));
  await ran('datasources', 'pull', '--space', String(space.id));
  await ran('types', 'generate', '--space', String(space.id));
  const folder = join(directory, '.storyblok', 'types');
  const files = await readdir(folder, { recursive: true });
  const texts = await Promise.all(files.filter((file) => file.endsWith('.d.ts')).map((file) => readFile(join(folder, file), 'utf8')));
  assert.match(texts.join('\n'), /interface Hero[\s\S]*headline: string/);
});

test('a migration changes the stories that have the component', async () => {
  await fill();
  await ran('components', 'pull', '--space', String(space.id));
  await ran('migrations', 'generate', 'hero', '--space', String(space.id));
  const folder = join(directory, '.storyblok', 'migrations', String(space.id));
  const [file] = (await readdir(folder)).filter((name) => name.startsWith('hero'));
  await writeFile(join(folder, file), 'export default function (block) {\n  block.headline = block.headline.toUpperCase();\n  return block;\n}\n');
  await ran('migrations', 'run', '--space', String(space.id), '--publish', 'all');
  for (const slug of ['home', 'about']) {
    const { story } = (await space.reader('public').getStory(slug, {})).data;
    assert.equal(story.content.body[0].headline, 'HELLO', slug);
  }
});

test('stories and languages are pulled', async () => {
  await fill();
  await manage('put', '', { space: { languages: [{ code: 'de', name: 'German' }] } });
  await ran('stories', 'pull', '--space', String(space.id));
  const folder = join(directory, '.storyblok', 'stories', String(space.id));
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  assert.equal(files.length, 2);
  const home = JSON.parse(await readFile(join(folder, files.find((name) => name.startsWith('home_'))), 'utf8'));
  assert.equal(home.content.body[0].headline, 'Hello');
  await ran('languages', 'pull', '--space', String(space.id));
});
