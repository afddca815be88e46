import type { DocumentNode } from './document-node.js';
import type { ParameterError } from './query.js';

/**
 * Which responses can be an error: those of every operation, of one with an item in its path (`item`), of one whose
 * item is a team (`team`), of one that queries sources (`sources`), of one that may need credentials (`credentials`),
 * of all where tokens are verified (`issuer`) or a rate limit is configured (`rate-limit`). An error of the `method` or
 * the `connection` precedes the operation.
 */
export type ErrorOccurrence =
  'every' | 'item' | 'team' | 'sources' | 'credentials' | 'issuer' | 'rate-limit' | 'method' | 'connection';

interface CatalogueError {
  readonly status: number;
  readonly phrase: string;
  readonly occurrence: ErrorOccurrence;
  /** Cause and remedy (decisions 2.42). */
  readonly description: string;
}

/** All errors of the API: HTTP status, and the reason phrase of RFC 9110 as the envelope's `status` (decisions 2.7). */
export const errorCatalogue = {
  'multiple-choices': {
    status: 300,
    phrase: 'Multiple Choices',
    occurrence: 'team',
    description:
      'The id is one that several teams of its source would have. `candidates` lists them; request one by its own id.',
  },
  'bad-request': {
    status: 400,
    phrase: 'Bad Request',
    occurrence: 'every',
    description:
      'A parameter is unknown, repeated or has an invalid value: `errors` lists all of them. Or the response would be larger than 64 MiB.',
  },
  unauthorized: {
    status: 401,
    phrase: 'Unauthorized',
    occurrence: 'credentials',
    description: 'The request needs credentials, or its credentials are refused. `WWW-Authenticate` says which.',
  },
  forbidden: {
    status: 403,
    phrase: 'Forbidden',
    occurrence: 'credentials',
    description: 'The access level of the credentials does not suffice.',
  },
  'not-found': {
    status: 404,
    phrase: 'Not Found',
    occurrence: 'item',
    description:
      'There is no item with this id, or no resource at this path. A source that could not be queried never leads to this error.',
  },
  'method-not-allowed': {
    status: 405,
    phrase: 'Method Not Allowed',
    occurrence: 'method',
    description: 'The interfaces are read-only: GET, HEAD and OPTIONS.',
  },
  'not-acceptable': {
    status: 406,
    phrase: 'Not Acceptable',
    occurrence: 'every',
    description: 'No requested media type is served for this resource. The message lists those that are.',
  },
  'request-late': {
    status: 408,
    phrase: 'Request Timeout',
    occurrence: 'connection',
    description: 'The request did not arrive in time.',
  },
  'precondition-failed': {
    status: 412,
    phrase: 'Precondition Failed',
    occurrence: 'every',
    description: '`If-Match` or `If-Unmodified-Since` does not match the current response.',
  },
  'body-too-large': {
    status: 413,
    phrase: 'Content Too Large',
    occurrence: 'connection',
    description: 'The body of the request is too large. No request needs one.',
  },
  'target-too-long': {
    status: 414,
    phrase: 'URI Too Long',
    occurrence: 'connection',
    description: 'The request target is longer than 8 KiB.',
  },
  'expectation-failed': {
    status: 417,
    phrase: 'Expectation Failed',
    occurrence: 'connection',
    description: '`Expect` has another value than `100-continue`.',
  },
  'rate-limited': {
    status: 429,
    phrase: 'Too Many Requests',
    occurrence: 'rate-limit',
    description: 'The client has sent more requests than its limit admits. Wait for the seconds in `Retry-After`.',
  },
  'head-too-long': {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    occurrence: 'connection',
    description: 'The head of the request is too long or has too many fields.',
  },
  internal: {
    status: 500,
    phrase: 'Internal Server Error',
    occurrence: 'every',
    description: 'This gateway failed. Its log has the cause under the `X-Request-Id` of the response.',
  },
  'not-implemented': {
    status: 501,
    phrase: 'Not Implemented',
    occurrence: 'connection',
    description: '`Transfer-Encoding` names another coding than `chunked`.',
  },
  'no-source': {
    status: 502,
    phrase: 'Bad Gateway',
    occurrence: 'sources',
    description:
      'The sources did not return what the answer needs: no source did, or nothing matches and one of them is missing. `sources` and `Source-Status` name them.',
  },
  'not-held': {
    status: 503,
    phrase: 'Service Unavailable',
    occurrence: 'sources',
    description: 'A private query cannot be answered without sending it to a source.',
  },
  'issuer-unavailable': {
    status: 503,
    phrase: 'Service Unavailable',
    occurrence: 'issuer',
    description: 'The token cannot be verified now, because the keys of its issuer cannot be fetched.',
  },
  'keys-unavailable': {
    status: 503,
    phrase: 'Service Unavailable',
    occurrence: 'sources',
    description: 'A keyring was requested, and the keys of the teams cannot be read at present.',
  },
  'sources-late': {
    status: 504,
    phrase: 'Gateway Timeout',
    occurrence: 'sources',
    description: 'As 502, where the sources only timed out.',
  },
  'version-not-supported': {
    status: 505,
    phrase: 'HTTP Version Not Supported',
    occurrence: 'connection',
    description: 'The version of HTTP is neither 1.1 nor 1.0.',
  },
  loop: {
    status: 508,
    phrase: 'Loop Detected',
    occurrence: 'connection',
    description: 'The request has already passed through this gateway.',
  },
} as const satisfies Readonly<Record<string, CatalogueError>>;

/** `docs/errors.md` has a heading for each. */
export type ErrorKind = keyof typeof errorCatalogue;

/** An error as a value (decisions 6.16). It contains no text of a source, no stack trace and no file path. */
export interface Problem {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly errors?: readonly ParameterError[];
  /** Names and ids of the teams that the requested id may mean, for `multiple-choices` (decisions 2.35). */
  readonly candidates?: readonly ReadonlyMap<string, DocumentNode>[];
}
