import type { Dispatcher } from 'undici';
// The agent alone: the whole of undici takes 9 MB of memory more, for fetch, WebSocket and what else no source is asked with.
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Ending } from './ending.js';
import { SourceFailure } from './failure.js';
import type { Transport, WireReply } from './fetch.js';

/** A wire, and how to hang up. */
export interface Wire {
  readonly transport: Transport;
  /** Ends every connection; requests under way fail. */
  close(): Promise<void>;
}

/** Milliseconds in which a connection must stand. The request's own timeout is usually shorter or as long. */
const CONNECT_TIMEOUT = 10_000;

/** Bytes of reply headers that are read at most: a source that sends more is hostile or broken. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Informational responses (1xx) of one request at most: real servers send one or two. */
const MOST_INFORMATIONAL = 100;

/** Bytes of a body that nobody wants which are read all the same, so that its connection can be used again. */
const MOST_UNWANTED = 128 * 1024;

/**
 * The real wire: one undici Agent with a pool of kept connections for each origin. Redirects are not followed, bodies are
 * not decoded here: the layers above do that. Undici's own timers are too coarse for deadlines, so they are off.
 */
export function undiciWire(): Wire {
  const agent = new Agent({
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: CONNECT_TIMEOUT },
  });
  const resting = new Resting();
  return {
    transport: ({ url, headers }, signal) => {
      const { origin } = url;
      const exchange = new Exchange(signal, origin, resting);
      // The name identifies the gateway to the operators of its sources.
      const asked = { 'user-agent': 'rollcall', ...headers };
      const path = `${url.pathname}${url.search}`;
      resting.after(origin, () => {
        if (!signal.aborted) agent.dispatch({ origin, path, method: 'GET', headers: asked }, exchange);
      });
      return exchange.reply;
    },
    close: () => agent.destroy(),
  };
}

/**
 * Origins of which a connection came free in this turn of the event loop: undici uses it from the next one on, and would open another for who asks
 * before that.
 */
class Resting {
  private readonly origins = new Set<string>();

  add(origin: string): void {
    if (this.origins.size === 0) setImmediate(() => this.origins.clear());
    this.origins.add(origin);
  }

  /** Does work at once, or in the next turn where the origin rests in this one: behind what undici has to do in that. */
  after(origin: string, work: () => void): void {
    if (this.origins.has(origin)) setImmediate(work);
    else work();
  }
}

type Controller = Dispatcher.DispatchController;
type Fields = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/**
 * One request on the wire, as undici's dispatcher tells of it, and its reply: half the work of undici's streams, which a body that is
 * read whole does not need.
 */
class Exchange implements Dispatcher.DispatchHandler, WireReply {
  status = 0;
  private fields: Fields = {};
  private readonly answer = new Deferred<WireReply>();
  /** For who waits for the body, from when on somebody does. */
  private awaited: Deferred<Buffer> | undefined;
  /** The body, once it has come. */
  private whole: Buffer | undefined;
  private controller: Controller | undefined;
  private failure: Error | undefined;
  private chunks: Buffer[] = [];
  private length = 0;
  private most = Infinity;
  private wanted = true;
  /** Informational responses that came before the final one. */
  private informational = 0;

  constructor(
    private readonly signal: Ending,
    private readonly origin: string,
    private readonly resting: Resting,
  ) {
    if (signal.aborted) this.handleEvent();
    else signal.addEventListener('abort', this, { once: true });
  }

  /** Fulfilled once the headers are there. Rejects with what broke the connection, or the signal's reason. */
  get reply(): Promise<WireReply> {
    return this.answer.promise;
  }

  header(name: string): string | undefined {
    const value = this.fields[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  read(most: number): Promise<Buffer> {
    this.most = most;
    this.bound();
    return this.body();
  }

  discard(): Promise<void> | undefined {
    if (this.whole !== undefined) return undefined;
    this.wanted = false;
    this.chunks = [];
    this.bound();
    return this.body().then(nothing, nothing);
  }

  /** The signal was aborted. */
  handleEvent(): void {
    const reason: unknown = this.signal.reason;
    this.end(reason instanceof Error ? reason : new Error(String(reason)));
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.failure !== undefined) controller.abort(this.failure);
  }

  onResponseStart(_: Controller, status: number, fields: Fields): void {
    if (status < 200) {
      // Nothing in an informational response (RFC 9110, section 15.2) is needed, but a source may send them without end.
      this.informational += 1;
      if (this.informational > MOST_INFORMATIONAL)
        this.end(new SourceFailure('size', `more than ${MOST_INFORMATIONAL} informational responses`));
      return;
    }
    this.status = status;
    this.fields = fields;
    this.answer.resolve(this);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.length += chunk.length;
    if (this.wanted) this.chunks.push(chunk);
    this.bound();
  }

  onResponseEnd(): void {
    this.signal.removeEventListener('abort', this);
    const [only, ...more] = this.chunks;
    this.whole = only !== undefined && more.length === 0 ? only : Buffer.concat(this.chunks);
    this.chunks = [];
    this.resting.add(this.origin);
    this.awaited?.resolve(this.whole);
  }

  onResponseError(_: Controller, error: Error): void {
    this.fail(error);
  }

  private bound(): void {
    if (!this.wanted && this.length > MOST_UNWANTED) this.end(new Error('nobody wants the rest of the body'));
    else if (this.length > this.most) this.end(new SourceFailure('size', `a body of more than ${this.most} bytes`));
  }

  /** Hangs up: at once, or as soon as there is a connection. */
  private end(error: Error): void {
    this.fail(error);
    this.controller?.abort(error);
  }

  private fail(error: Error): void {
    this.signal.removeEventListener('abort', this);
    this.failure ??= error;
    this.chunks = [];
    this.answer.reject(this.failure);
    this.awaited?.reject(this.failure);
  }

  private body(): Promise<Buffer> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (this.whole !== undefined) return Promise.resolve(this.whole);
    this.awaited = new Deferred();
    return this.awaited.promise;
  }
}

function nothing(): void {
  // Nobody wants what came, nor why nothing did.
}

/** A promise that is settled from outside. */
class Deferred<T> {
  resolve!: (value: T) => void;
  reject!: (error: Error) => void;
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
