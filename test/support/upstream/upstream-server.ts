import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** One request as an upstream got it. */
export interface UpstreamRequest {
  /** Position among the upstream's requests, the first is 1. */
  readonly number: number;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** How an upstream answers a request, well or badly. */
export type RequestHandler = (asked: UpstreamRequest, response: ServerResponse) => void;

/** A real HTTP server on a loopback port that remembers what it was asked. */
export interface UpstreamServer {
  /** Base URL of its directory interface, without a slash at the end. */
  readonly address: string;
  readonly requests: readonly UpstreamRequest[];
  /** May be replaced while it runs: what was good goes bad, and the other way round. */
  handler: RequestHandler;
  /** Forgets its requests, that a long run may not fill the memory with them; numbers begin anew. */
  forget(): void;
  /** Ends every connection, those of requests under way too. */
  close(): Promise<void>;
}

/** Opens an upstream on a free port. */
export async function startUpstream(baseHandler: RequestHandler): Promise<UpstreamServer> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((request, response) => {
    const asked = read(request, requests.length + 1);
    requests.push(asked);
    upstream.handler(asked, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the upstream has no TCP port');
  const upstream: UpstreamServer = {
    address: `http://127.0.0.1:${address.port}/v1`,
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

/** An address at which nobody listens: connections to it are refused. */
export async function unusedAddress(): Promise<string> {
  const upstream = await startUpstream(neverResponds);
  await upstream.close();
  return upstream.address;
}

/** Never answers. */
export const neverResponds: RequestHandler = () => undefined;
