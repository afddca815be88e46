import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { codeOf, nextMessage, start } from '../harness/source-fleet.js';
import { ROOT } from '../harness/paths.js';
import { subjectOf } from '../subjects/all.js';

/** Processor numbers: the measured server has one for itself, clients and upstreams share the other. */
export const [SERVER_CORE, CLIENT_CORE] = [0, 1];

/** A measured server in a separate process. */
export interface ServerProcess {
  readonly origin: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** Further configuration of the program. */
export interface GatewayOptions {
  /** Sections; `defaults` replaces the present one. */
  readonly sections?: readonly string[];
  /** Settings of the section `server`. */
  readonly server?: string;
  /** Further sources, each as one line. */
  readonly sources?: readonly string[];
  /** Further variables of the environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** Processors on which it runs; default: {@link SERVER_CORE}. */
  readonly cores?: string;
  /** Message of the log that is waited for; default: `ready`. */
  readonly until?: 'listening' | 'ready';
}

/** Flags of V8, as in deploy/rollcall.service, with a heap for `cache.memory: 1GiB`. */
const PROGRAM_FLAGS = ['--no-allocation-site-pretenuring', '--max-old-space-size=1280'];

/** Starts the built program with sources at these ports, and by default waits until all of them are drained and indexed. */
export async function startGateway(ports: readonly number[], options: GatewayOptions = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const file = join(folder, 'rollcall.yaml');
  writeFileSync(file, configure(ports, options));
  const { cores = String(SERVER_CORE), env, until = 'ready' } = options;
  const command = ['-c', cores, process.execPath, ...PROGRAM_FLAGS, fileURLToPath(new URL('dist/rollcall.js', ROOT))];
  const child = spawn('taskset', [...command, 'serve', '--config', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  try {
    const origin = await untilLogged(child, until);
    return { origin, pid: child.pid ?? 0, close: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configure(ports: readonly number[], { sections = [], server, sources = [] }: GatewayOptions): string {
  const { registered } = subjectOf('directory');
  const hasDefaults = sections.some((section) => section.startsWith('defaults:'));
  return [
    `server: { name: bench, port: 0, log: none${server === undefined ? '' : `, ${server}`} }`,
    'admin: { port: 0 }',
    ...(hasDefaults ? [] : ['defaults: { ttl: 1h }']),
    ...sections,
    'sources:',
    ...ports.map((port, at) => `  ${codeOf(at + 1)}: { number: ${at + 1}, ${registered(`http://127.0.0.1:${port}`)} }`),
    ...sources.map((source) => `  ${source}`),
  ].join('\n');
}

/** Reads the public address from the log, waits for the message, and drops the rest of the log. */
async function untilLogged({ stdout }: ChildProcess, message: 'listening' | 'ready'): Promise<string> {
  if (stdout === null) throw new Error('the gateway has no log');
  let origin = '';
  for await (const text of createInterface({ input: stdout })) {
    const line = JSON.parse(text) as { readonly msg?: string; readonly public?: string };
    if (line.msg === 'listening') origin = line.public ?? '';
    if (line.msg === message) break;
  }
  stdout.resume();
  if (origin === '') throw new Error('the gateway did not start');
  return origin;
}

/** The responses of the baseline server. */
export interface BaselineResponses {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  /** The bytes of every response; or records, of which each response is a page at the offset at the end of its target. */
  readonly body: Uint8Array | { readonly records: readonly unknown[]; readonly limit: number };
}

/** Starts the baseline server, which uses only node:http. */
export async function startBaseline(responses: BaselineResponses): Promise<ServerProcess> {
  const child = start(new URL('baseline-server.js', import.meta.url), [], SERVER_CORE);
  child.send(responses);
  const port = Number(await nextMessage(child));
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
