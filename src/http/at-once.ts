import { STATUS_CODES, validateHeaderValue } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { imfFixdate } from '../text/date.js';
import type { Headers } from './validators.js';

/** Milliseconds for which a connection stays open without a request. */
export const KEEP_ALIVE = 5_000;

/** What stands before a body. */
export interface Head {
  readonly status: number;
  /** One after another. */
  readonly headers: readonly Headers[];
  /** How it goes over a connection that stays open: with all that node:http would add to the headers, in its order. */
  readonly text: string;
}

/** What node:http adds to every head, after its Date. */
const STAYS_OPEN = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE / 1_000}\r\n`;

/** Writes a head that leaves now (milliseconds since 1970). Throws where a header's value may not stand in one. */
export function writeHead(status: number, headers: readonly Headers[], now: number): Head {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (const [name, value] of headers.flatMap(Object.entries<string | number>)) {
    validateHeaderValue(name, String(value));
    text += `${name}: ${value}\r\n`;
  }
  return { status, headers, text: `${text}Date: ${imfFixdate(now)}\r\n${STAYS_OPEN}\r\n` };
}

/**
 * Sends a whole answer at once: head and body go to the connection as they are. For node:http to take them apart and put them together again costs
 * more than everything else that a held answer needs. Where there is more to do, it does that: a connection that is to be closed, that speaks HTTP/1.0,
 * or that owes an answer to an earlier request.
 */
export function sendAtOnce(request: IncomingMessage, response: ServerResponse, head: Head, body?: Uint8Array): void {
  const { socket } = response;
  if (socket === null || !response.shouldKeepAlive || request.httpVersion !== '1.1') {
    response.writeHead(head.status, Object.fromEntries(head.headers.flatMap(Object.entries))).end(body);
    return;
  }
  response.statusCode = head.status;
  const sent = (error?: Error | null): void => {
    // A connection that broke closes its response by itself; what was on its way then is no error of the write.
    if (!error && !socket.destroyed) finish(response);
  };
  writeAnswer(socket, head, body, sent);
}

/** Writes an answer to a connection that stays open and owes no other. `sent` is called when it is handed over, or cannot be. */
export function writeAnswer(
  socket: Socket,
  head: Head,
  body: Uint8Array | undefined,
  sent: (error?: Error | null) => void,
): void {
  if (body === undefined) {
    socket.write(head.text, 'latin1', sent);
    return;
  }
  socket.cork();
  socket.write(head.text, 'latin1');
  socket.write(body, sent);
  socket.uncork();
}

const YES: PropertyDescriptor = { value: true };

/** node:http turns to the next request of a connection when a response tells that it has finished, whoever wrote it. */
function finish(response: ServerResponse): void {
  Object.defineProperty(response, 'finished', YES);
  Object.defineProperty(response, 'writableFinished', YES);
  response.emit('finish');
}
