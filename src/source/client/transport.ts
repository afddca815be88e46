import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { SourceFailure } from './source-failure.js';
import type { Transport, HttpResponse } from './fetch.js';
import { raceAbort } from './abortable-wait.js';

/** A wire, and how to hang up. */
export interface ClosableTransport {
  readonly transport: Transport;
  /** Ends every connection; requests under way fail. */
  close(): Promise<void>;
}

/** Milliseconds in which a connection must stand. The request's own timeout is usually shorter or as long. */
const CONNECT_TIMEOUT = 10_000;

/** Bytes of reply headers that are read at most: a source that sends more is hostile or broken. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Informational responses (1xx) of one request at most: real servers send one or two. */
const MAX_INFORMATIONAL = 100;

/** Bytes of a body that nobody wants which are read all the same, so that its connection can be used again. */
const MAX_DISCARDED_BYTES = 128 * 1024;

/**
 * The real wire: one undici Agent with a pool of kept connections for each origin. Redirects are not followed, bodies are
 * not decoded here: the layers above do that. Undici's own timers are too coarse for deadlines, so they are off.
 */
export function createUndiciTransport(): ClosableTransport {
  const agent = new Agent({
    keepAliveTimeout: 10_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: CONNECT_TIMEOUT },
  });
  return {
    transport: async ({ url, headers }, signal) => {
      signal.throwIfAborted();
      const response = request(url, {
        dispatcher: agent,
        // The name identifies the gateway to the operators of its sources.
        headers: { 'user-agent': 'rollcall', ...headers },
        signal,
        onInfo: createInformationalLimit(),
      });
      // Undici does not look at the signal before there is a connection (nodejs/undici#386).
      return new UndiciResponse(await raceAbort(response, signal, () => rejectWithReason(signal)));
    },
    close: () => agent.destroy(),
  };
}

/** Counts informational responses (RFC 9110, section 15.2): nothing in them is needed, but a source may send them without end. What this throws ends the request. */
function createInformationalLimit(): () => void {
  let received = 0;
  return () => {
    received += 1;
    if (received > MAX_INFORMATIONAL)
      throw new SourceFailure('size', `more than ${MAX_INFORMATIONAL} informational responses`);
  };
}

function rejectWithReason({ reason }: AbortSignal): Promise<never> {
  return Promise.reject(reason instanceof Error ? reason : new Error(String(reason)));
}

/** A response of undici. */
class UndiciResponse implements HttpResponse {
  readonly status: number;

  constructor(private readonly response: Dispatcher.ResponseData) {
    this.status = response.statusCode;
  }

  header(name: string): string | undefined {
    const value = this.response.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBytes(most: number): Promise<Buffer> {
    const body: AsyncIterable<Buffer> = this.response.body;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      // To leave the loop closes the connection.
      if (length > most) throw new SourceFailure('size', `a body of more than ${most} bytes`);
      chunks.push(chunk);
    }
    await waitForFreeConnection();
    const [first] = chunks;
    // Most pages come in one piece. To copy them all would cost about a tenth of a drain's CPU time, in the garbage collector.
    return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length);
  }

  async discard(): Promise<void> {
    await this.response.body.dump({ limit: MAX_DISCARDED_BYTES });
    await waitForFreeConnection();
  }
}

/**
 * Waits until undici uses the connection of a response that has ended again: that is the next turn of the event loop. For a request before that it
 * would open another connection.
 */
function waitForFreeConnection(): Promise<void> {
  return nextTurn();
}
