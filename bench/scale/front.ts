import { calmly } from '../calm.js';
import { median, timeOf } from '../measure.js';
import type { Figure } from '../measure.js';
import { news } from '../subjects/news.js';
import { complete, times } from './asking.js';
import { configOf, withFleet } from './fleet.js';
import type { Sources } from './fleet.js';
import { grown, ROUNDS, SIZES } from './growth.js';
import { withOutpost } from './outpost.js';
import type { Outpost } from './outpost.js';

/** Each over its drain-threshold, and some way off; milliseconds. */
const FLEET = { subject: 'news', sources: 50, records: 10_000, delay: 20, slowest: 100 } as const;

/** What each is known to do. */
const SUPPORTS = ', supports: { news: { filters: [before, after], sort: [-published], total: true } }';

/** Rounds of queries that a figure is the mean of, after as many queries to warm up. */
const ROUNDS_OF_QUERIES = 5;
const QUERIES = 20;

/** The same of what is asked again and again, of other numbers of sources. */
const FEWER = 30;

/** The least of the sources that grow in number. */
const LEAST = 6;

/** The items go from 2015 to 2026: many of each source are older than any day that is asked for. */
const FIRST_DAY = Date.UTC(2017, 0, 1);
const DAY = 86_400_000;

/** First pages of the news of large sources, each of another day, so that nothing that is held answers them. */
export function fronts(): Promise<Figure[]> {
  return withFleet(FLEET, async (sources) => [...(await firstPages(sources)), ...(await bySources(sources))]);
}

/** What asks for pages that nobody has asked for: each query has a day of its own. */
class Days {
  private day = FIRST_DAY;

  /** The query string of the next day. */
  next(limited: string): string {
    this.day += DAY;
    return `${limited}before=${new Date(this.day).toISOString().slice(0, 10)}`;
  }
}

/** Ways of asking: ten items, and as many as a page has where nothing is said. What is asked for is ten. */
const WAYS: readonly Way[] = [
  {
    name: 'news?limit=10 of 50 sources of 10,000',
    limited: 'limit=10&',
    requests: { bound: FLEET.sources, least: FLEET.sources },
    cpu: { bound: 20 },
    beyond: { bound: 20 },
  },
  {
    name: 'news, 100 items, of 50 sources of 10,000',
    limited: '',
    requests: { bound: FLEET.sources, least: FLEET.sources },
    cpu: {},
    beyond: {},
  },
];

interface Way {
  readonly name: string;
  readonly limited: string;
  readonly requests: Pick<Figure, 'bound' | 'least'>;
  readonly cpu: Pick<Figure, 'bound'>;
  readonly beyond: Pick<Figure, 'bound'>;
}

async function firstPages(sources: Sources): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const way of WAYS) figures.push(...(await withOutpost((outpost) => measured(outpost, sources, way))));
  return figures;
}

async function measured(outpost: Outpost, sources: Sources, way: Way): Promise<Figure[]> {
  const address = await outpost.open(news, configOf(news, sources.ports, SUPPORTS));
  // Each is asked for one page, and known to be too large from then on.
  await outpost.warm();
  const days = new Days();
  const page = (): Promise<void> => complete(`${address}?${days.next(way.limited)}`, { sources: FLEET.sources });
  const before = await sources.requests();
  const first = await outpost.cpuOf(page);
  await times(ROUNDS_OF_QUERIES * QUERIES, page);
  let asked = 1 + ROUNDS_OF_QUERIES * QUERIES;
  const rounds = await calmly(ROUNDS_OF_QUERIES, async () => {
    const spans: number[] = [];
    const cpu = await outpost.cpuOf(() => times(QUERIES, async () => spans.push(await timeOf(page))));
    asked += QUERIES;
    return { cpu: cpu / QUERIES, spans };
  });
  const requests = ((await sources.requests()) - before) / asked;
  const { name } = way;
  const beyond = median(rounds.flatMap(({ spans }) => spans)) - (await slowest(sources));
  return [
    { name: `${name}, requests`, value: requests, unit: '', ...way.requests },
    { name: `${name}, CPU of the first in a process`, value: first, unit: 'ms' },
    { name: `${name}, CPU`, value: mean(rounds.map(({ cpu }) => cpu)), unit: 'ms', ...way.cpu },
    { name: `${name}, time beyond the slowest source`, value: beyond, unit: 'ms', ...way.beyond },
  ];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Milliseconds that the slowest source takes for a page. */
async function slowest({ ports }: Sources): Promise<number> {
  const page = `http://127.0.0.1:${ports.at(-1) ?? 0}/news?limit=11&offset=0`;
  const spans: number[] = [];
  await times(FEWER, async () => spans.push(await timeOf(async () => (await fetch(page)).arrayBuffer())));
  return median(spans);
}

/** CPU of a first page by the number of sources. */
function bySources({ ports }: Sources): Promise<Figure[]> {
  return withOutpost(async (outpost) => {
    const days = new Days();
    const costs = new Map<number, number[]>(SIZES.map((size) => [size, []]));
    await times(ROUNDS, async () => {
      for (const size of SIZES) costs.get(size)?.push(await costOf(outpost, ports.slice(0, LEAST * size), days));
    });
    return grown('news?limit=10 of 6, 12, 24 and 48 sources of 10,000', costs);
  });
}

/** Milliseconds of CPU for one first page. */
async function costOf(outpost: Outpost, ports: readonly number[], days: Days): Promise<number> {
  const address = await outpost.open(news, configOf(news, ports, SUPPORTS));
  await outpost.warm();
  const page = (): Promise<void> => complete(`${address}?${days.next('limit=10&')}`, { sources: ports.length });
  await times(FEWER, page);
  const cpu = await outpost.cpuOf(() => times(FEWER, page));
  await outpost.close();
  return cpu / FEWER;
}
