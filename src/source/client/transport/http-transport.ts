import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { SourceFailure } from '../source-failure.js';
import type { Transport, HttpResponse } from '../http-client-types.js';
import { raceAbort } from '../abortable-wait.js';

/** A transport with connections that can be closed. */
export interface ClosableTransport {
  readonly transport: Transport;
  /** Closes all connections. Requests in progress fail. */
  close(): Promise<void>;
}

/** Milliseconds in which a connection must be established. The timeout of the request is usually shorter or as long. */
const CONNECT_TIMEOUT = 10_000;

/** Maximum bytes of response header fields (decisions 6.14). A source that sends more is hostile or broken. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Maximum number of informational responses (1xx) to one request. Real servers send one or two. */
const MAX_INFORMATIONAL = 100;

/** Maximum bytes of an unused body that are read so that its connection can be reused. */
const MAX_DISCARDED_BYTES = 128 * 1024;

/**
 * Creates the transport that uses the network: one undici Agent with a pool of persistent connections for each origin.
 * The layers above follow redirects and decode bodies. Undici's own timers are too coarse for deadlines, so they are
 * off.
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
        // The User-Agent identifies the gateway to the operators of its sources.
        headers: { 'user-agent': 'rollcall', ...headers },
        signal,
        onInfo: createInformationalLimit(),
      });
      // Undici ignores the signal until the connection is established (nodejs/undici#386).
      return new UndiciResponse(await raceAbort(response, signal, () => rejectWithReason(signal)));
    },
    close: () => agent.destroy(),
  };
}

/**
 * Counts informational responses (RFC 9110, section 15.2). Rollcall uses none of them, but a source may send them
 * without end. The error that the callback throws ends the request.
 */
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
      // Leaving the loop closes the connection.
      if (length > most) throw new SourceFailure('size', `a body of more than ${most} bytes`);
      chunks.push(chunk);
    }
    await waitForFreeConnection();
    const [first] = chunks;
    // Most pages arrive in one chunk. Copying them all would cost a tenth of the CPU time of a drain, in the garbage
    // collector.
    return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length);
  }

  async discard(): Promise<void> {
    await this.response.body.dump({ limit: MAX_DISCARDED_BYTES });
    await waitForFreeConnection();
  }
}

/**
 * Waits for the next turn of the event loop, from which on undici reuses the connection of a response that has ended.
 * For an earlier request it would open another connection (decision record 0019).
 */
function waitForFreeConnection(): Promise<void> {
  return nextTurn();
}
