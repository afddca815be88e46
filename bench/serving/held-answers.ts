import type { Figure } from '../measure.js';
import { startAlike } from './baseline.js';
import type { Workshop } from './build.js';
import { exchange, requireAlike } from './exchange.js';
import { startGateway, TEAMS, withFleet } from './gateway.js';
import type { Fleet, Served, Settings } from './gateway.js';
import { duel } from './wrk.js';
import type { Load } from './wrk.js';

/** As many sources as the fleet of the other benchmarks. */
export const FLEET = { sources: 20, records: 1_000 };

/** Bytes of the answer that is asked for, about. */
const SIZE = 32 * 1024;

/** Seconds of one turn. */
export const TURN = 3;

/** A held answer to node:http that sends the same one: by requests for the same target, and by equal queries with other targets. */
export function heldAnswers(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, (fleet) =>
    withGateway(workshop, fleet, {}, async (one) => {
      const target = await targetOf(one);
      // The third request for it gets the answer that is held.
      for (let asked = 0; asked < 2; asked += 1) await exchange(one.origin + target);
      const answer = await exchange(one.origin + target);
      const other = await startAlike(workshop, answer);
      requireAlike(answer, await exchange(other.origin + target));
      const compare = (name: string, least: number, load: Omit<Load, 'seconds'>): Promise<Figure[]> =>
        duel({ name, one, other, load: { ...load, seconds: TURN }, least });
      const figures = [
        ...(await compare('held answer of 32 KB to node:http, each request with another header', 0.8, {
          target,
          script: 'header.lua',
        })),
        ...(await compare('held answer of 32 KB to node:http, equal queries, each target another one', 0.4, {
          target: `${target}&_=`,
          script: 'target.lua',
        })),
      ];
      await other.close();
      return figures;
    }),
  );
}

/** A page of teams whose answer is nearest to 32 KiB. */
async function targetOf({ origin }: Served): Promise<string> {
  const { body } = await exchange(`${origin}${TEAMS}?limit=100`);
  const records = JSON.parse(body.toString()) as unknown[];
  let [bytes, limit] = [0, 0];
  for (; bytes < SIZE && limit < records.length; limit += 1) {
    bytes += JSON.stringify([records[limit]], null, 4).length;
  }
  return `${TEAMS}?limit=${limit}`;
}

/** Starts a gateway, hands it to the work, and ends it. */
export async function withGateway<T>(
  workshop: Workshop,
  fleet: Fleet,
  settings: Settings,
  work: (gateway: Served) => Promise<T>,
): Promise<T> {
  const gateway = await startGateway(workshop, fleet, settings);
  try {
    return await work(gateway);
  } finally {
    await gateway.close();
  }
}
