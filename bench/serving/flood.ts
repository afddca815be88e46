import type { Figure } from '../measure.js';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { TEAMS, withFleet } from './gateway.js';
import type { Fleet, Served } from './gateway.js';
import { withGateway } from './held-answers.js';
import { residentBytes } from './process.js';
import { wrk } from './wrk.js';

/** What all of these hold fits into the memory that there is. */
const SMALL = { sources: 4, records: 1_000 };

/** Bytes that may be held. */
const MEMORY = 32 * 2 ** 20;

/** Seconds of the flood: some ten thousand queries. */
const SECONDS = 60;

/** Milliseconds between two looks at the memory. */
const LOOK = 100;

/** Memory under as many different queries as a minute brings, beyond what the configuration lets be held. */
export function flood(workshop: Workshop): Promise<Figure[]> {
  return withFleet(SMALL, (fleet) =>
    withGateway(workshop, fleet, { memory: String(MEMORY) }, async (gateway) => {
      const most = await flooded(gateway);
      await requireHeld(gateway, fleet);
      const name = 'memory under a minute of different queries, beyond cache.memory';
      return [{ name, value: (most - MEMORY) / 1e6, unit: 'MB', bound: 120 }];
    }),
  );
}

/** The most bytes that were in memory. */
async function flooded(gateway: Served): Promise<number> {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentBytes(gateway.pid));
  }, LOOK);
  const { requests } = await wrk(gateway, { target: `${TEAMS}?`, script: 'flood.lua', seconds: SECONDS });
  clearInterval(timer);
  console.log(`  ${requests} different queries in a minute`);
  return most;
}

/** A flood of queries must not cost any source its copy. */
async function requireHeld({ origin }: Served, fleet: Fleet): Promise<void> {
  const before = await fleet.requests();
  await exchange(`${origin}${TEAMS}?limit=1&sort=email`);
  if ((await fleet.requests()) > before) throw new Error('held copies were lost');
}
