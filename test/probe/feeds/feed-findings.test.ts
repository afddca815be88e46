import { describe, expect, it } from 'vitest';
import { probeUpstream } from '../../support/gateway/run-probe.js';
import { listItems, writeRss } from '../../support/upstream/feed-upstream.js';
import type { RssItem } from '../../support/upstream/feed-upstream.js';

/** Options of the served feed. */
interface ServedFeed {
  readonly channel?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly registered?: object;
}

/** What a probe finds about a topic of a feed with these items. */
async function find(
  topic: string,
  items: readonly RssItem[],
  { channel, headers = {}, registered = {} }: ServedFeed = {},
): Promise<string> {
  const body = writeRss(items, channel);
  const { of } = await probeUpstream((_, response) => response.writeHead(200, headers).end(body), ['feed'], {
    registered,
  });
  return of(topic);
}

const DATE = 'Fri, 02 Oct 2026 08:00:00 GMT';
const LINK = 'https://cert.example.org/a';

describe('the ids of a feed', () => {
  it('are proved stable where each item has a guid of its own', async () => {
    expect(await find('ids', listItems(3))).toBe('proved: each of 3 items has a guid of its own');
  });

  it('depend on the host of the feed where guids are no URIs', async () => {
    expect(await find('ids', [...listItems(2), { guid: '17', title: 'x' }])).toBe(
      'proved: each of 3 items has a guid of its own; some guids are no URIs, so these ids change if the feed moves to another host',
    );
  });

  it.each([
    [[{ title: 'x', link: LINK }], '1 without a guid: their ids come from their links, and change with them'],
    [[{ title: 'x' }], '1 with neither guid nor link: their ids come from title and date, and change with them'],
    [
      [
        { guid: 'a', title: 'x', link: LINK },
        { guid: 'a', title: 'y', link: `${LINK}/2` },
      ],
      '1 with the guid of another item: with another link they are items of their own',
    ],
  ])('are refuted for %j', async (items, consequence) => {
    expect(await find('ids', items)).toMatch(/^refuted: of \d items?, /);
    expect(await find('ids', items)).toContain(consequence);
  });

  it('are open without an item, like dates', async () => {
    expect(await find('ids', [])).toBe('open: the feed has no items');
    expect(await find('dates', [])).toBe('open: the feed has no items');
  });
});

describe('the dates of a feed', () => {
  it('are proved where all are readable', async () => {
    expect(await find('dates', listItems(2))).toBe('proved: each of 2 items has a readable date');
  });

  it('are refuted where some are missing or unreadable', async () => {
    const items = [
      { guid: 'a', title: 'x', pubDate: DATE },
      { guid: 'b', title: 'y' },
      { guid: 'c', title: 'z', pubDate: '11/12/2026' },
    ];
    expect(await find('dates', items)).toBe(
      'refuted: of 3 items, 1 without a date of publication and 1 with an unreadable one: these come last, and before and after select none of them',
    );
  });
});

describe('the lifetime of a feed', () => {
  it.each([
    [{}, {}, 'the feed states none, its header fields none; the ttl of the source is 60 s'],
    [{}, { vary: 'Accept' }, 'the feed states none, its header fields none; the ttl of the source is 60 s'],
    [
      { ttl: '60' },
      {},
      'the feed states 3600 s, its header fields none; the ttl of the source is 60 s; a longer one would save requests',
    ],
    [
      {},
      { 'cache-control': 'max-age=30' },
      'the feed states none, its header fields 30 s; the ttl of the source is 60 s, which is longer than the source allows and is not used in full',
    ],
    [
      { ttl: '1' },
      { 'cache-control': 'max-age=3600' },
      'the feed states 60 s, its header fields 3600 s; the ttl of the source is 60 s',
    ],
  ])('of %j with %j is noted', async (channel, headers, evidence) => {
    expect(await find('lifetime', listItems(1), { channel, headers, registered: { ttl: '60s' } })).toBe(
      `noted: ${evidence}`,
    );
  });
});

describe('the contents of a feed', () => {
  it('are named without dates where no item has one', async () => {
    expect(await find('feed', [{ guid: 'a', title: 'x' }])).toBe('proved: RSS, 1 item');
  });

  it('include other findings about its values', async () => {
    const unsafe = { guid: 'a', title: 'x', link: 'javascript:alert(1)', pubDate: DATE };
    expect(await find('data', [unsafe, { guid: 'b', pubDate: DATE }])).toBe(
      'noted: unsafe-url link (1), no-name (record) (1)',
    );
    expect(await find('data', listItems(2))).toBe('absent');
  });
});
