import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RedisStore } from '../../../src/state/redis/redis-store.js';
import type { SharedStore } from '../../../src/state/sharing/shared-store.js';
import { freePort } from '../../support/free-port.js';

/** What a server does with a connection. */
type Behaviour = (socket: Socket) => void;

/** Executes one command of each connection, and returns their errors. */
async function execute(store: SharedStore): Promise<readonly string[]> {
  const results = await Promise.allSettled([
    store.read('teams'),
    store.remove('teams'),
    store.writeRecords('1', [Buffer.of(1)]),
    store.readRecords('1')[Symbol.asyncIterator]().next(),
  ]);
  return results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'none'));
}

describe('a shared memory in Redis', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const stores: RedisStore[] = [];
  const errors: string[] = [];

  function open(url: string): RedisStore {
    const store = new RedisStore({ url, namespace: 'rollcall:1:test', onError: (message) => errors.push(message) });
    stores.push(store);
    return store;
  }

  /** Starts a server in place of Redis, and returns its port. */
  async function serve(behave: Behaviour): Promise<number> {
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      behave(socket);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    for (const server of servers.splice(0)) server.close();
    errors.length = 0;
  });

  it('rejects before a connection was made', async () => {
    const errorsAtOnce = await execute(open(`redis://127.0.0.1:${await freePort()}`));
    for (const error of errorsAtOnce) expect(error).toBe('Error: Redis is not connected: no connection was made yet');
  });

  it('rejects with the reason and reports it once where nothing listens', async () => {
    const port = await freePort();
    const store = open(`redis://127.0.0.1:${port}`);
    await expect.poll(() => errors).toEqual([`connect ECONNREFUSED 127.0.0.1:${port}`]);
    for (const error of await execute(store)) expect(error).toContain('ECONNREFUSED');
    expect(errors).toHaveLength(1);
  });

  it('rejects and tries again where a server accepts the connection and says nothing', async () => {
    let connections = 0;
    const port = await serve((socket) => {
      connections += 1;
      socket.resume();
    });
    const store = open(`redis://127.0.0.1:${port}`);
    await expect.poll(() => connections).toBeGreaterThan(3);
    for (const error of await execute(store)) expect(error).toContain('Redis is not connected');
  });

  it.each<[string, Behaviour]>([
    ['closes each connection', (socket) => socket.end()],
    ['resets each connection', (socket) => socket.resetAndDestroy()],
    [
      'speaks another protocol',
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
    ['replies with unexpected values', (socket) => void socket.on('data', () => socket.write('*2\r\n:1\r\n$-1\r\n'))],
  ])('rejects where a server %s', async (_, behave) => {
    let connections = 0;
    const port = await serve((socket) => {
      connections += 1;
      behave(socket);
    });
    const store = open(`redis://127.0.0.1:${port}`);
    await expect.poll(() => connections).toBeGreaterThanOrEqual(3);
    for (const error of await execute(store)) expect(error).toMatch(/^Error: Redis/);
  });

  it('never reports a password that a server repeats', async () => {
    const port = await serve((socket) => {
      socket.on('data', (data: Buffer) => {
        const text = data.toString();
        const reply = `-ERR unknown: ${text.replaceAll(/\s+/g, ' ')}\r\n`;
        socket.write(reply.repeat(text.match(/^\*/gm)?.length ?? 0));
      });
    });
    const store = open(`redis://rollcall:top%20secret@127.0.0.1:${port}`);
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    const texts = [...(await execute(store)), ...errors].join('\n');
    expect(texts).toContain('unknown: *');
    expect(texts).not.toMatch(/top.secret/);
  });

  it('rejects after it was closed, and is closed twice without an error', async () => {
    const store = open(`redis://127.0.0.1:${await freePort()}`);
    await store.close();
    await store.close();
    for (const error of await execute(store)) expect(error).toContain('Redis is not connected');
  });
});
