import { setTimeout as sleep } from 'node:timers/promises';
import { calmly } from '../calm.js';
import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { TEAMS, withFleet } from './gateway.js';
import type { Served } from './gateway.js';
import { FLEET, TURN, targetOf, withGateway } from './held-answers.js';
import { cpuOfProcess } from './process.js';
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

/** Refreshes to warm up: a gateway refreshes for months. */
const WARM = 60;

/** Rounds in which the gateway that refreshes and the one that does not have their turn, and refreshes in each. */
const ROUNDS = 15;
const REFRESHES = 6;

/** Milliseconds from one request to the next: longer than the time to live, so that each of them starts a refresh of every source. */
const APART = 250;

/** With this no answer is sent the short way, so that the one that refreshes and the one that does not have the same to do beside it. */
const LONG_WAY = { 'Cache-Control': 'no-transform' };

/**
 * What the gateway sends and computes for one refresh of 50 unchanged sources: the CPU of one that is asked the same and refreshes nothing is not
 * counted. The median of rounds, for what else the machine does meanwhile makes either of them slower.
 */
export function refreshCost(workshop: Workshop): Promise<Figure[]> {
  return withFleet(MANY, (fleet) =>
    withGateway(workshop, fleet, { log: 'none' }, (calm) =>
      withGateway(workshop, fleet, { log: 'none', ttl: '200ms' }, async (one) => {
        for (const gateway of [calm, one]) await cpuOfAsking(gateway, WARM);
        const before = await fleet.requests();
        let rounds = 0;
        const costs = await calmly(ROUNDS, async () => {
          rounds += 1;
          return (await cpuOfAsking(one, REFRESHES)) - (await cpuOfAsking(calm, REFRESHES));
        });
        const requests = ((await fleet.requests()) - before) / (rounds * REFRESHES);
        const name = 'one refresh of 50 unchanged sources';
        return [
          { name: `${name}, requests`, value: requests, unit: '', bound: MANY.sources },
          { name: `${name}, CPU`, value: median(costs), unit: 'ms', bound: 5 },
        ];
      }),
    ),
  );
}

/** Milliseconds of CPU for each of so many requests. */
async function cpuOfAsking({ origin, pid }: Served, times: number): Promise<number> {
  const before = cpuOfProcess(pid);
  for (let asked = 0; asked < times; asked += 1) {
    await exchange(`${origin}${TEAMS}?limit=1`, LONG_WAY);
    await sleep(APART);
  }
  return (cpuOfProcess(pid) - before) / times;
}
