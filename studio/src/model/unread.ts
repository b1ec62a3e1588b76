// Why the options of another server are not there.

export type UnreadReason = 'blocked' | 'timedOut' | 'tooLarge' | 'noList' | 'unavailable' | 'often' | 'busy' | 'schema' | 'offline' | 'failed';

export class Unread extends Error {
  readonly reason: UnreadReason;

  /** With the sentence of the server, which says more of some reasons. */
  constructor(reason: UnreadReason, sentence = '') {
    super(sentence);
    this.reason = reason;
  }
}
