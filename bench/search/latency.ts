import { directoryTeams } from '../../src/model/resources/directory-teams.js';
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
    const gateway = await openGateway(
      parseBenchConfig([
        'server: { log: none, deadline: 5m }',
        'defaults: { ttl: 1h, timeout: 2m, drain-threshold: 1000000, page-size: 1000 }',
        'cache: { memory: 4GiB }',
        'sources:',
        ...registrations.map((registration) => `  ${registration}`),
      ]),
    );
    try {
      return await measure(gateway);
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
  const { indexBytes = NaN, textBytes = NaN } = gateway.app.levels.public?.searchEngine.measure() ?? {};
  return [
    { name: `search, 100,000 teams, share within ${TARGET} ms`, value: within, bound: 'searches in time' },
    { name: 'search, 100,000 teams, 95th percentile', value: percentile(times, 0.95), bound: 'search' },
    { name: 'search, 100,000 teams, longest turn while the index is built', value: building, bound: 'block' },
    { name: 'search, 100,000 teams, longest turn while 100 queries are answered', value: searching, bound: 'block' },
    { name: 'bytes of the index, to the text that it indexes', value: indexBytes / textBytes, bound: 'index' },
  ];
}

function latencyQueries(): readonly string[] {
  const starts = Array.from({ length: Math.floor(FICTITIOUS_TEAMS / STEP) }, (_, at) => at * STEP);
  return createLatencyQueries(starts.flatMap((start) => fictitiousTeams(start, 1)));
}
