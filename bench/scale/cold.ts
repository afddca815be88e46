import { availableParallelism } from 'node:os';
import { calmly } from '../calm.js';
import { median, timeOf } from '../measure.js';
import type { Figure } from '../measure.js';
import { directory } from '../subjects/directory.js';
import { complete } from './asking.js';
import { configOf, withFleet } from './fleet.js';
import type { Fleet } from './fleet.js';
import { withOutpost } from './outpost.js';
import type { Outpost } from './outpost.js';

const FLEET = { subject: 'directory', sources: 100, records: 1_000 } as const;

/** Milliseconds that a source far away takes for an answer, and the slowest of all. */
const FAR = { delay: 20, slowest: 250 };

/** After a first one, which warms up. */
const ROUNDS = 5;

const NAME = 'cold, first page of 100 sources of 1,000 records';

/** Requests under way at one source, as it is by default, and records of a page. */
const AT_ONCE = 4;
const PAGE = 100;

/** The first page of a hundred sources of which nothing is held. */
export async function cold(): Promise<Figure[]> {
  return [...(await near()), ...(await far())];
}

/** What a drain of all and its first page cost and took, in milliseconds. */
interface Cost {
  readonly cpu: number;
  readonly time: number;
  /** Of CPU, for JSON.parse of all bodies. */
  readonly parsing: number;
  /** Of the slowest source: what it takes to give its pages to somebody who does nothing with them. */
  readonly slowest: number;
}

interface Costs {
  readonly first: Cost;
  readonly later: readonly Cost[];
}

/** All at once, as far as the machine goes: what the gateway itself costs. */
async function near(): Promise<Figure[]> {
  const costs = await costsOf(FLEET);
  const { first } = costs;
  return [
    {
      name: `${NAME}, CPU to JSON.parse`,
      value: typical(costs, ({ cpu, parsing }) => cpu / parsing),
      unit: '×',
      bound: 5,
    },
    { name: `${NAME}, the first in a process`, value: first.cpu / first.parsing, unit: '×' },
    { name: `${NAME} that answer at once, time to the least`, value: typical(costs, toTheLeast), unit: '×' },
  ];
}

async function far(): Promise<Figure[]> {
  const costs = await costsOf({ ...FLEET, ...FAR });
  return [{ name: `${NAME} far away, time to the least`, value: typical(costs, toTheLeast), unit: '×', bound: 1 }];
}

/** The time to that of the slowest source and, at 1.2 times the cost, what all processors together take for the work. */
function toTheLeast({ cpu, time, slowest }: Cost): number {
  return time / (slowest + (cpu / availableParallelism()) * 1.2);
}

function typical({ later }: Costs, of: (cost: Cost) => number): number {
  return median(later.map(of));
}

function costsOf(fleet: Fleet): Promise<Costs> {
  return withFleet(fleet, ({ ports }) =>
    withOutpost(async (outpost) => {
      const config = configOf(directory, ports);
      const slowest = ports.at(-1) ?? 0;
      const round = (): Promise<Cost> => drained(outpost, fleet, { config, slowest });
      return { first: await round(), later: await calmly(ROUNDS, round) };
    }),
  );
}

async function drained(
  outpost: Outpost,
  fleet: Fleet,
  { config, slowest }: { readonly config: readonly string[]; readonly slowest: number },
): Promise<Cost> {
  const { sources, records } = fleet;
  const parsing = await outpost.parsing(fleet);
  const address = await outpost.open(directory, config);
  let time = 0;
  const cpu = await outpost.cpuOf(async () => {
    time = await timeOf(() => complete(`${address}?limit=100`, { sources, total: sources * records }));
  });
  await outpost.close();
  return { cpu, time, parsing, slowest: await timeOf(() => everyPage(slowest, fleet)) };
}

/** Asks a source for all its pages, in the order that a drain has: the first, then the others, a few at a time, the one behind the last too. */
async function everyPage(port: number, { records }: Fleet): Promise<void> {
  const page = async (offset: number): Promise<void> => {
    await (await fetch(`http://127.0.0.1:${port}/teams?limit=${PAGE}&offset=${offset}`)).arrayBuffer();
  };
  await page(0);
  const offsets = Array.from({ length: records / PAGE }, (_, at) => (at + 1) * PAGE)[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const offset of offsets) await page(offset);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
