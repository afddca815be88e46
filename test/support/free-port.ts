import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a loopback TCP port that was free at the time of the call. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free TCP port');
  return address.port;
}
