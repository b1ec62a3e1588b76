// The state machine of saving as a table: what happens at which second, what is sent then, and what the state line says at the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SaveAnswer } from '../model/save.ts';
import { due, isUnsent, next, SAVED, step, type Saving, type SavingEvent } from './saving.ts';

const trouble = (retryAfter = 0, reason: 'busy' | 'diskFull' | 'failed' = 'busy'): SaveAnswer => ({ kind: 'trouble', reason, retryAfter: retryAfter * 1000, requestId: 'r' });
const answers: Record<string, SaveAnswer> = {
  ok: { kind: 'saved', problems: [] } as unknown as SaveAnswer,
  stale: { kind: 'stale' } as unknown as SaveAnswer,
  offline: { kind: 'offline' },
  busy: trouble(),
  busy20: trouble(20),
  diskFull: trouble(0, 'diskFull'),
  failed: trouble(0, 'failed'),
  tooLarge: { kind: 'refused', reason: 'tooLarge', message: '', fields: [] },
  invalid: { kind: 'refused', reason: 'invalid', message: '', fields: [] },
  forbidden: { kind: 'refused', reason: 'forbidden', message: '', fields: [] },
  storyGone: { kind: 'gone', what: 'story' },
  spaceGone: { kind: 'gone', what: 'space' },
};
const events: Record<string, SavingEvent> = {
  key: { kind: 'changed' },
  undone: { kind: 'unchanged' },
  save: { kind: 'wanted', what: 'save' },
  publish: { kind: 'wanted', what: 'task' },
  done: { kind: 'taskDone' },
  moved: { kind: 'moved', isChanged: true },
  same: { kind: 'moved', isChanged: false },
  signedOut: { kind: 'signedOut' },
  up: { kind: 'online' },
  down: { kind: 'offline' },
  keep: { kind: 'kept' },
  theirs: { kind: 'settled', isChanged: false },
  back: { kind: 'settled', isChanged: true },
};

/** Lives through `second event` lines until a second, and says what was sent when: `2 autosave`. Time goes on by itself, so that what is due is sent. */
function live(lines: readonly string[], until: number): { sent: string[]; state: Saving } {
  let state = SAVED;
  const sent: string[] = [];
  const seconds = (time: number) => Number((time / 1000).toFixed(3));
  const send = (now: number) => {
    for (let purpose = next(state, now); purpose; purpose = next(state, now)) {
      sent.push(`${seconds(now)} ${purpose}${state.keep ? ' keep' : ''}`);
      state = step(state, { kind: 'sent', purpose }, now);
    }
  };
  const sleepUntil = (time: number) => {
    for (let at = due(state); at !== undefined && at <= time; at = due(state)) send(at);
  };
  for (const line of lines) {
    const [second = '', name = ''] = line.split(' ');
    const now = Number(second) * 1000;
    sleepUntil(now);
    const answer = answers[name];
    state = step(state, answer ? { kind: 'answered', answer } : (events[name] ?? assert.fail(name)), now);
    send(now);
  }
  sleepUntil(until * 1000);
  return { sent, state };
}

type Row = readonly [what: string, lines: string, sent: string, kind: Saving['kind'], more?: Partial<Saving> & { unsent?: boolean; until?: number }];

const rows: readonly Row[] = [
  ['nothing is changed, nothing is sent', '', '', 'saved', { unsent: false, until: 1000 }],
  ['two seconds of rest', '0 key', '2 autosave', 'saving', { unsent: true }],
  ['a key puts it off', '0 key, 1.5 key', '3.5 autosave', 'saving'],
  ['but at most ten seconds', '0 key, 1.5 key, 3 key, 4.5 key, 6 key, 7.5 key, 9 key', '10 autosave', 'saving'],
  ['saved', '0 key, 3 ok', '2 autosave', 'saved', { savedAt: 3000, unsent: false }],
  ['what was undone is not sent', '0 key, 1 undone', '', 'saved', { unsent: false, until: 100 }],
  ['keys while a request is under way wait for it, and for their own rest', '0 key, 3 key, 6 ok', '2 autosave, 6 autosave', 'saving'],
  ['and do not if they are younger', '0 key, 5 key, 6 ok', '2 autosave, 7 autosave', 'saving'],
  ['one request at a time', '0 key, 2.5 save, 2.6 publish', '2 autosave', 'saving'],

  ['Save sends at once, and writes a version', '0 key, 0.5 save', '0.5 save', 'saving'],
  ['Save also writes a version of what is saved', '0 key, 3 ok, 5 save, 6 ok', '2 autosave, 5 save', 'saved'],
  ['Save waits for the request under way', '0 key, 2.5 save, 3 ok, 4 ok', '2 autosave, 3 save', 'saved'],
  ['Save pressed again while keys came is a second version', '0 key, 0.5 save, 0.6 key, 0.7 save, 1 ok, 2 ok', '0.5 save, 1 save', 'saved'],
  ['Publish waits until all is saved', '0 key, 0.5 publish, 1 ok, 2 done', '0.5 autosave, 1 task', 'saved', { savedAt: 1000 }],
  ['Publish with nothing unsent goes at once', '0 publish', '0 task', 'saving', { unsent: false }],
  ['a key within the second of Publish goes first, or after it', '0 key, 0.5 publish, 0.9 key, 1 ok, 1.5 ok, 1.6 key, 2 done', '0.5 autosave, 1 autosave, 1.5 task, 3.6 autosave', 'saving'],
  ['Save and Publish', '0 key, 0.1 save, 0.1 publish, 1 ok, 2 done', '0.1 save, 1 task', 'saved'],

  ['the network is gone', '0 key, 2.5 offline', '2 autosave, 3.5 autosave', 'saving', { until: 4 }],
  ['pauses grow', '0 key, 2 offline, 3 offline, 5 offline, 10 offline, 20 offline, 50 offline', '2 autosave, 3 autosave, 5 autosave, 10 autosave, 20 autosave, 50 autosave, 80 autosave', 'saving', { until: 80 }],
  ['it is back: at once', '0 key, 2 offline, 3 offline, 5 offline, 6 up', '2 autosave, 3 autosave, 5 autosave, 6 autosave', 'saving'],
  ['the browser knows first', '0 key, 0.5 down', '1.5 autosave', 'saving', { until: 1.5 }],
  ['with nothing unsent it does not matter', '0 down, 9 up', '', 'saved'],
  ['keys while it is gone do not hurry', '0 key, 2 offline, 2.1 key, 2.2 key', '2 autosave', 'offline', { until: 2.9, unsent: true }],
  ['Save asks at once, and stays a Save', '0 key, 2 offline, 2.1 save, 2.2 offline, 4.2 ok', '2 autosave, 2.1 save, 4.2 save', 'saved', { until: 5 }],

  ['the server is busy', '0 key, 2 busy', '2 autosave', 'retrying', { until: 2.9, reason: 'busy', requestId: 'r', unsent: true }],
  ['it says when', '0 key, 2 busy20', '2 autosave, 22 autosave', 'saving', { until: 22 }],
  ['the disk is full', '0 key, 2 diskFull, 3 diskFull', '2 autosave, 3 autosave', 'retrying', { until: 4, reason: 'diskFull' }],
  ['a fault of the server is tried again', '0 key, 2 failed, 3 ok', '2 autosave, 3 autosave', 'saved', { reason: undefined, tries: 0 }],
  ['after it, pauses begin anew', '0 key, 2 busy, 3 busy, 5 ok, 6 key, 8 busy', '2 autosave, 3 autosave, 5 autosave, 8 autosave, 9 autosave', 'saving', { until: 9 }],

  ['signed out', '0 key, 2.1 signedOut', '2 autosave', 'signedOut', { until: 1000, unsent: true }],
  ['keys meanwhile are sent after it', '0 key, 2.1 signedOut, 3 key, 60 ok', '2 autosave, 60 autosave', 'saving'],
  ['signed in again', '0 key, 2.1 signedOut, 60 ok', '2 autosave', 'saved'],

  ['others have changed it: nothing is sent', '0 key, 2 stale, 3 key, 4 save', '2 autosave', 'conflict', { until: 1000, unsent: true }],
  ['theirs is taken', '0 key, 2 stale, 9 theirs', '2 autosave', 'saved', { until: 100, unsent: false }],
  ['mine is kept, and theirs as a version', '0 key, 2 stale, 9 keep, 10 ok', '2 autosave, 9 save keep', 'saved', { keep: false }],
  ['kept, while others go on', '0 key, 2 stale, 9 keep, 10 stale', '2 autosave, 9 save keep', 'conflict', { keep: false, until: 100 }],
  ['kept, but too large: theirs becomes a version with what is taken', '0 key, 2 stale, 9 keep, 10 tooLarge, 20 key, 23 ok', '2 autosave, 9 save keep, 22 autosave keep', 'saved', { keep: false }],
  ['kept, too large, and undone to theirs', '0 key, 2 stale, 9 keep, 10 tooLarge, 20 key, 21 undone', '2 autosave, 9 save keep', 'saved', { keep: false }],
  ['kept, while the network is gone', '0 key, 2 stale, 9 keep, 9 offline, 10 ok', '2 autosave, 9 save keep, 10 save keep', 'saved', { keep: false }],
  ['both are in the draft', '0 key, 2 stale, 9 back', '2 autosave, 9 autosave', 'saving'],
  ['others have changed something else: sent at once', '0 key, 2 moved', '2 autosave, 2 autosave', 'saving'],
  ['and a version stays one', '0 key, 1 save, 1.5 moved', '1 save, 1.5 save', 'saving'],
  ['published meanwhile, with nothing unsent', '0 publish, 1 same', '0 task', 'saved', { until: 100 }],
  ['Publish found what was undone here: that goes first', '0 publish, 1 moved', '0 task, 1 autosave', 'saving', { unsent: true }],

  ['too large: only a change makes it worth trying', '0 key, 2 tooLarge', '2 autosave', 'refused', { until: 1000, reason: 'tooLarge', unsent: true }],
  ['after a change and a rest', '0 key, 2 tooLarge, 20 key, 21 key', '2 autosave, 23 autosave', 'saving', { until: 23 }],
  ['Save asks as well', '0 key, 2 invalid, 5 save, 6 invalid', '2 autosave, 5 save', 'refused', { until: 100, reason: 'invalid' }],
  ['undone to what the server has', '0 key, 2 tooLarge, 5 key, 6 undone', '2 autosave', 'saved', { until: 100, reason: undefined }],
  ['may not write any more', '0 key, 2 forbidden', '2 autosave', 'refused', { reason: 'forbidden' }],

  ['the story was deleted', '0 key, 2 storyGone, 3 key', '2 autosave', 'gone', { until: 1000, reason: 'story', unsent: true }],
  ['and brought back', '0 key, 2 storyGone, 60 back, 61 ok', '2 autosave, 60 autosave', 'saved'],
  ['the space was deleted, or the person is no member', '0 key, 2 spaceGone, 5 save', '2 autosave', 'gone', { until: 1000, reason: 'space', unsent: true }],
];

for (const [what, lines, expected, kind, { until, unsent, ...more } = {}] of rows) {
  test(what, () => {
    const all = lines ? lines.split(', ') : [];
    const last = Number(all.at(-1)?.split(' ')[0] ?? 0);
    // Without another time the machine lives as long as it takes to save what came last.
    const { sent, state } = live(all, until ?? last + 2);
    assert.deepEqual(sent, expected ? expected.split(', ') : []);
    assert.equal(state.kind, kind);
    if (unsent !== undefined) assert.equal(isUnsent(state), unsent);
    for (const [name, value] of Object.entries(more)) assert.equal(state[name as keyof Saving], value, name);
  });
}

test('whatever happens, one request is under way, and what is unsent stays so until the server has it', () => {
  const names = [...Object.keys(events), ...Object.keys(answers)];
  fc.assert(fc.property(fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(5000)), { maxLength: 40 }), (steps) => {
    let state = SAVED;
    let now = 0;
    let isUnderWay = false;
    let hasTyped = false;
    for (const [name, pause] of steps) {
      now += pause;
      const purpose = next(state, now);
      if (purpose) {
        assert.equal(isUnderWay, false);
        isUnderWay = true;
        state = step(state, { kind: 'sent', purpose }, now);
      }
      const answer = answers[name];
      const isMoved = events[name]?.kind === 'moved';
      // Answers come to requests, and the draft says that it is unchanged only before something is sent.
      if ((answer || name === 'done' || isMoved) && !isUnderWay) continue;
      if ((answer || isMoved) && state.sending === 'task') continue;
      if (name === 'done' && state.sending !== 'task') continue;
      if (['keep', 'theirs', 'back'].includes(name) && state.kind !== 'conflict') continue;
      if (answer || name === 'done' || isMoved) isUnderWay = false;
      if (name === 'key') hasTyped = true;
      const before = state;
      state = step(state, answer ? { kind: 'answered', answer } : events[name]!, now);
      if (name === 'theirs' || name === 'same' || (name === 'undone' && due(before) !== undefined)) hasTyped = false;
      if (name === 'ok' && !before.changed) hasTyped = false;
      if (hasTyped) assert.ok(isUnsent(state), `${name} has lost a change`);
      if (state.kind === 'saved') assert.equal(isUnsent(state), false);
    }
  }), { numRuns: 2000 });
});
