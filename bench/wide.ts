import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createApp } from '../src/app.js';
import { parseConfig } from '../src/config/parse.js';
import { systemClock } from '../src/model/clock.js';
import { undiciWire } from '../src/source/transport.js';
import { bodyParser } from './house.js';
import { longestBlock } from './measure.js';
import type { Figure } from './measure.js';

/** Answers that are requested of each source, each in a format of its own, and a search over all that the records say. */
const TARGETS = [
  'teams.json?limit=10000',
  'teams.yaml?limit=10000',
  'teams.xml?limit=10000',
  'teams.csv?limit=10000',
  'teams.xlsx?limit=10000',
  'teams.json?q=absent',
] as const;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** Records by what makes them wide: all of a source are within `max-body`, and each has fewer values than a record may have. */
const wide: ReadonlyMap<string, () => readonly object[]> = new Map([
  ['40 records with 18,000 names of their own', () => range(40).map((nth) => team(nth, named(nth, 18_000)))],
  ['4,000 records with 180 names of their own', () => range(4_000).map((nth) => team(nth, named(nth, 180)))],
  ['40 records with lists of 18,000 items', () => range(40).map((nth) => team(nth, { host: listed(18_000) }))],
  ['40 records with texts of 220 kB', () => range(40).map((nth) => team(nth, { host: 'a "b"\r\n'.repeat(32_000) }))],
]);

function team(nth: number, more: object): object {
  return { 'short-team-name': `T${nth}`, ...more };
}

function named(nth: number, count: number): object {
  return Object.fromEntries(range(count).map((at) => [`k${nth}-${at}`, `v${at}`]));
}

function listed(count: number): readonly string[] {
  return range(count).map((at) => `yes: ${at}|`);
}

/** Of some rounds the best one counts: what else the machine does only adds to a block. */
const ROUNDS = 3;

/** The longest turn of the event loop while wide records are read, rendered and sent. */
export async function wideRecords(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of wide.keys()) {
    const rounds: Figure[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await blocks(name));
    const least = (at: number): number => Math.min(...rounds.map((round) => round[at]?.value ?? Infinity));
    figures.push(...(rounds[0] ?? []).map((figure, at) => ({ ...figure, value: least(at) })));
  }
  return figures;
}

async function blocks(name: string): Promise<Figure[]> {
  const child = fork(new URL(import.meta.url), [name]);
  const wire = undiciWire();
  const bodies = bodyParser();
  try {
    const [port] = (await once(child, 'message')) as [unknown];
    const source = `{ number: 1, directory: "http://127.0.0.1:${Number(port)}", timeout: 60s, max-body: 16MiB }`;
    const parsed = parseConfig(`server: { log: none, deadline: 60s }\nsources: { one: ${source} }`, {});
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
    const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
    const app = createApp(parsed.config, { transport: wire.transport, bodies, clock: systemClock, log: quiet });
    const gateway = await listen(app.listener);
    const ask = async (target: string): Promise<void> => {
      child.send(`http://127.0.0.1:${gateway.port}/directory/v1/${target}`);
      const [status] = (await once(child, 'message')) as [unknown];
      if (status !== 200) throw new Error(`${target} of ${name}: ${String(status)}`);
    };
    const block = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      figures.push({ name: `longest block, ${name}: ${what}`, value: await longestBlock(work), unit: 'ms', bound: 50 });
    };
    const figures: Figure[] = [];
    await block('read', () => app.warmUp());
    for (const target of TARGETS) {
      // Loads the format's library.
      await ask(target.replace('limit=10000', 'limit=0'));
      await block(target, () => ask(target));
    }
    gateway.close();
    return figures;
  } finally {
    bodies.close();
    await wire.close();
    child.disconnect();
  }
}

async function listen(listener: RequestListener): Promise<{ readonly port: number; readonly close: () => void }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, close: () => server.close() };
}

/** The source, in a process of its own, which also sends the requests: reading megabytes is work. */
async function serve(name: string): Promise<void> {
  const records = wide.get(name)?.() ?? [];
  const { port } = await listen(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://source');
    const [offset, limit] = ['offset', 'limit'].map((one) => Number(searchParams.get(one) ?? 0));
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-Total-Count', records.length);
    response.end(JSON.stringify(records.slice(offset, (offset ?? 0) + (limit ?? 0))));
  });
  process.on('message', (target) => {
    void fetch(String(target), { headers: { Prefer: 'handling=lenient' } }).then(async (answer) => {
      await answer.arrayBuffer();
      process.send?.(answer.status);
    });
  });
  process.send?.(port);
  process.once('disconnect', () => process.exit(0));
}

if (process.send !== undefined) await serve(process.argv[2] ?? '');
