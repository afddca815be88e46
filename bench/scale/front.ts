import { ask } from '../house.js';
import { median, timeOf } from '../measure.js';
import type { Figure } from '../measure.js';
import { news } from '../subjects/news.js';
import { configOf, withFleet } from './fleet.js';
import type { Sources } from './fleet.js';
import { growth } from './growth.js';
import { withOutpost } from './outpost.js';
import type { Outpost } from './outpost.js';

/** Each over its drain-threshold, and some way off; milliseconds. */
const FLEET = { subject: 'news', sources: 50, records: 10_000, delay: 20, slowest: 100 } as const;

/** What each is known to do. */
const SUPPORTS = ', supports: { news: { filters: [before, after], sort: [-published], total: true } }';

/** Queries that a figure is the mean of, after some to warm up. */
const QUERIES = 50;
const WARM_UP = 20;

/** The first days before which nothing is held: the items go from 2015 to 2026. */
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

/** Ways of asking: ten items, and as many as a page has where nothing is said. */
const LIMITS = [
  { limited: 'limit=10&', name: 'news?limit=10', bound: 20 },
  { limited: '', name: 'news, 100 items', bound: undefined },
] as const;

async function firstPages(sources: Sources): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { limited, name, bound } of LIMITS) {
    figures.push(...(await withOutpost((outpost) => measured({ outpost, sources, limited, name: `${name} over 50 sources of 10,000`, bound }))));
  }
  return figures;
}

interface Measuring {
  readonly outpost: Outpost;
  readonly sources: Sources;
  readonly limited: string;
  readonly name: string;
  readonly bound: number | undefined;
}

async function measured({ outpost, sources, limited, name, bound }: Measuring): Promise<Figure[]> {
  const address = await outpost.open(news, configOf(news, sources.ports, SUPPORTS));
  await outpost.warm();
  const days = new Days();
  const page = (): Promise<void> => complete(`${address}?${days.next(limited)}`, FLEET.sources);
  const before = await sources.requests();
  const first = await outpost.cpuOf(page);
  await times(WARM_UP, page);
  const spans: number[] = [];
  const cpu = await outpost.cpuOf(() => times(QUERIES, async () => spans.push(await timeOf(page))));
  const requests = ((await sources.requests()) - before) / (1 + WARM_UP + QUERIES);
  const beyond = median(spans) - (await slowest(sources));
  const bounded = bound === undefined ? {} : { bound };
  return [
    { name: `${name}, requests`, value: requests, unit: '', ...(bound !== undefined && { bound: FLEET.sources, least: FLEET.sources }) },
    { name: `${name}, CPU of the first in a process`, value: first, unit: 'ms' },
    { name: `${name}, CPU`, value: cpu / QUERIES, unit: 'ms', ...bounded },
    { name: `${name}, time beyond the slowest source's`, value: beyond, unit: 'ms' },
  ];
}

/** Milliseconds that the slowest source takes for a page. */
async function slowest({ ports }: Sources): Promise<number> {
  const spans: number[] = [];
  for (let asked = 0; asked < WARM_UP; asked += 1) {
    spans.push(await timeOf(async () => (await fetch(`http://127.0.0.1:${ports.at(-1) ?? 0}/news?limit=11&offset=0`)).arrayBuffer()));
  }
  return median(spans);
}

/** CPU of a first page by the number of sources. */
function bySources(sources: Sources): Promise<Figure[]> {
  return withOutpost((outpost) => {
    const days = new Days();
    return growth(`news?limit=10 over 6, 12, 24 and 48 sources of 10,000`, async (times8) => {
      const ports = sources.ports.slice(0, 6 * times8);
      const address = await outpost.open(news, configOf(news, ports, SUPPORTS));
      await outpost.warm();
      const page = (): Promise<void> => complete(`${address}?${days.next('limit=10&')}`, ports.length);
      await times(WARM_UP, page);
      const cpu = await outpost.cpuOf(() => times(QUERIES, page));
      await outpost.close();
      return cpu;
    });
  });
}

/** An answer that lacks something would be quick for nothing. */
async function complete(url: string, sources: number): Promise<void> {
  const told = (await ask(url)).get('source-status') ?? '';
  const states = told.match(/state=\w+/g) ?? [];
  const fresh = /\*;state=fresh;sources=(\d+)/.exec(told)?.[1] ?? states.length;
  if (states.some((state) => state !== 'state=fresh') || Number(fresh) !== sources) throw new Error(`${url}: ${told}`);
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work();
}
