import { news as resource } from '../src/model/resources/news.js';
import { gatewayOf, givenBy, newsSources } from './channels.js';
import { queryOf } from './held.js';
import { cpuOf, median } from './measure.js';
import type { Figure } from './measure.js';

const SOURCES = 10;

const ITEMS = 5_000;

/** Requests that one figure is the mean of. */
const REQUESTS = 200;

const ROUNDS = 5;

/** The first page of the news of ten held sources, and of one channel of theirs: CPU of one request, once what it needs has been computed. */
export async function news(): Promise<Figure[]> {
  const gateway = gatewayOf(await newsSources(givenBy(SOURCES, ITEMS)));
  const cpu = async (raw: string): Promise<number> => {
    const query = queryOf(resource, raw);
    await gateway.answer(query);
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push((await cpuOf(() => times(REQUESTS, () => gateway.answer(query)))) / REQUESTS);
    }
    return median(rounds);
  };
  const over = 'over 10 sources of 5,000 items, CPU';
  return [
    { name: `news?limit=10 ${over}`, value: await cpu('limit=10'), unit: 'ms', bound: 2 },
    { name: `news?channel=Newsletters&limit=10 ${over}`, value: await cpu('channel=Newsletters&limit=10'), unit: 'ms' },
  ];
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work();
}
