import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Opens a listener; rejects when the port is taken. Returns the URL of what it serves, with the port that a 0 came to. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return `http://${host.includes(':') ? `[${host}]` : host}:${isAddress(address) ? address.port : port}`;
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** How often connections that have become idle are ended while a listener closes, in milliseconds. */
const SWEEP = 20;

/** Closes a listener: no new connection, none ended before its answer is sent. */
export async function drainConnections(server: Server): Promise<void> {
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, SWEEP);
  try {
    await new Promise<void>((resolve) =>
      server.close(() => {
        resolve();
      }),
    );
  } finally {
    clearInterval(sweep);
  }
}
