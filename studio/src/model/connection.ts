// What is known of the connection to the server, from what the browser says and from what its requests came to.

export interface Connection {
  /** Offline: the browser has no network. Unreachable: it has one, and the server does not answer. */
  readonly state: 'connected' | 'offline' | 'unreachable';
  /** Since when it is so, in milliseconds. */
  readonly since: number;
  readonly lastAnswer: number;
}

export type ConnectionEvent = 'answer' | 'failure' | 'online' | 'offline';

const STATES = { answer: 'connected', failure: 'unreachable', online: 'unreachable', offline: 'offline' } as const;

export function connectionAfter(before: Connection, event: ConnectionEvent, at: number): Connection {
  // A request that fails while there is no network says nothing new, and a network that was there all the time neither.
  const says = !(before.state === 'offline' && event === 'failure') && !(before.state !== 'offline' && event === 'online');
  const state = says ? STATES[event] : before.state;
  return { state, since: state === before.state ? before.since : at, lastAnswer: event === 'answer' ? at : before.lastAnswer };
}
