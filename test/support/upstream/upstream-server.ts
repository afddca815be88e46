import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** One request as an upstream received it. */
export interface UpstreamRequest {
  /** Number of the request at this upstream, counted from 1. */
  readonly number: number;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** Handles a request to an upstream, correctly or not. */
export type RequestHandler = (request: UpstreamRequest, response: ServerResponse) => void;

/** A real HTTP server on a loopback port that records its requests. */
export interface UpstreamServer {
  /** Base URL without a trailing slash. */
  readonly address: string;
  readonly requests: readonly UpstreamRequest[];
  /** A test may replace it while the server runs, to let a source fail or recover. */
  handler: RequestHandler;
  /** Deletes the recorded requests, so that a long run does not fill the memory; numbers restart at 1. */
  forget(): void;
  /** Stops the server and closes every connection, including those of active requests. */
  close(): Promise<void>;
}

/** Starts an upstream on a free loopback port; with `tls`, at an `https` address. */
export async function startUpstream(baseHandler: RequestHandler, tls?: ServerOptions): Promise<UpstreamServer> {
  const requests: UpstreamRequest[] = [];
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    const request = read(message, requests.length + 1);
    requests.push(request);
    upstream.handler(request, response);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the upstream has no TCP port');
  const upstream: UpstreamServer = {
    address: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}/v1`,
    requests,
    handler: baseHandler,
    forget: () => {
      requests.length = 0;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return upstream;
}

function read({ url = '', headers }: IncomingMessage, number: number): UpstreamRequest {
  const { pathname, searchParams } = new URL(url, 'http://upstream.example');
  return { number, path: pathname, query: searchParams, headers };
}

/**
 * Returns an address to which connections are refused. It is that of the client of a connection, which stays open, so that no
 * other server gets its port meanwhile.
 */
export async function unusedAddress(): Promise<string> {
  const server = createTcpServer((socket) => socket.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  await once(client, 'connect');
  server.unref();
  client.unref();
  return `http://127.0.0.1:${client.localPort ?? 0}/v1`;
}

/** Never responds. */
export const neverResponds: RequestHandler = () => undefined;
