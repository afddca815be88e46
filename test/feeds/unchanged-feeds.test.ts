import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { isConditional } from '../support/upstream/conditional-responses.js';
import { FEED_FORMS, writtenFeedUpstream, feedsUpstream } from '../support/upstream/written-feeds.js';
import type { WrittenFeed } from '../support/upstream/written-feeds.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { TTL } from './feed-scene.js';

const FEEDS = 200;
const ITEMS = 3;

const numbers = Array.from({ length: FEEDS }, (_, at) => at);

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

function feedOf(number: number): WrittenFeed {
  return {
    form: FEED_FORMS[number % FEED_FORMS.length] ?? 'rss',
    title: `Feed ${number}`,
    items: Array.from({ length: ITEMS }, (_, at) => ({
      guid: `tag:example.org,2026:${number}-${at}`,
      title: `Item ${at}`,
    })),
  };
}

/** The sources of a gateway over the feeds at these addresses. */
type Registration = (addresses: readonly string[]) => Readonly<Record<string, object>>;

const arrangements: readonly (readonly [name: string, register: Registration])[] = [
  ['of one source', (feed) => ({ one: { feed } })],
  ['of 200 sources', (feeds) => Object.fromEntries(feeds.map((feed, at) => [`s${at}`, { feed }]))],
];

it.each(arrangements)('a refresh of 200 unchanged feeds %s sends 200 conditional requests', async (_name, register) => {
  const handlers = numbers.map((number) => [`/v1/${number}`, writtenFeedUpstream(feedOf(number))] as const);
  const upstream = await startUpstream(feedsUpstream(new Map(handlers)));
  const clock = fakeClock();
  const sources = register(numbers.map((number) => `${upstream.address}/${number}`));
  const defaults = { ttl: '60s', 'stale-while-revalidate': '0s', timeout: '50s' };
  // The time of a response is not what this test is about.
  const gateway = await startGateway({ server: { deadline: '50s' }, defaults, sources }, { clock });
  open.push(upstream, gateway);
  for (const round of ['first', 'refresh', 'refresh'] as const) {
    upstream.forget();
    const { status, headers } = await gateway.get('/data/v1/news?limit=1');
    expect([status, headers.get('x-total-count')]).toEqual([200, String(FEEDS * ITEMS)]);
    expect(headers.get('source-status')).not.toMatch(/state=(?!fresh)/);
    const { headers: ofChannels } = await gateway.get('/data/v1/channels?limit=1');
    expect(ofChannels.get('x-total-count')).toBe(String(FEEDS));
    expect(new Set(upstream.requests.map(({ path }) => path)).size).toBe(FEEDS);
    expect(upstream.requests).toHaveLength(FEEDS);
    expect(upstream.requests.filter(isConditional)).toHaveLength(round === 'first' ? 0 : FEEDS);
    clock.advance(TTL);
  }
});
