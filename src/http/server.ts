import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../model/error.js';
import type { ErrorKind, Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import type { ConnectionLimit } from '../model/meter.js';
import { errorEnvelope } from '../render/envelope.js';
import { jsonPieces } from '../render/json.js';
import { imfFixdate } from '../text/date.js';
import { reportClosed, tellUnread } from './access-log.js';
import type { AccessLog } from './access-log.js';
import { METHODS, browserHeaders } from './browsers.js';
import { READ_ONLY, errorHeaders } from './errors.js';
import { RequestQueues } from './request-queue.js';

/** Bytes of a request's head. Node's own bound, 16 KiB, would refuse long targets before they can be answered with 414. */
const LONGEST_HEAD = 64 * 1024;

/** The code of node:http's error for a transfer coding that does not end a body. */
const UNKNOWN_CODING = 'HPE_INVALID_TRANSFER_ENCODING';

/** What node:http refuses by itself, by the code of its error; everything else is no HTTP. */
const REFUSALS: ReadonlyMap<string, Problem> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { kind: 'head-too-long', message: `the request's head is longer than ${LONGEST_HEAD} bytes` },
  ],
  [UNKNOWN_CODING, { kind: 'not-implemented', message: 'the only transfer coding that is read here is chunked' }],
  ['ERR_HTTP_REQUEST_TIMEOUT', { kind: 'request-late', message: 'the request took too long to arrive' }],
]);

const NO_HTTP: Problem = {
  kind: 'bad-request',
  message: 'this is not an HTTP request; characters beyond ASCII must be percent-encoded',
};

/** What answers on the public port. */
export interface Answering {
  readonly listener: RequestListener;
  /** Where what is refused is told. */
  readonly access: AccessLog;
}

/** How often node:http looks for requests that are late, in milliseconds. */
const CHECK_INTERVAL = 1_000;

/** What one client, and all of them together, may take (operation.md, `server.limits`). Durations in milliseconds. */
export interface ConnectionLimits {
  readonly connections: number;
  readonly headerTimeout: number;
  readonly requestTimeout: number;
  readonly writeTimeout: number;
}

function optionsOf({ headerTimeout, requestTimeout }: ConnectionLimits): ServerOptions {
  return {
    maxHeaderSize: LONGEST_HEAD,
    headersTimeout: headerTimeout,
    requestTimeout,
    connectionsCheckingInterval: CHECK_INTERVAL,
    // The listener refuses such a request itself, in the interface's shape.
    requireHostHeader: false,
  };
}

/**
 * The server of the public port. What is refused before any route sees it gets an error in the interface's shape as well, as JSON, a line in the
 * log, and is counted.
 */
export function publicServer({ listener, access }: Answering, face: Interface, limits: ConnectionLimits): Server {
  const closed = (reason: ConnectionLimit): void => reportClosed(access, reason);
  const queues = new RequestQueues(listener, () => closed('pipelining'));
  const server = createServer(optionsOf(limits), queues.enter);
  limitConnections(server, limits, { queues, closed });
  // Without a 100 in between: no body is wanted.
  for (const expecting of ['checkContinue', 'checkExpectation']) {
    server.on(expecting, (request, response) => server.emit('request', request, response));
  }
  const refuseOn = (socket: Duplex, problem: Problem, refused: string): boolean => {
    const may = socket.writable && mayRefuse(queues.active(socket));
    if (may) refuse(socket, problem, { face, access, refused });
    return may;
  };
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket: Socket) => {
    // node:http hands over such a request all the same, and the listener refuses it.
    if (code === UNKNOWN_CODING && queues.active(socket) !== undefined) return;
    if (refuseOn(socket, REFUSALS.get(code) ?? NO_HTTP, code) || queues.endWhenAnswered(socket)) return;
    socket.destroy();
  });
  // With this method node:http hands over the connection, on which no further answer can be sent as node:http would.
  server.on('connect', (_, socket) => {
    if (!refuseOn(socket, READ_ONLY, 'CONNECT')) socket.destroy();
  });
  return server;
}

/**
 * Whether a connection may be sent a refusal past node:http: a second answer in the middle of the one in progress would be taken for a part of it. An
 * answer is not in progress where it has not begun and the body of its own request is what is refused.
 */
function mayRefuse(active: ServerResponse | undefined): boolean {
  return active === undefined || (!active.headersSent && !active.req.complete);
}

/** What {@link limitConnections} needs beside the limits. */
interface LimitParts {
  readonly queues: RequestQueues;
  readonly closed: (reason: ConnectionLimit) => void;
}

/** Bounds how many connections there are, and how long each may wait for its client to read. */
function limitConnections(server: Server, limits: ConnectionLimits, { queues, closed }: LimitParts): void {
  const { connections, writeTimeout } = limits;
  server.maxConnections = connections;
  server.on('drop', () => closed('connections'));
  server.setTimeout(writeTimeout, (socket: Socket) => {
    const response = queues.active(socket);
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
interface Refusing {
  readonly face: Interface;
  readonly access: AccessLog;
  /** What the log calls it. */
  readonly refused: string;
}

/** Answers where there is no response object to do it, and hangs up. */
function refuse(socket: Duplex, problem: Problem, { face, access, refused }: Refusing): void {
  const { status } = errorCatalogue[problem.kind];
  const text = [...jsonPieces(errorEnvelope(face, problem), true)].join('');
  const bytes = Buffer.byteLength(text);
  const all = {
    ...browserHeaders('GET'),
    ...errorHeaders(face),
    ...(problem.kind === 'method-not-allowed' && { Allow: METHODS.join(', ') }),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
    Date: imfFixdate(access.clock.now()),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusLine(problem.kind)}\r\n${lines.join('')}\r\n${text}`);
  tellUnread(access, { status, bytes, format: 'json', refused });
}

function statusLine(kind: ErrorKind): string {
  const { status, phrase } = errorCatalogue[kind];
  return `${status} ${phrase}`;
}
