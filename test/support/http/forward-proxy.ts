import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A forward proxy on loopback (RFC 9110, section 7.6): requests in absolute form, and tunnels by CONNECT. */
export interface ForwardProxy {
  /** Without credentials. */
  readonly origin: string;
  readonly port: number;
  /** Each request that was let through, such as `GET http://a.example.org/v1/teams` and `CONNECT a.example.org:443`. */
  readonly requests: readonly string[];
  /** Number of requests that were refused for their credentials. */
  readonly refused: number;
  /** If set, every tunnel is refused with this status. */
  tunnelStatus: number | undefined;
  close(): Promise<void>;
}

/** Options of a proxy. */
export interface ForwardProxyOptions {
  /** `USER:PASSWORD` that requests must have; absent: none. */
  readonly userPassword?: string;
  /** Loopback port to which every request and tunnel leads, whatever host it names. */
  readonly targetPort: number;
}

/** Starts a forward proxy. */
export async function startForwardProxy({ userPassword, targetPort }: ForwardProxyOptions): Promise<ForwardProxy> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  const expected = userPassword === undefined ? undefined : `Basic ${Buffer.from(userPassword).toString('base64')}`;
  const admit = ({ method = '', url = '', headers }: IncomingMessage): boolean => {
    const isAdmitted = expected === undefined || headers['proxy-authorization'] === expected;
    if (isAdmitted) requests.push(`${method} ${url}`);
    else proxy.refused += 1;
    return isAdmitted;
  };
  const server = createServer((message, response) => {
    if (admit(message)) forward(message, response, targetPort);
    else response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="test"' }).end('no credentials');
  });
  server.on('connect', (message: IncomingMessage, socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const status = admit(message) ? proxy.tunnelStatus : 407;
    if (status === undefined) openTunnel(socket, targetPort, sockets);
    else socket.end(`HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\n\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no TCP port');
  const proxy = {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    refused: 0,
    tunnelStatus: undefined as number | undefined,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return proxy;
}

/** Sends the request to the target in origin form, without the fields for the proxy. */
function forward({ method, url = '', headers }: IncomingMessage, response: ServerResponse, port: number): void {
  const { pathname, search } = new URL(url);
  const forwarded = Object.entries(headers).filter(([name]) => name !== 'proxy-authorization');
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path: pathname + search,
    headers: Object.fromEntries(forwarded),
    agent: false,
  };
  sendRequest(options, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  })
    .on('error', () => response.writeHead(502).end())
    .end();
}

function openTunnel(socket: Duplex, port: number, sockets: Set<Duplex>): void {
  const target = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.pipe(socket).pipe(target);
  });
  sockets.add(target);
  target.on('error', () => socket.destroy());
  socket.once('close', () => target.destroy());
}
