import { Redis } from 'ioredis';
import { programs } from '../programs.js';
import type { Program } from '../programs.js';
import { startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';

/** How {@link startRedis} makes a server listen. */
interface ListenOptions {
  /** Port; default: a free one. */
  readonly port?: number;
  readonly isTls?: boolean;
  /** Default: redis-server. */
  readonly program?: Program;
}

/** Starts a redis-server that keeps nothing on disk, with further options. */
export function startRedis(
  options: readonly string[] = [],
  { port: samePort, isTls = false, program = programs.redis }: ListenOptions = {},
): Promise<StartedProgram> {
  const common = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const listen = (port: number): readonly string[] =>
    isTls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
  return startProgram(program, (folder, port) => [...listen(port), ...common, '--dir', folder, ...options], samePort);
}

/** Executes a command as an administrator of the server. */
export async function commandRedis(port: number, command: string, ...args: readonly string[]): Promise<unknown> {
  const client = new Redis(port, '127.0.0.1');
  try {
    return await client.call(command, [...args]);
  } finally {
    client.disconnect();
  }
}
