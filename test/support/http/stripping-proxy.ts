import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';

/** A reverse proxy on loopback that serves a gateway below a path. */
export interface StrippingProxy {
  /** Without a trailing slash. */
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Starts a reverse proxy that removes `path` from the targets of requests, and responds with 404 to all targets that are not
 * below it. `path` has no slash at the end; `target` is the origin of the gateway.
 */
export async function startStrippingProxy(path: string, target: string): Promise<StrippingProxy> {
  const server = createServer(({ method, url = '', headers }, response) => {
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404).end('not below the path of the gateway');
      return;
    }
    sendRequest(target + url.slice(path.length), { method, headers, agent: false }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    })
      .on('error', () => response.writeHead(502).end())
      .end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no TCP port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
