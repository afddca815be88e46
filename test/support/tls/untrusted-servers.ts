import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { createSelfSignedCertificate } from './self-signed-certificate.js';
import type { Certificate } from './self-signed-certificate.js';

/** A server at an `https` origin that a client must not trust. */
export interface UntrustedServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts a server that responds to a TLS handshake with plain text. */
export function startPlainTextServer(): Promise<UntrustedServer> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The handshake is read first: closing a socket with unread bytes would reset the connection, which is another failure.
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  });
  return opened(server);
}

/** Created once per process; its key is never written to disk. */
let certificate: Certificate | undefined;

/** Starts a server with a self-signed certificate. */
export function startUntrustedServer(): Promise<UntrustedServer> {
  certificate ??= createSelfSignedCertificate();
  const server = createTlsServer(certificate, (_request, response) => response.end('[]'));
  server.on('tlsClientError', () => undefined);
  return opened(server);
}

async function opened(server: Server): Promise<UntrustedServer> {
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
