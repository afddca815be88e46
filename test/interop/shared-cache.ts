import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.js';
import { notRunnable, programs } from './programs.js';
import type { Program } from './programs.js';

/** A shared cache from Debian, in front of a Rollcall. */
export interface SharedCache {
  readonly port: number;
  /** Ends its processes and removes its files. */
  close(): Promise<void>;
}

/** A program that is a shared cache, and how it is set up. */
export interface CacheProgram {
  readonly name: string;
  /** Starts it before the Rollcall that listens on this port, with the configuration of docs/operating.md. */
  start(rollcall: number): Promise<SharedCache>;
  /** Whether it had the answer, by its own word. */
  isHit(reply: PlainReply): boolean;
}

/** An answer as it came, its body in the coding that it came in. */
export interface PlainReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks on a connection of its own, decoding nothing. */
export function askPlainly(
  port: number,
  { method, target, headers }: { method: string; target: string; headers: Readonly<Record<string, string>> },
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    asked.once('error', reject).end();
  });
}

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url);

/** The configuration that operators are shown, with these texts in place of others, each of which must be there. */
function documented(language: string, changes: readonly (readonly [from: string, to: string])[]): string {
  const page = readFileSync(DOCUMENT, 'utf8');
  const block = new RegExp(`\\n\`\`\`${language}\\n([^]*?)\\n\`\`\`\\n`).exec(page)?.[1] ?? '';
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the ${language} of docs/operating.md has no ${from}`);
    return text.replaceAll(from, to);
  }, block);
}

/** nginx with proxy_cache; X-Cache tells what it did. */
export const nginx: CacheProgram = {
  name: 'nginx',
  isHit: ({ headers }) => headers['x-cache'] === 'HIT',
  start: (rollcall) =>
    run(programs.nginx, (folder, port) => {
      const server = documented('nginx', [
        ['/var/cache/nginx/rollcall', join(folder, 'cache')],
        ['listen 80;', `listen 127.0.0.1:${port};`],
        ['127.0.0.1:8080', `127.0.0.1:${rollcall}`],
      ]);
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxAround(server, folder));
      return ['-p', folder, '-e', 'stderr', '-c', file];
    }),
};

/** What surrounds the server of the document: everything that nginx writes goes to the folder. */
function nginxAround(server: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const http = ['access_log off;', ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`), server];
  // Who is not root cannot change the user, and need not: the workers are the tests' own user then.
  const user = process.getuid?.() === 0 ? ['user root;'] : [];
  const main = [...user, 'daemon off;', 'worker_processes 1;', `pid ${join(folder, 'pid')};`, 'error_log stderr;'];
  return [...main, 'events {}', `http {\n${http.join('\n')}\n}`, ''].join('\n');
}

/** Varnish, its cache in memory; X-Varnish has two numbers where it had the answer. */
export const varnish: CacheProgram = {
  name: 'Varnish',
  isHit: ({ headers }) => /^\d+ \d+$/.test([headers['x-varnish'] ?? ''].flat().join()),
  start: (rollcall) =>
    run(programs.varnish, (folder, port) => {
      const file = join(folder, 'rollcall.vcl');
      writeFileSync(file, documented('vcl', [['"8080"', `"${rollcall}"`]]));
      const work = join(folder, 'work');
      mkdirSync(work);
      const listening = ['-a', `127.0.0.1:${port}`, '-T', 'none'];
      return ['-F', '-j', 'none', '-n', work, ...listening, '-s', 'malloc,32m', '-f', file];
    }),
};

/** Starts a program in a folder of its own, and waits until it listens on a free port of loopback. */
async function run(program: Program, setUp: (folder: string, port: number) => readonly string[]): Promise<SharedCache> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-cache-'));
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
