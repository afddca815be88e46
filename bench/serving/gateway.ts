import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../pages.js';
import type { Workshop } from './build.js';
import { ASKING, SERVING, end, nextWord, startHelper, startOn } from './process.js';

/** A server that is measured: where it is, and which process it is. */
export interface Served {
  readonly origin: string;
  readonly pid: number;
  close(): Promise<void>;
}

/** Sources that never change, and how often they were asked. */
export interface Fleet {
  readonly ports: readonly number[];
  requests(): Promise<number>;
}

/** Starts sources with so many records each, hands them to the work, and ends them with it. */
export async function withFleet<T>(
  { sources, records }: { readonly sources: number; readonly records: number },
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const { child, told } = await startHelper(ASKING, 'upstream.ts', [String(sources), String(records)]);
  try {
    if (!Array.isArray(told)) throw new Error('the sources sent no ports');
    const requests = async (): Promise<number> => {
      const answer = nextWord(child);
      child.send('requests');
      return Number(await answer);
    };
    return await work({ ports: told.map(Number), requests });
  } finally {
    await end(child);
  }
}

/** What a gateway is configured with, beside its ports and sources; it logs no requests, and sources live for an hour. */
export interface Settings {
  readonly memory?: string;
}

/** Where lists of teams are, below a gateway's origin. */
export const TEAMS = '/directory/v1/teams';

/** Milliseconds within which a gateway is ready. */
const PATIENCE = 30_000;

/** Starts the built program with a configuration file, and waits until it is ready: all sources are drained. */
export async function startGateway({ folder, program }: Workshop, fleet: Fleet, settings: Settings): Promise<Served> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const file = join(folder, `gateway-${port}.yaml`);
  writeFileSync(file, configuration({ port, adminPort }, fleet, settings));
  const child = startOn(SERVING, [process.execPath, program, 'serve', '--config', file]);
  try {
    await ready(`http://127.0.0.1:${adminPort}/readyz`);
  } catch (error) {
    await end(child);
    throw error;
  }
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, close: () => end(child) };
}

function configuration(
  { port, adminPort }: { readonly port: number; readonly adminPort: number },
  { ports }: Fleet,
  { memory = '256MiB' }: Settings,
): string {
  return [
    `server: { name: bench, port: ${port}, log: none }`,
    `admin: { port: ${adminPort} }`,
    `cache: { memory: ${memory} }`,
    'defaults: { ttl: 1h }',
    'sources:',
    ...ports.map(
      (at, index) => `  ${codeOf(index + 1)}: { number: ${index + 1}, directory: "http://127.0.0.1:${at}" }`,
    ),
  ].join('\n');
}

async function ready(url: string): Promise<void> {
  const late = performance.now() + PATIENCE;
  while (performance.now() < late) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => undefined,
    );
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error('the gateway is not ready');
}

/** A port that nobody has at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
