import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { ErrorKind, Problem } from '../../model/error-catalogue.js';
import type { ApiInterface } from '../../model/api-interface.js';
import type { ConnectionLimit } from '../../model/meter.js';
import { buildErrorEnvelope } from '../../render/envelope.js';
import { renderJsonText } from '../../render/json.js';
import { formatImfFixdate } from '../../text/date.js';
import { logClosedConnection, logUnparsedRequest } from '../log/access-log.js';
import type { AccessLog } from '../log/access-log.js';
import { ALLOWED_METHODS, getBrowserHeaders } from '../representation/browser-headers.js';
import { METHOD_NOT_ALLOWED, createErrorHeaders } from '../representation/error-response.js';
import { RequestQueues } from './request-queue.js';

/** Bytes of a request's head. Node's own bound, 16 KiB, would refuse long targets before they can be answered with 414. */
const MAX_HEAD_BYTES = 64 * 1024;

/** The code of node:http's error for a transfer coding that does not end a body. */
const UNKNOWN_TRANSFER_CODING = 'HPE_INVALID_TRANSFER_ENCODING';

/** What node:http refuses by itself, by the code of its error; everything else is no HTTP. */
const PARSER_PROBLEMS: ReadonlyMap<string, Problem> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { kind: 'head-too-long', message: `the request's head is longer than ${MAX_HEAD_BYTES} bytes` },
  ],
  [
    UNKNOWN_TRANSFER_CODING,
    { kind: 'not-implemented', message: 'the only transfer coding that is read here is chunked' },
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', { kind: 'request-late', message: 'the request took too long to arrive' }],
]);

const NOT_HTTP: Problem = {
  kind: 'bad-request',
  message: 'this is not an HTTP request; characters beyond ASCII must be percent-encoded',
};

/** What answers on the public port. */
export interface PublicApp {
  readonly listener: RequestListener;
  /** Where what is refused is told. */
  readonly accessLog: AccessLog;
}

/** How often node:http looks for requests that are late, in milliseconds. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/** What one client, and all of them together, may take (operation.md, `server.limits`). Durations in milliseconds. */
export interface ConnectionLimitOptions {
  readonly connections: number;
  readonly headerTimeout: number;
  readonly requestTimeout: number;
  readonly writeTimeout: number;
}

function toServerOptions({ headerTimeout, requestTimeout }: ConnectionLimitOptions): ServerOptions {
  return {
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: headerTimeout,
    requestTimeout,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    // The listener refuses such a request itself, in the interface's shape.
    requireHostHeader: false,
  };
}

/**
 * The server of the public port. What is refused before any route sees it gets an error in the interface's shape as well, as JSON, a line in the
 * log, and is counted.
 */
export function createPublicServer(
  { listener, accessLog: access }: PublicApp,
  face: ApiInterface,
  limits: ConnectionLimitOptions,
): Server {
  const closed = (reason: ConnectionLimit): void => logClosedConnection(access, reason);
  const queues = new RequestQueues(listener, () => closed('pipelining'));
  const server = createServer(toServerOptions(limits), queues.enqueue);
  enforceConnectionLimits(server, limits, { queues, reportClosed: closed });
  // Without a 100 in between: no body is wanted.
  for (const expecting of ['checkContinue', 'checkExpectation']) {
    server.on(expecting, (request, response) => server.emit('request', request, response));
  }
  const refuseOn = (socket: Duplex, problem: Problem, refused: string): boolean => {
    const may = socket.writable && canRefuse(queues.getActiveResponse(socket));
    if (may) writeRefusal(socket, problem, { servedInterface: face, accessLog: access, errorCode: refused });
    return may;
  };
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    // node:http hands over such a request all the same, and the listener refuses it.
    if (code === UNKNOWN_TRANSFER_CODING && queues.getActiveResponse(socket) !== undefined) return;
    if (refuseOn(socket, PARSER_PROBLEMS.get(code) ?? NOT_HTTP, code) || queues.closeAfterActiveRequests(socket))
      return;
    socket.destroy();
  });
  // With this method node:http hands over the connection, on which no further answer can be sent as node:http would.
  server.on('connect', (_, socket) => {
    if (!refuseOn(socket, METHOD_NOT_ALLOWED, 'CONNECT')) socket.destroy();
  });
  return server;
}

/**
 * Whether a connection may be sent a refusal past node:http: a second answer in the middle of the one in progress would be taken for a part of it. An
 * answer is not in progress where it has not begun and the body of its own request is what is refused.
 */
function canRefuse(active: ServerResponse | undefined): boolean {
  return active === undefined || (!active.headersSent && !active.req.complete);
}

/** What {@link limitConnections} needs beside the limits. */
interface LimitDependencies {
  readonly queues: RequestQueues;
  readonly reportClosed: (reason: ConnectionLimit) => void;
}

/** Bounds how many connections there are, and how long each may wait for its client to read. */
function enforceConnectionLimits(
  server: Server,
  limits: ConnectionLimitOptions,
  { queues, reportClosed: closed }: LimitDependencies,
): void {
  const { connections, writeTimeout } = limits;
  server.maxConnections = connections;
  server.on('drop', () => closed('connections'));
  server.setTimeout(writeTimeout, (socket: Socket) => {
    const response = queues.getActiveResponse(socket);
    if (response !== undefined && !response.headersSent) {
      // The client waits for its answer, which has a deadline of its own.
      socket.setTimeout(writeTimeout);
      return;
    }
    socket.destroy();
    if (response !== undefined) closed('write-timeout');
  });
}

/** What a refusal is told with. */
interface RefusalContext {
  readonly servedInterface: ApiInterface;
  readonly accessLog: AccessLog;
  /** What the log calls it. */
  readonly errorCode: string;
}

/** Answers where there is no response object to do it, and hangs up. */
function writeRefusal(
  socket: Duplex,
  problem: Problem,
  { servedInterface: face, accessLog: access, errorCode: refused }: RefusalContext,
): void {
  const { status } = errorCatalogue[problem.kind];
  const text = [...renderJsonText(buildErrorEnvelope(face, problem), true)].join('');
  const bytes = Buffer.byteLength(text);
  const all = {
    ...getBrowserHeaders('GET'),
    ...createErrorHeaders(face),
    ...(problem.kind === 'method-not-allowed' && { Allow: ALLOWED_METHODS.join(', ') }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
    Date: formatImfFixdate(access.clock.now()),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${formatStatus(problem.kind)}\r\n${lines.join('')}\r\n${text}`);
  logUnparsedRequest(access, { status, bytes, format: 'json', refused });
}

function formatStatus(kind: ErrorKind): string {
  const { status, phrase } = errorCatalogue[kind];
  return `${status} ${phrase}`;
}
