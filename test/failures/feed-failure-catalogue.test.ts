import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { fieldsOf } from '../support/gateway/data-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { SOURCE_TEXT, body, resetConnection } from '../support/upstream/faulty-responses.js';
import { writtenFeedUpstream, writeFeed } from '../support/upstream/written-feeds.js';
import type { WrittenItem } from '../support/upstream/written-feeds.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { FIRST_ITEMS, MAX_BODY, SECOND_ITEMS, feedFailureCatalogue, serveBoth } from './feed-failure-catalogue.js';
import type { FeedFailure } from './feed-failure-catalogue.js';
import { MAY_HANG, isHanging, passTimeoutsWhile } from '../support/upstream/hanging-sources.js';
import { readFailureTable } from './read-failure-table.js';
import type { FailureRow } from './read-failure-table.js';

/** Default of `ttl`, in milliseconds (operation 2.7.1). */
const TTL = 60_000;

const FORMATS = ['json', 'yaml', 'xml', 'csv', 'atom', 'rss'] as const;

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
  vi.unstubAllGlobals();
});

interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly troubled: UpstreamServer;
  readonly fetchNews: (more?: string) => Promise<GatewayResponse>;
}

/** Starts a healthy source `well` of one news item, and the source `troubled` of one or two feeds. */
async function start(feeds: readonly string[], registered: object = {}): Promise<Scene> {
  const clock = fakeClock();
  const news = [{ id: 1, title: 'Well', published: 'Mon, 01 Jan 2024 00:00:00 GMT' }];
  const [well, troubled] = [
    await startUpstream(dataUpstream({ news, channels: [{ id: 1, title: 'Well' }] })),
    await startUpstream(serveBoth()),
  ];
  const feed = feeds.map((name) => `${troubled.address}/${name}`);
  const sources = { well: { data: well.address, resources: ['news', 'channels'] }, troubled: { feed, ...registered } };
  const gateway = await startGateway({ defaults: { 'stale-while-revalidate': '0s' }, sources }, { clock });
  open.push(well, troubled, gateway);
  const fetchNews = (more = ''): Promise<GatewayResponse> => gateway.get(`/data/v1/news?limit=1000${more}`);
  return { gateway, clock, troubled, fetchNews };
}

/** Starts the sources, up to the response that shows the failure. */
async function prepare(failure: FeedFailure, isKnown: boolean): Promise<Scene> {
  const { second, bad } = failure;
  const scene = await start(second === undefined ? ['first'] : ['first', 'second'], {
    ...MAY_HANG,
    'max-body': MAX_BODY,
  });
  if (isKnown) {
    await scene.fetchNews();
    scene.clock.advance(TTL);
  }
  const failing = serveBoth(bad, second === 'fails' ? bad : undefined);
  scene.troubled.handler = failing;
  scene.troubled.forget();
  const isAsked = (): boolean => scene.troubled.requests.length > 0 && scene.troubled.handler === failing;
  passTimeoutsWhile(() => isHanging(bad) && isAsked());
  return scene;
}

function recordsOf({ json }: GatewayResponse): readonly Readonly<Record<string, unknown>>[] {
  const { data } = fieldsOf(json);
  return Array.isArray(data) ? data.map(fieldsOf) : [];
}

/** Number of records of each source. */
function countOf(response: GatewayResponse): object {
  const names = recordsOf(response).map((record) => record['source-name']);
  const [well, troubled] = ['well', 'troubled'].map((one) => names.filter((name) => name === one).length);
  return { well, troubled };
}

function allItemsOf({ second }: FeedFailure): number {
  return FIRST_ITEMS.length + (second === undefined ? 0 : SECOND_ITEMS.length);
}

/** Status of a response that is based on the faulty source only. */
function statusAlone({ shown }: FeedFailure, { reason }: FailureRow): number {
  if (shown > 0) return 200;
  return reason === 'timeout' ? 504 : 502;
}

const cases = feedFailureCatalogue.flatMap((failure) =>
  readFailureTable()
    .filter(({ id }) => id === failure.id)
    .map((row) => [failure.id, failure, row] as const),
);

describe('a faulty feed', () => {
  it.each(cases)('is reported beside a healthy source as docs/failures.md states: %s', async (_id, failure, row) => {
    const { gateway, troubled, fetchNews } = await prepare(failure, failure.isKnown === true);
    const response = await fetchNews();
    const { state, reason } = row;
    expect(response.status).toBe(200);
    expect(response.headers.get('source-status')).toContain(`troubled;state=${state};reason=${String(reason)}`);
    expect(countOf(response)).toEqual({ well: 1, troubled: failure.shown });
    expect(fieldsOf(response.json)['sources']).toEqual([
      expect.objectContaining({ 'source-name': 'troubled', state, reason }),
    ]);
    expect(response.headers.get('cache-control')).toBe(state === 'stale' ? 'no-cache' : 'no-store');
    expect(response.text).not.toContain(SOURCE_TEXT);
    expect(troubled.requests).toHaveLength(failure.requests);
    expect((await fetchNews('&source-name=troubled')).status).toBe(statusAlone(failure, row));
    const lines = gateway.log.filter(({ message }) => message === 'source failed');
    if (reason !== 'shrunk' && reason !== 'feed')
      expect(lines[0]?.facts).toEqual(expect.objectContaining({ source: 'troubled', reason }));
    for (const { facts } of lines) expect(JSON.stringify(facts)).not.toContain(SOURCE_TEXT);
  });

  it.each(cases)('is requested again when docs/failures.md states, and is complete: %s', async (_id, failure, row) => {
    const { clock, troubled, fetchNews } = await prepare(failure, failure.isKnown === true);
    await fetchNews();
    const { length } = troubled.requests;
    troubled.handler = serveBoth();
    clock.advance((row.again ?? NaN) * 1_000 - 1);
    await fetchNews();
    expect(troubled.requests).toHaveLength(length);
    clock.advance(1);
    const response = await fetchNews();
    expect(countOf(response)).toEqual({ well: 1, troubled: allItemsOf(failure) });
    expect(response.headers.get('source-status')).toContain(`troubled;state=fresh;records=${allItemsOf(failure)}`);
  });

  it.each(cases)('is served from its last good copy: %s', async (_id, failure, row) => {
    const { fetchNews, gateway } = await prepare(failure, true);
    const response = await fetchNews();
    const reason = row.reason === 'feed' ? 'status' : String(row.reason);
    expect(countOf(response)).toEqual({ well: 1, troubled: allItemsOf(failure) });
    expect(response.headers.get('source-status')).toContain(`troubled;state=stale;reason=${reason}`);
    const { status, headers, json } = await gateway.get('/data/v1/channels');
    expect([status, headers.get('source-status')]).toEqual([200, expect.stringContaining('troubled;state=stale')]);
    expect(fieldsOf(json)['data']).toHaveLength(failure.second === undefined ? 2 : 3);
  });

  it.each(cases)('is reported in a response of every format: %s', async (_id, failure, { state, reason }) => {
    const { gateway } = await prepare(failure, failure.isKnown === true);
    const expected = `troubled;state=${state};reason=${String(reason)}`;
    for (const format of FORMATS) {
      for (const resource of format === 'atom' || format === 'rss' ? ['news'] : ['news', 'channels']) {
        const { headers, status } = await gateway.get(`/data/v1/${resource}.${format}`, { prefer: 'handling=lenient' });
        expect([resource, format, status, headers.get('source-status')]).toEqual([
          ...[resource, format, 200],
          expect.stringContaining(expected),
        ]);
      }
    }
  });
});

describe('the feeds of one source', () => {
  it('are read although other feeds of the source refuse connections', async () => {
    const dead = Array.from({ length: 12 }, (_, at) => `dead-${at}`);
    const { clock, troubled, fetchNews } = await start([...dead, 'second'], { retries: 0 });
    for (let time = 0; time < 3; time += 1) {
      const item = { title: `Round ${time}`, link: `/${time}` };
      const good = writtenFeedUpstream({ form: 'rss', title: 'Second', items: [item] });
      troubled.handler = (request, response) =>
        (request.path.includes('dead') ? resetConnection : good)(request, response);
      const response = await fetchNews('&source-name=troubled');
      expect(response.headers.get('source-status')).toContain('troubled;state=partial;reason=feed');
      expect(recordsOf(response).map(({ title }) => title)).toEqual([item.title]);
      clock.advance(TTL);
    }
  });
});

/** A feed with these items in a channel. */
function rss(items: string): string {
  return `<rss version="2.0"><channel><title>First</title>${items}</channel></rss>`;
}

/** Feeds that are odd, with the media type of the response and the expected items: titles, else links. */
const readable: readonly (readonly [
  what: string,
  sent: { readonly content: string | Uint8Array; readonly type?: string },
  expected: readonly object[],
])[] = [
  ['no items', { content: rss('') }, []],
  [
    'Windows-1252 that is stated to be UTF-8',
    {
      content: Buffer.from(rss('<item><title>Übung \x96 Café</title></item>'), 'latin1'),
      type: 'text/xml; charset=utf-8',
    },
    [{ title: 'Übung – Café' }],
  ],
  [
    'UTF-8 that is stated to be ISO 8859-1',
    { content: rss('<item><title>Übung</title></item>'), type: 'text/xml; charset=iso-8859-1' },
    [{ title: 'Übung' }],
  ],
  [
    'items without a date, a title or a link',
    {
      content: rss(
        '<item><description>Text only</description></item><item><title>Title only</title></item>' +
          '<item><link>https://www.example.org/link-only</link></item><item/>',
      ),
    },
    [{ link: 'https://www.example.org/link-only' }, { summary: 'Text only' }, { title: 'Title only' }],
  ],
  [
    'dates in several forms, also in the future',
    {
      content: rss(
        ['Tue, 01 Jan 2999 00:00:00 GMT', '2026-04-02 21:28', '2 April 2025', 'in spring']
          .map((date, at) => `<item><title>${at}</title><pubDate>${date}</pubDate></item>`)
          .join(''),
      ),
    },
    [
      { title: '0', published: 'Tue, 01 Jan 2999 00:00:00 GMT' },
      { title: '1', published: 'Thu, 02 Apr 2026 21:28:00 GMT' },
      { title: '2', published: 'Wed, 02 Apr 2025 00:00:00 GMT' },
      { title: '3', published: 'in spring' },
    ],
  ],
  [
    'a guid that several items have',
    {
      content: writeFeed({
        form: 'rss',
        items: [
          { guid: '1', title: 'One', link: '/one' },
          { guid: '1', title: 'Two', link: '/two' },
          { guid: '1', title: 'Two, again', link: '/two' },
        ] satisfies readonly WrittenItem[],
      }),
    },
    [{ title: 'One' }, { title: 'Two' }],
  ],
  [
    'a link that runs a script',
    { content: rss('<item><title>Unsafe</title><link>javascript:alert(1)</link></item>') },
    [{ title: 'Unsafe' }],
  ],
];

describe('a feed that is odd', () => {
  it.each(readable)('is complete: %s', async (_what, { content, type = 'application/rss+xml' }, expected) => {
    const { troubled, fetchNews } = await start(['first']);
    troubled.handler = body(content, { 'Content-Type': type });
    const response = await fetchNews('&source-name=troubled&sort=-published,title,link,summary');
    expect(response.headers.get('source-status')).toContain(`troubled;state=fresh;records=${expected.length}`);
    const shown = recordsOf(response).map((record) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'id' && name !== 'source-name')),
    );
    const links = shown.map(({ title, summary, link, published }) => ({
      ...(title === undefined ? (summary === undefined ? { link } : { summary }) : { title }),
      ...(published === undefined ? {} : { published }),
    }));
    expect(links).toHaveLength(expected.length);
    expect(links).toEqual(expect.arrayContaining([...expected]));
    expect(response.text).not.toContain('javascript:');
  });
});
