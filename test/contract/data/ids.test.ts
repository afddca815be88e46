import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataResponse } from '../../support/gateway/data-gateway.js';

afterEach(closeDataGateways);

const shown = ({ data }: DataResponse, ...names: readonly string[]): unknown[][] =>
  data.map((record) => names.map((name) => record[name]));

const LARGEST = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

describe.each(['/news', '/channels'])('the ids of %s', (path) => {
  const has = (...ids: readonly unknown[]): object => ({
    [path.slice(1)]: ids.map((id, at) => ({ id, title: `Title ${at}` })),
  });

  it('are those of the sources times 1000, plus the number of the source', async () => {
    const one = { records: has(1, 25, 0), registration: { number: 7 } };
    const two = { records: has(1), registration: { number: 999 } };
    const { ask } = await startDataGateway({ one, two });
    const ids = (await ask(path)).data.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([1007, 25007, 7, 1999]));
  });

  it('may come as text', async () => {
    const { ask } = await startDataGateway({ one: { records: has('25', ' 26 ') } });
    expect(new Set(shown(await ask(path), 'id').flat())).toEqual(new Set([25001, 26001]));
  });

  it('may be as large as a number can be that is exact', async () => {
    const { ask } = await startDataGateway({ one: { records: has(LARGEST) } });
    const seen = await ask(path);
    expect(shown(seen, 'id')).toEqual([[LARGEST * 1000 + 1]]);
    expect(seen.sourceStatus).toBe('one;state=fresh;records=1;age=0');
  });

  it.each([
    ['a number', LARGEST + 1],
    ['text', String(LARGEST + 1)],
    ['a number that is none any more', Number.MAX_SAFE_INTEGER + 1],
    ['longer text', '123456789012345678901234567890'],
    ['a number with an exponent', 1e30],
  ])('that are larger, as %s, make the source partial, reason id-range, the others are shown', async (_form, id) => {
    const { ask } = await startDataGateway({ one: { records: has(1, id, 2) } });
    const seen = await ask(path);
    expect(new Set(shown(seen, 'id').flat())).toEqual(new Set([1001, 2001]));
    expect(seen.envelope).toMatchObject({ total: 2 });
    expect(seen.sourceStatus).toBe('one;state=partial;reason=id-range;records=2;age=0');
  });

  it.each([undefined, null, '', 'a', -1, 1.5, true, {}])(
    'that are none (%j) drop the record, and that is all',
    async (id) => {
      const { ask } = await startDataGateway({ one: { records: has(1, id, 2) } });
      const seen = await ask(path);
      expect(new Set(shown(seen, 'id').flat())).toEqual(new Set([1001, 2001]));
      expect(seen.sourceStatus).toBe('one;state=fresh;records=2;age=0');
    },
  );

  it('that a source gives twice are shown once: it changed, or its pages overlap', async () => {
    const { ask } = await startDataGateway({ one: { records: has(1, 2, 1) } });
    const seen = await ask(path);
    expect(seen.sourceStatus).toBe('one;state=inconsistent;reason=drift;records=2;age=0');
    expect(seen.envelope).toMatchObject({ total: 2 });
    expect(new Set(shown(seen, 'id').flat())).toEqual(new Set([1001, 2001]));
  });

  it('break ties by source number, then by value and not by digits', async () => {
    const news = (...ids: readonly number[]): object => ({ [path.slice(1)]: ids.map((id) => ({ id, title: 'Same' })) });
    const two = { records: news(10, 9, 100), registration: { number: 2 } };
    const one = { records: news(11), registration: { number: 1 } };
    const { ask } = await startDataGateway({ two, one });
    expect(shown(await ask(`${path}?sort=title`), 'id').flat()).toEqual([11001, 9002, 10002, 100002]);
    expect(shown(await ask(`${path}?sort=-title`), 'id').flat()).toEqual([11001, 9002, 10002, 100002]);
  });
});

describe('the ids of data teams', () => {
  it('are the code of the source and its own id', async () => {
    const one = { records: { teams: [{ id: 'ey_csirt', team: 'A' }] } };
    const two = {
      records: {
        teams: [
          { id: 'ey_csirt', team: 'B' },
          { id: 12, team: 'C' },
        ],
      },
    };
    const { ask } = await startDataGateway({ one, two });
    expect(shown(await ask('/teams'), 'team', 'id')).toEqual([
      ['A', 'one.ey_csirt'],
      ['B', 'two.ey_csirt'],
      ['C', 'two.12'],
    ]);
  });

  it('are made of the short name where there is none', async () => {
    const teams = [{ team: 'Ørsted CERT' }, { 'team-full': 'A team without a short name' }];
    const { ask } = await startDataGateway({ one: { records: { teams } } });
    expect(shown(await ask('/teams'), 'id').flat()).toEqual([
      'one.orsted-cert',
      expect.stringMatching(/^one\.~[0-9a-f]{8}$/),
    ]);
  });

  it('stay with the team that has its own, when a made one would be the same', async () => {
    const teams = [
      { team: 'CERT A', email: 'a@example.org' },
      { id: 'cert-a', team: 'B' },
    ];
    for (const order of [teams, [...teams].reverse()]) {
      const { ask } = await startDataGateway({ one: { records: { teams: order } } });
      expect(shown(await ask('/teams'), 'team', 'id')).toEqual([
        ['B', 'one.cert-a'],
        ['CERT A', expect.stringMatching(/^one\.~/)],
      ]);
    }
  });

  it('are a filter, exact and whatever the case', async () => {
    const { ask } = await startDataGateway({
      one: {
        records: {
          teams: [
            { id: 'EY', team: 'A' },
            { id: 'ey2', team: 'B' },
          ],
        },
      },
    });
    expect(shown(await ask('/teams?id=ONE.ey'), 'team').flat()).toEqual(['A']);
  });
});

describe('links', () => {
  const news = [
    { id: 1, title: 'relative', link: '/newsroom/a?b=c#d' },
    { id: 2, title: 'beside', link: 'b.html' },
    { id: 3, title: 'absolute', link: 'https://blog.example.net/a' },
    { id: 4, title: 'other host', link: '//cdn.example.net/a' },
    { id: 5, title: 'mail', link: 'mailto:press@example.org' },
    { id: 6, title: 'none' },
  ];
  const channels = [{ id: 1, title: 'All', link: 'news', rss: '/rss.xml', image: '../_/img/1.png' }];
  const registered = { site: 'https://www.example.org/site/' };

  it('that are relative are made absolute against the site of their source', async () => {
    const { ask } = await startDataGateway({ one: { records: { news, channels }, registration: registered } });
    expect(shown(await ask('/news?sort=id'), 'link').flat()).toEqual([
      'https://www.example.org/newsroom/a?b=c#d',
      'https://www.example.org/site/b.html',
      'https://blog.example.net/a',
      'https://cdn.example.net/a',
      'mailto:press@example.org',
      undefined,
    ]);
    expect(shown(await ask('/channels'), 'link', 'rss', 'image')).toEqual([
      ['https://www.example.org/site/news', 'https://www.example.org/rss.xml', 'https://www.example.org/_/img/1.png'],
    ]);
  });

  it('stay as they are where the source has no site', async () => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    expect((await ask('/news?sort=id')).data[0]?.['link']).toBe('/newsroom/a?b=c#d');
  });

  it.each([
    '/newsroom/a?b=c#d',
    'https://www.example.org/newsroom/a?b=c#d',
    'HTTPS://WWW.example.org/newsroom/A?b=c#d',
  ])('are matched absolute and as their source wrote them: %s', async (link) => {
    const { ask } = await startDataGateway({
      one: { records: { news }, registration: registered },
      two: { records: { news: [] } },
    });
    const seen = await ask(`/news?link=${encodeURIComponent(link)}`);
    expect(shown(seen, 'title').flat()).toEqual(['relative']);
  });

  it('are matched whole', async () => {
    const { ask } = await startDataGateway({ one: { records: { news }, registration: registered } });
    for (const link of ['/newsroom/a', 'newsroom', 'https://www.example.org/newsroom/'])
      expect((await ask(`/news?link=${encodeURIComponent(link)}`)).envelope).toMatchObject({ total: 0 });
  });

  it('of two sources that wrote the same lead to both', async () => {
    const one = { records: { news: news.slice(0, 1) }, registration: { site: 'https://a.example.org' } };
    const two = { records: { news: news.slice(0, 1) }, registration: { site: 'https://b.example.org' } };
    const { ask } = await startDataGateway({ one, two });
    const link = encodeURIComponent('/newsroom/a?b=c#d');
    expect((await ask(`/news?link=${link}`)).envelope).toMatchObject({ total: 2 });
    const absolute = encodeURIComponent('https://b.example.org/newsroom/a?b=c#d');
    expect(shown(await ask(`/news?link=${absolute}`), 'id')).toEqual([[1002]]);
  });
});

describe('before and after', () => {
  const at = (second: number): string => `Thu, 02 Apr 2026 21:28:${String(second)} GMT`;
  const news = [
    { id: 1, title: 'first', published: at(10) },
    { id: 2, title: 'second', published: at(11) },
    { id: 3, title: 'third', published: at(12) },
    { id: 4, title: 'undated' },
    { id: 5, title: 'badly dated', published: 'soon' },
  ];

  it.each([
    ['before=2026-04-02T21:28:11Z', ['first']],
    ['before=2026-04-02T21:28:11', ['first']],
    ['before=2026-04-02T23:28:11%2B02:00', ['first']],
    ['before=2026-04-02T23:28:11+02:00', ['first']],
    ['after=2026-04-02T21:28:11Z', ['third']],
    ['after=2026-04-02T21:28:10Z&before=2026-04-02T21:28:12Z', ['second']],
    ['after=2026-04-02', ['third', 'second', 'first']],
    ['before=2026-04-02', []],
    ['after=2026-04-03', []],
    ['after=2026-04', ['third', 'second', 'first']],
  ])('leave out what lies on the bound and what has no date: %s', async (query, expected) => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    expect(shown(await ask(`/news?${query}`), 'title').flat()).toEqual(expected);
  });

  it.each([
    'yesterday',
    '1775165320',
    '02.04.2026',
    'Thu, 02 Apr 2026 21:28:40 GMT',
    '2026-13-01',
    '2026-02-30',
    '2026-04-02T25:00:00Z',
  ])('are ISO 8601: not %s', async (value) => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    for (const name of ['before', 'after']) {
      const seen = await ask(`/news?${name}=${encodeURIComponent(value)}`);
      expect(seen.status).toBe(400);
      expect(seen.envelope['errors']).toMatchObject([{ parameter: name }]);
    }
  });
});
