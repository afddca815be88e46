import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccessLog } from '../../../src/http/log/access-log.js';
import { createPublicServer } from '../../../src/http/server/public-server.js';
import type { ConnectionLimitOptions } from '../../../src/http/server/public-server.js';
import { directoryInterface } from '../../../src/model/api-interface.js';
import { noMeter } from '../../../src/model/meter.js';
import { trackConnections, listen } from '../../../src/runtime/http-listener.js';
import type { ListenerConnections } from '../../../src/runtime/http-listener.js';
import { DEFAULT_CONNECTION_LIMITS } from '../../support/connection-limits.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LARGE = Buffer.alloc(8 * 2 ** 20);

const closed: string[] = [];
const warn = vi.fn();
const access: AccessLog = {
  log: { info: () => undefined, warn, error: () => undefined },
  meter: { ...noMeter, countClosedConnection: (reason) => void closed.push(reason) },
  clock: { now: () => 0 },
  level: 'all',
};

let server: Server | undefined;
let connections: ListenerConnections | undefined;
let received = 0;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  closed.length = 0;
  warn.mockClear();
});

/** A client that is connected to the public port, whose requests a listener answers. */
async function client(listener: RequestListener, limits: Partial<ConnectionLimitOptions> = {}): Promise<Socket> {
  server = createPublicServer({ listener, accessLog: access }, directoryInterface, {
    ...DEFAULT_CONNECTION_LIMITS,
    ...limits,
  });
  connections = trackConnections(server);
  received = 0;
  server.on('request', () => void (received += 1));
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that a client reads until so many answers have come. */
async function readAnswers(socket: Socket, count: number): Promise<string> {
  let answers = '';
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()));
  await vi.waitFor(() => expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(count), { timeout: 10_000 });
  return answers;
}

describe('pipelined requests', () => {
  it('are handled one at a time, and answered in their order', async () => {
    let active = 0;
    let most = 0;
    let count = 0;
    const socket = await client((_, response) => {
      most = Math.max(most, (active += 1));
      const number = (count += 1);
      setTimeout(() => {
        active -= 1;
        response.end(`answer ${number};`);
      }, 1);
    });
    socket.write(REQUEST.repeat(200));
    const answers = await readAnswers(socket, 200);
    expect(most).toBe(1);
    expect([...answers.matchAll(/answer (\d+);/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 200 }, (_, at) => at + 1),
    );
  });

  it('of a client that reads nothing wait for the first answer to leave', async () => {
    const responses: ServerResponse[] = [];
    const socket = await client((_, response) => {
      responses.push(response);
      response.end(LARGE);
    });
    socket.pause();
    socket.write(REQUEST.repeat(800));
    await vi.waitFor(() => expect(responses.length).toBeGreaterThan(0));
    await sleep(300);
    expect(responses).toHaveLength(1);
    socket.resume();
    await vi.waitFor(() => expect(responses.length).toBeGreaterThan(2), { timeout: 10_000 });
  });

  it('end their connection when more than a thousand wait', async () => {
    const socket = await client(() => undefined);
    // Short ones, for one chunk that is read must hold more than may wait.
    socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2_500));
    await once(socket, 'close');
    expect(closed).toEqual(['pipelining']);
    expect(warn).toHaveBeenCalledWith({ reason: 'pipelining' }, 'connection closed by a limit');
  });

  it('behind an answer that closes the connection are not handled', async () => {
    let handled = 0;
    const socket = await client((_, response) => {
      handled += 1;
      response.writeHead(200, { Connection: 'close' }).end('last');
    });
    socket.resume().write(REQUEST.repeat(3));
    await once(socket, 'close');
    await sleep(50);
    expect(handled).toBe(1);
  });

  it('are answered before their connection is ended for what is no request behind them', async () => {
    const socket = await client((_, response) => void setTimeout(() => response.end('answered;'), 50));
    socket.write(`${REQUEST.repeat(3)}no request\r\n\r\n${REQUEST}`);
    const answers = await text(socket);
    expect(answers.match(/answered;/g)).toHaveLength(3);
    expect(answers).not.toContain('400');
  });

  it('are answered whole to a client that reads slowly, though the head of a further one is late', async () => {
    const socket = await client((_, response) => response.end(LARGE), { headerTimeout: 100, requestTimeout: 200 });
    socket.pause();
    socket.write(`${REQUEST}GET / HTTP/1.1\r\nHost`);
    // node:http looks for late heads once a second.
    await sleep(2_500);
    const answers = await text(socket);
    expect(answers.length).toBeGreaterThan(LARGE.length);
    expect(answers.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('of a client that leaves are not handled any more', async () => {
    const responses: ServerResponse[] = [];
    const socket = await client((_, response) => void responses.push(response));
    socket.write(REQUEST.repeat(3));
    await vi.waitFor(() => expect(responses).toHaveLength(1));
    socket.destroy();
    await once(responses[0] ?? socket, 'close');
    await sleep(50);
    expect(responses).toHaveLength(1);
  });

  it('are all answered before a listener that drains ends their connection', async () => {
    const socket = await client((_, response) => void setTimeout(() => response.end('answered'), 250));
    const answers = readAnswers(socket, 3);
    socket.write(REQUEST.repeat(3));
    await vi.waitFor(() => expect(received).toBe(3));
    await connections?.closeGracefully(20_000);
    expect(await answers).toContain('answered');
    await vi.waitFor(() => expect(socket.readyState).toBe('closed'));
  });

  it('are read on when those before are answered', async () => {
    const socket = await client((_, response) => response.end('x'));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(REQUEST.repeat(50));
      const from = socket.listenerCount('data');
      await readAnswers(socket, 50);
      expect(from).toBe(0);
      socket.removeAllListeners('data');
    }
  });
});

describe('a limit of the public port', () => {
  it('ends a connection whose client reads nothing of its answer', async () => {
    const socket = await client((_, response) => response.end(LARGE), { writeTimeout: 200 });
    socket.pause();
    socket.write(REQUEST);
    await vi.waitFor(() => expect(closed).toEqual(['write-timeout']), { timeout: 10_000 });
    socket.resume();
    await once(socket, 'close');
  });

  it('does not end one whose client waits for an answer', async () => {
    const socket = await client((_, response) => void setTimeout(() => response.end('late'), 900), {
      writeTimeout: 200,
    });
    socket.write(REQUEST);
    expect(await readAnswers(socket, 1)).toContain('late');
    expect(closed).toEqual([]);
  });

  it('ends one on which no whole head comes in time, with a 408', async () => {
    const socket = await client((_, response) => response.end(), { headerTimeout: 100, requestTimeout: 200 });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('ends one on which a body comes too slowly, with a 408', async () => {
    const socket = await client((request) => void request.resume(), { headerTimeout: 100, requestTimeout: 200 });
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('closes a connection above the most that may be open', async () => {
    const first = await client((_, response) => response.end('answered'), { connections: 1 });
    const second = connect(first.remotePort ?? 0, '127.0.0.1');
    await once(second.resume(), 'close');
    expect(closed).toEqual(['connections']);
    first.write(REQUEST);
    expect(await readAnswers(first, 1)).toContain('answered');
  });
});
