import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { RequestEvent, ConnectionLimit, Meter } from '../../model/meter.js';
import type { Resource } from '../../model/resource.js';
import type { Tracer } from '../../model/tracer.js';
import type { CacheResult } from '../../model/cache-result.js';
import { parseRequestTarget } from '../request/request-target.js';
import { REQUEST_ID_FIELD, createRequestId } from './request-id.js';

/** Which requests are logged (`server.log`, operation 5.2): all, those with a status of 400 and above, or none. */
export type AccessLogLevel = 'none' | 'errors' | 'all';

/** Fields of a request's log line (operation 5.2). Handlers add to them while the request is processed. */
export interface RequestLogFields extends Record<string, unknown> {
  /** Status that the body reports, where the HTTP status is another one (decisions 2.15). */
  status?: number;
  /** Whether cached snapshots sufficed, or why the answer waited; absent where no source was needed. */
  cache?: CacheResult;
  /** Absent where the request is for no resource. */
  resource?: Resource['name'];
  /** Name of the response's format; absent where it has none. */
  format?: string;
  /** Outcome of each source by its code; absent where no source was needed. */
  sources?: Readonly<Record<string, object>>;
}

/** Log, counters, clock and tracer of the access log. */
export interface AccessLog {
  readonly log: Log;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly level: AccessLogLevel;
  /** Records a span for each request. Absent: tracing is not active (operation 7.1). */
  readonly tracer?: Tracer | undefined;
}

/**
 * Starts the log line of a request, and sets the id of the request in its response. The line is written, and the request
 * is counted, when the response has been sent or the client has disconnected.
 */
export function startRequestLog(
  request: IncomingMessage,
  response: ServerResponse,
  accessLog: AccessLog,
): RequestLogFields {
  const id = createRequestId(request);
  response.setHeader(REQUEST_ID_FIELD, id);
  const fields: RequestLogFields = { request: id, method: request.method, path: getLoggedPath(request) };
  const started = accessLog.clock.now();
  response.once('close', () => {
    const { status = response.statusCode } = fields;
    const milliseconds = accessLog.clock.now() - started;
    const aborted = !response.writableFinished;
    accessLog.meter.countRequest({ status: aborted ? 'aborted' : status, milliseconds, ...toMeterFields(fields) });
    writeRequestLine(accessLog, Object.assign(fields, { status, milliseconds, ...(aborted && { aborted }) }));
  });
  return fields;
}

/** Log fields of a response from the response cache. */
export interface CachedResponseLog {
  /** Fields that all requests for this response share. */
  readonly sharedFields: RequestLogFields;
  readonly requestId: string;
  /** Id of the trace; undefined where tracing is not active. */
  readonly traceId: string | undefined;
  /** Path of the request, without the query. */
  readonly path: string;
  readonly status: number;
  /** Size of the body. */
  readonly bytes: number;
  /** When the head of the request had been received, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Creates the function that writes the log line of a response from the response cache. Call it with whether the
 * response was sent completely. Undefined where no line is to be written. The request is counted separately.
 */
export function createCachedResponseLogger(
  { log, level, clock }: AccessLog,
  { sharedFields: shared, requestId, traceId, path, status, bytes, startedAt: started }: CachedResponseLog,
): ((isAborted: boolean) => void) | undefined {
  // The response cache contains no errors.
  if (level !== 'all') return undefined;
  return (isAborted) => {
    const milliseconds = clock.now() - started;
    const fields = { request: requestId, trace: traceId, method: 'GET', path, bytes, status, milliseconds, ...shared };
    log.info(isAborted ? fields : { ...fields, aborted: true }, 'request');
  };
}

/** Fields of a request that node:http could not parse, or that did not arrive completely. */
export interface UnparsedRequestFields {
  /** Id of the request. */
  readonly request: string;
  readonly status: number;
  /** Size of the body. */
  readonly bytes: number;
  /** Name of the response's format. */
  readonly format: string;
  /** Error code of node:http, or `CONNECT`. */
  readonly refused: string;
}

/** Logs and counts a request that was rejected without being parsed. */
export function logUnparsedRequest(accessLog: AccessLog, fields: UnparsedRequestFields): void {
  const { status, format } = fields;
  accessLog.meter.countRequest({ status, format });
  writeRequestLine(accessLog, { ...fields });
}

/** Logs and counts a connection that a limit closed (operation 5.4). */
export function logClosedConnection({ log, meter, level }: AccessLog, reason: ConnectionLimit): void {
  meter.countClosedConnection(reason);
  if (level !== 'none') log.warn({ reason }, 'connection closed by a limit');
}

function writeRequestLine({ log, level }: AccessLog, fields: RequestLogFields & { readonly status: number }): void {
  if (level === 'none' || (level === 'errors' && fields.status < 400)) return;
  log.info(fields, 'request');
}

function toMeterFields({
  resource,
  format,
  cache,
}: RequestLogFields): Pick<RequestEvent, 'resource' | 'format' | 'cache'> {
  return { ...(resource && { resource }), ...(format !== undefined && { format }), ...(cache && { cache }) };
}

/** Maximum length of a logged path, in characters. */
const MAX_PATH_LENGTH = 1_024;

/**
 * The path of a request as it is logged: without the query, which is logged in canonical form once it is parsed, and
 * without the authority of a target in absolute form, which may contain a password.
 */
export function getLoggedPath({ url = '' }: IncomingMessage): string {
  const { path } = parseRequestTarget(url);
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH)}…`;
}
