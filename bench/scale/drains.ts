import type { Figure } from '../measure.js';
import { directory } from '../subjects/directory.js';
import { complete, times } from './asking.js';
import { configOf, withFleet } from './fleet.js';
import { grown, ROUNDS, SIZES } from './growth.js';
import { withOutpost } from './outpost.js';
import type { Outpost } from './outpost.js';

/** The least of what grows. Eight times as many records are still below the default drain-threshold. */
const SOURCES = 10;
const RECORDS = 500;

/** Queries over what was drained, no two the same. */
const QUERIES = 10;

/** Cold first pages, and queries over what is held then, by the number of sources and by the number of their records. */
export async function growingDrains(): Promise<Figure[]> {
  return [...(await bySources()), ...(await byRecords())];
}

/** Of so many times the least, in milliseconds of CPU. */
interface Cost {
  readonly cold: number;
  readonly warm: number;
}

/** How much is asked: the sources at these ports, of so many records each. */
interface Extent {
  readonly ports: readonly number[];
  readonly records: number;
}

function bySources(): Promise<Figure[]> {
  const fleet = { subject: 'directory', sources: SOURCES * 8, records: RECORDS } as const;
  return withFleet(fleet, ({ ports }) =>
    inTurns('10, 20, 40 and 80 sources of 500 records', (size) => ({
      ports: ports.slice(0, SOURCES * size),
      records: RECORDS,
    })),
  );
}

function byRecords(): Promise<Figure[]> {
  const fleetOf = (size: number) => ({ subject: 'directory', sources: SOURCES, records: RECORDS * size }) as const;
  const [one, two, four, eight] = SIZES;
  return withFleet(fleetOf(one), (first) =>
    withFleet(fleetOf(two), (second) =>
      withFleet(fleetOf(four), (third) =>
        withFleet(fleetOf(eight), (fourth) => {
          const fleets = new Map([
            [one, first],
            [two, second],
            [four, third],
            [eight, fourth],
          ] as const);
          return inTurns('10 sources of 500, 1,000, 2,000 and 4,000 records', (size) => ({
            ports: fleets.get(size)?.ports ?? [],
            records: RECORDS * size,
          }));
        }),
      ),
    ),
  );
}

/** The sizes take turns, in a process that does nothing else. */
function inTurns(name: string, extent: (size: (typeof SIZES)[number]) => Extent): Promise<Figure[]> {
  return withOutpost(async (outpost) => {
    const cold = new Map<number, number[]>(SIZES.map((size) => [size, []]));
    const warm = new Map<number, number[]>(SIZES.map((size) => [size, []]));
    await times(ROUNDS, async () => {
      for (const size of SIZES) {
        const cost = await costOf(outpost, extent(size));
        cold.get(size)?.push(cost.cold);
        warm.get(size)?.push(cost.warm);
      }
    });
    return [...grown(`cold, first page of ${name}`, cold), ...grown(`held, first q of ${name}`, warm)];
  });
}

async function costOf(outpost: Outpost, { ports, records }: Extent): Promise<Cost> {
  const address = await outpost.open(directory, configOf(directory, ports));
  const expected = { sources: ports.length, total: ports.length * records };
  const cold = await outpost.cpuOf(() => complete(`${address}?limit=100`, expected));
  const q = (nth: number): Promise<void> => complete(`${address}?q=bank+${nth}`, { sources: ports.length });
  await q(-1);
  const warm = await outpost.cpuOf(() => times(QUERIES, q));
  await outpost.close();
  return { cold, warm };
}
