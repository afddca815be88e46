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

/** A server from Debian that listens on loopback. */
export interface StartedProgram {
  readonly port: number;
  /** Ends its processes and removes its files. */
  close(): Promise<void>;
}

/** A configuration of nginx around what belongs to its `http` section; everything that it writes goes to the folder. */
export function nginxAround(http: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const section = ['access_log off;', ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`), http];
  // Who is not root cannot change the user, and need not: the workers are the tests' own user then.
  const user = process.getuid?.() === 0 ? ['user root;'] : [];
  const main = [...user, 'daemon off;', 'worker_processes 1;', `pid ${join(folder, 'pid')};`, 'error_log stderr;'];
  return [...main, 'events {}', `http {\n${section.join('\n')}\n}`, ''].join('\n');
}

/** Starts a program in a folder of its own, and waits until it listens on a free port of loopback. */
export async function startProgram(
  program: Program,
  setUp: (folder: string, port: number) => readonly string[],
): Promise<StartedProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-interop-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const child = spawn(program.command, setUp(folder, port), { stdio: ['ignore', 'ignore', 'pipe'] });
  const close = async (): Promise<void> => {
    await ended(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await listening(child, program, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

async function listening(child: ChildProcess, { command, debian }: Program, port: number): Promise<void> {
  const complaints: string[] = [];
  const gone = new AbortController();
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  child.once('exit', () => gone.abort());
  child.once('error', (error) => {
    complaints.push(notRunnable(command, debian, error));
    gone.abort();
  });
  while (!(await isOpen(port))) {
    if (gone.signal.aborted) throw new Error(`${command} ended: ${complaints.join('')}`);
    await pause(50);
  }
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    const answer = (open: boolean) => (): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });
}

/** SIGTERM to the first of its processes, which ends the others. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}
