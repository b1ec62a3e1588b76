import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Draft } from '../draft/draft.ts';
import type { JsonObject } from '../model/json.ts';
import { Schemas } from '../model/schema.ts';
import { ManualClock } from './manual-clock.ts';
import type { BridgeConfig, MenuAct } from './messages.ts';
import { PreviewSession, type PreviewOptions } from './session.ts';

const CONTENT: JsonObject = {
  component: 'page',
  _uid: 'root',
  title: 'Hello',
  body: [
    { component: 'teaser', _uid: 'one', text: 'a' },
    { component: 'grid', _uid: 'two', columns: [{ component: 'teaser', _uid: 'three', author: '00000000-0000-4000-8000-000000000001' }] },
  ],
};

interface Sent {
  readonly action: string;
  readonly [member: string]: unknown;
}

let clock: ManualClock;
let draft: Draft;
let sent: Sent[];
let calls: unknown[][];
/** What the server was asked for. */
let asked: unknown[][];
let isOffline: boolean;

beforeEach(() => {
  clock = new ManualClock();
  draft = new Draft({ revision: 1, content: CONTENT }, new Schemas([]), () => clock.now());
  [sent, calls, asked, isOffline] = [[], [], [], false];
});

function session(change: Partial<PreviewOptions> = {}): PreviewSession {
  const base = { id: 7, uuid: 'x', name: 'Home', full_slug: 'home', content: {} };
  const made = new PreviewSession({
    space: 5,
    story: { id: 7, full_slug: 'home' },
    draft,
    language: '',
    mayWrite: true,
    hasRoom: () => true,
    isLive: true,
    remembered: undefined,
    componentNames: { page: 'Page' },
    post: (message) => sent.push(message as Sent),
    source: {
      story: async (language, config) => {
        asked.push(['story', language, config]);
        if (isOffline) throw new Error('offline');
        return { story: base };
      },
      stories: async (uuids) => {
        asked.push(['stories', ...uuids]);
        return uuids.map((uuid) => ({ uuid, name: 'Ann' }));
      },
    },
    timers: clock,
    handlers: {
      onselect: (key) => calls.push(['select', key]),
      onact: async (act, key) => {
        calls.push(['act', act, key]);
        return act === 'deleteBlock' || act === 'copy' ? undefined : key;
      },
      onother: (story) => calls.push(['other', story]),
      onkey: ({ key }) => calls.push(['key', key]),
      onbridge: ({ phase }) => calls.push(['phase', phase]),
    },
    ...change,
  });
  draft.subscribe('any', () => made.changed());
  made.started();
  return made;
}

/** Lets what was begun come to its end. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const actions = () => sent.map(({ action }) => action);
const inputs = () => sent.filter(({ action }) => action === 'input').map(({ story }) => (story as { content: JsonObject }).content);
const key = (path: string) => draft.at(path)!;
const initialized = (config: Partial<BridgeConfig> = {}) => ({ action: 'initialized', config });
const edit = (uid: string, id = '7') => ({ action: 'edit', dataC: { uid, id, space: '5', name: 'x' } });

test('a site that says hello is told of edit mode, the story and the selected block', async () => {
  const made = session();
  made.select(key('body/0'));
  sent.length = 0;
  made.received(initialized());
  await settle();
  assert.deepEqual(actions(), ['enterEditmode', 'input', 'enterComponent']);
  const [mode, input, entered] = sent;
  assert.deepEqual(mode, { action: 'enterEditmode', reload: true, storyId: 7, blockId: 'one', componentNames: { page: 'Page' }, appVersion: 'v2' });
  assert.equal((input?.story as JsonObject).id, 7);
  assert.deepEqual(inputs()[0]?._editable, '<!--#storyblok#{"name":"page","space":"5","uid":"root","id":"7"}-->');
  assert.deepEqual([entered?.componentId, entered?.storyId], ['one', 7]);
});

test('a site that is silent for three seconds is told the same, once', async () => {
  const made = session();
  made.loaded();
  clock.pass(2999);
  await settle();
  assert.deepEqual(actions(), []);
  clock.pass(1);
  await settle();
  assert.deepEqual(actions(), ['enterEditmode', 'input', 'deselectBlok']);
  assert.deepEqual(calls.at(-1), ['phase', 'oneWay']);
  clock.pass(60_000);
  await settle();
  assert.equal(sent.length, 3);
});

test('a site that has said hello is not told again', async () => {
  const made = session();
  made.received(initialized());
  made.loaded();
  clock.pass(60_000);
  await settle();
  assert.deepEqual(actions(), ['enterEditmode', 'input', 'deselectBlok']);
});

test('each change reaches the site, at most ten in a second, the last one always', async () => {
  const made = session();
  made.received(initialized());
  await settle();
  sent.length = 0;
  const type = (text: string) => draft.apply({ kind: 'set', block: key('body/0'), field: 'text', value: text });
  type('b');
  await settle();
  assert.equal(inputs().length, 1, 'at once');
  for (const text of ['bc', 'bcd', 'bcde']) {
    clock.pass(20);
    type(text);
  }
  await settle();
  assert.equal(inputs().length, 1);
  clock.pass(40);
  await settle();
  assert.deepEqual(inputs().map(({ body }) => (body as JsonObject[])[0]?.text), ['b', 'bcde']);
});

test('nothing is sent before a page is there, or after the pane is closed', async () => {
  const made = session();
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'x' });
  await settle();
  assert.deepEqual(actions(), []);
  made.received(initialized());
  made.close();
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'y' });
  made.saved('home');
  clock.pass(10_000);
  await settle();
  assert.deepEqual(actions(), ['enterEditmode']);
});

test('a site that renders saved drafts hears of saving alone, also when the server has not answered yet what it was to show before', async () => {
  const made = session();
  made.received(initialized());
  made.setLive(false);
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'x' });
  await settle();
  made.saved('home');
  assert.deepEqual(actions(), ['enterEditmode', 'deselectBlok', 'change']);
  made.setLive(true);
  await settle();
  assert.equal(inputs().length, 1);
});

test('saving, publishing and a new slug are told as they are', () => {
  const made = session();
  made.saved('home');
  made.published('start');
  made.unpublished();
  assert.deepEqual(sent, [
    { action: 'change', slug: 'home', storyId: 7, slugChanged: false, reload: true },
    { action: 'published', slug: 'start', storyId: 7, slugChanged: true },
    { action: 'unpublished', slug: 'start', storyId: 7 },
  ]);
});

test('a click selects the block, and the page draws its frame', () => {
  const made = session();
  made.received(edit('three'));
  const three = key('body/1/columns/0');
  assert.deepEqual(calls.at(-1), ['select', three]);
  const [edited] = sent;
  assert.equal(edited?.action, 'editedBlok');
  assert.deepEqual(edited?.blok, { uid: 'three', id: '7', space: 5, name: 'teaser' });
  assert.deepEqual(edited?.breadcrumbs, [
    { _uid: 'root', component: 'page' },
    { _uid: 'two', component: 'grid', _parentUid: 'root', _parentfield: 'body', _parentName: 'page', _parentindex: 1 },
    { _uid: 'three', component: 'teaser', _parentUid: 'two', _parentfield: 'columns', _parentName: 'grid', _parentindex: 0 },
  ]);
  assert.deepEqual([edited?.canAddBlocks, edited?.canMoveForward, edited?.canMoveBackward, edited?.canDeleteBlocks], [true, false, false, true]);
  // The editor selects what was clicked: the page knows that already.
  made.select(three);
  assert.equal(sent.length, 1);
  made.received({ action: 'noFocus' });
  assert.deepEqual([calls.at(-1), sent.at(-1)], [['select', undefined], { action: 'deselectBlok' }]);
});

test('a block under the pointer is outlined, and no block when the pointer has left', () => {
  const made = session();
  made.hover(key('body/0'));
  made.hover(undefined);
  // A block that is nowhere: bridges take their line away then.
  assert.deepEqual(sent, ['one', ''].map((componentId) => ({ action: 'hoverComponent', componentId, storyId: 7 })));
});

test('a block of another story is offered, and one that is nowhere changes nothing', () => {
  const made = session();
  made.received(edit('elsewhere', '9'));
  assert.deepEqual(calls.at(-1), ['other', 9]);
  const before = calls.length;
  made.received(edit('nowhere'));
  assert.deepEqual([calls.length, sent.length], [before, 0]);
});

test('an act of the menu is done by the editor, and the page is told when the story is there', async () => {
  const made = session();
  made.received(initialized());
  await settle();
  for (const [act, done] of [['addBlockAfter', 'addedBlock'], ['moveForward', 'movedBlock'], ['duplicateBlock', 'duplicatedBlock'], ['deleteBlock', 'deletedBlock']] as const) {
    sent.length = 0;
    made.received({ action: act, blok: { _uid: 'one' } });
    await settle();
    assert.deepEqual(calls.at(-1), ['act', act satisfies MenuAct, key('body/0')]);
    assert.deepEqual(actions(), act === 'deleteBlock' ? ['input', done] : ['input', done, 'editedBlok']);
    assert.equal(sent[1]?.blockId, 'one');
  }
  sent.length = 0;
  made.received({ action: 'copy', blok: { _uid: 'one' } });
  await settle();
  assert.deepEqual([calls.at(-1), sent], [['act', 'copy', key('body/0')], []]);
});

test('who may only read changes nothing by a menu, and is offered nothing', async () => {
  const made = session({ mayWrite: false });
  made.received({ action: 'deleteBlock', blok: { _uid: 'one' } });
  made.received({ action: 'copy', blok: { _uid: 'one' } });
  await settle();
  assert.deepEqual(calls.filter(([what]) => what === 'act'), [['act', 'copy', key('body/0')]]);
  made.received(edit('one'));
  assert.deepEqual([sent.at(-1)?.canAddBlocks, sent.at(-1)?.canDeleteBlocks], [false, false]);
});

test('of ten thousand messages in a second a few have an effect', async () => {
  const made = session();
  for (let count = 0; count < 10_000; count += 1) made.received(count % 2 ? edit('one') : { action: 'deleteBlock', blok: { _uid: 'two' } });
  await settle();
  assert.ok(calls.filter(([what]) => what !== 'phase').length <= 20);
  for (let count = 0; count < 10_000; count += 1) made.received({ action: 'edit', dataC: { uid: 7 } });
  clock.pass(1000);
  made.received(edit('one'));
  assert.deepEqual(calls.at(-1), ['select', key('body/0')]);
});

test('what a site wants resolved is asked for once, and the last time counts for sites that are not heard', async () => {
  const config = { resolveRelations: ['teaser.author'], resolveLinks: '', fallbackLang: '' } as const;
  const made = session({ remembered: config });
  made.loaded();
  clock.pass(3000);
  await settle();
  assert.deepEqual(asked, [['story', '', config], ['stories', '00000000-0000-4000-8000-000000000001']]);
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'x' });
  await settle();
  assert.equal(asked.length, 2);
  const columns = (inputs().at(-1)?.body as JsonObject[])[1]?.columns as JsonObject[];
  assert.equal((columns[0]?.author as JsonObject).name, 'Ann');
});

test('the relations of every bridge of a page stand in the story', async () => {
  const made = session();
  made.received(initialized({ resolveRelations: ['page.x'] }));
  made.received(initialized({ resolveRelations: ['teaser.author'] }));
  await settle();
  assert.deepEqual((asked.findLast(([what]) => what === 'story')?.[2] as BridgeConfig).resolveRelations, ['page.x', 'teaser.author']);
  const columns = (inputs().at(-1)?.body as JsonObject[])[1]?.columns as JsonObject[];
  assert.equal((columns[0]?.author as JsonObject).name, 'Ann');
});

test('without the server nothing is sent, and the next change asks again', async () => {
  const made = session();
  isOffline = true;
  made.received(initialized());
  await settle();
  assert.deepEqual(inputs(), []);
  isOffline = false;
  draft.apply({ kind: 'set', block: draft.root, field: 'title', value: 'x' });
  await settle();
  assert.equal(inputs().length, 1);
});
