// The one place that sends requests: with the CSRF token of the session, aborted when nothing waits for them, and each error as a `Problem`. A request that is
// refused because the session has ended waits until the person has signed in again, and then goes on.

import { Problem, problemOf } from './problem.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Query = Record<string, string | number | boolean | undefined>;

export interface Answer<T> {
  readonly body: T;
  /** How many there are in all, of a list. */
  readonly total: number;
}

export interface WriteOptions {
  /** The revision that the write is for; another one is refused with what the story is now. Such a write can be sent again: it changes nothing twice. */
  readonly ifMatch?: number;
  /** It is sent once all the same: the caller tries again by itself. */
  readonly isSentOnce?: boolean;
  readonly signal?: AbortSignal;
  /** Told when the request waits for the person to sign in again. */
  readonly onsignedout?: () => void;
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** How much of it was sent, from 0 to 1. */
  readonly onprogress: (share: number) => void;
}

/** The pauses before something is tried again, in milliseconds. */
const PAUSES = [1000, 2000, 5000];
/** A request that may be made again only after longer is given up at once, in milliseconds: a person looks at what it is for. */
const LONGEST_PAUSE = 10_000;
/** How long an answer may take, in milliseconds: a story of 5 MB over a slow line takes half of it. After that the network counts as gone. */
const PATIENCE = 60_000;

export class Client {
  readonly #space: string;
  readonly #person: string;
  #token: string;
  /** Asks the person to sign in again; fulfilled when that is done. */
  readonly #signIn: () => Promise<void>;
  /** Told of every request whether there was an answer. */
  readonly #onanswer: (isAnswered: boolean) => void;
  #signingIn: Promise<void> | undefined;

  constructor(space: number, person: string, token: string, signIn: () => Promise<void>, onanswer: (isAnswered: boolean) => void = () => {}) {
    this.#space = `/api/v1/spaces/${space}/`;
    this.#person = person;
    this.#token = token;
    this.#signIn = signIn;
    this.#onanswer = onanswer;
  }

  /** The CSRF token, for the one form that is no request of this class. */
  get token(): string {
    return this.#token;
  }

  /** Reads; tried again while the network is gone or the server is busy. */
  get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer<T>> {
    return this.#insist(() => this.getOnce<T>(path, query, signal), signal);
  }

  /** Reads what may be refused for a while, where the person decides when it is asked for again. */
  getOnce<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer<T>> {
    return this.#send<T>('GET', path, query, undefined, signal ? { signal } : {});
  }

  /** Changes something. Without a revision it is sent once: whether a lost answer was a change, only the person can say. */
  async change<T>(method: Exclude<Method, 'GET'>, path: string, body?: unknown, query: Query = {}, options: WriteOptions = {}): Promise<T> {
    const send = () => this.#send<T>(method, path, query, body, options);
    return (await (options.ifMatch === undefined || options.isSentOnce ? send() : this.#insist(send, options.signal))).body;
  }

  /** Sends a form with a file, which may take as long as it takes; sent once. */
  async upload<T>(path: string, form: FormData, { signal, onprogress }: UploadOptions): Promise<T> {
    return (await this.#answered<T>(() => this.#sendForm(this.#space + path, form, signal, onprogress), {})).body;
  }

  /** A file of this server, by its path. */
  async file(path: string): Promise<Blob> {
    const response = await fetch(path, { credentials: 'same-origin', signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined);
    if (!response) throw new Problem('offline');
    if (!response.ok) throw problemOf(response.status, await response.json().catch(() => undefined));
    return response.blob();
  }

  /** Whether the server answers. */
  async reach(): Promise<boolean> {
    return this.#fetch('GET', '/api/ready', {}, undefined, {}).then(() => true, () => false);
  }

  async #insist<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (const pause of PAUSES) {
      try {
        return await send();
      } catch (problem) {
        if (!(problem instanceof Problem) || !['offline', 'busy'].includes(problem.kind) || problem.retryAfter > LONGEST_PAUSE) throw problem;
        await new Promise((resume) => setTimeout(resume, Math.max(pause, problem.retryAfter)));
      }
      signal?.throwIfAborted();
    }
    return send();
  }

  #send<T>(method: Method, path: string, query: Query, body: unknown, options: WriteOptions): Promise<Answer<T>> {
    return this.#answered(() => this.#fetch(method, path, query, body, options), options);
  }

  /** What a request is answered with, when the session and its token are good again. */
  async #answered<T>(send: () => Promise<Response>, options: WriteOptions): Promise<Answer<T>> {
    let hasNewToken = false;
    for (;;) {
      const response = await send();
      const told: unknown = await response.json().catch(() => undefined);
      if (response.ok) return { body: told as T, total: Number(response.headers.get('total') ?? 0) };
      const problem = problemOf(response.status, told, response.headers.get('retry-after'));
      if (problem.kind === 'signedOut') {
        options.onsignedout?.();
        await this.#signedInAgain();
      } else if (!hasNewToken && (told as { error?: unknown } | undefined)?.error === 'csrfInvalid') {
        hasNewToken = true;
        await this.#renewToken();
      } else {
        throw problem;
      }
    }
  }

  async #fetch(method: Method, path: string, query: Query, body: unknown, { signal, ifMatch }: WriteOptions): Promise<Response> {
    const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
    // A path that begins with a slash is not about this space.
    const url = `${path.startsWith('/') ? path : this.#space + path}${pairs.length ? `?${new URLSearchParams(pairs)}` : ''}`;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (method !== 'GET') headers['x-csrf-token'] = this.#token;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (ifMatch !== undefined) headers['if-match'] = `"${ifMatch}"`;
    const patience = AbortSignal.timeout(PATIENCE);
    try {
      const ends = signal ? AbortSignal.any([signal, patience]) : patience;
      const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: ends, credentials: 'same-origin' });
      this.#onanswer(true);
      return response;
    } catch (error) {
      if (signal?.aborted) throw error;
      this.#onanswer(false);
      throw new Problem('offline');
    }
  }

  /** `fetch` tells nothing while it sends. */
  #sendForm(url: string, form: FormData, signal: AbortSignal, onprogress: (share: number) => void): Promise<Response> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open('POST', url);
      request.setRequestHeader('accept', 'application/json');
      request.setRequestHeader('x-csrf-token', this.#token);
      request.upload.onprogress = ({ loaded, total }) => onprogress(total > 0 ? loaded / total : 0);
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
      request.onerror = () => reject(new Problem('offline'));
      request.onabort = () => reject(signal.reason);
      signal.addEventListener('abort', () => request.abort(), { once: true });
      if (signal.aborted) reject(signal.reason);
      else request.send(form);
    });
  }

  async #renewToken(): Promise<void> {
    const response = await fetch('/api/csrf-token', { headers: { accept: 'application/json' } }).catch(() => undefined);
    const body = (await response?.json().catch(() => undefined)) as { csrfToken?: string } | undefined;
    if (!body?.csrfToken) throw new Problem('offline');
    this.#token = body.csrfToken;
  }

  /** All requests that wait are one sign-in. Another person sees their own studio, from its beginning. */
  #signedInAgain(): Promise<void> {
    this.#signingIn ??= (async () => {
      await this.#signIn();
      const response = await fetch('/api/me').catch(() => undefined);
      const me = response?.ok ? ((await response.json().catch(() => undefined)) as { id?: string } | undefined) : undefined;
      if (!me) throw new Problem('offline');
      if (me.id !== this.#person) {
        location.assign('/studio');
        await new Promise(() => {});
      }
      await this.#renewToken();
    })().finally(() => (this.#signingIn = undefined));
    return this.#signingIn;
  }
}
