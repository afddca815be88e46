import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { modes, PARALLEL } from './modes.js';

/** The hostile source, which sends its port, and the hostile client, which starts when it receives the origin of the gateway. */
const mode = modes.find(({ name }) => name === process.argv[2]);
const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = '' }, response) => {
  mode?.respond?.(new URL(url, 'http://source.example'), response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.once('disconnect', () => process.exit(0));
let sent = 0;
process.on('message', (origin) => {
  for (let parallel = 0; parallel < PARALLEL; parallel += 1) void attack(String(origin));
});
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : undefined);

/** Sends one request after the other, from another address than the honest client. */
async function attack(origin: string): Promise<never> {
  for (;;) {
    const target = mode?.target?.((sent += 1));
    if (target === undefined) await pause(1e6);
    else await request(origin + target).catch(() => pause(10));
  }
}

async function request(url: string): Promise<void> {
  await new Promise((resolve, reject) => {
    get(url, { localAddress: '127.0.0.2' }, (response) => {
      response.once('end', resolve).once('error', reject).resume();
    }).once('error', reject);
  });
}
