import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendAtOnce, writeHead } from '../../src/http/at-once.js';
import { hearAgain } from '../../src/http/heard.js';
import { listen } from '../../src/operate/listener.js';

const servers: Server[] = [];
const left = vi.fn<(hasLeft: boolean) => void>();

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  left.mockReset();
});

/** Milliseconds that answers take, where they take any time. */
const DELAYS: Readonly<Record<string, number>> = { '/slow': 200, '/late': 3_500 };

/** What a house does: how many requests node:http has read, and how many were answered without it. */
interface House {
  readonly port: number;
  read: number;
  heard: number;
  /** Whether answers are held ready. */
  holds: boolean;
}

/** Starts a server that answers every request with its target and this body, and holds all of that ready. */
async function start({ body = '', keepAlive = 5_000 } = {}): Promise<House> {
  const answer = (target: string): [ReturnType<typeof writeHead>, Buffer] => {
    const bytes = Buffer.from(target + body);
    return [writeHead(200, [{ 'Content-Length': bytes.length }], 0), bytes];
  };
  const server = createServer({ keepAliveTimeout: keepAlive }, (request, response) => {
    house.read += 1;
    const [head, bytes] = answer(`read ${request.url ?? ''}`);
    request.resume();
    // The long way is not at once.
    setTimeout(
      () => {
        sendAtOnce(request, response, head, bytes);
      },
      DELAYS[request.url ?? ''] ?? 5,
    );
  });
  hearAgain(server, {
    wishOf: ({ method, url = '' }) => (method === 'GET' ? { key: url, path: url, conditions: undefined } : undefined),
    has: () => house.holds,
    answerTo: ({ key }) => {
      if (!house.holds) return undefined;
      house.heard += 1;
      const [head, bytes] = answer(`heard ${key}`);
      return { head, body: bytes, left };
    },
  });
  servers.push(server);
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  const house = { port: Number(port), read: 0, heard: 0, holds: true };
  return house;
}

const GET = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n';

/** Writes each piece after the answers to those before it have come; returns the bodies of all answers, or where the connection ended. */
async function talk(port: number, pieces: readonly string[], answers = pieces.map(() => 1)): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  let came = '';
  socket.on('data', (chunk: Buffer) => (came += chunk.toString()));
  let expected = 0;
  for (const [at, piece] of pieces.entries()) {
    socket.write(piece);
    expected += answers[at] ?? 0;
    await vi.waitFor(() => {
      expect(socket.destroyed || bodies(came).length >= expected).toBe(true);
    });
    // Who answers has told the connection by then.
    await sleep(5);
  }
  socket.destroy();
  return bodies(came);
}

function bodies(came: string): string[] {
  return [...came.matchAll(/\r\n\r\n((?:read|heard) \S*?)(?=HTTP\/1\.1|$)/g)].map(([, body = '']) => body);
}

describe('a request that was heard before', () => {
  it('is not read again on its connection, once node:http has read it twice', async () => {
    const house = await start();
    expect(await talk(house.port, [GET, GET, GET, GET])).toEqual(['read /a', 'read /a', 'heard /a', 'heard /a']);
    expect(house).toMatchObject({ read: 2, heard: 2 });
  });

  it('is heard on other connections too, but for their first request', async () => {
    const { port } = await start();
    await talk(port, [GET, GET]);
    const other = GET.replace('/a', '/b');
    expect(await talk(port, [other, GET])).toEqual(['read /b', 'heard /a']);
    expect(await talk(port, [GET, GET])).toEqual(['read /a', 'heard /a']);
  });

  it('is read when nothing is held ready for it any more', async () => {
    const house = await start();
    await talk(house.port, [GET, GET]);
    house.holds = false;
    expect(await talk(house.port, [GET, GET])).toEqual(['read /a', 'read /a']);
  });

  it('is not remembered for which nothing is held ready', async () => {
    const house = await start();
    house.holds = false;
    await talk(house.port, [GET, GET]);
    house.holds = true;
    const again = await talk(house.port, [GET.replace('/a', '/b'), GET, GET, GET]);
    expect(again).toEqual(['read /b', 'read /a', 'read /a', 'heard /a']);
  });

  const body = `POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: ${GET.length}\r\n\r\n`;
  it.each([
    ['is the body of another one', [body, GET, GET], [0, 1, 1]],
    ['is the body of a GET that is answered before it is there', [body.replace('POST', 'GET'), GET, GET], [1, 0, 1]],
    ['is the second half of another one', ['GET /b HTTP/1.1\r\nHost: a\r\nX-Half: ', GET, GET], [0, 1, 1]],
    ['comes with another one', [GET + GET, GET], [2, 1]],
    ['ends what came with another one', [`${GET}GET /b HTTP/1.1\r\nHost: a\r\nX-Half: `, GET], [1, 1]],
    ['follows one that came in two halves', [GET.slice(0, 9), GET.slice(9), GET], [0, 1, 1]],
    ['follows a line feed', ['\r\n', GET, GET], [0, 1, 1]],
    [
      'follows a chunked body',
      ['POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '0\r\n\r\n', GET],
      [0, 1, 1],
    ],
    [
      'is longer than what is remembered',
      Array<string>(3).fill(GET.replace('\r\n\r\n', `\r\nX: ${'x'.repeat(4_096)}\r\n\r\n`)),
      [1, 1, 1],
    ],
    ['speaks HTTP/1.0', Array<string>(3).fill('GET /0 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'), [1, 1, 1]],
  ])('is node:http’s where it %s', async (_, pieces, answers) => {
    const house = await start();
    await talk(house.port, [GET, GET]);
    await talk(house.port, ['GET /b HTTP/1.1\r\nHost: a\r\n\r\n', ...pieces], [1, ...answers]);
    expect(house.heard).toBe(0);
    expect(house.read).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['that names no host: 400', 'GET /b HTTP/1.1\r\n\r\n', 400],
    ['that expects what nobody can do: 417', 'GET /b HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', 417],
  ])('is none that node:http refuses, %s', async (_, refused, status) => {
    const house = await start();
    for (let times = 0; times < 3; times += 1) {
      const socket = connect(house.port, '127.0.0.1');
      socket.write(GET);
      await once(socket, 'data');
      await sleep(20);
      socket.write(refused);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    }
    expect(house.heard).toBe(0);
  });

  it('is read again where it ends its connection', async () => {
    const house = await start();
    const last = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    for (let times = 0; times < 3; times += 1) {
      const socket = connect(house.port, '127.0.0.1');
      socket.write(GET);
      await once(socket, 'data');
      await sleep(20);
      socket.write(last);
      expect(bodies(await text(socket))).toEqual(['read /a']);
    }
    expect(house.heard).toBe(0);
  });

  it('is not read where node:http has given up its connection meanwhile', async () => {
    const house = await start({ body: 'x'.repeat(4 * 2 ** 20) });
    const socket = connect(house.port, '127.0.0.1').setNoDelay();
    for (let asked = 0; asked < 5; asked += 1) {
      socket.write(GET);
      await sleep(30);
    }
    // node:http waits for the client to read: both of these wait in the server's socket, and the first one ends it.
    socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
    await sleep(30);
    socket.write(GET.replace('/a', '/b'));
    await sleep(30);
    socket.resume();
    await once(socket, 'close');
    expect(await talk(house.port, [GET])).toHaveLength(1);
    expect(house.read).toBeLessThan(7);
  });

  it('is node:http’s while the answer to the one before is on its way', async () => {
    const house = await start();
    const socket = connect(house.port, '127.0.0.1');
    let came = '';
    socket.on('data', (chunk: Buffer) => (came += chunk.toString()));
    for (const piece of [GET, GET, GET.replace('/a', '/slow'), GET]) {
      socket.write(piece);
      await sleep(20);
    }
    await vi.waitFor(() => {
      expect(bodies(came)).toEqual(['read /a', 'read /a', 'read /slow', 'read /a']);
    });
    socket.destroy();
  });
});

describe('an answer to a request that was heard before', () => {
  /** Milliseconds: looked for often, and for as long as a busy machine may take. */
  const ANSWERED = { interval: 5, timeout: 5_000 };

  const much = 'x'.repeat(48 * 2 ** 20);

  /** A connection on which it was asked once, and all was read. */
  async function read(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.write(GET);
    await readOf(socket, much.length);
    await sleep(20);
    return socket;
  }

  /** A connection whose second request is heard and being answered, and that reads nothing more for the moment. */
  async function slow(port: number): Promise<Socket> {
    // On a connection of its own, for the kernel takes more and more at once of what is read fast.
    const before = await read(port);
    before.destroy();
    const socket = await read(port);
    socket.write(GET);
    await readOf(socket, 1);
    return socket;
  }

  /** Reads at least so many characters, and pauses. */
  async function readOf(socket: Socket, length: number): Promise<string> {
    let came = '';
    await new Promise<void>((resolve) => {
      const end = (): void => {
        socket.off('data', more).off('close', end).pause();
        resolve();
      };
      const more = (chunk: Buffer): void => {
        came += chunk.toString('latin1');
        if (came.length >= length) end();
      };
      socket.on('data', more).on('close', end).resume();
    });
    return came;
  }

  it('waits for a client that is slow to read, for longer than an idle connection lasts', async () => {
    const { port } = await start({ body: much, keepAlive: 1 });
    const socket = await slow(port);
    // node:http adds a second of its own, and a connection that has moved gets as much again.
    await sleep(2_500);
    // All that is left, and then the idle connection ends.
    const rest = await readOf(socket, Infinity);
    expect(rest.length).toBeGreaterThan(much.length - 2 ** 20);
    expect(left).toHaveBeenCalledExactlyOnceWith(true);
  });

  it('waits for a client that asks and asks and reads nothing', async () => {
    const house = await start({ body: 'x'.repeat(2 ** 20) });
    const socket = connect(house.port, '127.0.0.1').setNoDelay();
    for (let asked = 0; asked < 50; asked += 1) {
      socket.write(GET);
      await sleep(20);
    }
    // The kernel takes some MiB of answers; then nothing is read of what else is asked.
    expect(house.heard).toBeGreaterThan(0);
    expect(house.heard + house.read).toBeLessThan(25);
    socket.destroy();
  });

  it('leaves the next one all the time that it needs', async () => {
    const { port } = await start({ body: much, keepAlive: 1 });
    const socket = await slow(port);
    socket.write(GET.replace('/a', '/late'));
    await sleep(50);
    expect(await readOf(socket, Infinity)).toContain('read /late');
  });

  it('has not left where its client left before the end', async () => {
    const { port } = await start({ body: much });
    const socket = await slow(port);
    socket.destroy();
    await vi.waitFor(() => {
      expect(left).toHaveBeenCalledExactlyOnceWith(false);
    });
  });

  it('is followed by the end of its connection when nothing more is asked', async () => {
    const { port } = await start({ keepAlive: 1 });
    const socket = connect(port, '127.0.0.1');
    let came = '';
    socket.on('data', (chunk: Buffer) => (came += chunk.toString()));
    for (const answers of [1, 2]) {
      socket.write(GET);
      await vi.waitFor(() => {
        expect(bodies(came)).toHaveLength(answers);
      }, ANSWERED);
      await sleep(20);
    }
    socket.write(GET);
    await once(socket, 'close');
    expect(bodies(came)).toEqual(['read /a', 'read /a', 'heard /a']);
  });

  it('comes before those to requests that came while it was on its way', async () => {
    const house = await start({ body: much });
    const socket = await slow(house.port);
    socket.write(GET + GET.replace('/a', '/c'));
    const came = await readOf(socket, 2 * much.length);
    expect(came.match(/(?:read|heard) \/[a-z]/g)).toEqual(['read /a', 'read /c']);
    expect(house).toMatchObject({ heard: 1, read: 4 });
    socket.destroy();
  });
});
