import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { Log } from '../../src/model/log.js';
import { silentLog } from '../../test/support/silent-log.js';
import type { Figure } from '../bounds.js';
import { openGateway, parseBenchConfig, requestComplete } from '../harness/in-process-gateway.js';
import type { InProcessGateway } from '../harness/in-process-gateway.js';
import { longestBlock, percentile, timeOf } from '../harness/measure.js';
import { FICTITIOUS_TEAMS, withFictitiousSources } from './fictitious-sources.js';
import { fictitiousTeams } from './fictitious-teams.js';
import { createLatencyQueries } from './latency-queries.js';
import { searchUrl } from './search-client.js';

/** Milliseconds in which nearly every search is to be answered. */
const TARGET = 150;

/** Every 997th team is one that queries are made from: teams of all sources, countries and kinds. */
const STEP = 997;

/**
 * Searches over 100,000 cached teams of 20 sources, one after the other, none of them twice: from the request to the last
 * byte, with the client in the same process; the longest turn of the event loop; and the size of the index.
 */
export async function latency(): Promise<Figure[]> {
  return withFictitiousSources(async (registrations) => {
    const sizes: { readonly bytes: number; readonly textBytes: number }[] = [];
    const log: Log = {
      ...silentLog,
      debug: (fields, message) => {
        if (message === 'source indexed') sizes.push(readSize(fields));
      },
    };
    const gateway = await openGateway(
      parseBenchConfig([
        'server: { log: none, deadline: 5m }',
        'defaults: { ttl: 1h, timeout: 2m, drain-threshold: 1000000, page-size: 1000 }',
        'cache: { memory: 4GiB }',
        'sources:',
        ...registrations.map((registration) => `  ${registration}`),
      ]),
      { log },
    );
    try {
      return [...(await measure(gateway)), describeSize(sizes)];
    } finally {
      await gateway.close();
    }
  });
}

async function measure(gateway: InProcessGateway): Promise<Figure[]> {
  const search = (q: string): Promise<unknown> => requestComplete(searchUrl(gateway, q));
  await gateway.app.warmUp();
  await requestComplete(`${gateway.address(directoryTeams)}?limit=1`, FICTITIOUS_TEAMS);
  // The first search waits until the index is built.
  const building = await longestBlock(() => search('lighthouse'));
  const times: number[] = [];
  const searching = await longestBlock(async () => {
    for (const q of latencyQueries()) times.push(await timeOf(() => search(q)));
  });
  const within = times.filter((time) => time <= TARGET).length / times.length;
  return [
    { name: `search, 100,000 teams, share within ${TARGET} ms`, value: within, bound: 'searches in time' },
    { name: 'search, 100,000 teams, 95th percentile', value: percentile(times, 0.95), bound: 'search' },
    { name: 'search, 100,000 teams, longest turn while the index is built', value: building, bound: 'block' },
    { name: 'search, 100,000 teams, longest turn while 100 queries are answered', value: searching, bound: 'block' },
  ];
}

function readSize(facts: object): { readonly bytes: number; readonly textBytes: number } {
  const { bytes, textBytes } = Object.fromEntries<unknown>(Object.entries(facts));
  return { bytes: Number(bytes), textBytes: Number(textBytes) };
}

function describeSize(sizes: readonly { readonly bytes: number; readonly textBytes: number }[]): Figure {
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const textBytes = sizes.reduce((sum, size) => sum + size.textBytes, 0);
  return { name: 'bytes of the index, to the text that it indexes', value: bytes / textBytes, bound: 'index' };
}

function latencyQueries(): readonly string[] {
  const starts = Array.from({ length: Math.floor(FICTITIOUS_TEAMS / STEP) }, (_, at) => at * STEP);
  return createLatencyQueries(starts.flatMap((start) => fictitiousTeams(start, 1)));
}
