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

/** The measured server has a processor for itself; clients and upstreams have the other one. */
export const [SERVING, ASKING] = [0, 1];

/** A server that is measured, in a process of its own. */
export interface ServerProcess {
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts the built program with 20 sources at these ports, and waits until all of them are drained. */
export async function startGateway(ports: readonly number[]): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const file = join(folder, 'rollcall.yaml');
  writeFileSync(file, configuration(ports));
  const command = ['-c', String(SERVING), process.execPath, fileURLToPath(new URL('dist/rollcall.js', ROOT))];
  const child = spawn('taskset', [...command, 'serve', '--config', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const origin = await untilReady(child);
    return { origin, close: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configuration(ports: readonly number[]): string {
  const { registered } = subjectOf('directory');
  return [
    'server: { name: bench, port: 0, log: none }',
    'admin: { port: 0 }',
    'defaults: { ttl: 1h }',
    'sources:',
    ...ports.map((port, at) => `  ${codeOf(at + 1)}: { number: ${at + 1}, ${registered(`http://127.0.0.1:${port}`)} }`),
  ].join('\n');
}

/** The public address in the log, once the log says that the gateway is ready; the rest of the log is dropped. */
async function untilReady({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the gateway has no log');
  let origin = '';
  for await (const text of createInterface({ input: stdout })) {
    const line = JSON.parse(text) as { readonly msg?: string; readonly public?: string };
    if (line.msg === 'listening') origin = line.public ?? '';
    if (line.msg === 'ready') break;
  }
  stdout.resume();
  if (origin === '') throw new Error('the gateway did not start');
  return origin;
}

/** What a server of nothing but node:http sends. */
export interface BaselineResponses {
  readonly status: number;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  /** The bytes of every answer; or records, of which each answer is a page by the offset at the end of its target. */
  readonly body: Uint8Array | { readonly records: readonly unknown[]; readonly limit: number };
}

/** Starts a server of nothing but node:http. */
export async function startBaseline(answers: BaselineResponses): Promise<ServerProcess> {
  const child = start(new URL('baseline-server.js', import.meta.url), [], SERVING);
  child.send(answers);
  const port = Number(await nextMessage(child));
  return { origin: `http://127.0.0.1:${port}`, close: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
