import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from '../src/app.js';
import type { Config } from '../src/config/config.js';
import { parseConfig } from '../src/config/parse.js';
import { systemClock } from '../src/model/clock.js';
import type { Log } from '../src/model/log.js';
import { listen } from '../src/operate/listener.js';
import { undiciWire } from '../src/source/transport.js';
import { cpuOf, median } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf, pagesOf, RECORDS } from './pages.js';

const SOURCES = 20;
const ROUNDS = 5;
const WARM_UP = 2;

/** One figure: what is asked after the drain, if anything, and what it is compared with. */
interface Case {
  readonly name: string;
  readonly query?: string;
  readonly baseline: (bodies: readonly Buffer[]) => unknown;
  readonly bound?: number;
}

const cases: readonly Case[] = [
  { name: 'drain, to JSON.parse', baseline: parse, bound: 5 },
  { name: 'drain, then the first page of all, to JSON.parse', query: 'limit=100', baseline: parse, bound: 5 },
  { name: 'drain, then a first q, to JSON.parse', query: 'q=bank+example.net&limit=100', baseline: parse, bound: 5 },
];

const compressed: readonly Case[] = [{ name: 'drain, bodies in gzip, to JSON.parse', baseline: parse, bound: 5 }];

const quiet: Log = { info: () => undefined, warn: console.warn, error: console.error };

/**
 * Draining 20 sources of 1,000 records over loopback sockets, all included (wire, decoding, parsing, building, ids, then folding
 * where a query needs it): CPU of this process against that of JSON.parse over the same bodies.
 */
export async function drain(): Promise<Figure[]> {
  const bodies = Array.from({ length: SOURCES }, (_, at) => pagesOf(at + 1).map((page) => Buffer.from(page))).flat();
  const texts = bodies.map((body) => body.toString());
  const bare: Case = {
    name: 'drain, to JSON.parse of text that is at hand, its results dropped',
    baseline: () => texts.forEach((text) => void JSON.parse(text)),
  };
  const plain = await drainFrom('identity', [...cases, bare], bodies);
  return [...plain, ...(await drainFrom('gzip', compressed, bodies))];
}

async function drainFrom(coding: string, all: readonly Case[], bodies: readonly Buffer[]): Promise<Figure[]> {
  const upstream = fork(new URL('upstream.ts', import.meta.url), [String(SOURCES), coding]);
  try {
    const config = configOf(await portsOf(upstream));
    const figures: Figure[] = [];
    for (const one of all) figures.push(await measured(config, one, bodies));
    return figures;
  } finally {
    upstream.disconnect();
  }
}

/** What a gateway without any work of its own would do: bodies are bytes, and what is in them is held. */
function parse(bodies: readonly Buffer[]): unknown[] {
  return bodies.map((body): unknown => JSON.parse(body.toString()));
}

async function portsOf(upstream: ChildProcess): Promise<number[]> {
  const [ports] = (await once(upstream, 'message')) as [unknown];
  if (!Array.isArray(ports)) throw new Error('the upstreams sent no ports');
  return ports.map(Number);
}

function configOf(ports: readonly number[]): Config {
  const sources = ports.map(
    (port, at) => `  ${codeOf(at + 1)}: { number: ${at + 1}, directory: "http://127.0.0.1:${port}" }`,
  );
  const parsed = parseConfig(['server: { log: none }', 'sources:', ...sources].join('\n'), {});
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  return parsed.config;
}

/** Parsing and draining take turns, so that both meet the machine in the same moods. */
async function measured(
  config: Config,
  { query, baseline, ...facts }: Case,
  bodies: readonly Buffer[],
): Promise<Figure> {
  const parsing: number[] = [];
  const draining: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    parsing.push(await cpuOf(() => baseline(bodies)));
    draining.push(await drainOnce(config, query));
  }
  return { ...facts, value: median(draining.slice(WARM_UP)) / median(parsing.slice(WARM_UP)), unit: '×' };
}

/** Milliseconds of CPU. Wire, application and listener are new each time: every connection is opened, nothing is held. */
async function drainOnce(config: Config, query: string | undefined): Promise<number> {
  const wire = undiciWire();
  const app = createApp(config, { transport: wire.transport, clock: systemClock, log: quiet });
  const server = createServer(app.listener);
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const teams = `${address}${config.server.directoryPath}/teams`;
  const cpu = await cpuOf(async () => {
    await app.warmUp();
    if (query !== undefined) await ask(`${teams}?${query}`);
  });
  await requireAll(`${teams}?limit=0`);
  server.closeAllConnections();
  server.close();
  app.stop();
  await wire.close();
  return cpu;
}

async function ask(url: string): Promise<Response> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return answer;
}

/** A drain that lost records would be fast for nothing. */
async function requireAll(url: string): Promise<void> {
  const total = (await ask(url)).headers.get('x-total-count');
  if (total !== String(SOURCES * RECORDS)) throw new Error(`${total ?? 'no'} records of ${SOURCES * RECORDS} drained`);
}
