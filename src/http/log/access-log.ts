import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { RequestEvent, ConnectionLimit, Meter } from '../../model/meter.js';
import type { Resource } from '../../model/resource.js';
import type { CacheResult } from '../../model/cache-result.js';
import { parseRequestTarget } from '../request/request-target.js';

/** Which requests are logged (operation.md, `server.log`): all, those answered with an error, or none. */
export type AccessLogLevel = 'none' | 'errors' | 'all';

/** What is known of a request while it is answered; handlers add to it. */
export interface RequestLogFields extends Record<string, unknown> {
  /** The status that the answer tells in its body, where HTTP's is another. */
  status?: number;
  /** How the answer came by what its sources gave; absent where none was asked for. */
  cache?: CacheResult;
  /** Absent where nothing of a resource was asked for. */
  resource?: Resource['name'];
  /** Name of the format that the answer is written in; absent where it has none. */
  format?: string;
  /** What each source contributed, by its code; absent where none was asked for. */
  sources?: Readonly<Record<string, object>>;
}

/** Where the log line of a request goes, where requests are counted, and what time it is. */
export interface AccessLog {
  readonly log: Log;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly level: AccessLogLevel;
}

/** Opens the log line of a request; it is written, and the request counted, when the answer has left, or the client has. */
export function startRequestLog(
  request: IncomingMessage,
  response: ServerResponse,
  access: AccessLog,
): RequestLogFields {
  const facts: RequestLogFields = { request: randomUUID(), method: request.method, path: getLoggedPath(request) };
  const started = access.clock.now();
  response.once('close', () => {
    const { status = response.statusCode } = facts;
    const milliseconds = access.clock.now() - started;
    const aborted = !response.writableFinished;
    access.meter.countRequest({ status: aborted ? 'aborted' : status, milliseconds, ...toMeterFields(facts) });
    writeRequestLine(access, Object.assign(facts, { status, milliseconds, ...(aborted && { aborted }) }));
  });
  return facts;
}

/** What is known beforehand of a request that is answered at once. */
export interface CachedResponseLog {
  /** Facts that all such answers share. */
  readonly sharedFields: RequestLogFields;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** When its head was there, in milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * The log line of a GET that is answered at once, of which all is known and which is counted already: to be told when the answer has left, or
 * that it has not. Absent where none is written.
 */
export function createCachedResponseLogger(
  { log, level, clock }: AccessLog,
  { sharedFields: shared, path, status, bytes, startedAt: started }: CachedResponseLog,
): ((hasLeft: boolean) => void) | undefined {
  // No answer that is held is an error.
  if (level !== 'all') return undefined;
  return (hasLeft) => {
    const milliseconds = clock.now() - started;
    const facts = { request: randomUUID(), method: 'GET', path, bytes, status, milliseconds, ...shared };
    log.info(hasLeft ? facts : { ...facts, aborted: true }, 'request');
  };
}

/** What is known of a request that node:http could not read, or that did not come to its end. */
export interface UnparsedRequestFields {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** Name of the format. */
  readonly format: string;
  /** The code of node:http's error. */
  readonly refused: string;
}

/** Writes the log line of a request that was answered without being read, and counts it. */
export function logUnparsedRequest(access: AccessLog, facts: UnparsedRequestFields): void {
  const { status, format } = facts;
  access.meter.countRequest({ status, format });
  writeRequestLine(access, { request: randomUUID(), ...facts });
}

/** Logs that a limit ended a connection on which no request could be answered, and counts it. */
export function logClosedConnection({ log, meter, level }: AccessLog, reason: ConnectionLimit): void {
  meter.countClosedConnection(reason);
  if (level !== 'none') log.warn({ reason }, 'connection closed by a limit');
}

function writeRequestLine({ log, level }: AccessLog, facts: RequestLogFields & { readonly status: number }): void {
  if (level === 'none' || (level === 'errors' && facts.status < 400)) return;
  log.info(facts, 'request');
}

function toMeterFields({
  resource,
  format,
  cache,
}: RequestLogFields): Pick<RequestEvent, 'resource' | 'format' | 'cache'> {
  return { ...(resource && { resource }), ...(format !== undefined && { format }), ...(cache && { cache }) };
}

/** Characters of a path that are logged. */
const MAX_PATH_LENGTH = 1_024;

/**
 * The path as it is logged: without its query, which is logged in canonical form only, once it is parsed, and without the authority of a target in
 * absolute form, which may hold a password.
 */
export function getLoggedPath({ url = '' }: IncomingMessage): string {
  const { path } = parseRequestTarget(url);
  return path.length <= MAX_PATH_LENGTH ? path : `${path.slice(0, MAX_PATH_LENGTH)}…`;
}
