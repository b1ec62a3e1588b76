// The driver of saving against a server of a few lines, which keeps revisions as the real one does, and a clock that is moved by hand.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Draft } from './draft.ts';
import { content, schemas } from './example.ts';
import { HandClock, Refused, Server } from './fakes.ts';
import { NotSaved, Saver } from './saver.ts';

function open() {
  const server = new Server();
  const clock = new HandClock();
  const draft = new Draft({ revision: server.revision, content }, schemas, clock.now);
  const saver = new Saver(draft, { save: (request, onsignedout) => server.save(request, onsignedout), staleOf: (error) => (error instanceof Refused ? error.stale : undefined) }, clock);
  const type = (title: string, field = 'title') => draft.apply({ kind: 'set', block: draft.root, field, value: title });
  return { server, clock, draft, saver, type, kind: () => saver.state.kind };
}

test('what is opened and left is never sent', async () => {
  const { server, clock, saver, kind } = open();
  await clock.pass(1e6);
  await saver.flush();
  assert.deepEqual([server.requests.length, kind()], [0, 'saved']);
});

test('what is typed is saved after a rest, with its problems, and the draft knows the revision', async () => {
  const { server, clock, draft, saver, type, kind } = open();
  type('A');
  assert.equal(kind(), 'dirty');
  await clock.pass(1999);
  assert.equal(server.requests.length, 0);
  await clock.pass(1);
  assert.deepEqual([kind(), server.content.title, draft.base().revision, draft.isChanged], ['saved', 'A', 8, false]);
  assert.deepEqual(server.requests.map(({ autosave, keep, revision }) => [autosave, keep, revision]), [[true, false, 7]]);
  assert.deepEqual(saver.problems.map(({ message }) => message), ['A']);
  assert.equal(saver.story?.revision, 8);
});

test('typed and undone is not sent', async () => {
  const { server, clock, draft, type, kind } = open();
  type('A');
  draft.undo();
  await clock.pass(10_000);
  assert.deepEqual([server.requests.length, kind()], [0, 'saved']);
});

test('keys while a request is under way are in the next one', async () => {
  const { server, clock, draft, saver, type } = open();
  type('A');
  const saved = saver.save();
  type('AB');
  assert.deepEqual(saver.sent.map(({ title }) => title), ['A']);
  await saved;
  await clock.pass(0);
  assert.deepEqual(server.requests.map(({ content: { title }, autosave }) => [title, autosave]), [['A', false], ['AB', true]]);
  assert.deepEqual([draft.base().content, saver.sent], [draft.content(), []]);
});

test('a lost answer is no conflict', async () => {
  const { server, clock, type, kind } = open();
  server.faults.push('lost');
  type('A');
  await clock.pass(2000);
  assert.deepEqual([kind(), server.content.title], ['offline', 'A']);
  await clock.pass(1000);
  assert.deepEqual([kind(), server.requests.map(({ got }) => got)], ['saved', ['saved', 'stale']]);
  // Of a version it is not known whether it was written: the same is sent once more, which writes none twice.
  server.faults.push('lost');
  type('B');
  await clock.pass(2000);
  await clock.pass(1000);
  assert.equal(server.content.title, 'B');
  assert.equal(kind(), 'saved');
});

test('nor is one after which more was typed, nor the second one in a row', async () => {
  const { server, clock, saver, type, kind } = open();
  server.faults.push('lost', 'offline');
  type('A');
  await clock.pass(2000);
  type('AB');
  await clock.pass(1000);
  assert.deepEqual(saver.sent.map(({ title }) => title), ['A', 'AB']);
  type('ABC');
  await clock.pass(2000);
  assert.deepEqual([kind(), server.content.title, saver.sent], ['saved', 'ABC', []]);
});

test('what is undone after a lost answer is undone on the server too, and before anything is published', async () => {
  for (const isPublished of [false, true]) {
    const { server, clock, draft, saver, type, kind } = open();
    server.faults.push('lost');
    type('A');
    await clock.pass(2000);
    draft.undo();
    const published = isPublished ? saver.run((revision) => server.publish(revision)) : undefined;
    await clock.pass(1000);
    await published;
    assert.deepEqual([kind(), server.content.title, draft.isChanged, saver.isUnsent], ['saved', 'Home', false, false]);
  }
});

test('what was refused and undone is not sent', async () => {
  const { server, clock, draft, saver, type, kind } = open();
  server.faults.push('refused');
  type('A');
  await clock.pass(2000);
  assert.deepEqual([kind(), saver.sent, saver.refused?.reason], ['refused', [], 'tooLarge']);
  draft.undo();
  await clock.pass(10_000);
  assert.deepEqual([kind(), server.requests.length, saver.refused], ['saved', 1, undefined]);
});

test('what others change beside the content is no conflict', async () => {
  const { server, clock, type, kind } = open();
  server.revision = 12;
  type('A');
  await clock.pass(2000);
  assert.deepEqual([kind(), server.content.title, server.requests.map(({ revision, got }) => [revision, got])], ['saved', 'A', [[7, 'stale'], [12, 'saved']]]);
});

test('in a conflict nothing is sent until the person decides', async () => {
  const { server, clock, draft, saver, type, kind } = open();
  server.change({ title: 'Theirs' });
  type('Mine');
  await clock.pass(2000);
  type('Mine too', 'subtitle');
  await clock.pass(100_000);
  assert.deepEqual([kind(), server.requests.length, saver.stale?.changed_by?.friendly_name], ['conflict', 1, 'Ada']);
  await assert.rejects(saver.flush(), NotSaved);
  saver.takeTheirs();
  assert.deepEqual([kind(), draft.content().title, draft.content().subtitle, saver.stale], ['saved', 'Theirs', undefined, undefined]);
  await clock.pass(100_000);
  assert.equal(server.requests.length, 1);
  draft.undo();
  assert.deepEqual([draft.content().title, draft.content().subtitle], ['Mine', 'Mine too'], 'undo brings back what was here');
  await clock.pass(2000);
  assert.deepEqual([kind(), server.content.title], ['saved', 'Mine']);
});

test('mine is kept: theirs becomes a version first', async () => {
  const { server, clock, saver, type, kind } = open();
  server.change({ title: 'Theirs' });
  type('Mine');
  await clock.pass(2000);
  saver.keepMine();
  await clock.pass(0);
  assert.deepEqual([kind(), server.content.title], ['saved', 'Mine']);
  assert.deepEqual(server.requests.map(({ keep, autosave, revision }) => [keep, autosave, revision]), [[false, true, 7], [true, false, 8]]);
});

test('an answer that contradicts itself is tried again, and not for ever at once', async () => {
  const { server, clock, type, kind } = open();
  server.faults.push('broken', 'broken');
  type('A');
  await clock.pass(2000);
  assert.equal(kind(), 'retrying');
  await clock.pass(3000);
  assert.equal(kind(), 'saved');
});

test('a fault of the studio itself is told as one of the server, and nothing waits for ever behind it', async () => {
  const { server, clock, saver, type, kind } = open();
  const report = mock.method(console, 'error', () => {});
  server.faults.push('thrown');
  type('A');
  await assert.rejects(saver.run((revision) => server.publish(revision)), (error: NotSaved) => error.kind === 'retrying');
  report.mock.restore();
  assert.deepEqual([kind(), report.mock.calls.map(({ arguments: [error] }) => String(error))], ['retrying', ['TypeError: thrown']]);
  await clock.pass(1000);
  assert.deepEqual([kind(), server.content.title], ['saved', 'A']);
});

test('signed out, the request waits and goes on', async () => {
  const { server, clock, type, kind } = open();
  let signIn = () => {};
  server.signIn = new Promise((resolve) => (signIn = resolve));
  type('A');
  await clock.pass(2000);
  type('AB');
  await clock.pass(60_000);
  assert.deepEqual([kind(), server.requests.length], ['signedOut', 0]);
  server.signIn = undefined;
  signIn();
  await clock.pass(0);
  assert.deepEqual([kind(), server.content.title], ['saved', 'AB']);
});

test('publishing waits for what was typed, and nothing is sent beside it', async () => {
  const { server, clock, draft, saver, type, kind } = open();
  type('A');
  const published = saver.run((revision) => server.publish(revision));
  type('AB');
  await clock.pass(0);
  const story = await published;
  assert.deepEqual([story.content.title, kind(), draft.base().revision, server.revision], ['AB', 'saved', 10, 10]);
});

test('what needs a saved draft is refused when it cannot be saved now, and is not done later', async () => {
  const { server, clock, saver, type } = open();
  server.faults.push('offline');
  type('A');
  let isDone = false;
  await assert.rejects(saver.run(async () => void (isDone = true)), (error: NotSaved) => error.kind === 'offline');
  await clock.pass(60_000);
  assert.deepEqual([isDone, server.content.title], [false, 'A']);
  await assert.rejects(saver.run(() => Promise.reject(new Error('no'))), /^Error: no$/);
  await saver.flush();
});

test('a task that others have overtaken is tried again, unless they have changed the content', async () => {
  const { server, clock, draft, saver, kind } = open();
  server.revision = 20;
  await saver.run((revision) => server.publish(revision));
  await clock.pass(0);
  assert.deepEqual([kind(), draft.base().revision], ['saved', 21]);
  server.change({ title: 'Theirs' });
  await assert.rejects(saver.run((revision) => server.publish(revision)), (error: NotSaved) => error.kind === 'conflict');
  assert.equal(kind(), 'conflict');
});

test('tasks are done one after the other', async () => {
  const { server, saver } = open();
  const revisions: number[] = [];
  const publish = (revision: number) => (revisions.push(revision), server.publish(revision));
  await Promise.all([saver.run(publish), saver.run(publish), saver.flush()]);
  assert.deepEqual(revisions, [7, 8]);
});

test('a restored version comes into the draft as one step', async () => {
  const { server, clock, draft, saver, kind } = open();
  await saver.run(async () => {
    server.change({ title: 'Old' });
    return server.story;
  });
  await clock.pass(10_000);
  assert.deepEqual([kind(), draft.content().title, server.requests.length], ['saved', 'Old', 0]);
  draft.undo();
  assert.equal(draft.content().title, 'Home');
});

test('and keeps what was typed meanwhile', async () => {
  const { server, clock, draft, saver, type, kind } = open();
  await saver.run(async () => {
    type('Typed', 'subtitle');
    server.change({ title: 'Old' });
    return server.story;
  });
  assert.deepEqual([kind(), draft.content().title, draft.content().subtitle], ['dirty', 'Old', 'Typed']);
  await clock.pass(2000);
  assert.deepEqual([kind(), server.content.title, server.content.subtitle], ['saved', 'Old', 'Typed']);
});

test('a story that was brought back is saved as it is here', async () => {
  const { server, clock, saver, type, kind } = open();
  type('A');
  server.revision = 9;
  saver.settle(server.story);
  await clock.pass(0);
  assert.deepEqual([kind(), server.content.title], ['saved', 'A']);
});

test('unless others have changed it before it was deleted', async () => {
  const { server, clock, saver, type, kind } = open();
  type('A');
  server.change({ title: 'Theirs' });
  saver.settle(server.story);
  await clock.pass(60_000);
  assert.deepEqual([kind(), server.requests.length, saver.stale?.story.content.title], ['conflict', 0, 'Theirs']);
});

test('when the screen is left nothing is sent any more', async () => {
  const { server, clock, saver, type } = open();
  type('A');
  saver.stop();
  await clock.pass(60_000);
  assert.equal(server.requests.length, 0);
});
