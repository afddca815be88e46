import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import { startAlike } from './baseline.js';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { withFleet } from './gateway.js';
import type { Served } from './gateway.js';
import { FLEET, TURN, targetOf, withGateway } from './held-answers.js';
import { ASKING, startHelper } from './process.js';
import { wrk } from './wrk.js';

const ROUNDS = 5;

/** How late the slowest of a hundred held answers is, at half of the rate that wrk reaches; and that of node:http alone at the same rate. */
export function punctual(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, async (fleet) => {
    const target = await targetOf(workshop, fleet);
    return withGateway(workshop, fleet, { log: 'all' }, async (one) => {
      const other = await startAlike(workshop, await exchange(one.origin + target));
      const figures = await compared(one, other, target);
      await other.close();
      return figures;
    });
  });
}

async function compared(one: Served, other: Served, target: string): Promise<Figure[]> {
  const times: [number[], number[]] = [[], []];
  await wrk(one, { target, seconds: TURN });
  for (let round = 0; round < ROUNDS; round += 1) {
    const { perSecond } = await wrk(one, { target, seconds: 1 });
    times[0].push(await slowest(one, target, perSecond / 2));
    times[1].push(await slowest(other, target, perSecond / 2));
  }
  const name = 'p99 at half of the peak rate';
  return [
    { name: `${name}, held answers of 20 KB`, value: median(times[0]), unit: 'ms', bound: 5 },
    { name: `… of node:http: ${name}`, value: median(times[1]), unit: 'ms' },
  ];
}

async function slowest({ origin }: Served, target: string, rate: number): Promise<number> {
  const { told } = await startHelper(ASKING, 'paced.ts', [new URL(origin).port, target, String(rate), String(TURN)]);
  return Number(told);
}
