import type { FailureDetail, FailureReason, MissingProperty } from '../../model/reasons.js';

/**
 * The source could not be queried, or its response is not usable (decisions 6.3, 6.14). `message` is for the operator's
 * log and never reaches a client.
 */
export class SourceFailure extends Error {
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly via: readonly string[] | undefined;
  readonly errorBody: unknown;
  readonly hasSourceStatus: boolean;
  readonly missingProperty: MissingProperty | undefined;

  constructor(
    readonly reason: FailureReason,
    message: string,
    options?: ErrorOptions & {
      /** If the HTTP status is the failure. */
      readonly status?: number | undefined;
      /** Milliseconds, from the source's Retry-After. */
      readonly retryAfter?: number;
      /** Named in the response's Via. */
      readonly via?: readonly string[];
      /** Parsed JSON. */
      readonly errorBody?: unknown;
      /**
       * The response has a Source-Status field: a working aggregate whose own sources failed. Neither retry nor
       * suspension helps (decisions 5.21).
       */
      readonly hasSourceStatus?: boolean;
      /** If the failure is a property that most records lack. */
      readonly missing?: MissingProperty | undefined;
    },
  ) {
    super(message, options);
    this.name = 'SourceFailure';
    this.status = options?.status;
    this.retryAfter = options?.retryAfter;
    this.via = options?.via;
    this.errorBody = options?.errorBody;
    this.hasSourceStatus = options?.hasSourceStatus === true;
    this.missingProperty = options?.missing;
  }

  /** What a response to a client adds to the reason. */
  get detail(): FailureDetail | undefined {
    const { status, missingProperty: missing } = this;
    if (status === undefined && missing === undefined) return undefined;
    return { ...(status !== undefined && { status }), ...(missing && { missing }) };
  }
}

const TOO_MANY_REQUESTS = 429;

/** From a working source: HTTP 4xx except 429 (decisions 6.13). */
export function isRequestRefusal({ status = 0 }: SourceFailure): boolean {
  return status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS;
}

/** Of Node.js, undici and OpenSSL. */
const REASONS_BY_CODE: readonly (readonly [pattern: RegExp, reason: FailureReason])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/, 'tls'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'size'],
  [/^(Z_|ERR_.*DECOMPRESSION|ERR__ERROR_FORMAT|HPE_|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 'body'],
  [/^(E[A-Z]+|UND_ERR_SOCKET)$/, 'connect'],
];

/** Undici's, for bytes that are not HTTP. It has no code: undici 7 looks it up in an inverted table of llhttp. */
const HTTP_PARSER_ERROR = 'HTTPParserError';

/** Takes anything thrown during a request. */
export function asFailure(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const { name, code, message } = describeError(error);
  if (name === 'TimeoutError' || name === 'AbortError') return new SourceFailure('timeout', message, { cause: error });
  const known = REASONS_BY_CODE.find(([pattern]) => pattern.test(code))?.[1];
  const reason = known ?? (name === HTTP_PARSER_ERROR ? 'body' : 'internal');
  return new SourceFailure(reason, code === '' ? message : `${code}: ${message}`, { cause: error });
}

function describeError(error: unknown): { name: string; code: string; message: string } {
  if (!(error instanceof Error)) return { name: '', code: '', message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return { name: error.name, code, message: error.message };
}
