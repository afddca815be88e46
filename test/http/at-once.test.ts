import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KEEP_ALIVE, sendAtOnce, writeHead } from '../../src/http/at-once.js';
import { listen } from '../../src/operate/listener.js';

const servers: Server[] = [];
const responses: ServerResponse[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  responses.length = 0;
});

/** Starts a server; returns a connection to it. */
async function connected(listener: RequestListener): Promise<Socket> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, (request, response) => {
    responses.push(response);
    listener(request, response);
  });
  servers.push(server);
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  return connect(Number(port), '127.0.0.1');
}

const LAST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** All that is read on a connection on which this is written, and a last request, but for the time in Date. */
async function read(listener: RequestListener, written: string): Promise<string> {
  const socket = await connected(listener);
  socket.write(written + LAST);
  return (await text(socket)).replaceAll(/^Date: .*$/gm, 'Date: …');
}

const HEADERS = { 'Content-Type': 'text/plain', 'X-Total-Count': 7, Link: '</Zürich>; rel="self"' };

function atOnce(status: number, body?: Uint8Array): RequestListener {
  const headers = body === undefined ? HEADERS : { ...HEADERS, 'Content-Length': body.length };
  return (request, response) => {
    const head = writeHead(status, [headers], Date.now());
    sendAtOnce(request, response, head, request.method === 'HEAD' ? undefined : body);
  };
}

function byNode(status: number, body?: Uint8Array): RequestListener {
  const headers = body === undefined ? HEADERS : { ...HEADERS, 'Content-Length': body.length };
  return (request, response) => {
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  };
}

const BODY = Buffer.from('whole');

describe('an answer that is sent at once', () => {
  it.each([
    ['a GET', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 200, BODY],
    ['a HEAD', 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n', 200, BODY],
    ['an empty 304', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', 304, undefined],
    ['an empty 204', 'OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n', 204, undefined],
    ['requests that do not wait for each other', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3), 200, BODY],
    ['a client that wants the connection closed', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200, BODY],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 200, BODY],
    ['HTTP/1.0 that stays', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', 200, BODY],
    ['a request with a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', 405, BODY],
  ])('is byte for byte what node:http sends to %s', async (_, request, status, body) => {
    expect(await read(atOnce(status, body), request)).toBe(await read(byNode(status, body), request));
  });

  it('is told in Date when it left', () => {
    const { text: head } = writeHead(200, [], Date.parse('2026-11-21T10:00:00.999Z'));
    expect(head).toContain('\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\n');
  });

  it('never holds a line that a value has smuggled in', () => {
    expect(() => writeHead(200, [{ Link: 'a\r\nSet-Cookie: b' }], 0)).toThrow(/Invalid character in header content/);
  });

  it('has finished once it is handed over, with its status', async () => {
    const socket = await connected(atOnce(304));
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    expect(responses[0]).toMatchObject({ statusCode: 304, writableFinished: true });
  });

  it('leaves the connection to the next request', async () => {
    const socket = await connected(atOnce(200, BODY));
    for (let asked = 1; asked <= 3; asked += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n.*whole$/s);
      expect(responses).toHaveLength(asked);
    }
  });

  it('has not finished where its client left before the end', async () => {
    const closed = vi.fn<(finished: boolean) => void>();
    const socket = await connected((request, response) => {
      response.once('close', () => {
        closed(response.writableFinished);
      });
      atOnce(200, Buffer.alloc(32 * 2 ** 20))(request, response);
    });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'data');
    socket.destroy();
    await vi.waitFor(() => {
      expect(closed).toHaveBeenCalledExactlyOnceWith(false);
    });
  });

  it('waits for a client that asks and asks and reads nothing', async () => {
    const socket = await connected(atOnce(200, Buffer.alloc(2 ** 20)));
    socket.pause();
    const asked = 200;
    for (let at = 0; at < asked; at += 1) {
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await sleep(1);
    }
    // The kernel takes some MiB of answers; then nothing is read of what else is asked.
    expect(responses.length).toBeGreaterThan(0);
    expect(responses.length).toBeLessThan(asked / 2);
  });
});
