import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createSelfSignedCertificate } from './self-signed-certificate.js';

it('creates a certificate for 127.0.0.1 that a client with this trust anchor accepts', async () => {
  const certificate = createSelfSignedCertificate();
  const server = createServer(certificate, (_request, response) => response.end('[]')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const sent = request({ host: '127.0.0.1', port, ca: certificate.cert, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [{ statusCode?: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(200);
  } finally {
    server.close();
  }
});
