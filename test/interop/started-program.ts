import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { notRunnable } from './programs.js';
import type { Program } from './programs.js';

/** A server program that listens on loopback. */
export interface StartedProgram {
  readonly port: number;
  /** Sends a signal to its main process. */
  signal(signal: NodeJS.Signals): void;
  /** Stops its processes and removes its files. */
  close(): Promise<void>;
}

/** Returns a complete nginx configuration for the content of its `http` section. nginx writes all files to the folder. */
export function nginxAround(http: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const section = ['access_log off;', ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`), http];
  // Only root can change the user of the workers. Without root, they run as the user of the tests.
  const user = process.getuid?.() === 0 ? ['user root;'] : [];
  const main = [...user, 'daemon off;', 'worker_processes 1;', `pid ${join(folder, 'pid')};`, 'error_log stderr;'];
  return [...main, 'events {}', `http {\n${section.join('\n')}\n}`, ''].join('\n');
}

/** Starts a program in a temporary folder, and waits until it listens on a loopback port, by default a free one. */
export async function startProgram(
  program: Program,
  setUp: (folder: string, port: number) => readonly string[] | Promise<readonly string[]>,
  samePort?: number,
): Promise<StartedProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-interop-'));
  chmodSync(folder, 0o755);
  const port = samePort ?? (await freePort());
  // A home of its own: the program reads no settings of this user, and leaves no files behind.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const child = spawn(program.command, await setUp(folder, port), { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const close = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntilListening(child, program, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, signal: (signal) => void child.kill(signal), close };
}

async function waitUntilListening(child: ChildProcess, program: Program, port: number): Promise<void> {
  const errors: string[] = [];
  const exited = new AbortController();
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  child.once('exit', () => exited.abort());
  child.once('error', (error) => {
    errors.push(notRunnable(program, error));
    exited.abort();
  });
  while (!(await isOpen(port))) {
    if (exited.signal.aborted) throw new Error(`${program.command} ended: ${errors.join('')}`);
    await pause(50);
  }
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    const finish = (open: boolean) => (): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', finish(true)).once('error', finish(false));
  });
}

/** Sends SIGTERM to the main process, which stops its workers, and waits for its exit. A paused process continues. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGCONT');
  await exit;
}
