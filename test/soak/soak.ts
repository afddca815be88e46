import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import type { Log } from '../../src/model/log.js';
import { collectProcessWarnings } from '../support/process-warnings.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import { TIMES, randomRequest, findFaults, findRecordFaults } from './check-response.js';
import type { SoakResponse, SoakRequest } from './check-response.js';
import { PAGE, SourceOutages, seededRandom } from './source-outages.js';
import { silentLog } from '../support/silent-log.js';

/*
 * npm run soak: a complete gateway under load while its sources fail and recover at random. Checks every response against the sources
 * that were reachable. Runs for ten minutes, or `--minutes N`; `--seed N` repeats a sequence of outages. Uses loopback connections
 * only. Exits with 1 if a response was wrong or not marked as incomplete, if memory grew, or if a handle was still open after shutdown.
 */

const CODES = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'];

/** Requests per second, and maximum number of active requests. */
const RATE = 200;
const MAX_ACTIVE = 600;

/** Interval between batches of requests, in milliseconds. */
const INTERVAL = 50;

/** Maximum ratio of the memory at the end to the memory after the first minute; the requirement is a growth of at most 10 %. */
const GROWTH = 1.1;

/** Maximum number of faults that are printed; all are counted. */
const MAX_PRINTED = 20;

/** Milliseconds within which the process must end after shutdown. */
const SHUTDOWN_TIMEOUT = 10_000;

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const length = Math.min(60, Number(values.minutes ?? 10)) * 60_000;
const seed = Number(values.seed ?? 1);
if (!(length > 0) || Number.isNaN(seed)) throw new Error('usage: npm run soak -- [--minutes N] [--seed N]');

/** Counts of events by name. */
class Counts {
  private readonly counts = new Map<string, number>();

  add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  print(): void {
    for (const [name, count] of [...this.counts].sort()) console.log(`${name.padEnd(40)} ${count}`);
  }
}

const counts = new Counts();

/** Collects garbage (`--expose-gc`), then returns the used bytes of the heap. */
function memory(): number {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function countingLog(): Log {
  const count = (_facts: object, message: string): void => {
    counts.add(`log: ${message}`);
  };
  return { ...silentLog, info: count, warn: count, error: count };
}

async function send(soakRequest: SoakRequest, origin: string, agent: Agent): Promise<SoakResponse> {
  const sent = Date.now();
  const url = `${origin}/directory/v1/teams?${soakRequest.query}`;
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    headers: soakRequest.strict ? { prefer: 'handling=strict' } : {},
  });
  const parsed: unknown = await body.json();
  const header = (name: string): string => String(headers[name] ?? '');
  return {
    status: statusCode,
    sourceStatus: header('source-status'),
    cacheControl: header('cache-control'),
    total: header('x-total-count'),
    body: parsed,
    sent,
    received: Date.now(),
  };
}

function check(soakRequest: SoakRequest, response: SoakResponse, fleet: readonly SourceOutages[]): void {
  counts.add(`status ${response.status}${soakRequest.strict ? ' (strict)' : ''}`);
  for (const [, state = ''] of response.sourceStatus.matchAll(/;state=([a-z]+(?:;reason=[a-z-]+)?)/g)) {
    counts.add(`state ${state.replace(';reason=', ' ')}`);
  }
  for (const fault of [...findFaults(soakRequest, response, fleet), ...findRecordFaults(response, fleet)])
    report(`${soakRequest.query}: ${fault}`);
}

function report(fault: string): void {
  counts.add('FAULTS');
  if (counts.get('FAULTS') <= MAX_PRINTED) console.error(`fault: ${fault}`);
}

/** Sends requests at RATE until the run is over and waits for the last response. Returns the used memory after at most a minute and at the end. */
async function load(origin: string, fleet: readonly SourceOutages[]): Promise<readonly [early: number, late: number]> {
  const agent = new Agent({ connections: 128 });
  const random = seededRandom(seed);
  const active = new Set<Promise<void>>();
  const end = Date.now() + length;
  const early = Date.now() + Math.min(60_000, length / 2);
  let first: number | undefined;
  let skipped = 0;
  for (let time = Date.now(); time < end; time += INTERVAL) {
    for (let sent = 0; sent < (RATE * INTERVAL) / 1_000; sent += 1) {
      const soakRequest = randomRequest(random, CODES);
      if (active.size >= MAX_ACTIVE) {
        skipped += 1;
        continue;
      }
      const done: Promise<void> = send(soakRequest, origin, agent)
        .then((response) => check(soakRequest, response, fleet))
        .catch((error: unknown) => report(`${soakRequest.query}: ${String(error)}`))
        .finally(() => active.delete(done));
      active.add(done);
    }
    if (first === undefined && Date.now() >= early) first = memory();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, time + INTERVAL - Date.now())));
  }
  await Promise.all(active);
  console.log(`requests skipped because too many were active: ${skipped}`);
  const late = memory();
  await agent.destroy();
  return [first ?? late, late];
}

async function main(): Promise<void> {
  const warnings = collectProcessWarnings();
  const fleet = await Promise.all(CODES.map((code, at) => SourceOutages.open(code, seededRandom(seed * 1_000 + at))));
  const { ttl, staleWhileRevalidate, staleIfError, timeout, deadline, cooldown } = TIMES;
  const defaults = {
    ttl: `${ttl}ms`,
    'stale-while-revalidate': `${staleWhileRevalidate}ms`,
    'stale-if-error': `${staleIfError}ms`,
    timeout: `${timeout}ms`,
    'page-size': PAGE,
    'max-body': '64KiB',
  };
  const sources = Object.fromEntries(fleet.map(({ code, upstream }) => [code, { directory: upstream.address }]));
  const setup = { server: { deadline: `${deadline}ms` }, defaults, sources };
  const gateway = await startGateway(setup, {
    log: countingLog(),
    random: Math.random,
    suspension: { failures: 5, cooldown },
  });
  console.log(`${length / 60_000} min, ${RATE} requests/s, ${CODES.length} sources, seed ${seed}`);
  const [early, late] = await load(gateway.origin, fleet);
  await gateway.close();
  await Promise.all(fleet.map((outages) => outages.close()));
  for (const warning of await warnings.stop()) report(warning);
  counts.print();
  console.log(`memory: ${mebibytes(early)} early, ${mebibytes(late)} at the end, ratio ${(late / early).toFixed(3)}`);
  if (late > early * GROWTH) report('memory has grown');
  process.exitCode = counts.get('FAULTS') === 0 ? 0 : 1;
  console.log(process.exitCode === 0 ? 'every response was correct' : `${counts.get('FAULTS')} faults`);
  // Fires only if an open handle keeps the process alive.
  setTimeout(() => {
    console.error(`fault: still open after shutdown: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, SHUTDOWN_TIMEOUT).unref();
}

await main();
