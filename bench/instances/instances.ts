import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../bounds.js';
import { median } from '../harness/measure.js';
import { withFleet } from '../harness/source-fleet.js';
import { CLIENT_CORE, startGateway } from '../serving/server-processes.js';
import type { ServerProcess } from '../serving/server-processes.js';
import { exchange } from '../serving/http-exchange.js';
import { requestsTo } from '../serving/wrk.js';
import type { Load } from '../serving/wrk.js';
import { withRedis } from './redis-process.js';

/** Seconds for which the requests to sources are counted, and the time to live of each list. */
const [COUNTED_SECONDS, TTL_SECONDS] = [60, 5];

/** Milliseconds between two requests to each instance. */
const REQUEST_INTERVAL = 50;

const TEAMS = '/directory/v1/teams';

/** Loads of a cached response and of pages that were not requested before. */
const LOADS: readonly Load[] = [
  { target: `${TEAMS}?limit=20`, kind: 'header' },
  { target: `${TEAMS}?limit=100&offset=`, kind: 'page' },
];

/** Measured rounds, after one round to warm up. */
const ROUNDS = 5;

/** Hertz of the CPU times in /proc: constant on Linux. */
const TICKS_PER_SECOND = 100;

/** What several instances cost beside one process. */
export async function instances(): Promise<Figure[]> {
  const drains = await withRedis(compareDrains);
  const requests = await withRedis(compareRequests);
  return [
    {
      name: `drains of each source by three instances in ${COUNTED_SECONDS} s, beyond those by one`,
      value: drains,
      bound: 'more drains',
    },
    ...requests,
  ];
}

/**
 * Drains of each of 20 sources by three instances, beyond those of 20 others by one instance at the same time. Counting begins
 * and ends at any moment between two drains, so that one may be counted more.
 */
async function compareDrains(redis: string): Promise<number> {
  const fleet = { subject: 'directory', sources: 20, records: 50, core: CLIENT_CORE } as const;
  const ttl = `defaults: { ttl: ${TTL_SECONDS}s }`;
  const started: ServerProcess[] = [];
  try {
    return await withFleet(fleet, (alone) =>
      withFleet(fleet, async (shared) => {
        started.push(await startGateway(alone.ports, { sections: [ttl] }));
        const sections = [ttl, `cache: { redis: '${redis}' }`];
        for (let at = 0; at < 3; at += 1) started.push(await startGateway(shared.ports, { sections }));
        await requestSteadily(started, 3 * TTL_SECONDS);
        const before = [await shared.requests(), await alone.requests()] as const;
        await requestSteadily(started, COUNTED_SECONDS);
        const [byThree, byOne] = [(await shared.requests()) - before[0], (await alone.requests()) - before[1]];
        return (byThree / byOne - 1) * (COUNTED_SECONDS / TTL_SECONDS);
      }),
    );
  } finally {
    for (const server of started) await server.close();
  }
}

async function requestSteadily(servers: readonly ServerProcess[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await Promise.all(servers.map(({ origin }) => exchange(`${origin}${TEAMS}?limit=1`)));
    await pause(REQUEST_INTERVAL);
  }
}

/** Requests for each second of CPU time, by two instances, relative to one process. */
async function compareRequests(redis: string): Promise<Figure[]> {
  const fleet = { subject: 'directory', sources: 20, records: 1_000, core: CLIENT_CORE } as const;
  return withFleet(fleet, async ({ ports }) => {
    const sections = [`cache: { redis: '${redis}/1' }`];
    const one = await startGateway(ports);
    const pair = [await startGateway(ports, { sections }), await startGateway(ports, { sections })];
    const figures: Figure[] = [];
    for (const load of LOADS) {
      const kind = load.kind === 'page' ? 'new pages' : 'a cached response';
      figures.push({
        name: `requests per CPU second, ${kind}: two instances, to one process`,
        value: await compareInTurns([one], pair, load),
        bound: 'per instance',
      });
    }
    for (const server of [one, ...pair]) await server.close();
    return figures;
  });
}

/** Servers that get equal loads at the same time. */
type Group = readonly ServerProcess[];

/** The median ratio of a group of servers to the first one. */
async function compareInTurns(base: Group, group: Group, load: Load): Promise<number> {
  const ratios: number[] = [];
  let from = 0;
  for (let round = 0; round < 1 + ROUNDS; round += 1) {
    const ofBase = await measure(base, load, from);
    const ofGroup = await measure(group, load, from + ofBase.requests);
    from += ofBase.requests + ofGroup.requests;
    if (round > 0) ratios.push(ofGroup.requests / ofGroup.seconds / (ofBase.requests / ofBase.seconds));
  }
  return median(ratios);
}

async function measure(
  servers: Group,
  load: Load,
  from: number,
): Promise<{ readonly requests: number; readonly seconds: number }> {
  const before = readCpuSeconds(servers);
  const counts = await Promise.all(servers.map((server) => requestsTo(server, load, from)));
  const requests = counts.reduce((sum, count) => sum + count, 0);
  return { requests, seconds: readCpuSeconds(servers) - before };
}

/** CPU time of the processes, in seconds: user and system time are fields 14 and 15 (proc(5)). */
function readCpuSeconds(servers: Group): number {
  const seconds = servers.map(({ pid }) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });
  return seconds.reduce((sum, value) => sum + value, 0);
}
