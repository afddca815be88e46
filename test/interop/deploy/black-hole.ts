import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/** A port whose connections are never made, as those of a machine without power. */
export interface BlackHole {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens with the shortest queue, and then never accepts a connection, because its thread sleeps. */
const LISTENER = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

/** Time after which a connection counts as not made, in milliseconds. */
const PATIENCE = 500;

/** Opens a black hole: fills the queue of a listener, after which the kernel drops further connections. */
export async function openBlackHole(): Promise<BlackHole> {
  const worker = new Worker(LISTENER, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const sockets: Socket[] = [];
  const isMade = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    return Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false)),
    ]);
  };
  while (await isMade()) if (sockets.length > 10) throw new Error('all connections are made');
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}
