import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { listItems, writeRss } from '../support/upstream/feed-upstream.js';
import { isConditional } from '../support/upstream/conditional-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const MINUTE = 60_000;
const ETAG = '"one"';

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Requests a feed every five minutes for half an hour. Returns the minutes at which it was refreshed, without jitter. */
async function listRefreshes(body: string, cacheControl: string, ttl = '1h'): Promise<readonly number[]> {
  const clock = fakeClock();
  const upstream = await startUpstream((request, response) => {
    response.setHeader('ETag', ETAG).setHeader('Cache-Control', cacheControl);
    if (isConditional(request)) response.writeHead(304).end();
    else response.writeHead(200, { 'Content-Type': 'application/rss+xml' }).end(body);
  });
  open.push(upstream);
  const one = { feed: `${upstream.address}/rss.xml`, ttl, 'stale-while-revalidate': '0s' };
  const gateway = await startGateway({ sources: { one } }, { clock, random: () => 0 });
  open.push(gateway);
  const refreshes: number[] = [];
  for (let minute = 0; minute <= 30; minute += 5) {
    const before = upstream.requests.length;
    await gateway.get('/data/v1/news');
    if (upstream.requests.length > before) refreshes.push(minute);
    clock.advance(5 * MINUTE);
  }
  return refreshes;
}

const items = listItems(2);

it('refreshes a feed when the lifetime ends that it states itself, also after a 304 that allows more', async () => {
  const feed = writeRss(items, { ttl: '10' });
  expect(await listRefreshes(feed, 'max-age=3600')).toEqual([0, 10, 20, 30]);
});

it('refreshes a feed no later than ttl and Cache-Control allow, whatever it states', async () => {
  const feed = writeRss(items, { ttl: '60' });
  expect(await listRefreshes(feed, 'max-age=3600', '15m')).toEqual([0, 15, 30]);
  expect(await listRefreshes(feed, 'max-age=1200')).toEqual([0, 20]);
});
