import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { openBlackHole } from './black-hole.js';
import type { BlackHole } from './black-hole.js';
import { httpsProxies, sendOverHttp2 } from './https-proxies.js';
import type { StartedHttpsProxy } from './https-proxies.js';

/** Requests, and how many are in progress at a time. They take longer than the time for which a proxy avoids a failed instance. */
const [REQUESTS, CONCURRENT] = [160, 8];

const running: Server[] = [];
let blackHole: BlackHole;

async function startInstance(): Promise<number> {
  const server = createServer((_, response) => response.end('answered'));
  running.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  blackHole = await openBlackHole();
});

afterAll(async () => {
  for (const server of running) server.close().closeAllConnections();
  await blackHole.close();
});

describe.each(httpsProxies)('$name with $file in front of three instances', (program) => {
  it.each([
    ['refuses connections', freePort],
    ['is on a machine that has failed', () => Promise.resolve(blackHole.port)],
  ])(
    'answers every request while one of them %s',
    async (_, openLost) => {
      const proxy = await program.start([await startInstance(), await openLost(), await startInstance()]);
      try {
        // Caddy issues its certificate after it has opened its port.
        await vi.waitFor(() => sendOverHttp2(proxy, '/'), { timeout: 20_000 });
        expect(await sendMany(proxy)).toEqual({ 200: REQUESTS });
      } finally {
        await proxy.close();
      }
    },
    90_000,
  );
});

/** Sends requests, and returns how many of them had each status. */
async function sendMany(proxy: StartedHttpsProxy): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {};
  let sent = 0;
  const client = async (): Promise<void> => {
    while (sent < REQUESTS) {
      sent += 1;
      const { status } = await sendOverHttp2(proxy, `/directory/v1/teams?_=${sent}`);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, client));
  return statuses;
}
