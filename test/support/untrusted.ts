import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Something that listens where TLS is expected. */
export interface Untrusted {
  readonly origin: string;
  close(): Promise<void>;
}

/** A server that answers a TLS handshake with something else. */
export function openTlsless(): Promise<Untrusted> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // The handshake is read first: closing over unread bytes would reset the connection, which is another failure.
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  });
  return opened(server);
}

/** A server whose certificate nobody has signed but itself. Its key is made for it, and never leaves this process. */
export function openUntrusted(): Promise<Untrusted> {
  const both = selfSigned();
  const server = createTlsServer({ key: both, cert: both }, (_request, response) => response.end('[]'));
  server.on('tlsClientError', () => undefined);
  return opened(server);
}

/** Key and certificate, made once a process: for Scene after Scene that would take seconds. */
let pem: string | undefined;

function selfSigned(): string {
  return (pem ??= generated());
}

function generated(): string {
  const name = ['-subj', '/CN=directory.example.org', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-'];
  return execFileSync('openssl', ['req', '-x509', ...key, ...name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

async function opened(server: Server): Promise<Untrusted> {
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
