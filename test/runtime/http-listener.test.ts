import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { trackConnections, listen } from '../../src/runtime/http-listener.js';

const BODY_SIZE = 32 * 2 ** 20;

/** Graceful shutdown (operation 6.3). */
describe('a listener that closes gracefully', () => {
  it('keeps a connection open while the client reads bytes that were written past node:http', async () => {
    const server = createServer((request, response) => {
      response.end();
      // Writes to the socket itself, like the refusal of an invalid request: node:http does not know of these bytes.
      response.once('finish', () => request.socket.write(Buffer.alloc(BODY_SIZE)));
    });
    const connections = trackConnections(server);
    const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let length = 0;
    socket.once('data', () => socket.pause());
    await once(socket, 'data');
    const drained = connections.closeGracefully(20_000);
    // Longer than idle connections stay open.
    await sleep(500);
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume();
    await once(socket, 'close');
    await drained;
    expect(length).toBeGreaterThan(BODY_SIZE - 2 ** 20);
  });

  it('serves connections that are established but not accepted yet', async () => {
    const server = createServer((_, response) => {
      response.end('answered');
    });
    const connections = trackConnections(server);
    const origin = await listen(server, { host: '127.0.0.1', port: 0 });
    const { port } = new URL(origin);
    const responses = Array.from({ length: 20 }, () => readResponse(connect(Number(port), '127.0.0.1')));
    // The kernel connects them in this turn of the event loop, before the server can accept them.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await connections.closeGracefully(20_000);
    expect(await Promise.all(responses)).toEqual(responses.map(() => expect.stringContaining('answered') as unknown));
  });
});

/** Everything that a connection receives, or its error. */
function readResponse(socket: Socket): Promise<string> {
  let text = '';
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.on('data', (chunk) => (text += chunk.toString()));
  return once(socket, 'close').then(() => text, String);
}
