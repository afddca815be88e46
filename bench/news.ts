import type { Figure } from './bounds.js';
import { withFleet } from './harness/source-fleet.js';
import { requestComplete, configOf, openGateway } from './harness/in-process-gateway.js';
import { news as subject } from './subjects/news.js';

/** More items than 10,000: a total of exactly 10,000 may be the window of a source that counts no further. */
const FLEET = { subject: 'news', sources: 50, records: 11_000, newestFirst: true } as const;

/** Declared capabilities of each source. It has more records than the default `drain-threshold`. */
const SUPPORTS = ', supports: { news: { sort: [-published], total: true } }';

/** Requests to the upstreams for the first page of news of fifty large sources with an empty cache. */
export function news(): Promise<Figure[]> {
  return withFleet(FLEET, async (upstreams) => {
    const running = await openGateway(configOf('news', upstreams.ports, { defaults: 'timeout: 2m', source: SUPPORTS }));
    // The size check requests one page of each source.
    await running.app.warmUp();
    const before = await upstreams.requests();
    await requestComplete(running.address(subject.resource), FLEET.sources * FLEET.records);
    const value = (await upstreams.requests()) - before;
    await running.close();
    return [{ name: 'first page of news of 50 sources of 11,000, requests', value, bound: 'requests' }];
  });
}
