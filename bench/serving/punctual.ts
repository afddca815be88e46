import { calmly } from '../calm.js';
import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import type { Workshop } from './build.js';
import { withFleet } from './gateway.js';
import type { Served } from './gateway.js';
import { FLEET, TURN, targetOf, withGateway } from './held-answers.js';
import { startNginx } from './nginx.js';
import { ASKING, startHelper } from './process.js';
import { wrk } from './wrk.js';

const ROUNDS = 9;

/** Seconds in which each server is asked in a round: short, so that there are rounds in which nobody takes the machine away. */
const ASKED = 2;

/**
 * Share of the machine's time that may be taken from it in a round: by a hundredth, which is calm for what is a mean, the slowest hundredth of the
 * requests would tell of nothing else.
 */
const CALM = 0.002;

/** How late the slowest of a hundred held answers is, at half of the rate that wrk reaches, with a line for each; and that of nginx at the same rate. */
export function punctual(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, async (fleet) => {
    const target = await targetOf(workshop, fleet);
    return withGateway(workshop, fleet, { log: 'all' }, async (one) => {
      const other = await startNginx(workshop, one.origin);
      const figures = await compared(one, other, target);
      await other.close();
      return figures;
    });
  });
}

async function compared(one: Served, other: Served, target: string): Promise<Figure[]> {
  await wrk(one, { target, seconds: TURN });
  await wrk(other, { target, seconds: TURN });
  const round = async (): Promise<readonly [Delays, Delays]> => {
    const { perSecond } = await wrk(one, { target, seconds: 1 });
    return [await slowest(one, target, perSecond / 2), await slowest(other, target, perSecond / 2)];
  };
  const rounds = await calmly(ROUNDS, round, CALM);
  const name = 'p99 at half of the peak rate';
  const [ones, others] = [rounds.map(([delays]) => delays), rounds.map(([, delays]) => delays)];
  const clients = [...ones, ...others].map(([, client]) => client);
  return [
    { name: `${name}, held answers of 20 KB`, value: median(ones.map(([all]) => all)), unit: 'ms', bound: 5 },
    { name: `… of nginx at the same rate: ${name}`, value: median(others.map(([all]) => all)), unit: 'ms' },
    { name: `… by which the client itself was late: ${name}`, value: median(clients), unit: 'ms' },
  ];
}

/** Of all requests, and the client's own part in it, both in milliseconds. */
type Delays = readonly [all: number, client: number];

async function slowest({ origin }: Served, target: string, rate: number): Promise<Delays> {
  const { told } = await startHelper(ASKING, 'paced.ts', [new URL(origin).port, target, String(rate), String(ASKED)]);
  if (!Array.isArray(told)) throw new Error('the client told no delays');
  return [Number(told[0]), Number(told[1])];
}
