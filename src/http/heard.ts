import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Budget } from '../hold/budget.js';
import { writeAnswer } from './at-once.js';
import type { Leaving, ReadyAnswers, Wish } from './ready.js';

/** Bytes of a request that is remembered; who polls sends some hundred. */
const LONGEST = 4_096;

/** Bytes of all that are remembered together, about: each takes some beside its text. */
const ALL = 2 ** 20;
const EACH = 512;

/** Requests that came once, of which it is known for a while that they did: who puts something new in each has none remembered. */
const MOST_ONCE = 256;

/** What ends a request's head. */
const END = '\r\n\r\n';

/** What can be sent without a request that node:http has read. */
export type Repeating = Pick<ReadyAnswers, 'wishOf' | 'has' | 'answerTo'>;

/**
 * Lets a server answer requests that it has heard before without reading them again: the same bytes are the same request. node:http reads
 * each that is new, and when it comes for the second time what it was is remembered by its bytes; from then on, on whatever connection, what is
 * held ready for it is sent. So nothing is understood here but what node:http has understood, and as it has.
 *
 * In the middle of another request the same bytes are none. So a connection takes part as long as it is plain; with the first piece that
 * makes it another one it is node:http's, for good. Its first request is always so: a connection that has not asked anything is ended by
 * node:http after a time.
 */
export function hearAgain(server: Server, ready: Repeating): void {
  const heard = new Budget(ALL).level<Wish>();
  const once = new Set<string>();
  const connections = new WeakMap<Socket, Connection>();

  const remember = (text: string, { req, shouldKeepAlive }: ServerResponse): void => {
    if (!shouldKeepAlive || req.httpVersion !== '1.1') return;
    if (!once.delete(text)) {
      if (once.size === MOST_ONCE) once.clear();
      once.add(text);
      return;
    }
    const wish = ready.wishOf(req);
    if (wish !== undefined && ready.has(wish)) heard.put(text, wish, EACH + 2 * text.length);
  };

  const hear = (connection: Connection, chunk: Buffer): void => {
    if (!connection.isPlain || !connection.isResting || chunk.length > LONGEST) {
      connection.hand(chunk);
      return;
    }
    const text = chunk.toString('latin1');
    const wish = connection.hasAsked ? heard.get(text) : undefined;
    const leaving = wish && ready.answerTo(wish);
    if (leaving !== undefined) {
      connection.send(leaving);
      return;
    }
    const response = connection.read(chunk, text);
    if (response !== undefined) remember(text, response);
  };

  server.on('connection', (socket) => {
    const readers = socket.listeners('data').filter(isReader);
    const connection = new Connection(socket, readers);
    connections.set(socket, connection);
    // node:http reads a connection past its listeners until there is another one than its own; from then on what comes while it is paused waits in
    // the socket, and is told even when node:http has destroyed that and given its parser to another connection.
    socket.on('data', (chunk: Buffer) => {
      if (!socket.destroyed) hear(connection, chunk);
    });
    for (const reader of readers) socket.off('data', reader);
  });
  server.prependListener('request', ({ socket }, response) => {
    connections.get(socket)?.answering(response);
  });
}

type Reader = (chunk: Buffer) => void;

function isReader(listener: unknown): listener is Reader {
  return typeof listener === 'function';
}

/** A connection, as far as it takes part. */
class Connection {
  /** Whether each piece that came was one whole request without a body, and came after the answer to the one before had left. */
  isPlain = true;
  /** The answer to the last request that node:http has read; absent while it reads the first one of a piece. */
  private response: ServerResponse | undefined;
  /** Whether an answer is on its way that node:http does not know of. */
  private isSending = false;

  constructor(
    private readonly socket: Socket,
    /** What node:http reads it with. */
    private readonly readers: readonly Reader[],
  ) {}

  /** Whether node:http has read a request on it. */
  get hasAsked(): boolean {
    return this.response !== undefined;
  }

  /** Whether nothing is owed on it. */
  get isResting(): boolean {
    const { response, isSending } = this;
    return !isSending && (response === undefined || (response.writableFinished && response.shouldKeepAlive));
  }

  /** node:http has read a request, and this is to be the answer. */
  answering(response: ServerResponse): void {
    this.isPlain &&= this.response === undefined;
    this.response = response;
  }

  /** Leaves a piece, and all that follows, to node:http. */
  hand(chunk: Buffer): void {
    this.isPlain = false;
    for (const read of this.readers) read(chunk);
  }

  /** Has node:http read a piece. Returns the answer that it is to get; undefined where it was anything but one whole request. */
  read(chunk: Buffer, text: string): ServerResponse | undefined {
    this.response = undefined;
    for (const read of this.readers) read(chunk);
    const isOne = text.endsWith(END) && text.indexOf(END) === text.length - END.length;
    this.isPlain &&= isOne && this.isComplete;
    return this.isPlain ? this.response : undefined;
  }

  /** Answers without node:http. */
  send({ head, body, left }: Leaving): void {
    const { socket } = this;
    let idle: number | undefined;
    this.isSending = true;
    writeAnswer(socket, head, body, () => {
      this.isSending = false;
      if (idle !== undefined && this.response?.writableFinished === true) socket.setTimeout(idle);
      left?.(!socket.destroyed);
    });
    // A client that is slow to read is not idle, and node:http has set how long one may be that is.
    if (socket.writableLength > 0) {
      idle = socket.timeout;
      socket.setTimeout(0);
    }
  }

  /** Whether the last request has come to its end, its body included. */
  private get isComplete(): boolean {
    return this.response?.req.complete === true;
  }
}
