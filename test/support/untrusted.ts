import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Something that listens where TLS is expected. */
export interface Untrusted {
  readonly origin: string;
  close(): Promise<void>;
}

/** A server that answers a TLS handshake with something else: no connection to it can be trusted. */
export async function openUntrusted(): Promise<Untrusted> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The handshake is read first: closing over unread bytes would reset the connection, which is another failure.
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${address.port}`,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
