import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Starts a redis-server that keeps nothing on disk, calls `work` with its address, and stops it afterwards. */
export async function withRedis<T>(work: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', options, { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => Promise.reject(new Error('redis-server is not installed')));
  try {
    await Promise.race([untilListening(port), failed]);
    return await work(`redis://127.0.0.1:${port}`);
  } finally {
    child.kill('SIGTERM');
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await pause(50);
    } finally {
      socket.destroy();
    }
  }
}
