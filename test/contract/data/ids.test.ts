import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataResponse } from '../../support/gateway/data-gateway.js';

afterEach(closeDataGateways);

const valuesOf = ({ data }: DataResponse, ...names: readonly string[]): unknown[][] =>
  data.map((record) => names.map((name) => record[name]));

const LARGEST = Math.floor(Number.MAX_SAFE_INTEGER / 1000);

/** Ids of news and channels (decisions 4.17). */
describe.each(['/news', '/channels'])('the ids of %s', (path) => {
  const recordsWithIds = (...ids: readonly unknown[]): object => ({
    [path.slice(1)]: ids.map((id, at) => ({ id, title: `Title ${at}` })),
  });

  it('are the id of the source times 1000 plus the source number', async () => {
    const one = { records: recordsWithIds(1, 25, 0), registration: { number: 7 } };
    const two = { records: recordsWithIds(1), registration: { number: 999 } };
    const { ask } = await startDataGateway({ one, two });
    const ids = (await ask(path)).data.map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set([1007, 25007, 7, 1999]));
  });

  it('are read from text', async () => {
    const { ask } = await startDataGateway({ one: { records: recordsWithIds('25', ' 26 ') } });
    expect(new Set(valuesOf(await ask(path), 'id').flat())).toEqual(new Set([25001, 26001]));
  });

  it('may be as large as the largest safe integer', async () => {
    const { ask } = await startDataGateway({ one: { records: recordsWithIds(LARGEST) } });
    const response = await ask(path);
    expect(valuesOf(response, 'id')).toEqual([[LARGEST * 1000 + 1]]);
    expect(response.sourceStatus).toBe('one;state=fresh;records=1;age=0');
  });

  it.each([
    ['a number', LARGEST + 1],
    ['text', String(LARGEST + 1)],
    ['an unsafe integer', Number.MAX_SAFE_INTEGER + 1],
    ['longer text', '123456789012345678901234567890'],
    ['a number with an exponent', 1e30],
  ])(
    'that are larger, as %s, make the source partial, reason id-range, without hiding other records',
    async (_form, id) => {
      const { ask } = await startDataGateway({ one: { records: recordsWithIds(1, id, 2) } });
      const response = await ask(path);
      expect(new Set(valuesOf(response, 'id').flat())).toEqual(new Set([1001, 2001]));
      expect(response.envelope).toMatchObject({ total: 2 });
      expect(response.sourceStatus).toBe('one;state=partial;reason=id-range;records=2;age=0');
    },
  );

  it.each([undefined, null, '', 'a', -1, 1.5, true, {}])('that are invalid (%j) drop only their record', async (id) => {
    const { ask } = await startDataGateway({ one: { records: recordsWithIds(1, id, 2) } });
    const response = await ask(path);
    expect(new Set(valuesOf(response, 'id').flat())).toEqual(new Set([1001, 2001]));
    expect(response.sourceStatus).toBe('one;state=fresh;records=2;age=0');
  });

  it('that a source sends twice are shown once and make it inconsistent, reason drift', async () => {
    const { ask } = await startDataGateway({ one: { records: recordsWithIds(1, 2, 1) } });
    const response = await ask(path);
    expect(response.sourceStatus).toBe('one;state=inconsistent;reason=drift;records=2;age=0');
    expect(response.envelope).toMatchObject({ total: 2 });
    expect(new Set(valuesOf(response, 'id').flat())).toEqual(new Set([1001, 2001]));
  });

  it('break ties by source number, then by numeric value', async () => {
    const news = (...ids: readonly number[]): object => ({ [path.slice(1)]: ids.map((id) => ({ id, title: 'Same' })) });
    const two = { records: news(10, 9, 100), registration: { number: 2 } };
    const one = { records: news(11), registration: { number: 1 } };
    const { ask } = await startDataGateway({ two, one });
    expect(valuesOf(await ask(`${path}?sort=title`), 'id').flat()).toEqual([11001, 9002, 10002, 100002]);
    expect(valuesOf(await ask(`${path}?sort=-title`), 'id').flat()).toEqual([11001, 9002, 10002, 100002]);
  });
});

/** Ids of teams (decisions 4.18). */
describe('the ids of data teams', () => {
  it('consist of the code of the source and its own id', async () => {
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
    expect(valuesOf(await ask('/teams'), 'team', 'id')).toEqual([
      ['A', 'one.ey_csirt'],
      ['B', 'two.ey_csirt'],
      ['C', 'two.12'],
    ]);
  });

  it('are made of the short name where the source sends no id', async () => {
    const teams = [{ team: 'Ørsted CERT' }, { 'team-full': 'A team without a short name' }];
    const { ask } = await startDataGateway({ one: { records: { teams } } });
    expect(valuesOf(await ask('/teams'), 'id').flat()).toEqual([
      'one.orsted-cert',
      expect.stringMatching(/^one\.~[0-9a-f]{8}$/),
    ]);
  });

  it('are hashes for both teams where one has its own id and the other would be given the same one', async () => {
    const teams = [
      { team: 'CERT A', email: 'a@example.org' },
      { id: 'cert-a', team: 'B' },
    ];
    for (const order of [teams, [...teams].reverse()]) {
      const { ask } = await startDataGateway({ one: { records: { teams: order } } });
      expect(valuesOf(await ask('/teams'), 'team', 'id')).toEqual([
        ['B', expect.stringMatching(/^one\.~/)],
        ['CERT A', expect.stringMatching(/^one\.~/)],
      ]);
    }
  });

  it('are hashes where the own ids have the form of a hash, with or without a counter', async () => {
    const twin = { 'team-full': 'T', email: 'a@example.org' };
    const [one, second] = ['~0a1b2c3d', '~0a1b2c3d-2'];
    const teams = [twin, { ...twin, host: 'x' }, { id: one, team: 'A' }, { id: second, team: 'B' }];
    const { ask, gateway } = await startDataGateway({ one: { records: { teams } } });
    const ids = valuesOf(await ask('/teams'), 'id').flat();
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) {
      expect(id).toMatch(/^one\.~[0-9a-f]{8}(?:-2)?$/);
      expect([`one.${one}`, `one.${second}`]).not.toContain(id);
      expect((await gateway.get(`/data/v1/teams/${String(id)}`)).status).toBe(200);
    }
    const choice = await gateway.get(`/data/v1/teams/one.${second}`);
    expect([choice.status, choice.json]).toMatchObject([300, { candidates: [{ team: 'B' }] }]);
    const drained = gateway.log.find(({ message }) => message === 'source drained')?.facts;
    expect(drained).toMatchObject({ findings: { 'id-collision id': 2 } });
    expect(choice.headers.get('source-status')).toContain('one;state=fresh');
  });

  it('are a filter on the whole id that ignores case', async () => {
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
    expect(valuesOf(await ask('/teams?id=ONE.ey'), 'team').flat()).toEqual(['A']);
  });
});

/** Links (decisions 2.25, 4.2). */
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

  it('are made absolute against the site of their source when they are relative', async () => {
    const { ask } = await startDataGateway({ one: { records: { news, channels }, registration: registered } });
    expect(valuesOf(await ask('/news?sort=id'), 'link').flat()).toEqual([
      'https://www.example.org/newsroom/a?b=c#d',
      'https://www.example.org/site/b.html',
      'https://blog.example.net/a',
      'https://cdn.example.net/a',
      'mailto:press@example.org',
      undefined,
    ]);
    expect(valuesOf(await ask('/channels'), 'link', 'rss', 'image')).toEqual([
      ['https://www.example.org/site/news', 'https://www.example.org/rss.xml', 'https://www.example.org/_/img/1.png'],
    ]);
  });

  it('stay relative where the source has no site', async () => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    expect((await ask('/news?sort=id')).data[0]?.['link']).toBe('/newsroom/a?b=c#d');
  });

  it.each([
    '/newsroom/a?b=c#d',
    'https://www.example.org/newsroom/a?b=c#d',
    'HTTPS://WWW.example.org/newsroom/A?b=c#d',
  ])('are matched in absolute form and as their source wrote them: %s', async (link) => {
    const { ask } = await startDataGateway({
      one: { records: { news }, registration: registered },
      two: { records: { news: [] } },
    });
    const response = await ask(`/news?link=${encodeURIComponent(link)}`);
    expect(valuesOf(response, 'title').flat()).toEqual(['relative']);
  });

  it('are matched on the whole value', async () => {
    const { ask } = await startDataGateway({ one: { records: { news }, registration: registered } });
    for (const link of ['/newsroom/a', 'newsroom', 'https://www.example.org/newsroom/'])
      expect((await ask(`/news?link=${encodeURIComponent(link)}`)).envelope).toMatchObject({ total: 0 });
  });

  it('match records of both sources that wrote the same relative link', async () => {
    const one = { records: { news: news.slice(0, 1) }, registration: { site: 'https://a.example.org' } };
    const two = { records: { news: news.slice(0, 1) }, registration: { site: 'https://b.example.org' } };
    const { ask } = await startDataGateway({ one, two });
    const link = encodeURIComponent('/newsroom/a?b=c#d');
    expect((await ask(`/news?link=${link}`)).envelope).toMatchObject({ total: 2 });
    const absolute = encodeURIComponent('https://b.example.org/newsroom/a?b=c#d');
    expect(valuesOf(await ask(`/news?link=${absolute}`), 'id')).toEqual([[1002]]);
  });
});

/** Bounds of the publication date (decisions 2.30). */
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
  ])('exclude items on the bound and items without a readable date: %s', async (query, expected) => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    expect(valuesOf(await ask(`/news?${query}`), 'title').flat()).toEqual(expected);
  });

  it.each([
    'yesterday',
    '1775165320',
    '02.04.2026',
    'Thu, 02 Apr 2026 21:28:40 GMT',
    '2026-13-01',
    '2026-02-30',
    '2026-04-02T25:00:00Z',
  ])('are a 400 unless they are ISO 8601: %s', async (value) => {
    const { ask } = await startDataGateway({ one: { records: { news } } });
    for (const name of ['before', 'after']) {
      const response = await ask(`/news?${name}=${encodeURIComponent(value)}`);
      expect(response.status).toBe(400);
      expect(response.envelope['errors']).toMatchObject([{ parameter: name }]);
    }
  });
});
