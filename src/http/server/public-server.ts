import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { ErrorKind, Problem } from '../../model/error-catalogue.js';
import type { ApiInterface } from '../../model/api-interface.js';
import type { ConnectionLimit } from '../../events/event.js';
import { buildErrorEnvelope } from '../../render/envelope.js';
import { renderJsonText } from '../../render/json.js';
import { formatImfFixdate } from '../../text/date.js';
import { reportUnparsedRequest } from '../log/access-log.js';
import type { AccessLog } from '../log/access-log.js';
import { REQUEST_ID_FIELD, createRequestId } from '../log/request-id.js';
import { ALLOWED_METHODS, getBrowserHeaders } from '../representation/browser-headers.js';
import { METHOD_NOT_ALLOWED, createErrorHeaders } from '../representation/error-response.js';
import { RequestQueues } from './pipelined-request-queue.js';
import type { RequestProcessor } from './pipelined-request-queue.js';

/** Decisions 7.18. With Node's default of 16 KiB, a longer target would get a 431 instead of the 414. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Of node:http, for a transfer coding that does not delimit the body. */
const UNKNOWN_TRANSFER_CODING = 'HPE_INVALID_TRANSFER_ENCODING';

/** By error codes of node:http. Every other code means that the bytes are not HTTP. */
const PARSER_PROBLEMS: ReadonlyMap<string, Problem> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { kind: 'head-too-long', message: `the request's head is longer than ${MAX_HEAD_BYTES} bytes` },
  ],
  [UNKNOWN_TRANSFER_CODING, { kind: 'not-implemented', message: 'the only supported transfer coding is chunked' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { kind: 'request-late', message: 'the request took too long to arrive' }],
]);

const NOT_HTTP: Problem = {
  kind: 'bad-request',
  message: 'this is not an HTTP request; characters beyond ASCII must be percent-encoded',
};

export interface PublicApp extends RequestProcessor {
  /** For requests that are rejected before the application receives them. */
  readonly accessLog: AccessLog;
}

/** node:http looks for late requests at this interval. */
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/** For one client, and for all together (operation 2.3.1). Durations in milliseconds. */
export interface ConnectionLimitOptions {
  /** Further open connections are closed at once. */
  readonly connections?: number;
  /** For the head of a request. Node.js waits for 60 s: too long for a client that holds connections. */
  readonly headerTimeout?: number;
  /** For the complete request. Requests have a small body, or none: Node.js waits for 300 s. */
  readonly requestTimeout?: number;
  /** For a client that does not read its response, three times `server.deadline`. */
  readonly writeTimeout?: number;
}

/**
 * Part of the write timeout after which it is first checked whether the client reads. The check compares with the size
 * of the whole response (`_onTimeout` of net.Socket, Node.js 20.20), and takes what the system has buffered for
 * progress.
 */
const FIRST_CHECK = 0.05;

const SERVER_OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEAD_BYTES,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
  // The listener rejects such a request itself, in the shape of the interface.
  requireHostHeader: false,
};

/**
 * Enforces the limits. A request that is rejected before routing gets an error in the shape of `servedInterface` too,
 * as JSON; it is logged and counted.
 */
export function createPublicServer(
  app: PublicApp,
  servedInterface: ApiInterface,
  {
    connections = 10_000,
    headerTimeout = 15_000,
    requestTimeout = 30_000,
    writeTimeout = 30_000,
  }: ConnectionLimitOptions = {},
): Server {
  const reportClosed = (reason: ConnectionLimit): void => {
    const { publish, level } = app.accessLog;
    publish({ type: 'connection closed by a limit', reason, isLogged: level !== 'none' });
  };
  const queues = new RequestQueues(app, () => reportClosed('pipelining'));
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    request.socket.setTimeout(server.timeout * FIRST_CHECK);
    queues.enqueue(request, response);
  });
  server.maxConnections = connections;
  server.headersTimeout = headerTimeout;
  server.requestTimeout = requestTimeout;
  server.timeout = writeTimeout;
  reportConnectionLimits(server, { queues, reportClosed });
  // Such a request is passed on without a 100 (Continue), because no body is wanted.
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(event, (request, response) => server.emit('request', request, response));
  }
  const tryRefuse = (socket: Duplex, problem: Problem, rejected: RejectedRequest): boolean => {
    const active = queues.getActiveResponse(socket);
    const isAllowed = socket.writable && canRefuse(active);
    const { accessLog } = app;
    if (isAllowed) writeRefusal(socket, problem, { servedInterface, accessLog, request: active?.req, ...rejected });
    return isAllowed;
  };
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    // node:http emits such a request all the same, and the listener rejects it.
    if (code === UNKNOWN_TRANSFER_CODING && queues.getActiveResponse(socket) !== undefined) return;
    const isRefused = tryRefuse(socket, PARSER_PROBLEMS.get(code) ?? NOT_HTTP, { errorCode: code });
    if (isRefused || queues.closeAfterActiveRequests(socket)) return;
    socket.destroy();
  });
  // For CONNECT, node:http hands over the connection and cannot send further responses on it. It removes its listeners: an
  // error that nobody handles would end the process, and a connection that the client keeps would stay open.
  server.on('connect', (request, socket) => {
    const close = (): void => void socket.destroy();
    socket.on('error', close).on('timeout', close);
    if (!tryRefuse(socket, METHOD_NOT_ALLOWED, { errorCode: 'CONNECT', request })) socket.destroy();
  });
  return server;
}

/**
 * An error may be written without a response object. In the middle of a response in progress, the client
 * would read it as a part of that response. A response is not in progress if it has not begun and the rejected bytes
 * are the body of its own request.
 */
function canRefuse(active: ServerResponse | undefined): boolean {
  return active === undefined || (!active.headersSent && !active.req.complete);
}

interface LimitDependencies {
  readonly queues: RequestQueues;
  readonly reportClosed: (reason: ConnectionLimit) => void;
}

function reportConnectionLimits(server: Server, { queues, reportClosed }: LimitDependencies): void {
  server.on('drop', () => reportClosed('connections'));
  server.on('timeout', (socket: Socket) => {
    const response = queues.getActiveResponse(socket);
    if (response === undefined) {
      socket.destroy();
    } else if (!response.headersSent) {
      // The client waits for its response, which has a deadline of its own.
      socket.setTimeout(server.timeout * FIRST_CHECK);
    } else if (socket.timeout !== server.timeout) {
      socket.setTimeout(server.timeout);
    } else {
      socket.destroy();
      reportClosed('write-timeout');
    }
  });
}

/** Without a response object. */
interface RejectedRequest {
  /** Log field `refused` (operation 5.2). */
  readonly errorCode: string;
  /** Undefined where the head could not be parsed. */
  readonly request?: IncomingMessage | undefined;
}

interface RefusalContext extends RejectedRequest {
  readonly servedInterface: ApiInterface;
  readonly accessLog: AccessLog;
}

/** To a connection that has no response object for the error; closes the connection. */
function writeRefusal(
  socket: Duplex,
  problem: Problem,
  { servedInterface, accessLog, errorCode, request }: RefusalContext,
): void {
  const { status } = errorCatalogue[problem.kind];
  const text = [...renderJsonText(buildErrorEnvelope(servedInterface, problem), true)].join('');
  const bytes = Buffer.byteLength(text);
  const id = createRequestId(request);
  const headers = {
    ...getBrowserHeaders('GET'),
    ...createErrorHeaders(servedInterface),
    ...(problem.kind === 'method-not-allowed' && { Allow: ALLOWED_METHODS.join(', ') }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
    Date: formatImfFixdate(accessLog.clock.now()),
    [REQUEST_ID_FIELD]: id,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${formatStatus(problem.kind)}\r\n${lines.join('')}\r\n${text}`);
  reportUnparsedRequest(accessLog, { request: id, status, bytes, format: 'json', refused: errorCode });
}

function formatStatus(kind: ErrorKind): string {
  const { status, phrase } = errorCatalogue[kind];
  return `${status} ${phrase}`;
}
