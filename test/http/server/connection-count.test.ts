import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { limitSharedConnections, setConnectionCount } from '../../../src/http/server/connection-count.js';
import { listen } from '../../../src/runtime/http-listener.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Starts a server that keeps at most one connection open, and returns a function that connects a client to it. */
async function start(): Promise<{ readonly drops: () => number; readonly open: () => Promise<Socket> }> {
  const started = createServer((_, response) => response.end('answered'));
  server = started;
  limitSharedConnections(started);
  setConnectionCount(started, 1);
  let dropped = 0;
  started.on('drop', () => (dropped += 1));
  const { port } = new URL(await listen(started, { host: '127.0.0.1', port: 0 }));
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket.resume();
  };
  return { drops: () => dropped, open };
}

async function isAnswered(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

describe('the connections of a server that shares its port', () => {
  it('are limited by the server itself, which closes further ones at once and emits drop', async () => {
    const { drops, open } = await start();
    expect(server?.maxConnections).toBeUndefined();
    const first = await open();
    expect(await isAnswered(first)).toBe(true);
    const second = await open();
    await once(second, 'close');
    expect(drops()).toBe(1);
    expect(await isAnswered(first)).toBe(true);
  });

  it('are accepted again when an earlier one has ended, and when the limit is raised', async () => {
    const { open } = await start();
    const first = await open();
    expect(await isAnswered(first)).toBe(true);
    first.destroy();
    const countOpen = (): Promise<number> =>
      new Promise((resolve) => server?.getConnections((_, count) => resolve(count)));
    while ((await countOpen()) > 0) await turn();
    const second = await open();
    expect(await isAnswered(second)).toBe(true);
    if (server) setConnectionCount(server, 2);
    expect(await isAnswered(await open())).toBe(true);
  });
});
