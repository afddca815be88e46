import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Pipelined requests that may wait on one connection; with more, it is ended. */
const MAX_WAITING_REQUESTS = 1_000;

/** A request that node:http has read, with its response. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection: one in progress, the others in the order in which they came. */
interface ConnectionQueue {
  readonly waiting: Exchange[];
  active: ServerResponse | undefined;
  /** Whether the connection ends with the last answer: what came behind its requests is no request. */
  isClosing: boolean;
}

/**
 * Handles the requests of a connection one at a time, in their order.
 *
 * The attack that this prevents: (1) a client writes hundreds of pipelined requests and reads no answer; (2) node:http emits all requests of a chunk
 * in one turn; (3) without a queue every answer is rendered and stays in memory until the client reads. With it, a connection holds one
 * answer, and is not read while a request waits.
 */
export class RequestQueues {
  private readonly queues = new WeakMap<Duplex, ConnectionQueue>();

  constructor(
    private readonly listener: RequestListener,
    /** Called with a connection on which too many requests wait, after it was ended. */
    private readonly onOverflow: () => void,
  ) {}

  /** The `request` listener of a server. */
  readonly enqueue: RequestListener = (request, response) => {
    const { socket } = request;
    // What node:http had read of a connection that has ended since.
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

  /** The response in progress on a connection; undefined where there is none. */
  getActiveResponse(socket: Duplex): ServerResponse | undefined {
    return this.queues.get(socket)?.active;
  }

  /** Reads no more of a connection, and ends it when the requests that it has are answered. Returns false where it has none. */
  closeAfterActiveRequests(socket: Socket): boolean {
    const queue = this.queues.get(socket);
    if (queue?.active === undefined) return false;
    queue.isClosing = true;
    socket.pause();
    return true;
  }

  private handle(queue: ConnectionQueue, { request, response }: Exchange): void {
    queue.active = response;
    response.once('close', () => {
      queue.active = undefined;
      this.handleNext(queue, request.socket);
    });
    this.listener(request, response);
  }

  private handleNext(queue: ConnectionQueue, socket: Socket): void {
    // After an answer that closes the connection, no further request is answered (RFC 9112, section 9.6).
    if (socket.destroyed || socket.writableEnded) queue.waiting.length = 0;
    const next = queue.waiting.shift();
    if (next === undefined && queue.isClosing) socket.destroySoon();
    else if (queue.waiting.length === 0 && !queue.isClosing) socket.resume();
    if (next !== undefined) this.handle(queue, next);
  }
}
