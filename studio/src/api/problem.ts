// What went wrong with a request, as the studio tells it.

/** `unsaved` is none of an answer: what has to be saved first could not be. */
export type ProblemKind = 'offline' | 'signedOut' | 'forbidden' | 'gone' | 'invalid' | 'conflict' | 'busy' | 'failed' | 'unsaved';

/** What is wrong with a field, by the code that the server gives it. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly fields: readonly FieldProblem[];
  /** What support asks for; nothing when no server has answered. */
  readonly requestId: string;
  /** The name that the server gives the problem; nothing when something else has answered. */
  readonly code: string;
  /** How long to wait before it is tried again, in milliseconds. */
  readonly retryAfter: number;
  /** The body of the answer, which of some problems says more. */
  readonly body: unknown;

  constructor(kind: ProblemKind, sentence = '', fields: readonly FieldProblem[] = [], requestId = '', more: { code?: string; retryAfter?: number; body?: unknown } = {}) {
    super(sentence);
    this.kind = kind;
    this.fields = fields;
    this.requestId = requestId;
    this.code = more.code ?? '';
    this.retryAfter = more.retryAfter ?? 0;
    this.body = more.body;
  }
}

/** The problem of an answer of the Management API, whose body may be anything when a proxy has answered. */
export function problemOf(status: number, body: unknown, retryAfter: string | null = null): Problem {
  const told = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown; message?: unknown; details?: unknown; requestId?: unknown };
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const details = Array.isArray(told.details) ? told.details : [];
  const fields = details.map((detail) => ({ field: text(detail?.field), code: text(detail?.code), message: text(detail?.message) }));
  const more = { code: text(told.error), retryAfter: secondsOf(retryAfter) * 1000, body };
  return new Problem(kindOf(status), text(told.message), fields, text(told.requestId), more);
}

/** The seconds of a `Retry-After`; a date, or nonsense, is none. */
function secondsOf(retryAfter: string | null): number {
  return retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) : 0;
}

function kindOf(status: number): ProblemKind {
  switch (status) {
    case 401: return 'signedOut';
    case 403: return 'forbidden';
    case 404: return 'gone';
    case 409:
    case 412: return 'conflict';
    case 400:
    case 413:
    case 422: return 'invalid';
    case 429:
    case 502:
    case 503:
    case 504: return 'busy';
    default: return 'failed';
  }
}
