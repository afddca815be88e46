import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { calmly } from '../calm.js';
import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { TEAMS, withFleet } from './gateway.js';
import type { Fleet, Served } from './gateway.js';
import { FLEET, TURN, targetOf, withGateway } from './held-answers.js';
import { SERVING, cpuOfProcess, end, nextWord, startHelper } from './process.js';
import { duel } from './wrk.js';

/** Requests of one refresh: every page of 100 records of every source, at least. */
const PAGES = (FLEET.sources * FLEET.records) / 100;

/** Held answers while every source is refreshed every second, to the same while none is. Nothing changes, as the sources themselves say. */
export function refreshing(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, async (fleet) => {
    const target = await targetOf(workshop, fleet);
    return withGateway(workshop, fleet, { log: 'none' }, (other) =>
      withGateway(workshop, fleet, { log: 'none', ttl: '1s' }, async (one) => {
        const [before, begun] = [await fleet.requests(), performance.now()];
        const load = { target, seconds: TURN };
        const name = 'held answer while 20 sources are refreshed every second, to the same without';
        const [figures, milliseconds] = [
          await duel({ name, one, other, load, least: 0.75 }),
          performance.now() - begun,
        ];
        // Half of the time the other one is asked.
        requireRefreshed((await fleet.requests()) - before, milliseconds / 2_000);
        return figures;
      }),
    );
  });
}

/** Under full load a refresh takes its time, and the next one begins a second after it: so there are fewer than seconds in which it is asked. */
function requireRefreshed(requests: number, seconds: number): void {
  const refreshes = Math.floor(requests / PAGES);
  const told = `20 sources refreshed ${refreshes} times in ${Math.round(seconds)} s`;
  console.log(`  ${told}`);
  if (refreshes < seconds / 2) throw new Error(told);
}

/** So many sources, each whole on one page. */
const MANY = { sources: 50, records: 90 };

/** Refreshes to warm up, and milliseconds from one to the next: a gateway refreshes for months, and its code is compiled for hundreds of them. */
const WARM = 400;
const WARM_APART = 65;

/** Rounds in which the gateway that refreshes and the one that does not have their turn, and refreshes in each. */
const ROUNDS = 15;
const REFRESHES = 6;

/** Shorter than what lies between two requests that are measured, so that each of them starts a refresh of every source. */
const TTL = '50ms';

/** Milliseconds from one request to the next where they are measured. */
const APART = 250;

/** With this no answer is sent the short way, so that the one that refreshes and the one that does not have the same to do beside it. */
const LONG_WAY = { 'Cache-Control': 'no-transform' };

/**
 * What the gateway sends and computes for one refresh of 50 unchanged sources: the CPU of one that is asked the same and refreshes nothing is not
 * counted. The median of rounds, for what else the machine does meanwhile makes either of them slower. Undici alone takes its turn in each of them: how much
 * of the cost is its own, and how fast the machine is in this hour, is seen by that.
 */
export function refreshCost(workshop: Workshop): Promise<Figure[]> {
  return withFleet(MANY, (fleet) =>
    withBare(fleet, (bare) =>
      withGateway(workshop, fleet, { log: 'none' }, (calm) =>
        withGateway(workshop, fleet, { log: 'none', ttl: TTL }, async (one) => {
          await Promise.all([
            ...[calm, one].map((gateway) => cpuOfAsking(gateway, WARM, WARM_APART)),
            cpuOfTelling(bare, 'refresh', WARM, WARM_APART),
          ]);
          let [refreshes, requests] = [0, 0];
          const costs = await calmly(ROUNDS, async () => {
            const before = await fleet.requests();
            const refreshing = await cpuOfAsking(one, REFRESHES);
            requests += (await fleet.requests()) - before;
            refreshes += REFRESHES;
            return {
              gateway: refreshing - (await cpuOfAsking(calm, REFRESHES)),
              undici: (await cpuOfTelling(bare, 'refresh', REFRESHES)) - (await cpuOfTelling(bare, 'rest', REFRESHES)),
            };
          });
          const name = 'one refresh of 50 unchanged sources';
          const typical = (of: (cost: (typeof costs)[number]) => number): number => median(costs.map(of));
          return [
            { name: `${name}, requests`, value: requests / refreshes, unit: '', bound: MANY.sources },
            { name: `${name}, CPU`, value: typical(({ gateway }) => gateway), unit: 'ms', bound: 5 },
            { name: `${name}, CPU of undici alone`, value: typical(({ undici }) => undici), unit: 'ms' },
          ];
        }),
      ),
    ),
  );
}

/** Starts what asks the same of the sources without a gateway, on the gateways' processor. */
async function withBare<T>({ ports }: Fleet, work: (bare: ChildProcess) => Promise<T>): Promise<T> {
  const { child } = await startHelper(SERVING, 'bare.ts', ports.map(String));
  try {
    return await work(child);
  } finally {
    await end(child);
  }
}

/** Milliseconds of CPU for each of so many requests. */
function cpuOfAsking({ origin, pid }: Served, times: number, apart = APART): Promise<number> {
  return cpuOfEach(pid, { times, apart }, () => exchange(`${origin}${TEAMS}?limit=1`, LONG_WAY));
}

/** The same for so many messages, each of which is answered when what it tells is done. */
function cpuOfTelling(child: ChildProcess, message: 'refresh' | 'rest', times: number, apart = APART): Promise<number> {
  return cpuOfEach(child.pid ?? 0, { times, apart }, () => {
    const answer = nextWord(child);
    child.send(message);
    return answer;
  });
}

async function cpuOfEach(
  pid: number,
  { times, apart }: { readonly times: number; readonly apart: number },
  work: () => Promise<unknown>,
): Promise<number> {
  const before = cpuOfProcess(pid);
  for (let done = 0; done < times; done += 1) {
    await work();
    await sleep(apart);
  }
  return (cpuOfProcess(pid) - before) / times;
}
