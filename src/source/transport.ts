import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import type { Transport, WireReply } from './fetch.js';

/** A wire, and how to hang up. */
export interface Wire {
  readonly transport: Transport;
  /** Ends every connection; requests under way fail. */
  close(): Promise<void>;
}

/** Milliseconds in which a connection must stand. The request's own timeout, an AbortSignal, is usually shorter or as long. */
const CONNECT_TIMEOUT = 10_000;

/** Bytes of reply headers that are read at most: a source that sends more is hostile or broken. */
const MAX_HEADER_BYTES = 32 * 1024;

/** Identifies the gateway to the operators of its sources. */
const identify: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch({ ...options, headers: { ...plainHeaders(options.headers), 'user-agent': 'rollcall' } }, handler);

function plainHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string> {
  const plain = headers && !Array.isArray(headers) && !(Symbol.iterator in headers) ? headers : {};
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, String(value)]));
}

/**
 * The real wire: one undici Agent with a pool of kept connections for each origin. Redirects are not followed, bodies are
 * not decoded and not bounded here: the layers above do that. Undici's own timers are too coarse for deadlines, so they are off.
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
  const dispatcher = agent.compose(identify);
  return {
    transport: async ({ url, headers }, signal) => {
      const reply = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers,
        signal,
      });
      return wireReply(reply);
    },
    close: () => agent.destroy(),
  };
}

function wireReply({ statusCode, headers, body }: Dispatcher.ResponseData): WireReply {
  return {
    status: statusCode,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body,
    discard: () => body.dump(),
  };
}
