import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { writeAnswer } from './at-once.js';
import type { ReadyAnswers, Wish } from './ready.js';

/** Bytes of a request that is remembered; who polls sends some hundred. */
const LONGEST = 4_096;

/** Bytes of all that are remembered together, about: each takes some beside its text. */
const ALL = 2 ** 20;
const EACH = 512;

/** What ends a request's head. */
const END = '\r\n\r\n';

/** What is known of a connection. */
interface Line {
  /** The answer to the last request that node:http has read. */
  response: ServerResponse | undefined;
  /** Whether each piece that came was one whole request without a body, and came after the answer to the one before had left. */
  isPlain: boolean;
  /** Whether an answer is on its way that node:http does not know of. */
  isSending: boolean;
}

/**
 * Lets a server answer requests that it has heard before without reading them again: the same bytes are the same request. node:http reads
 * each when it comes for the first time, and what it was is remembered by its bytes; when they come again, on whatever connection, what is
 * held ready for it is sent. So nothing is understood here but what node:http has understood, and as it has.
 *
 * In the middle of another request the same bytes are none. So a connection takes part as long as it is plain; with the first piece that
 * makes it another one it is node:http's, for good. Its first request is always so: a connection that has not asked anything is ended by
 * node:http after a time.
 */
export function hearAgain(server: Server, ready: Pick<ReadyAnswers, 'wishOf' | 'has' | 'answerTo'>): void {
  const heard = new LRUCache<string, Wish>({ maxSize: ALL, sizeCalculation: (_, text) => EACH + 2 * text.length });
  const lines = new WeakMap<Socket, Line>();

  const answer = (socket: Socket, line: Line, wish: Wish): boolean => {
    const leaving = ready.answerTo(wish);
    if (leaving === undefined) return false;
    const { head, body, left } = leaving;
    line.isSending = true;
    let idle: number | undefined;
    writeAnswer(socket, head, body, (error) => {
      line.isSending = false;
      if (idle !== undefined && line.response?.writableFinished !== false) socket.setTimeout(idle);
      left?.(!error && !socket.destroyed);
    });
    // A client that is slow to read is not idle, and node:http has set how long one may be that is.
    if (socket.writableLength > 0) {
      idle = socket.timeout;
      socket.setTimeout(0);
    }
    return true;
  };

  const remember = (text: string, { req, shouldKeepAlive }: ServerResponse): void => {
    if (!shouldKeepAlive || req.httpVersion !== '1.1') return;
    const wish = ready.wishOf(req);
    if (wish !== undefined && ready.has(wish)) heard.set(text, wish);
  };

  server.on('connection', (socket) => {
    const line: Line = { response: undefined, isPlain: true, isSending: false };
    lines.set(socket, line);
    const readers = socket.listeners('data').filter(isReader);
    const read = (chunk: Buffer): void => {
      for (const reader of readers) reader(chunk);
    };
    // node:http reads a connection past its listeners, until there is another one than its own.
    socket.on('data', (chunk: Buffer) => {
      line.isPlain &&= chunk.length <= LONGEST && isResting(line);
      if (!line.isPlain) {
        read(chunk);
        return;
      }
      const text = chunk.toString('latin1');
      const wish = line.response && heard.get(text);
      if (wish !== undefined && answer(socket, line, wish)) return;
      line.response = undefined;
      read(chunk);
      const response = responseOf(line);
      line.isPlain &&= response?.req.complete === true && text.indexOf(END) === text.length - END.length;
      if (line.isPlain && response !== undefined) remember(text, response);
    });
    for (const reader of readers) socket.off('data', reader);
  });
  server.prependListener('request', ({ socket }, response) => {
    const line = lines.get(socket);
    if (line !== undefined) line.response = response;
  });
}

/** Whether nothing is owed on a connection. */
function isResting({ response, isSending }: Line): boolean {
  return !isSending && (response === undefined || (response.writableFinished && response.shouldKeepAlive));
}

/** What has been answered while a piece was read: who reads it sets it. */
function responseOf({ response }: Line): ServerResponse | undefined {
  return response;
}

function isReader(listener: unknown): listener is (chunk: Buffer) => void {
  return typeof listener === 'function';
}
