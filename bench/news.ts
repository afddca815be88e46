import { news as resource } from '../src/model/resources/news.js';
import { gatewayOver, heldSet, queryOf } from './held.js';
import { cpuOf, median } from './measure.js';
import type { Figure } from './measure.js';

const SOURCES = 10;

const ITEMS = 5_000;

/** Requests that one figure is the mean of. */
const REQUESTS = 200;

const ROUNDS = 5;

/** The first page of the news of ten held sources: CPU of one request, once what it needs has been computed. */
export async function news(): Promise<Figure[]> {
  const sets = await Promise.all(
    Array.from({ length: SOURCES }, (_, at) => heldSet(at + 1, JSON.stringify(itemsOf(at)), resource)),
  );
  const gateway = gatewayOver(sets);
  const query = queryOf('limit=10', resource);
  await gateway.answer(query);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push((await cpuOf(() => times(REQUESTS, () => gateway.answer(query)))) / REQUESTS);
  }
  return [{ name: 'news?limit=10 over 10 sources of 5,000 items, CPU', value: median(rounds), unit: 'ms', bound: 2 }];
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work();
}

function itemsOf(source: number): object[] {
  return Array.from({ length: ITEMS }, (_, at) => ({
    id: at + 1,
    title: `Bulletin ${at + 1} of source ${source + 1}`,
    summary: `What happened on day ${at % 1_000}, and what it means for those who answer.`,
    link: `https://news.example.org/${source + 1}/${at + 1}`,
    published: new Date(Date.UTC(2020, 0, 1) + (at * 7 + source) * 3_600_000).toUTCString(),
  }));
}
