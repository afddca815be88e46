import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Rejects when the port is in use. Returns the URL, with the assigned port where `port` is 0. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return `http://${host.includes(':') ? `[${host}]` : host}:${isAddressInfo(address) ? address.port : port}`;
}

function isAddressInfo(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** In milliseconds. Open connections are still read after the listener is closed: a request may be on its way. */
const QUIET_PERIOD_MS = 300;

/** For closing idle connections after that, in milliseconds. */
const SWEEP_INTERVAL_MS = 20;

/** Can be closed without losing a request. */
export interface ListenerConnections {
  /**
   * No new connection is accepted; open ones are closed when their responses have been sent, and at the latest after
   * `maxDuration` milliseconds (operation 6.3).
   */
  closeGracefully(maxDuration: number): Promise<void>;
}

/**
 * `http.Server.close()` would close connections at once that look idle, also one whose next request has arrived unread;
 * and it would wait forever for a connection without any request.
 */
export function trackConnections(server: Server): ListenerConnections {
  /** The last response of each connection. When it has been sent, all earlier ones have been sent, too. */
  const latest = new Map<Socket, ServerResponse | undefined>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted += 1;
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    if (latest.has(socket)) latest.set(socket, response);
  });
  const sweep = (): void => {
    for (const [socket, response] of latest) {
      if (response?.writableFinished !== false && socket.writableLength === 0) socket.destroy();
    }
  };
  return {
    closeGracefully: async (maxDuration) => {
      await waitForPendingConnections(() => accepted);
      await closeListener(server, sweep, maxDuration);
    },
  };
}

/**
 * Closing the listener would cut off connections that wait to be accepted. The wait is bounded, because on a busy
 * listener there is always another one.
 */
async function waitForPendingConnections(accepted: () => number): Promise<void> {
  const end = performance.now() + QUIET_PERIOD_MS;
  for (let before = -1; accepted() > before && performance.now() < end;) {
    before = accepted();
    // A complete turn of the event loop: the first one may end within the turn in which it began.
    await turn();
    await turn();
  }
}

async function closeListener(server: Server, sweep: () => void, maxDuration: number): Promise<void> {
  // `close` of net.Server, which http.Server extends (documented by Node.js): that of http.Server closes idle
  // connections, too. A separate net.Server that passes its connections to the HTTP server could also be closed alone,
  // but then node:http enforces no time limits on requests (Node.js 20.20, 24.21).
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });
  const end = setTimeout(() => {
    server.closeAllConnections();
  }, maxDuration);
  await Promise.race([closed, sleep(QUIET_PERIOD_MS)]);
  const sweeping = setInterval(sweep, SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweeping);
  clearTimeout(end);
}
