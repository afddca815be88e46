import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccessLog } from '../../../src/http/log/access-log.js';
import type { RequestProcessor } from '../../../src/http/server/pipelined-request-queue.js';
import { createPublicServer } from '../../../src/http/server/public-server.js';
import type { ConnectionLimitOptions } from '../../../src/http/server/public-server.js';
import { directoryInterface } from '../../../src/model/api-interface.js';
import { trackConnections, listen } from '../../../src/runtime/http-listener.js';
import type { ListenerConnections } from '../../../src/runtime/http-listener.js';
import { silentLog } from '../../support/silent-log.js';
import { waitFor } from '../../support/wait-for.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LARGE = Buffer.alloc(8 * 2 ** 20);

const closed: string[] = [];
const warn = vi.fn();
const writeLine = createLogSubscriber({ ...silentLog, warn });
const access: AccessLog = {
  publish: (event) => {
    if (event.type === 'connection closed by a limit') closed.push(event.reason);
    writeLine(event);
  },
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

/** Starts a public server with this request listener, and connects a client to it. */
function connectClient(listener: RequestListener, limits?: ConnectionLimitOptions): Promise<Socket> {
  return connectClientOf({ listener }, limits);
}

async function connectClientOf(processor: RequestProcessor, limits?: ConnectionLimitOptions): Promise<Socket> {
  server = createPublicServer({ ...processor, accessLog: access }, directoryInterface, limits);
  connections = trackConnections(server);
  received = 0;
  server.on('request', () => void (received += 1));
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything that a client receives until the given number of responses has arrived. */
async function readResponses(socket: Socket, count: number): Promise<string> {
  let output = '';
  socket.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(() => expect(output.match(/HTTP\/1\.1 /g)).toHaveLength(count));
  return output;
}

/** Pipelining (decisions 7.18). */
describe('pipelined requests', () => {
  it('are handled one at a time and in order', async () => {
    let active = 0;
    let most = 0;
    let count = 0;
    const socket = await connectClient((_, response) => {
      most = Math.max(most, (active += 1));
      const number = (count += 1);
      setTimeout(() => {
        active -= 1;
        response.end(`answer ${number};`);
      }, 1);
    });
    socket.write(REQUEST.repeat(200));
    const responses = await readResponses(socket, 200);
    expect(most).toBe(1);
    expect([...responses.matchAll(/answer (\d+);/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 200 }, (_, at) => at + 1),
    );
  });

  it('do not have to be answered before requests on other connections are', async () => {
    const handled: string[] = [];
    const first = await connectClient(({ url = '' }, response) => {
      handled.push(url);
      response.end();
    });
    const open = (): Socket => connect(first.remotePort ?? 0, '127.0.0.1');
    const [second, third] = [open(), open()];
    await Promise.all([once(second, 'connect'), once(third, 'connect')]);
    first.write(REQUEST.replace('/', '/first').repeat(300));
    second.write(REQUEST.replace('/', '/second').repeat(300));
    third.write(REQUEST.replace('/', '/third'));
    await waitFor(() => expect(handled).toHaveLength(601));
    for (const url of ['/second', '/third']) expect(handled.indexOf(url)).toBeLessThan(300);
    second.destroy();
    third.destroy();
  });

  it('wait for the first response to be sent when the client reads nothing', async () => {
    const responses: ServerResponse[] = [];
    const socket = await connectClient((_, response) => {
      responses.push(response);
      response.end(LARGE);
    });
    socket.pause();
    socket.write(REQUEST.repeat(800));
    await waitFor(() => expect(responses.length).toBeGreaterThan(0));
    await sleep(300);
    expect(responses).toHaveLength(1);
    socket.resume();
    await waitFor(() => expect(responses.length).toBeGreaterThan(2));
  });

  it('are counted from their beginning until their response was sent', async () => {
    const events: string[] = [];
    let count = 0;
    const socket = await connectClientOf({
      beginRequest: () => {
        const number = (count += 1);
        events.push(`begin ${number}`);
        return () => events.push(`end ${number}`);
      },
      listener: (_, response) => void setTimeout(() => response.end(), 1),
    });
    socket.write(REQUEST.repeat(3));
    await readResponses(socket, 3);
    await waitFor(() => expect(events).toHaveLength(6));
    expect(events).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  });

  it('are no longer counted when the client has disconnected, and those that wait never are', async () => {
    const events: string[] = [];
    const socket = await connectClientOf({
      beginRequest: () => {
        events.push('begin');
        return () => events.push('end');
      },
      listener: () => void setTimeout(() => socket.destroy(), 1),
    });
    socket.write(REQUEST.repeat(3));
    await waitFor(() => expect(events).toEqual(['begin', 'end']));
    await sleep(50);
    expect(events).toEqual(['begin', 'end']);
  });

  it('close their connection when more than a thousand are waiting', async () => {
    const socket = await connectClient(() => undefined);
    // Short requests, because one chunk must contain more of them than may wait.
    socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2_500));
    await once(socket, 'close');
    expect(closed).toEqual(['pipelining']);
    expect(warn).toHaveBeenCalledWith({ reason: 'pipelining' }, 'connection closed by a limit');
  });

  it('are not handled after a response that closes the connection', async () => {
    let handled = 0;
    const socket = await connectClient((_, response) => {
      handled += 1;
      response.writeHead(200, { Connection: 'close' }).end('last');
    });
    socket.resume().write(REQUEST.repeat(3));
    await once(socket, 'close');
    await sleep(50);
    expect(handled).toBe(1);
  });

  it('are responded to before invalid bytes behind them close the connection', async () => {
    const socket = await connectClient((_, response) => void setTimeout(() => response.end('answered;'), 50));
    socket.write(`${REQUEST.repeat(3)}no request\r\n\r\n${REQUEST}`);
    const responses = await text(socket);
    expect(responses.match(/answered;/g)).toHaveLength(3);
    expect(responses).not.toContain('400');
  });

  it('are responded to completely for a slow client when the head of a further request is late', async () => {
    const socket = await connectClient((_, response) => response.end(LARGE), {
      headerTimeout: 100,
      requestTimeout: 200,
    });
    socket.pause();
    socket.write(`${REQUEST}GET / HTTP/1.1\r\nHost`);
    // node:http checks for late heads once a second.
    await sleep(2_500);
    const responses = await text(socket);
    expect(responses.length).toBeGreaterThan(LARGE.length);
    expect(responses.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('are not handled any more when their client disconnects', async () => {
    const responses: ServerResponse[] = [];
    const socket = await connectClient((_, response) => void responses.push(response));
    socket.write(REQUEST.repeat(3));
    await waitFor(() => expect(responses).toHaveLength(1));
    socket.destroy();
    await once(responses[0] ?? socket, 'close');
    await sleep(50);
    expect(responses).toHaveLength(1);
  });

  it('are all responded to before a graceful shutdown closes their connection', async () => {
    const socket = await connectClient((_, response) => void setTimeout(() => response.end('answered'), 250));
    const responses = readResponses(socket, 3);
    socket.write(REQUEST.repeat(3));
    await waitFor(() => expect(received).toBe(3));
    await connections?.closeGracefully(20_000);
    expect(await responses).toContain('answered');
    await waitFor(() => expect(socket.readyState).toBe('closed'));
  });

  it('are read again after the responses to the ones before', async () => {
    const socket = await connectClient((_, response) => response.end('x'));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(REQUEST.repeat(50));
      const from = socket.listenerCount('data');
      await readResponses(socket, 50);
      expect(from).toBe(0);
      socket.removeAllListeners('data');
    }
  });
});

describe('a limit of the public port', () => {
  it('closes a connection whose client does not read its response, after the time once', async () => {
    const socket = await connectClient((_, response) => response.end(LARGE), { writeTimeout: 1_000 });
    socket.pause();
    socket.write(REQUEST);
    // On a busy machine the ticks take longer, so that there are fewer of them.
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 10);
    await waitFor(() => expect(closed).toEqual(['write-timeout']));
    clearInterval(timer);
    expect(ticks).toBeLessThan(150);
    socket.resume();
    await once(socket, 'close');
  });

  it('does not close a connection whose client reads its response after a shorter pause', async () => {
    const socket = await connectClient((_, response) => response.end(LARGE), { writeTimeout: 4_000 });
    socket.pause();
    socket.write(REQUEST.replace('\r\n', '\r\nConnection: close\r\n'));
    await sleep(300);
    expect((await text(socket)).length).toBeGreaterThan(LARGE.length);
    expect(closed).toEqual([]);
  });

  it('does not close a connection whose client waits for a response', async () => {
    const socket = await connectClient((_, response) => void setTimeout(() => response.end('late'), 900), {
      writeTimeout: 200,
    });
    socket.write(REQUEST);
    expect(await readResponses(socket, 1)).toContain('late');
    expect(closed).toEqual([]);
  });

  it('closes a connection with a 408 when a head is late', async () => {
    const socket = await connectClient((_, response) => response.end(), { headerTimeout: 100, requestTimeout: 200 });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('closes a connection with a 408 when a body is late', async () => {
    const socket = await connectClient((request) => void request.resume(), { headerTimeout: 100, requestTimeout: 200 });
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('closes a connection above the limit of connections', async () => {
    const first = await connectClient((_, response) => response.end('answered'), { connections: 1 });
    const second = connect(first.remotePort ?? 0, '127.0.0.1');
    await once(second.resume(), 'close');
    expect(closed).toEqual(['connections']);
    first.write(REQUEST);
    expect(await readResponses(first, 1)).toContain('answered');
  });
});
