import type { DocumentNode } from './document-node.js';
import type { ParameterError } from './query.js';

/**
 * All errors of the API: the HTTP status, and the envelope's `status`, which is the reason phrase of RFC 9110
 * (decisions 2.7).
 */
export const errorCatalogue = {
  'multiple-choices': { status: 300, phrase: 'Multiple Choices' },
  'bad-request': { status: 400, phrase: 'Bad Request' },
  unauthorized: { status: 401, phrase: 'Unauthorized' },
  forbidden: { status: 403, phrase: 'Forbidden' },
  'not-found': { status: 404, phrase: 'Not Found' },
  'method-not-allowed': { status: 405, phrase: 'Method Not Allowed' },
  'not-acceptable': { status: 406, phrase: 'Not Acceptable' },
  'request-late': { status: 408, phrase: 'Request Timeout' },
  gone: { status: 410, phrase: 'Gone' },
  'precondition-failed': { status: 412, phrase: 'Precondition Failed' },
  'body-too-large': { status: 413, phrase: 'Content Too Large' },
  'target-too-long': { status: 414, phrase: 'URI Too Long' },
  'expectation-failed': { status: 417, phrase: 'Expectation Failed' },
  'rate-limited': { status: 429, phrase: 'Too Many Requests' },
  'head-too-long': { status: 431, phrase: 'Request Header Fields Too Large' },
  internal: { status: 500, phrase: 'Internal Server Error' },
  'not-implemented': { status: 501, phrase: 'Not Implemented' },
  'no-source': { status: 502, phrase: 'Bad Gateway' },
  'not-held': { status: 503, phrase: 'Service Unavailable' },
  'issuer-unavailable': { status: 503, phrase: 'Service Unavailable' },
  'keys-unavailable': { status: 503, phrase: 'Service Unavailable' },
  'sources-late': { status: 504, phrase: 'Gateway Timeout' },
  'version-not-supported': { status: 505, phrase: 'HTTP Version Not Supported' },
  loop: { status: 508, phrase: 'Loop Detected' },
} as const;

/** Key of an error in the catalogue. `docs/errors.md` has a heading for each. */
export type ErrorKind = keyof typeof errorCatalogue;

/** An error as a value (decisions 6.16). It contains no text of a source, no stack trace and no file path. */
export interface Problem {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly errors?: readonly ParameterError[];
  /** Of `multiple-choices`: the names and ids of the teams that the requested id may mean (decisions 2.35). */
  readonly candidates?: readonly ReadonlyMap<string, DocumentNode>[];
}
