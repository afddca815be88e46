import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { trackConnections, listen } from '../../src/runtime/http-listener.js';

const MUCH = 32 * 2 ** 20;

describe('a listener that is closed', () => {
  it('ends no connection on which an answer is still being read, whoever wrote it', async () => {
    const server = createServer((request, response) => {
      response.end();
      // As a refusal is written to the connection itself: node:http does not know of it.
      response.once('finish', () => request.socket.write(Buffer.alloc(MUCH)));
    });
    const connections = trackConnections(server);
    const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let length = 0;
    socket.once('data', () => socket.pause());
    await once(socket, 'data');
    const drained = connections.closeGracefully(20_000);
    // Longer than idle connections stay.
    await sleep(500);
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
    await once(socket, 'close');
    await drained;
    expect(length).toBeGreaterThan(MUCH - 2 ** 20);
  });

  it('answers who is connected already, and was not accepted yet', async () => {
    const server = createServer((_, response) => {
      response.end('answered');
    });
    const connections = trackConnections(server);
    const origin = await listen(server, { host: '127.0.0.1', port: 0 });
    const { port } = new URL(origin);
    const answers = Array.from({ length: 20 }, () => answerOn(connect(Number(port), '127.0.0.1')));
    // The kernel connects them in this turn of the event loop, in which nobody can accept them.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await connections.closeGracefully(20_000);
    expect(await Promise.all(answers)).toEqual(answers.map(() => expect.stringContaining('answered') as unknown));
  });
});

/** All that comes on a connection, or why none does. */
function answerOn(socket: Socket): Promise<string> {
  let text = '';
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.on('data', (chunk) => (text += chunk.toString()));
  return once(socket, 'close').then(() => text, String);
}
