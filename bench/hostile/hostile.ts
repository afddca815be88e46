import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../bounds.js';
import { median, percentile, timeOf } from '../harness/measure.js';
import { nextMessage, start, withFleet } from '../harness/source-fleet.js';
import { exchange } from '../serving/http-exchange.js';
import { startGateway } from '../serving/server-processes.js';
import type { ServerProcess } from '../serving/server-processes.js';
import { modes } from './modes.js';
import type { HostileMode } from './modes.js';

/** Rounds over all modes. */
const ROUNDS = 3;

/** Requests of the honest client in a round, and milliseconds between their starts. */
const REQUESTS = 200;
const PACE = 25;

/** Small queries of the honest source, in turns. A query of the hostile one waits for it as long as the deadline allows. */
const TARGETS = [
  '/directory/v1/teams?source-name=one&limit=10',
  '/directory/v1/search?q=health&source-name=one&limit=10',
] as const;

const HONEST = { subject: 'directory', sources: 1, records: 500 } as const;

interface Run {
  /** CPU milliseconds of the longest turn of the event loop of the thread that answers. */
  readonly turn: number;
  /** Milliseconds in which 99 % of the honest client's requests are answered. */
  readonly latency: number;
  /** Peak of resident bytes of the program. */
  readonly memory: number;
  /** Share of the honest client's answers in which the honest source is fresh. */
  readonly fresh: number;
}

/**
 * What an honest client of the built program gets, with the records of an honest source, while one hostile source and client
 * do what they can: each hostile mode relative to none.
 */
export function hostile(): Promise<Figure[]> {
  return withFleet(HONEST, async ({ ports: [port = 0] }) => {
    const runs = new Map<HostileMode, Run[]>(modes.map((mode) => [mode, []]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [mode, results] of runs) results.push(await measure(mode, port));
    const [[, quiet] = [undefined, []], ...others] = runs;
    return others.flatMap(([{ name }, results]) => describe(name, results, quiet));
  });
}

function describe(name: string, runs: readonly Run[], quiet: readonly Run[]): Figure[] {
  const relative = (read: (run: Run) => number): number =>
    median(runs.map((run, round) => read(run) / read(quiet[round] ?? run)));
  return [
    { name: `${name}: longest turn`, value: Math.min(...runs.map(({ turn }) => turn)), bound: 'block' },
    { name: `${name}: 99 % of others answered`, value: relative(({ latency }) => latency), bound: 'others' },
    { name: `${name}: peak memory`, value: relative(({ memory }) => memory), bound: 'peak' },
    { name: `${name}: others with a fresh source`, value: Math.min(...runs.map(({ fresh }) => fresh)), bound: 'fresh' },
  ];
}

async function measure(mode: HostileMode, port: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const turns = join(folder, 'turns');
  writeFileSync(turns, '');
  const child = start(new URL('hostile-process.js', import.meta.url), [mode.name]);
  try {
    const address = `http://127.0.0.1:${Number(await nextMessage(child))}`;
    const gateway = await startGateway([], {
      cores: '0,1',
      env: { BENCH_TURNS: turns, NODE_OPTIONS: `--import ${new URL('turn-meter.js', import.meta.url).href}` },
      sections: ['defaults: { ttl: 1s }'],
      server: 'deadline: 3s',
      sources: [
        // Its page is larger than those that are parsed in the main thread.
        `one: { number: 1, directory: "http://127.0.0.1:${port}", page-size: ${HONEST.records} }`,
        ...(mode.register === undefined ? [] : [`two: { number: 2, ${mode.register(address)} }`]),
      ],
    });
    for (const target of TARGETS) await exchange(gateway.origin + target);
    child.send(gateway.origin);
    await pause(1_000);
    const from = Date.now();
    const honest = await beHonest(gateway);
    const memory = peakMemory(gateway);
    await gateway.close();
    const measured = readFileSync(turns, 'utf8')
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    const turn = Math.max(0, ...measured.map(([at = 0, length = 0]) => (at >= from ? length : 0)));
    return { ...honest, memory, turn };
  } finally {
    child.disconnect();
    rmSync(folder, { recursive: true });
  }
}

/** Sends the requests of the honest client, each at its time, whether or not earlier ones are answered. */
async function beHonest({ origin }: ServerProcess): Promise<Pick<Run, 'latency' | 'fresh'>> {
  let fresh = 0;
  const times: number[] = [];
  const answers: Promise<unknown>[] = [];
  const ask = async (target: string): Promise<void> => {
    const { status, headers } = await exchange(origin + target);
    const states = headers[headers.indexOf('Source-Status') + 1] ?? '';
    if (status === 200 && /(?:^|, )one;state=fresh;/.test(states)) fresh += 1;
  };
  for (let at = 0; at < REQUESTS; at += 1) {
    answers.push(timeOf(() => ask(TARGETS[at % TARGETS.length] ?? '')).then((time) => times.push(time)));
    await pause(PACE);
  }
  await Promise.all(answers);
  return { latency: percentile(times, 0.99), fresh: fresh / REQUESTS };
}

function peakMemory({ pid }: ServerProcess): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
