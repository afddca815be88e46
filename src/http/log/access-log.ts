import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Publish, RequestFacts } from '../../events/event.js';
import type { Clock } from '../../model/clock.js';
import type { TraceSpan, Tracer } from '../../model/tracer.js';
import { parseRequestTarget } from '../request/request-target.js';
import { REQUEST_ID_FIELD, createRequestId } from './request-id.js';

/** `errors`: with a status of 400 and above (`server.log`, operation 5.2). */
export type AccessLogLevel = 'none' | 'errors' | 'all';

/** Handlers add fields while the request is processed. */
export interface RequestLogFields extends RequestFacts {
  /** By code; absent where no source was needed. */
  sources?: Readonly<Record<string, object>>;
}

export interface AccessLog {
  readonly publish: Publish;
  readonly clock: Clock;
  readonly level: AccessLogLevel;
  /** Absent: tracing is not active (operation 7.1). */
  readonly tracer?: Tracer | undefined;
}

/** Sets the id in the response. The request is reported when it has been sent, or the client has disconnected. */
export function startRequestLog(
  request: IncomingMessage,
  response: ServerResponse,
  { publish, clock, level, span }: AccessLog & { readonly span?: TraceSpan | undefined },
): RequestLogFields {
  const id = createRequestId(request);
  response.setHeader(REQUEST_ID_FIELD, id);
  const fields: RequestLogFields = { request: id, method: request.method, path: getLoggedPath(request) };
  const started = clock.now();
  response.once('close', () => {
    const { status = response.statusCode } = fields;
    const milliseconds = clock.now() - started;
    const isAborted = !response.writableFinished;
    const line = isLogged(level, status)
      ? Object.assign(fields, { status, milliseconds, ...(isAborted && { aborted: true }) })
      : undefined;
    publish({ type: 'request answered', facts: fields, status, milliseconds, isAborted, line, span });
  });
  return fields;
}

interface CachedResponseFacts {
  /** Shared by all requests for this response. */
  readonly sharedFields: RequestLogFields;
  readonly requestId: string;
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  /** When the head of the request had been received, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly span: TraceSpan | undefined;
}

/** Reports a response from the response cache, when it has been sent or the client has disconnected. */
export function reportCachedResponse(
  response: ServerResponse,
  { publish, level, clock }: AccessLog,
  { sharedFields: facts, requestId, path, status, bytes, startedAt, span }: CachedResponseFacts,
): void {
  response.once('close', () => {
    const milliseconds = clock.now() - startedAt;
    const isAborted = !response.writableFinished;
    // The response cache contains no errors.
    if (level !== 'all') {
      publish({ type: 'request answered', facts, status, isAborted, span });
      return;
    }
    const sent = {
      request: requestId,
      trace: span?.traceId,
      method: 'GET',
      path,
      bytes,
      status,
      milliseconds,
      ...facts,
    };
    const line = isAborted ? { ...sent, aborted: true } : sent;
    publish({ type: 'request answered', facts, status, isAborted, line, span });
  });
}

/** A request that node:http could not parse, or that did not arrive completely. */
interface UnparsedRequestFields {
  readonly request: string;
  readonly status: number;
  readonly bytes: number;
  readonly format: string;
  /** Error code of node:http, or `CONNECT`. */
  readonly refused: string;
}

/** The request was rejected without being parsed. */
export function reportUnparsedRequest({ publish, level }: AccessLog, facts: UnparsedRequestFields): void {
  const { status, format } = facts;
  const line = isLogged(level, status) ? facts : undefined;
  publish({ type: 'request answered', facts: { format }, status, isAborted: false, line });
}

function isLogged(level: AccessLogLevel, status: number): boolean {
  return level === 'all' || (level === 'errors' && status >= 400);
}

/** In characters. */
const MAX_PATH_LENGTH = 1_024;

/**
 * Without the query, which is logged in canonical form once it is parsed, and without the authority of a target in
 * absolute form, which may contain a password.
 */
export function getLoggedPath({ url = '' }: IncomingMessage): string {
  const { path } = parseRequestTarget(url);
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH)}…`;
}
