import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Server as NetServer, Socket } from 'node:net';
import type { RequestListener, Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { asFailure } from '../../../src/source/client/source-failure.js';
import type { HttpResponse } from '../../../src/source/client/fetch.js';
import { createUndiciTransport } from '../../../src/source/client/transport.js';
import { calm } from './layers.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A server on loopback, and a wire to it. */
async function line(listener: RequestListener): Promise<{
  readonly server: Server;
  readonly ask: (signal?: AbortSignal) => Promise<HttpResponse>;
  readonly close: () => Promise<void>;
}> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wire = createUndiciTransport();
  open.push(wire, server);
  const url = new URL(`http://127.0.0.1:${portOf(server)}/news?limit=1`);
  return {
    server,
    ask: (signal = calm) => wire.transport({ url, headers: { via: '1.1 a' } }, signal),
    close: () => wire.close(),
  };
}

function portOf(server: NetServer): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n';

function connectionsOf(server: Server): () => number {
  let connections = 0;
  server.on('connection', () => (connections += 1));
  return () => connections;
}

const LARGE = Buffer.alloc(1024 * 1024, 'x');

describe('the wire', () => {
  test('sends what it is asked to, tells who asks, and gives status, headers and body', async () => {
    const { ask } = await line(({ url, headers }, response) => {
      response
        .writeHead(418, { 'X-Two': ['a', 'b'] })
        .end(`${url ?? ''} ${headers.via ?? ''} ${headers['user-agent'] ?? ''}`);
    });
    const reply = await ask();
    expect(reply.status).toBe(418);
    expect(reply.header('x-two')).toBe('a, b');
    expect(reply.header('x-three')).toBeUndefined();
    expect(String(await reply.readBytes(100))).toBe('/news?limit=1 1.1 a rollcall');
  });

  test.each<[title: string, speak: (socket: Socket) => unknown, reason: string]>([
    ['greets as SSH does', (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'body'],
    ['greets as SMTP does', (socket) => socket.write('220 mail.example.org ESMTP\r\n'), 'body'],
    ['answers as HTTP/0.9 does', (socket) => socket.once('data', () => socket.end('<html></html>')), 'body'],
    [
      'answers in another version',
      (socket) => socket.once('data', () => socket.end('HTTP/7.3 200 OK\r\n\r\n')),
      'body',
    ],
    [
      'answers with an alert of TLS',
      (socket) => socket.once('data', () => socket.end('\x15\x03\x01\0\x02\x02F')),
      'body',
    ],
    [
      'sends a length that is no number',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'),
      'body',
    ],
    ['changes the protocol', (socket) => socket.once('data', () => socket.end(SWITCHED)), 'connect'],
    ['ends within the head', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nCon')), 'connect'],
    ['hangs up at once', (socket) => socket.end(), 'connect'],
    ['hangs up when it is asked', (socket) => socket.once('data', () => socket.end()), 'connect'],
  ])('has a reason for a server that %s', async (_title, speak, reason) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      speak(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wire = createUndiciTransport();
    open.push(wire, server);
    const url = new URL(`http://127.0.0.1:${portOf(server)}/news`);
    const failure = await wire.transport({ url, headers: {} }, calm).then(String, asFailure);
    expect(failure).toMatchObject({ reason });
  });

  test('reads past informational responses, and gives up on a source that sends them without end', async () => {
    const few = await line((_, response) => {
      for (let count = 0; count < 10; count += 1) response.writeProcessing();
      response.end('at last');
    });
    expect(String(await (await few.ask()).readBytes(100))).toBe('at last');
    let sent = 0;
    const endless = await line((_, response) => {
      const more = (): void => {
        for (let count = 0; count < 1_000; count += 1) response.writeProcessing();
        sent += 1_000;
        if (!response.destroyed) setImmediate(more);
      };
      more();
    });
    await expect(endless.ask()).rejects.toThrow('more than 100 informational responses');
    expect(sent).toBeLessThan(100_000);
  });

  test('puts a body together that comes in many pieces', async () => {
    const { ask } = await line((_, response) => response.end(LARGE));
    const reply = await ask();
    expect((await reply.readBytes(LARGE.length)).equals(LARGE)).toBe(true);
  });

  test('uses a connection again for who asks as soon as a body has ended', async () => {
    const { server, ask } = await line((_, response) => response.end('[]'));
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await ask()).readBytes(100);
    expect(connections()).toBe(1);
  });

  test('uses it again when a short body was not wanted', async () => {
    const { server, ask } = await line((_, response) => response.writeHead(500).end('out of order'));
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await ask()).discard();
    expect(connections()).toBe(1);
  });

  test('uses it again after an answer without a body', async () => {
    const { server, ask } = await line((_, response) => response.writeHead(304).end());
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await ask()).discard();
    expect(connections()).toBe(1);
  });

  test('hangs up on a body that is longer than it may be, or long and not wanted', async () => {
    const ended: Promise<unknown>[] = [];
    const { ask } = await line((_, response) => {
      ended.push(once(response, 'close'));
      const more = (): void => {
        if (!response.destroyed) response.write(LARGE, more);
      };
      more();
    });
    await expect((await ask()).readBytes(LARGE.length)).rejects.toMatchObject({ reason: 'size' });
    await (await ask()).discard();
    expect(await Promise.all(ended)).toHaveLength(2);
  });

  test('passes over what comes before the answer', async () => {
    const { ask } = await line((_, response) => {
      response.writeProcessing();
      response.end('[]');
    });
    expect((await ask()).status).toBe(200);
  });

  test('ends with the signal’s reason: before anything is sent, while it waits, and within the body', async () => {
    const { ask } = await line((_, response) => {
      response.writeHead(200).write('[');
    });
    const gone = new Error('the asker has left');
    await expect(ask(AbortSignal.abort(gone))).rejects.toBe(gone);
    const [early, late] = [new AbortController(), new AbortController()];
    const asked = ask(early.signal);
    early.abort(gone);
    await expect(asked).rejects.toBe(gone);
    const body = (await ask(late.signal)).readBytes(100);
    late.abort(gone);
    await expect(body).rejects.toBe(gone);
  });

  test('ends with the signal’s reason while the connection is being made', async () => {
    const silent = createTcpServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const wire = createUndiciTransport();
    open.push(wire, silent);
    const url = new URL(`https://127.0.0.1:${portOf(silent)}/news`);
    const [gone, asker] = [new Error('the asker has left'), new AbortController()];
    const asked = wire.transport({ url, headers: {} }, asker.signal);
    await once(silent, 'connection');
    asker.abort(gone);
    await expect(asked).rejects.toBe(gone);
  });

  test('opens no connection for a request whose signal is aborted already', async () => {
    const { server, ask } = await line((_, response) => response.end('[]'));
    const connections = connectionsOf(server);
    await expect(ask(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    await (await ask()).readBytes(100);
    expect(connections()).toBe(1);
  });

  test('sends nothing for a request that is aborted at once, and fails the one under way when it is closed', async () => {
    let requests = 0;
    const { ask, close } = await line((_, response) => {
      requests += 1;
      if (requests === 1) response.end('[]');
    });
    const asker = new AbortController();
    const left = ask(asker.signal);
    asker.abort(new Error('the asker has left'));
    await expect(left).rejects.toThrow('the asker has left');
    await (await ask()).readBytes(100);
    const late = ask();
    await Promise.all([close(), expect(late).rejects.toThrow()]);
    expect(requests).toBe(1);
  });

  test.each<[title: string, end: (reply: HttpResponse) => Promise<unknown>]>([
    ['was read', (reply) => reply.readBytes(LARGE.length)],
    ['was not wanted', (reply) => reply.discard()],
    ['was too long', (reply) => reply.readBytes(10)],
  ])('leaves nothing on the signal once the body %s', async (_title, end) => {
    const { ask } = await line((_, response) => response.end('[1, 2, 3, 4, 5]'));
    const asker = new AbortController();
    const reply = await ask(asker.signal);
    await end(reply).catch(() => undefined);
    await nextTurn();
    expect(getEventListeners(asker.signal, 'abort')).toEqual([]);
  });

  test('fails whoever reads a body after it broke, and nobody where it is not read', async () => {
    const { server, ask } = await line((_, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('[', () => setImmediate(() => response.destroy()));
    });
    const broken = once(server, 'connection').then(([socket]: Socket[]) => socket && once(socket, 'close'));
    const read = await ask();
    await broken;
    await nextTurn();
    await nextTurn();
    await expect(read.readBytes(100)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    await (await ask()).discard();
    expect((await ask()).status).toBe(200);
  });

  test('rejects when the connection breaks: before the answer, and within the body', async () => {
    const { ask } = await line(({ socket }) => socket.destroy());
    await expect(ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const { ask: other } = await line(({ socket }, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('[', () => socket.destroy());
    });
    const reply = await other();
    await expect(reply.readBytes(100)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});
