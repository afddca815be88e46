import type { FailureDetail, FailureReason, MissingProperty } from '../../model/outcome.js';

/** A source could not be asked, or what it sent is of no use. `message` is for the operator's log and never reaches a client. */
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
      /** The HTTP status that the source answered with, where that is the failure. */
      readonly status?: number | undefined;
      /** Milliseconds after which the source asks to be asked again. */
      readonly retryAfter?: number;
      /** The gateways that its answer names. */
      readonly via?: readonly string[];
      /** What it said beside its HTTP status, as JSON. */
      readonly said?: unknown;
      /**
       * Whether its answer has a Source-Status field: it is an aggregate that works, and its own sources failed. To retry the request, or to suspend the
       * aggregate, would not help (decisions.md, section 6).
       */
      readonly relayed?: boolean;
      /** The property that most of its records lack, where that is the failure. */
      readonly missing?: MissingProperty | undefined;
    },
  ) {
    super(message, options);
    this.name = 'SourceFailure';
    this.status = options?.status;
    this.retryAfter = options?.retryAfter;
    this.via = options?.via;
    this.errorBody = options?.said;
    this.hasSourceStatus = options?.relayed === true;
    this.missingProperty = options?.missing;
  }

  /** What an answer shows of it beside the reason; undefined where there is no more. */
  get detail(): FailureDetail | undefined {
    const { status, missingProperty: missing } = this;
    if (status === undefined && missing === undefined) return undefined;
    return { ...(status !== undefined && { status }), ...(missing && { missing }) };
  }
}

const TOO_MANY_REQUESTS = 429;

/** Whether it is the answer of a source that works and will not do what was asked: HTTP 4xx, but 429. */
export function isRequestRefusal({ status = 0 }: SourceFailure): boolean {
  return status >= 400 && status <= 499 && status !== TOO_MANY_REQUESTS;
}

/** Reasons by the code of the error that node, undici or OpenSSL raises. */
const REASONS_BY_CODE: readonly (readonly [pattern: RegExp, reason: FailureReason])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, 'dns'],
  [/^(UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/, 'tls'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'size'],
  [/^(Z_|ERR_.*DECOMPRESSION|ERR__ERROR_FORMAT|HPE_|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/, 'body'],
  [/^(E[A-Z]+|UND_ERR_SOCKET)$/, 'connect'],
];

/** Name of what undici raises where bytes came that are no HTTP. It has no code, for undici 7 looks that up in a table that llhttp has turned round. */
const HTTP_PARSER_ERROR = 'HTTPParserError';

/** Turns whatever was thrown on the way to a source into a failure with one of the reasons of section 6 of decisions.md. */
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
