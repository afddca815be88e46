import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { DataBehaviour } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';

afterEach(closeDataGateways);

const NEWEST = Date.UTC(2025, 11, 31);

/** So many items, the newest first, `sharing` of them in each second. */
function items(count: number, sharing = 1): RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: count - at,
    title: `Item ${at}`,
    published: new Date(NEWEST - Math.floor(at / sharing) * 1000).toUTCString(),
  }));
}

const titles = (news: readonly RawRecord[]): unknown[] => news.map(({ title }) => title);

async function drained(news: readonly unknown[], behaviour: DataBehaviour): Promise<DataResponse> {
  const { ask } = await startDataGateway({ one: { records: { news }, behaviour } });
  return ask('/news?limit=10000');
}

describe('news behind the window of their source', () => {
  it.each([
    ['an empty page', 'empty'],
    ['an error', 'error'],
  ] as const)('are all there where the source ends its window with %s', async (_title, beyond) => {
    const news = items(950);
    const seen = await drained(news, { window: { size: 200, beyond } });
    expect(seen.sourceStatus).toBe('one;state=fresh;records=950;age=0');
    expect(seen.envelope).toMatchObject({ total: 950 });
    expect(titles(seen.data)).toEqual(titles(news));
  });

  it('are all there, each once, where many share the second at which the window ends', async () => {
    const news = items(700, 90);
    const seen = await drained(news, { window: { size: 200, beyond: 'error' } });
    expect(seen.sourceStatus).toBe('one;state=fresh;records=700;age=0');
    expect(new Set(titles(seen.data))).toEqual(new Set(titles(news)));
    expect(seen.data).toHaveLength(700);
  });

  it('are asked for with before, one second after the oldest that was seen', async () => {
    const behaviour: DataBehaviour = { window: { size: 100, beyond: 'error' } };
    const { ask, upstreams } = await startDataGateway({ one: { records: { news: items(150) }, behaviour } });
    await ask('/news');
    const asked = upstreams['one']?.requests.map(({ query }) => query.get('before'));
    const before = new Date(NEWEST - 98_000).toISOString().replace('.000Z', '+00:00');
    expect(new Set(asked)).toEqual(new Set([null, before]));
  });

  it('cannot be had where the source ignores before: partial, reason window, with what the window shows', async () => {
    const news = items(450);
    const seen = await drained(news, { window: { size: 200, beyond: 'error' }, ignores: ['before'] });
    expect(titles(seen.data)).toEqual(titles(news.slice(0, 200)));
    expect(seen.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
    expect(seen.envelope['sources']).toEqual([
      { 'source-name': 'one', state: 'partial', reason: 'window', total: 450 },
    ]);
  });

  it('cannot be had where the source refuses before', async () => {
    const seen = await drained(items(450), { window: { size: 200, beyond: 'empty' }, refuses: ['before'] });
    expect(seen.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('cannot be had where one second holds more than the window', async () => {
    const seen = await drained(items(450, 300), { window: { size: 200, beyond: 'error' } });
    expect(seen.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('are missed also where the source says no total: its refusal of the offset tells', async () => {
    const news = items(450);
    const window: DataBehaviour['window'] = { size: 200, beyond: 'error' };
    expect(titles((await drained(news, { window, total: 'absent' })).data)).toEqual(titles(news));
    const lacking = await drained(news, { window, total: 'absent', ignores: ['before'] });
    expect(lacking.sourceStatus).toBe('one;state=partial;reason=window;records=200;age=0');
  });

  it('are not missed because one of them has no title', async () => {
    const news = items(450);
    const nameless = { id: 9_000, published: news[300]?.['published'] };
    const odd = [...news.slice(0, 300), nameless, ...news.slice(300)];
    const seen = await drained(odd, { window: { size: 200, beyond: 'error' } });
    expect(seen.sourceStatus).toBe('one;state=fresh;records=450;age=0');
    expect(titles(seen.data)).toEqual(titles(news));
  });

  it('are not made up by counting twice what is no item, where before is ignored', async () => {
    const news = items(260).map((item, at) => (at < 60 ? { id: item['id'], published: item['published'] } : item));
    const seen = await drained(news, { window: { size: 200, beyond: 'error' }, ignores: ['before'] });
    expect(seen.sourceStatus).toBe('one;state=partial;reason=window;records=140;age=0');
  });

  it.each([429, 401, 500])('make the drain fail where HTTP status %i meets it half-way', async (status) => {
    const good = dataUpstream({ news: items(450) }, { total: 'absent' });
    const handler = faulty.when(faulty.atOffset(200), faulty.status(status), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const seen = await ask('/news');
    expect(seen.status).toBe(502);
    expect(seen.sourceStatus).toBe(`one;state=failed;reason=status;status=${status}`);
  });

  it('are more than 10,000 without harm, and the window of the interface holds for clients', async () => {
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
    const seen = await ask('/news?limit=20000&fields=title');
    expect(seen.envelope).toMatchObject({ total: 10_050, limit: 10_000, offset: 0 });
    expect(titles(seen.data)).toEqual(titles(news.slice(0, 10_000)));
    const offsets = upstreams['one']?.requests.map(({ query }) => Number(query.get('offset'))) ?? [];
    // It is looked behind the window, for another source may have none.
    expect(Math.max(...offsets)).toBe(10_000);
    const older = await ask(`/news?before=${new Date(NEWEST - 10_000_000).toISOString()}&fields=title`);
    expect(titles(older.data)).toEqual(titles(news.slice(10_001)));
  });
});

describe('the window of 10,000 of a news query', () => {
  it.each(['10000', '10001', '99999999999999999999'])(
    'refuses an offset of %s and names the way out',
    async (offset) => {
      const { ask, upstreams } = await startDataGateway({ one: { records: { news: items(3) } } });
      const seen = await ask(`/news?offset=${offset}`);
      expect(seen.status).toBe(400);
      expect(seen.envelope['errors']).toEqual([
        { parameter: 'offset', message: expect.stringMatching(/before and after/) as unknown },
      ]);
      expect(upstreams['one']?.requests).toHaveLength(0);
    },
  );

  it('cuts a limit that reaches past it, and says so', async () => {
    const { ask } = await startDataGateway({ one: { records: { news: items(3) } } });
    expect((await ask('/news?offset=9990')).envelope).toMatchObject({ limit: 10, offset: 9990, total: 3, data: [] });
    expect((await ask('/news?offset=9999&limit=500')).envelope).toMatchObject({ limit: 1 });
  });

  it.each(['/channels', '/teams'])('is not one of %s', async (path) => {
    const { ask } = await startDataGateway({ one: { records: { teams: [], channels: [] } } });
    expect((await ask(`${path}?offset=10000`)).status).toBe(200);
  });
});
