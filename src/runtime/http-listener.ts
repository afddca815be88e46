import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

/** Opens a listener; rejects when the port is taken. Returns the URL of what it serves, with the port that a 0 came to. */
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

/** How long after the listener is closed open connections are still read, in milliseconds: a request may be on its way on one. */
const QUIET_PERIOD_MS = 300;

/** How often connections that have become idle are ended after that, in milliseconds. */
const SWEEP_INTERVAL_MS = 20;

/** A listener's connections, and how it is closed without losing a request. */
export interface ListenerConnections {
  /** Closes the listener: no new connection, none ended before its answers are sent, but at the latest after `longest` milliseconds. */
  closeGracefully(longest: number): Promise<void>;
}

/**
 * Follows a listener's connections from now on. `http.Server.close()` would end those at once that look idle, also one on which the
 * next request has arrived unread; and it would wait for ever for one on which none ever comes.
 */
export function trackConnections(server: Server): ListenerConnections {
  /** The answer to the last request on each: those before it are sent when it is. */
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
    closeGracefully: async (longest) => {
      await waitForPendingConnections(() => accepted);
      await closeListener(server, sweep, longest);
    },
  };
}

/**
 * Waits until no connection came in a whole turn of the event loop: who is connected already, and waits to be accepted, would be cut off with the
 * listener. Not for longer than the connections are read afterwards, for some always come.
 */
async function waitForPendingConnections(accepted: () => number): Promise<void> {
  const end = performance.now() + QUIET_PERIOD_MS;
  for (let before = -1; accepted() > before && performance.now() < end;) {
    before = accepted();
    // The first may end the turn in which it was begun.
    await turn();
    await turn();
  }
}

async function closeListener(server: Server, sweep: () => void, longest: number): Promise<void> {
  // `close` of net.Server, which http.Server extends (Node's documentation), for that of http.Server ends idle connections as well. A net.Server of its
  // own that hands its connections to the HTTP server would close alone too, but node:http then enforces no time limit on requests (20.20, 24.21).
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });
  const end = setTimeout(() => {
    server.closeAllConnections();
  }, longest);
  await Promise.race([closed, sleep(QUIET_PERIOD_MS)]);
  const sweeping = setInterval(sweep, SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweeping);
  clearTimeout(end);
}
