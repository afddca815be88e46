import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Pipelined on one connection, which is closed with more (decisions 7.18). */
const MAX_WAITING_REQUESTS = 1_000;

/** For all connections. A reload may change its properties. */
export interface RequestProcessor {
  readonly listener: RequestListener;
  /** Called before `listener`. Its result is called when the response has been sent or the client has disconnected. */
  readonly beginRequest?: () => () => void;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Of one connection: the request in progress, and the waiting ones in the order of arrival. */
interface ConnectionQueue {
  readonly waiting: Exchange[];
  /** Between two responses, the one whose turn has not come yet. */
  active: ServerResponse | undefined;
  /** Closes after its last response, because bytes that are not a request follow its requests. */
  isClosing: boolean;
}

/**
 * Handles the requests of a connection one at a time, in order.
 *
 * The attack that this prevents:
 * 1. A client sends hundreds of pipelined requests and reads no response.
 * 2. node:http emits all requests of a chunk in one turn of the event loop.
 * 3. Without a queue, every response is rendered and stays in memory until the client reads.
 *
 * With the queue, a connection has one response in memory, and is not read while a request waits. A request that waited
 * for the response before is handled in a turn of the event loop of its own: otherwise, the requests that a client
 * writes in one chunk would all be handled before any other client's.
 */
export class RequestQueues {
  private readonly queues = new WeakMap<Duplex, ConnectionQueue>();
  /** Each handles the next request of a connection. One is called in each turn of the event loop. */
  private readonly turns: (() => void)[] = [];

  constructor(
    private readonly processor: RequestProcessor,
    /** After a connection was closed because too many requests waited on it. */
    private readonly onOverflow: () => void,
  ) {}

  /** For the `request` event of a server. */
  readonly enqueue: RequestListener = (request, response) => {
    const { socket } = request;
    // node:http had parsed this request before the connection closed.
    if (socket.destroyed) return;
    const queue = this.queues.get(socket) ?? { waiting: [], active: undefined, isClosing: false };
    this.queues.set(socket, queue);
    if (queue.active === undefined) {
      this.handle(queue, { request, response });
      return;
    }
    if (queue.waiting.length === MAX_WAITING_REQUESTS) {
      queue.waiting.length = 0;
      socket.destroy();
      this.onOverflow();
      return;
    }
    queue.waiting.push({ request, response });
    socket.pause();
  };

  /** Undefined where no response is in progress. */
  getActiveResponse(socket: Duplex): ServerResponse | undefined {
    return this.queues.get(socket)?.active;
  }

  /** Stops reading, and closes when the requests have been answered. Returns false where there are none. */
  closeAfterActiveRequests(socket: Socket): boolean {
    const queue = this.queues.get(socket);
    if (queue?.active === undefined) return false;
    queue.isClosing = true;
    socket.pause();
    return true;
  }

  private handle(queue: ConnectionQueue, { request, response }: Exchange): void {
    queue.active = response;
    const endRequest = this.processor.beginRequest?.();
    response.once('close', () => {
      queue.active = undefined;
      endRequest?.();
      this.handleNext(queue, request.socket);
    });
    this.processor.listener(request, response);
  }

  private handleNext(queue: ConnectionQueue, socket: Socket): void {
    // After a response that closes the connection, no further request is answered (RFC 9112, section 9.6).
    if (socket.destroyed || socket.writableEnded) queue.waiting.length = 0;
    const next = queue.waiting.shift();
    if (next === undefined && queue.isClosing) socket.destroySoon();
    else if (queue.waiting.length === 0 && !queue.isClosing) socket.resume();
    if (next === undefined) return;
    queue.active = next.response;
    if (this.turns.length === 0) setImmediate(this.runTurn);
    this.turns.push(() => {
      if (!socket.destroyed) this.handle(queue, next);
    });
  }

  private readonly runTurn = (): void => {
    const turn = this.turns.shift();
    if (this.turns.length > 0) setImmediate(this.runTurn);
    turn?.();
  };
}
