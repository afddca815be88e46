import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Server as NetServer, Socket } from 'node:net';
import type { RequestListener, Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { asFailure } from '../../../../src/source/client/source-failure.js';
import type { HttpResponse } from '../../../../src/source/client/http-client-types.js';
import { createUndiciTransport } from '../../../../src/source/client/transport/http-transport.js';
import { calm } from '../layers.js';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A server on loopback, and a transport to it. */
async function openTransport(listener: RequestListener): Promise<{
  readonly server: Server;
  readonly send: (signal?: AbortSignal) => Promise<HttpResponse>;
  readonly close: () => Promise<void>;
}> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createUndiciTransport('rollcall');
  open.push(transport, server);
  const url = new URL(`http://127.0.0.1:${portOf(server)}/news?limit=1`);
  return {
    server,
    send: (signal = calm) => transport.transport({ url, headers: { via: '1.1 a' } }, signal),
    close: () => transport.close(),
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

describe('createUndiciTransport', () => {
  test('sends the request with a User-Agent, and returns status, header fields and body', async () => {
    const { send } = await openTransport(({ url, headers }, response) => {
      response
        .writeHead(418, { 'X-Two': ['a', 'b'] })
        .end(`${url ?? ''} ${headers.via ?? ''} ${headers['user-agent'] ?? ''}`);
    });
    const reply = await send();
    expect(reply.status).toBe(418);
    expect(reply.header('x-two')).toBe('a, b');
    expect(reply.header('x-three')).toBeUndefined();
    expect(String(await reply.readBytes(100))).toBe('/news?limit=1 1.1 a rollcall');
  });

  test.each<[title: string, speak: (socket: Socket) => unknown, reason: string]>([
    ['sends an SSH greeting', (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'body'],
    ['sends an SMTP greeting', (socket) => socket.write('220 mail.example.org ESMTP\r\n'), 'body'],
    ['responds in HTTP/0.9', (socket) => socket.once('data', () => socket.end('<html></html>')), 'body'],
    [
      'responds with an unknown HTTP version',
      (socket) => socket.once('data', () => socket.end('HTTP/7.3 200 OK\r\n\r\n')),
      'body',
    ],
    ['responds with a TLS alert', (socket) => socket.once('data', () => socket.end('\x15\x03\x01\0\x02\x02F')), 'body'],
    ['sends an invalid Content-Length', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n'), 'body'],
    ['switches the protocol', (socket) => socket.once('data', () => socket.end(SWITCHED)), 'connect'],
    [
      'closes the connection within the header section',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nCon')),
      'connect',
    ],
    ['closes the connection at once', (socket) => socket.end(), 'connect'],
    ['closes the connection after a request', (socket) => socket.once('data', () => socket.end()), 'connect'],
  ])('fails with a reason for a server that %s', async (_title, speak, reason) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      speak(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const transport = createUndiciTransport('rollcall');
    open.push(transport, server);
    const url = new URL(`http://127.0.0.1:${portOf(server)}/news`);
    const failure = await transport.transport({ url, headers: {} }, calm).then(String, asFailure);
    expect(failure).toMatchObject({ reason });
  });

  test('skips informational responses, and fails where a source sends too many of them', async () => {
    const few = await openTransport((_, response) => {
      for (let count = 0; count < 10; count += 1) response.writeProcessing();
      response.end('at last');
    });
    expect(String(await (await few.send()).readBytes(100))).toBe('at last');
    let sent = 0;
    const endless = await openTransport((_, response) => {
      const more = (): void => {
        for (let count = 0; count < 1_000; count += 1) response.writeProcessing();
        sent += 1_000;
        if (!response.destroyed) setImmediate(more);
      };
      more();
    });
    await expect(endless.send()).rejects.toThrow('more than 100 informational responses');
    expect(sent).toBeLessThan(100_000);
  });

  test('returns the complete body that arrives in many parts', async () => {
    const { send } = await openTransport((_, response) => response.end(LARGE));
    const reply = await send();
    expect((await reply.readBytes(LARGE.length)).equals(LARGE)).toBe(true);
  });

  test('reuses a connection as soon as a body was read', async () => {
    const { server, send } = await openTransport((_, response) => response.end('[]'));
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await send()).readBytes(100);
    expect(connections()).toBe(1);
  });

  test('reuses a connection after a short body was discarded', async () => {
    const { server, send } = await openTransport((_, response) => response.writeHead(500).end('out of order'));
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await send()).discard();
    expect(connections()).toBe(1);
  });

  test('reuses a connection after a response without a body', async () => {
    const { server, send } = await openTransport((_, response) => response.writeHead(304).end());
    const connections = connectionsOf(server);
    for (let times = 0; times < 5; times += 1) await (await send()).discard();
    expect(connections()).toBe(1);
  });

  test('closes the connection of a body that exceeds the limit, or that is long and discarded', async () => {
    const ended: Promise<unknown>[] = [];
    const { send } = await openTransport((_, response) => {
      ended.push(once(response, 'close'));
      const more = (): void => {
        if (!response.destroyed) response.write(LARGE, more);
      };
      more();
    });
    await expect((await send()).readBytes(LARGE.length)).rejects.toMatchObject({ reason: 'size' });
    await (await send()).discard();
    expect(await Promise.all(ended)).toHaveLength(2);
  });

  test('skips a 102 response before the final response', async () => {
    const { send } = await openTransport((_, response) => {
      response.writeProcessing();
      response.end('[]');
    });
    expect((await send()).status).toBe(200);
  });

  test('rejects with the reason of the signal before sending, while waiting and within the body', async () => {
    const { send } = await openTransport((_, response) => {
      response.writeHead(200).write('[');
    });
    const gone = new Error('the client disconnected');
    await expect(send(AbortSignal.abort(gone))).rejects.toBe(gone);
    const [early, late] = [new AbortController(), new AbortController()];
    const pending = send(early.signal);
    early.abort(gone);
    await expect(pending).rejects.toBe(gone);
    const body = (await send(late.signal)).readBytes(100);
    late.abort(gone);
    await expect(body).rejects.toBe(gone);
  });

  test('rejects with the reason of the signal while connecting', async () => {
    const silent = createTcpServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const transport = createUndiciTransport('rollcall');
    open.push(transport, silent);
    const url = new URL(`https://127.0.0.1:${portOf(silent)}/news`);
    const [gone, client] = [new Error('the client disconnected'), new AbortController()];
    const pending = transport.transport({ url, headers: {} }, client.signal);
    await once(silent, 'connection');
    client.abort(gone);
    await expect(pending).rejects.toBe(gone);
  });

  test('opens no connection for a request whose signal is already aborted', async () => {
    const { server, send } = await openTransport((_, response) => response.end('[]'));
    const connections = connectionsOf(server);
    await expect(send(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    await (await send()).readBytes(100);
    expect(connections()).toBe(1);
  });

  test('sends nothing for a request that is aborted at once, and rejects pending requests when it is closed', async () => {
    let requests = 0;
    const { send, close } = await openTransport((_, response) => {
      requests += 1;
      if (requests === 1) response.end('[]');
    });
    const client = new AbortController();
    const left = send(client.signal);
    client.abort(new Error('the client disconnected'));
    await expect(left).rejects.toThrow('the client disconnected');
    await (await send()).readBytes(100);
    const late = send();
    await Promise.all([close(), expect(late).rejects.toThrow()]);
    expect(requests).toBe(1);
  });

  test.each<[title: string, end: (reply: HttpResponse) => Promise<unknown>]>([
    ['was read', (reply) => reply.readBytes(LARGE.length)],
    ['was discarded', (reply) => reply.discard()],
    ['was too long', (reply) => reply.readBytes(10)],
  ])('leaves no listener on the signal once the body %s', async (_title, end) => {
    const { send } = await openTransport((_, response) => response.end('[1, 2, 3, 4, 5]'));
    const client = new AbortController();
    const reply = await send(client.signal);
    await end(reply).catch(() => undefined);
    await nextTurn();
    expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  });

  test('rejects reading a body whose connection broke, and causes no error where it is not read', async () => {
    const { server, send } = await openTransport((_, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('[', () => setImmediate(() => response.destroy()));
    });
    const broken = once(server, 'connection').then(([socket]: Socket[]) => socket && once(socket, 'close'));
    const read = await send();
    await broken;
    await nextTurn();
    await nextTurn();
    await expect(read.readBytes(100)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    await (await send()).discard();
    expect((await send()).status).toBe(200);
  });

  test('rejects when the connection breaks before the response or within the body', async () => {
    const { send } = await openTransport(({ socket }) => socket.destroy());
    await expect(send()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const { send: other } = await openTransport(({ socket }, response) => {
      response.writeHead(200, { 'Content-Length': 10 }).write('[', () => socket.destroy());
    });
    const reply = await other();
    await expect(reply.readBytes(100)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});
