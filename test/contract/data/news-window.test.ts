import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { DataBehaviour } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';

afterEach(closeDataGateways);

const NEWEST = Date.UTC(2025, 11, 31);

/** The given number of items, newest first, `sharing` of them in each second. */
function items(count: number, sharing = 1): RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: count - at,
    title: `Item ${at}`,
    published: new Date(NEWEST - Math.floor(at / sharing) * 1000).toUTCString(),
  }));
}

const titles = (news: readonly RawRecord[]): unknown[] => news.map(({ title }) => title);

async function fetchNews(news: readonly unknown[], behaviour: DataBehaviour): Promise<DataResponse> {
  const { ask } = await startDataGateway({ one: { records: { news }, behaviour } });
  return ask('/news?limit=10000');
}

/** Draining of sources whose `offset` ends at a window (decisions 5.9). */
describe('a source with a news window', () => {
  it.each([
    ['an empty page', 'empty'],
    ['an error', 'error'],
  ] as const)('is drained completely when its window ends with %s', async (_title, beyond) => {
    const news = items(950);
    const response = await fetchNews(news, { window: { size: 200, beyond } });
    expect(response.sourceStatus).toBe('one;state=fresh;records=950;age=0');
    expect(response.envelope).toMatchObject({ total: 950 });
    expect(titles(response.data)).toEqual(titles(news));
  });

  it('is drained completely, each item once, when many items share the second at which the window ends', async () => {
    const news = items(700, 90);
    const response = await fetchNews(news, { window: { size: 200, beyond: 'error' } });
    expect(response.sourceStatus).toBe('one;state=fresh;records=700;age=0');
    expect(new Set(titles(response.data))).toEqual(new Set(titles(news)));
    expect(response.data).toHaveLength(700);
  });

  it('is requested with before, one second after the oldest item received', async () => {
    const behaviour: DataBehaviour = { window: { size: 100, beyond: 'error' } };
    const { ask, upstreams } = await startDataGateway({ one: { records: { news: items(150) }, behaviour } });
    await ask('/news');
    const values = upstreams['one']?.requests.map(({ query }) => query.get('before'));
    const before = new Date(NEWEST - 98_000).toISOString().replace('.000Z', '+00:00');
    expect(new Set(values)).toEqual(new Set([null, before]));
  });

  it('is partial, reason window, with the items of the window, when it ignores before', async () => {
    const news = items(450);
    const response = await fetchNews(news, { window: { size: 200, beyond: 'error' }, ignores: ['before'] });
    expect(titles(response.data)).toEqual(titles(news.slice(0, 200)));
    expect(response.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
    expect(response.envelope['sources']).toEqual([
      { 'source-name': 'one', state: 'partial', reason: 'window', total: 450 },
    ]);
  });

  it('is partial, reason window, when it refuses before', async () => {
    const response = await fetchNews(items(450), { window: { size: 200, beyond: 'empty' }, refuses: ['before'] });
    expect(response.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('is partial, reason window, when more items share one second than the window has', async () => {
    const response = await fetchNews(items(450, 300), { window: { size: 200, beyond: 'error' } });
    expect(response.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('reveals its window by refusing the offset when it reports no total', async () => {
    const news = items(450);
    const window: DataBehaviour['window'] = { size: 200, beyond: 'error' };
    expect(titles((await fetchNews(news, { window, total: 'absent' })).data)).toEqual(titles(news));
    const withoutBefore = await fetchNews(news, { window, total: 'absent', ignores: ['before'] });
    expect(withoutBefore.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('is complete although one of its items has no title', async () => {
    const news = items(450);
    const nameless = { id: 9_000, published: news[300]?.['published'] };
    const odd = [...news.slice(0, 300), nameless, ...news.slice(300)];
    const response = await fetchNews(odd, { window: { size: 200, beyond: 'error' } });
    expect(response.sourceStatus).toBe('one;state=fresh;records=450;age=0');
    expect(titles(response.data)).toEqual(titles(news));
  });

  it('is partial, reason window, when it ignores before and repeats entries that are not items', async () => {
    const news = items(260).map((item, at) => (at < 60 ? { id: item['id'], published: item['published'] } : item));
    const response = await fetchNews(news, { window: { size: 200, beyond: 'error' }, ignores: ['before'] });
    expect(response.sourceStatus).toBe('one;state=partial;reason=window;records=140;age=0');
  });

  it.each([429, 401, 500])('fails when a later page has HTTP status %i', async (status) => {
    const good = dataUpstream({ news: items(450) }, { total: 'absent' });
    const handler = faulty.when(faulty.atOffset(200), faulty.status(status), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const response = await ask('/news');
    expect(response.status).toBe(502);
    expect(response.sourceStatus).toBe(`one;state=failed;reason=status;status=${status}`);
  });

  it('is drained beyond 10,000 items, of which a client can page to the first 10,000', async () => {
    const window = { size: 10_000, beyond: 'error' } as const;
    const news = items(10_050);
    const { ask, upstreams } = await startDataGateway(
      {
        one: {
          records: { news },
          behaviour: { window },
          registration: { 'page-size': 1000, 'drain-threshold': 20_000 },
        },
      },
      { server: { limit: { max: 20_000 } } },
    );
    const response = await ask('/news?limit=20000&fields=title');
    expect(response.envelope).toMatchObject({ total: 10_050, limit: 10_000, offset: 0 });
    expect(titles(response.data)).toEqual(titles(news.slice(0, 10_000)));
    const offsets = upstreams['one']?.requests.map(({ query }) => Number(query.get('offset'))) ?? [];
    // The drain requests the offset behind the window, because a source may have no window.
    expect(Math.max(...offsets)).toBe(10_000);
    const older = await ask(`/news?before=${new Date(NEWEST - 10_000_000).toISOString()}&fields=title`);
    expect(titles(older.data)).toEqual(titles(news.slice(10_001)));
  });
});

/** Rollcall's own window (decisions 2.13). */
describe('the window of 10,000 items of a news query', () => {
  it.each(['10000', '10001', '99999999999999999999'])(
    'refuses an offset of %s and suggests before and after',
    async (offset) => {
      const { ask, upstreams } = await startDataGateway({ one: { records: { news: items(3) } } });
      const response = await ask(`/news?offset=${offset}`);
      expect(response.status).toBe(400);
      expect(response.envelope['errors']).toEqual([
        { parameter: 'offset', message: expect.stringMatching(/before and after/) as unknown },
      ]);
      expect(upstreams['one']?.requests).toHaveLength(0);
    },
  );

  it('shortens a limit that reaches past it, and reports the shortened limit', async () => {
    const { ask } = await startDataGateway({ one: { records: { news: items(3) } } });
    expect((await ask('/news?offset=9990')).envelope).toMatchObject({ limit: 10, offset: 9990, total: 3, data: [] });
    expect((await ask('/news?offset=9999&limit=500')).envelope).toMatchObject({ limit: 1 });
  });

  it.each(['/channels', '/teams'])('does not apply to %s', async (path) => {
    const { ask } = await startDataGateway({ one: { records: { teams: [], channels: [] } } });
    expect((await ask(`${path}?offset=10000`)).status).toBe(200);
  });
});
