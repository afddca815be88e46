import type { Figure } from './bounds.js';
import { withFleet } from './harness/source-fleet.js';
import { requestComplete, configOf, openGateway } from './harness/in-process-gateway.js';
import { news as subject } from './subjects/news.js';

/** More items than a source is known to count that counts no further than its window of 10,000. */
const FLEET = { subject: 'news', sources: 50, records: 11_000, newestFirst: true } as const;

/** What each source is known to support: it holds more than the default `drain-threshold`. */
const SUPPORTS = ', supports: { news: { sort: [-published], total: true } }';

/** Requests to the upstreams for the first page of the news of fifty large sources, of which nothing is held. */
export function news(): Promise<Figure[]> {
  return withFleet(FLEET, async (upstreams) => {
    const running = await openGateway(configOf('news', upstreams.ports, { defaults: 'timeout: 2m', source: SUPPORTS }));
    // Each is asked for one page, and known to be large from then on.
    await running.app.warmUp();
    const before = await upstreams.requests();
    await requestComplete(running.address(subject.resource), FLEET.sources * FLEET.records);
    const value = (await upstreams.requests()) - before;
    await running.close();
    return [{ name: 'first page of news of 50 sources of 11,000, requests', value, bound: 'requests' }];
  });
}
