import { Gateway } from '../src/gateway/gateway.js';
import { systemClock } from '../src/model/clock.js';
import { copyOf } from '../src/model/outcome.js';
import type { HeldRecord } from '../src/model/record.js';
import { news as resource } from '../src/model/resources/news.js';
import { askingUntil } from '../src/source/asking.js';
import type { Source } from '../src/source/source.js';
import { blocked } from './blocked.js';
import { noMergedSets, queryOf, requireTotal } from './held.js';
import { shortestInTurns } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf } from './pages.js';
import { listName, sourceOver } from './source.js';
import type { Given } from './source.js';
import { CHANNELS } from './subjects/channels.js';
import { news } from './subjects/news.js';
import type { Listing } from './subjects/subject.js';

const RUNS = 15;

const [channel] = CHANNELS;

const query = queryOf(resource, `channel=${channel}`);

/** The news of one channel, in which every fourth item is: their sources give its items as a list of their own, which is held too. */
export async function channelQueries(records: number): Promise<Figure[]> {
  return [...(await over(1, records)), ...(await over(20, records / 20))];
}

async function over(sources: number, records: number): Promise<Figure[]> {
  const where = sources === 1 ? 'in 1 set' : `in ${sources} sets`;
  const given = givenBy(sources, records);
  const first = await blocked(
    `news: longest block, first channel ${where}`,
    async () => gatewayOf(await newsSources(given)),
    [query],
  );
  const held = await newsSources(given);
  const gateway = gatewayOf(held);
  await requireTotal(gateway, query, (sources * records) / CHANNELS.length);
  const value = await filtered(held, gateway);
  return [
    first,
    { name: `news: channel=${channel} ${where}, to a plain filter`, value, unit: '×', bound: 3 },
    await blocked(`news: longest block, later channel ${where}`, () => gateway, [query]),
  ];
}

/** For the filter by hand, the ids of the channel's items stand ready in a set. */
async function filtered(sources: readonly Source[], gateway: Gateway): Promise<number> {
  const all = await itemsOf(sources);
  const members = new Set((await itemsOf(sources, channel)).map(({ id }) => id));
  const byHand = (): HeldRecord[] => all.filter(({ id }) => members.has(id));
  const [asked, filtering] = await shortestInTurns(() => gateway.answer(query), byHand, RUNS);
  return asked / filtering;
}

/** A gateway over sources whose wire is this process. */
export function gatewayOf(sources: readonly Source[]): Gateway {
  return new Gateway(sources, noMergedSets(), systemClock, 60_000);
}

/** What so many sources of news give, of so many items each. */
export function givenBy(sources: number, count: number): readonly Given[] {
  return Array.from({ length: sources }, (_, at) => {
    const listings = news.listings({ code: codeOf(at + 1), count, from: at * count });
    return new Map(listings.map(({ path, channel, records }) => [nameOf(path, channel), JSON.stringify(records)]));
  });
}

function nameOf(path: Listing['path'], channel: string | undefined): string {
  return listName(path, channel === undefined ? '' : `channel=${channel}`);
}

/** Sources that have drained what they are given, items of the channel included; nothing is computed of them yet. */
export async function newsSources(given: readonly Given[]): Promise<readonly Source[]> {
  const sources = given.map((lists, at) => sourceOver(at + 1, lists));
  await itemsOf(sources, channel);
  return sources;
}

async function itemsOf(sources: readonly Source[], title?: string): Promise<HeldRecord[]> {
  const wanted = { resource, scope: 'public', ...(title !== undefined && { channel: title.toLowerCase() }) } as const;
  const outcomes = await Promise.all(
    sources.map((source) => source.ask(wanted, askingUntil(new AbortController().signal))),
  );
  return outcomes.flatMap((outcome) => copyOf(outcome)?.set.records ?? []);
}
