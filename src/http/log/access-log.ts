import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { RequestEvent, ConnectionLimit, Meter } from '../../model/meter.js';
import type { Resource } from '../../model/resource.js';
import type { Tracer } from '../../model/tracer.js';
import type { CacheResult } from '../../model/cache-result.js';
import { parseRequestTarget } from '../request/request-target.js';
import { REQUEST_ID_FIELD, createRequestId } from './request-id.js';

/** `errors`: with a status of 400 and above (`server.log`, operation 5.2). */
export type AccessLogLevel = 'none' | 'errors' | 'all';

/** Handlers add fields while the request is processed. */
export interface RequestLogFields extends Record<string, unknown> {
  /** In the body, where the HTTP status is another one (decisions 2.15). */
  status?: number;
  /** Absent where no source was needed. */
  cache?: CacheResult;
  /** Absent where the request is for no resource. */
  resource?: Resource['name'];
  /** Absent where the response has no format. */
  format?: string;
  /** By code; absent where no source was needed. */
  sources?: Readonly<Record<string, object>>;
}

export interface AccessLog {
  readonly log: Log;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly level: AccessLogLevel;
  /** Absent: tracing is not active (operation 7.1). */
  readonly tracer?: Tracer | undefined;
}

/** Sets the id in the response. Logs and counts when the response has been sent or the client has disconnected. */
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

interface CachedResponseLog {
  /** Shared by all requests for this response. */
  readonly sharedFields: RequestLogFields;
  readonly requestId: string;
  /** Undefined where tracing is not active. */
  readonly traceId: string | undefined;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  /** When the head of the request had been received, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * The function writes the line of a response from the response cache, given whether it was sent completely. Undefined
 * where no line is to be written. The request is counted separately.
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
export function logUnparsedRequest(accessLog: AccessLog, fields: UnparsedRequestFields): void {
  const { status, format } = fields;
  accessLog.meter.countRequest({ status, format });
  writeRequestLine(accessLog, { ...fields });
}

/** A limit closed the connection (operation 5.4). */
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
