import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EntrySealer } from '../../../../src/lists/store/redis/entry-sealer.js';
import { SharedStore } from '../../../../src/lists/store/redis/shared-store.js';
import { systemClock } from '../../../../src/model/clock.js';
import { freePort } from '../../../support/free-port.js';
import { NOTHING, TEAMS, listsOf } from './shared-team-list.js';

/** What a server does with a connection. */
type Behaviour = (socket: Socket) => void;

describe('a store of lists in Redis', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const stores: SharedStore[] = [];
  const reported: string[] = [];

  function open(url: string): SharedStore {
    const store = new SharedStore({
      ...{ url, namespace: 'rollcall', clock: systemClock, sealer: new EntrySealer(undefined) },
      publish: (event) => {
        if (event.type === 'shared memory failed') reported.push(event.error);
      },
    });
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

  /** Every request to the store ends, and lets the instance read for itself. */
  async function expectNothingShared(store: SharedStore): Promise<void> {
    expect(await listsOf(store).claim(TEAMS, NOTHING)).toEqual({ state: 'unreachable' });
    expect(await listsOf(store).forget()).toBe(false);
    await store.waitUntilReachable(0);
    expect(store.status.reachable).toBe(false);
  }

  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    for (const server of servers.splice(0)) server.close();
    reported.length = 0;
  });

  it('lets an instance read for itself where nothing listens, and reports the reason once', async () => {
    const port = await freePort();
    const store = open(`redis://127.0.0.1:${port}`);
    await expectNothingShared(store);
    const error = `Redis is not connected: connect ECONNREFUSED 127.0.0.1:${port}`;
    await expect.poll(() => reported).toEqual([error]);
    expect(store.status.error).toBe(error);
  });

  it.each<[string, Behaviour]>([
    ['says nothing', (socket) => socket.resume()],
    ['closes each connection', (socket) => socket.end()],
    ['resets each connection', (socket) => socket.resetAndDestroy()],
    [
      'speaks another protocol',
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
    ['replies with unexpected values', (socket) => void socket.on('data', () => socket.write('*2\r\n:1\r\n$-1\r\n'))],
  ])('lets an instance read for itself where a server %s, and tries again', async (_, behave) => {
    let connections = 0;
    const port = await serve((socket) => {
      connections += 1;
      behave(socket);
    });
    const store = open(`redis://127.0.0.1:${port}`);
    await expect.poll(() => connections).toBeGreaterThan(3);
    await expectNothingShared(store);
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
    await expect.poll(() => reported.join('\n')).toContain('unknown: *');
    expect(`${store.status.error} ${reported.join('\n')}`).not.toMatch(/top.secret/);
  });

  it('shares nothing after it was closed, and is closed twice without an error', async () => {
    const store = open(`redis://127.0.0.1:${await freePort()}`);
    await store.close();
    await store.close();
    await expectNothingShared(store);
  });
});
