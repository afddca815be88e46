import { createServer } from 'node:http';
import type { RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../model/error.js';
import type { ErrorKind, Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import { errorEnvelope } from '../render/envelope.js';
import { jsonPieces } from '../render/json.js';
import { imfFixdate } from '../text/date.js';
import { tellUnread } from './access-log.js';
import type { AccessLog } from './access-log.js';
import { KEEP_ALIVE } from './at-once.js';
import { METHODS, browserHeaders } from './browsers.js';
import { READ_ONLY, errorHeaders } from './errors.js';
import { hearAgain } from './heard.js';
import type { Repeating } from './heard.js';

/** Bytes of a request's head. Node's own bound, 16 KiB, would refuse long targets before they can be answered with 414. */
const LONGEST_HEAD = 64 * 1024;

/** What node:http refuses by itself, by the code of its error; everything else is no HTTP. */
const REFUSALS: ReadonlyMap<string, Problem> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { kind: 'head-too-long', message: `the request's head is longer than ${LONGEST_HEAD} bytes` },
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', { kind: 'request-late', message: 'the request took too long to arrive' }],
]);

const NO_HTTP: Problem = {
  kind: 'bad-request',
  message: 'this is not an HTTP request; characters beyond ASCII must be percent-encoded',
};

/** What answers on the public port. */
export interface Answering {
  readonly listener: RequestListener;
  /** What it has ready to send. */
  readonly ready: Repeating;
  /** Where what is refused is told. */
  readonly access: AccessLog;
}

/** What node:http would refuse by itself, in words of its own, and the listener refuses in ours, is left to that. */
const OPTIONS: ServerOptions = { maxHeaderSize: LONGEST_HEAD, keepAliveTimeout: KEEP_ALIVE, requireHostHeader: false };

/**
 * The server of the public port. What is refused before any route sees it gets an error in the interface's shape as well, as JSON, a line in the
 * log, and is counted.
 */
export function publicServer({ listener, ready, access }: Answering, face: Interface): Server {
  const answers = new WeakMap<Duplex, ServerResponse>();
  const server = createServer(OPTIONS, (request, response) => {
    answers.set(request.socket, response);
    listener(request, response);
  });
  // Without a 100 in between: no body is wanted, and node:http would write it into the answer before where that is still to come.
  for (const expecting of ['checkContinue', 'checkExpectation']) {
    server.on(expecting, (request, response) => server.emit('request', request, response));
  }
  hearAgain(server, ready);
  const refuseOn = (socket: Duplex, problem: Problem, refused: string): void => {
    // A second answer in the middle of the one under way would be taken for a part of it.
    if (socket.writable && answers.get(socket)?.writableFinished !== false)
      refuse(socket, problem, { face, access, refused });
    else socket.destroy();
  };
  server.on('clientError', ({ code = '' }: NodeJS.ErrnoException, socket) => {
    refuseOn(socket, REFUSALS.get(code) ?? NO_HTTP, code);
  });
  // With this method node:http hands over the connection.
  server.on('connect', (_, socket) => {
    refuseOn(socket, READ_ONLY, 'CONNECT');
  });
  return server;
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
