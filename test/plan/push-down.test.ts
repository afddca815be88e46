import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { noCapability } from '../../src/model/capability.js';
import type { Capability } from '../../src/model/capability.js';
import type { Query } from '../../src/model/query.js';
import type { Resource } from '../../src/model/resource.js';
import { channels } from '../../src/model/resources/channels.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { pushDown } from '../../src/plan/push-down.js';
import type { PushDown, SourceTraits } from '../../src/plan/push-down.js';
import { ReferenceRecords, recordKey } from '../../src/probe/resource/reference-records.js';
import { parseQuery } from '../../src/query/parse-query.js';
import type { Vocabulary } from '../../src/query/vocabulary.js';
import { createMatcher } from '../../src/records/record-filter.js';
import { FindingCounter } from '../../src/source/record/findings.js';
import { readingTime } from '../../src/source/record/read-value.js';
import { RecordReader } from '../../src/source/record/record-reader.js';
import { NON_FILTER_PARAMETERS } from '../support/repository/exact-evaluation.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName, RepositoryLists } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import type { DraftRecord } from '../../src/model/record.js';
import { packRecords } from '../support/pack-records.js';

const ORIGIN: SourceTraits = { sourceName: 'Harbour Register', aggregate: false, resolvesLinks: false };

function vocabularyOf(resource: Resource): Vocabulary {
  return {
    resource,
    sourceNames: [ORIGIN.sourceName, 'Bay'],
    codes: ['one'],
    properties: ['rank', 'team', 'team-type'],
    aggregate: false,
  };
}

function queryOf(resource: Resource, raw: string): Query {
  const limit = { default: 100, max: 10_000 };
  const parsed = parseQuery(raw, { vocabulary: vocabularyOf(resource), limit, envelope: false });
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.query;
}

function offered(resource: Resource, raw: string, can: Partial<Capability>, origin?: SourceTraits): PushDown {
  return pushDown(queryOf(resource, raw), { ...noCapability, ...can }, origin);
}

const FILTERS = [
  'country',
  'host',
  'region',
  'team',
  'before',
  'after',
  'link',
  'id',
  'source-name',
  '-one-type',
  'rank',
];

describe('of a query, a source is sent', () => {
  test.each<
    [
      title: string,
      resource: Resource,
      raw: string,
      can: Partial<Capability>,
      sent: PushDown['sent'],
      residual: readonly string[],
    ]
  >([
    [
      'nothing, where nothing is known of it',
      directoryTeams,
      'host=a&q=b&country=BR',
      {},
      {},
      ['host', 'q', 'country', 'sort'],
    ],
    [
      'filters as they were asked, by name',
      directoryTeams,
      'rank=2&host=A%20b&-one-type=x',
      { filters: FILTERS },
      { '-one-type': 'x', host: 'A b', rank: '2' },
      ['sort'],
    ],
    [
      'codes of countries as they are written here',
      directoryTeams,
      'country=pt,BR%20,br',
      { filters: FILTERS },
      { country: 'BR,PT' },
      ['sort'],
    ],
    [
      'no code that others write in another way, too, for who honours the filter leaves those out',
      directoryTeams,
      'country=BR,gb&country-code=GR&additional-country-code=uk',
      { filters: [...FILTERS, 'country-code', 'additional-country-code'] },
      {},
      ['country', 'country-code', 'additional-country-code', 'sort'],
    ],
    [
      'neither where it is coarse',
      dataTeams,
      'country=el&country-other=GB&host=gb',
      { filters: ['host'], coarse: ['country', 'country-other'] },
      { host: 'gb' },
      ['country', 'country-other', 'sort'],
    ],
    [
      'other codes of a property',
      directoryTeams,
      'country-code=br',
      { filters: ['country-code'] },
      { 'country-code': 'br' },
      ['sort'],
    ],
    [
      'no filter that has no value, or whose words are none',
      directoryTeams,
      'host=&q=%20',
      { filters: FILTERS },
      {},
      ['sort'],
    ],
    ['no value that it may trim', directoryTeams, 'host=%20a', { filters: FILTERS }, {}, ['host', 'sort']],
    [
      'no value of which nothing is left folded',
      directoryTeams,
      'host=%CC%81',
      { filters: FILTERS },
      {},
      ['host', 'sort'],
    ],
    [
      'a search that is done again here without the operator’s word, and no region',
      dataTeams,
      'q=a&region=Asia',
      { filters: FILTERS, search: true },
      { q: 'a' },
      ['q', 'region', 'sort'],
    ],
    ['no search that it does not know', dataTeams, 'q=a&region=Asia', { exact: true }, {}, ['q', 'region', 'sort']],
    [
      'searches with both',
      dataTeams,
      'q=A%20b&region=asia',
      { filters: FILTERS, search: true, exact: true },
      { q: 'A b', region: 'asia' },
      ['sort'],
    ],
    ['the exact team of the data interface', dataTeams, 'team=a', { filters: FILTERS }, { team: 'a' }, ['sort']],
    [
      'the words of the directory’s team with the operator’s word only',
      directoryTeams,
      'team=a',
      { filters: FILTERS },
      {},
      ['team', 'sort'],
    ],
    ['these with it', directoryTeams, 'team=a', { filters: FILTERS, exact: true }, { team: 'a' }, ['sort']],
    [
      'bounds to the second, away from the items',
      news,
      'before=2026-01-01T00:00:00.5Z&after=2025-01-01T00:00:00.5Z',
      { filters: FILTERS },
      { after: '2025-01-01T00:00:00+00:00', before: '2026-01-01T00:00:01+00:00' },
      ['sort'],
    ],
    [
      'whole seconds as they are',
      news,
      'before=2026-01-01T01:00:00%2B01:00&after=2025-01',
      { filters: FILTERS },
      { after: '2025-01-01T00:00:00+00:00', before: '2026-01-01T00:00:00+00:00' },
      ['sort'],
    ],
    [
      'coarse bounds as days, and they are left',
      news,
      'before=2026-01-01T09:30:00Z&after=2025-01-01T09:30:00Z',
      { coarse: FILTERS },
      { after: '2024-12-30', before: '2026-01-03' },
      ['before', 'after', 'sort'],
    ],
    [
      'no bound that cannot be written',
      news,
      'before=9999-12-31T23:59:59.5Z&after=1000-01-01',
      { filters: ['before'], coarse: ['after'] },
      {},
      ['before', 'after', 'sort'],
    ],
    [
      'another coarse filter as it was asked, and it is left',
      directoryTeams,
      'host=a&country=BR',
      { coarse: ['host'], filters: ['country'] },
      { country: 'BR', host: 'a' },
      ['host', 'sort'],
    ],
    ['no id that is made here', dataTeams, 'id=one.a', { filters: FILTERS }, {}, ['id', 'sort']],
    [
      'no source-name',
      directoryTeams,
      'source-name=Harbour%20Register',
      { filters: FILTERS },
      {},
      ['source-name', 'sort'],
    ],
    [
      'no filter that it has on the other interface only',
      directoryTeams,
      'team-type=a',
      { filters: ['team-type'] },
      {},
      ['team-type', 'sort'],
    ],
    [
      'no keys',
      dataTeams,
      'scope=pgp&host=a',
      { filters: [...FILTERS, 'scope'], sort: ['team'], total: true },
      { host: 'a', sort: 'team' },
      ['scope'],
    ],
    [
      'no channel of news',
      news,
      'channel=x&link=/a',
      { filters: [...FILTERS, 'channel'], sort: ['-published'] },
      { link: '/a', sort: '-published' },
      ['channel'],
    ],
    ['the channel of channels', channels, 'channel=x', { filters: ['channel'] }, { channel: 'x' }, ['sort']],
    [
      'nothing of how the answer is shown',
      dataTeams,
      'fields=s&envelope=1&pretty=0&callback=a&scope=minimal&limit=5&offset=7',
      {},
      {},
      ['sort'],
    ],
    ['the default order', dataTeams, '', { sort: ['team'] }, { sort: 'team' }, []],
    [
      'an order that descends',
      directoryTeams,
      'sort=-last-modified',
      { sort: ['-last-modified'] },
      { sort: '-last-modified' },
      [],
    ],
    [
      'no order that it has the other way round',
      directoryTeams,
      'sort=-last-modified',
      { sort: ['last-modified'] },
      {},
      ['sort'],
    ],
    ['no order by two properties', directoryTeams, 'sort=host,email', { sort: ['host', 'email'] }, {}, ['sort']],
    [
      'a property that begins with -',
      directoryTeams,
      'sort=--one-type',
      { sort: ['-one-type', '--one-type'] },
      { sort: '--one-type' },
      [],
    ],
    ['no order by what is made here', dataTeams, 'sort=id', { sort: ['id', 'source-name'] }, {}, ['sort']],
    ['no order by the source-name', news, 'sort=source-name', { sort: ['id', 'source-name'] }, {}, ['sort']],
    ['the order of items by their ids', news, 'sort=-id', { sort: ['-id'] }, { sort: '-id' }, []],
    ['no order that it has on the other interface only', directoryTeams, 'sort=team', { sort: ['team'] }, {}, ['sort']],
  ])('%s', (...row) => {
    const [, resource, raw, can, sent, residual] = row;
    const found = offered(resource, raw, can);
    expect(found).toMatchObject({ sent, residual });
    expect(Object.keys(found.sent)).toEqual(Object.keys(sent).sort());
    expect(found.sent).toEqual(sent);
  });

  it('the directory’s q only where no word may be found in its source-name', () => {
    const can = { search: true, exact: true };
    expect(offered(directoryTeams, 'q=bank', can, ORIGIN)).toMatchObject({ sent: { q: 'bank' }, residual: ['sort'] });
    expect(offered(directoryTeams, 'q=bank', can)).toMatchObject({ sent: {}, residual: ['q', 'sort'] });
    for (const q of ['BOUR', 'bank%20%C3%A1r'])
      expect(offered(directoryTeams, `q=${q}`, can, ORIGIN)).toMatchObject({ sent: {}, residual: ['q', 'sort'] });
    expect(offered(news, 'q=BOUR', can, ORIGIN)).toMatchObject({ sent: { q: 'BOUR' }, residual: ['sort'] });
  });
});

describe('what is guaranteed', () => {
  const can: Partial<Capability> = { filters: FILTERS, sort: ['-published'], total: true };

  it('is everything, where everything is supported', () => {
    expect(offered(news, 'before=2026-01-01', can).guaranteed).toEqual({
      filters: true,
      order: true,
      total: true,
      limit: true,
    });
    expect(offered(news, '', can).guaranteed).toEqual({ filters: true, order: true, total: true, limit: true });
  });

  test.each<[title: string, raw: string, without: Partial<Capability>, left: Partial<PushDown['guaranteed']>]>([
    [
      'neither filters nor total where a filter is left',
      'before=2026-01-01',
      { filters: [] },
      { filters: false, total: false },
    ],
    [
      'neither of them where it is coarse',
      'before=2026-01-01',
      { filters: [], coarse: ['before'] },
      { filters: false, total: false },
    ],
    ['neither of them of a channel', 'channel=x', {}, { filters: false, total: false }],
    ['no order where there is another one', 'sort=published', {}, { order: false }],
    ['no total where nothing is counted', '', { total: false }, { total: false }],
  ])('is %s, and no limit', (_, raw, without, left) => {
    const all = { filters: true, order: true, total: true };
    expect(offered(news, raw, { ...can, ...without }).guaranteed).toEqual({ ...all, ...left, limit: false });
  });

  it('is a source-name of what is no aggregate', () => {
    const raw = 'source-name=harbour%20register';
    expect(offered(news, raw, can, ORIGIN)).toMatchObject({ residual: [], guaranteed: { limit: true } });
    expect(offered(news, raw, can, { ...ORIGIN, aggregate: true })).toMatchObject({ residual: ['source-name'] });
    expect(offered(news, 'source-name=Bay', can, ORIGIN)).toMatchObject({ residual: ['source-name'] });
  });

  it.each([
    [news, 'link'],
    [channels, 'link'],
    [channels, 'rsslink'],
  ])('is no absolute link where paths are made absolute here: of $0.name, $1', (resource, name) => {
    const links = { filters: [name] };
    const relinks = { ...ORIGIN, resolvesLinks: true };
    const absolute = `${name}=https://www.example.org/7`;
    expect(offered(resource, absolute, links, ORIGIN).sent).toEqual({ [name]: 'https://www.example.org/7' });
    expect(offered(resource, absolute, links, relinks)).toMatchObject({ sent: {}, residual: [name, 'sort'] });
    expect(offered(resource, absolute, links)).toMatchObject({ sent: {}, residual: [name, 'sort'] });
    expect(offered(resource, `${name}=/7`, links, relinks).sent).toEqual({ [name]: '/7' });
  });

  it('is checked by the predicates of what was sent as exact, and not of what is coarse', () => {
    const declared = { filters: ['country', 'region'], coarse: ['host'], search: true, exact: true };
    const { exact } = offered(dataTeams, 'host=a&country=BR&region=Asia&q=x', declared);
    expect(exact.map(({ name }) => name)).toEqual(['country', 'region', 'q']);
    expect(exact[0]?.predicate).toMatchObject({ parameter: 'country', codes: new Set(['BR']) });
  });
});

/** What a resource is asked for: values that some records have, as others write them, and values that none has. */
interface Ground {
  readonly lists: RepositoryLists;
  readonly all: readonly RawRecord[];
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly sorts: readonly string[];
}

const hosts = ['HOST 7', 'øresund äpfel', 'oresund apfel', 'Host 99', ' Host 7'];
const searched = ['ank', 'angstrom', 'team 1', 'RESPONSE', 'bay', 'har', 'host 3', 'nowhere'];
const regions = ['Europe', 'south america', '142', 'Africa'];
const codes = ['BR', 'br,NO', 'JP,AU,KE', 'IS'];
const SECONDS = [-86_400, -1.5, -1, -0.5, 0, 0.25, 1, 3_600, 86_400];
const instants = SECONDS.flatMap((more) =>
  [3, 20, 47].map((at) =>
    new Date(Date.parse(String(distinctiveNews(60)[at]?.['published'])) + more * 1000).toISOString(),
  ),
);

const channelRecords: readonly RawRecord[] = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  title: `${['Ångström', 'alert', 'Zebra'][at % 3] ?? ''} ${at % 7}`,
  link: `https://www.example.org/${at % 5}`,
  rss: `https://www.example.org/${at}.rss`,
  summary: at % 2 === 0 ? 'Harbour news' : 'News of the bay',
}));

const directory = distinctiveTeams(60, 'directory');
const data = distinctiveTeams(60, 'data');
const items = distinctiveNews(60);

const GROUNDS: readonly (readonly [Resource, Ground])[] = [
  [
    directoryTeams,
    {
      lists: { directory },
      all: directory,
      values: {
        host: hosts,
        'short-team-name': ['000 ANGSTROM', '001 Zebra'],
        'country-code': ['br', 'JP'],
        country: codes,
        region: regions,
        team: searched,
        q: searched,
        'source-name': ['harbour register'],
      },
      sorts: ['short-team-name', '-short-team-name', '-last-modified', 'host', 'host,-short-team-name'],
    },
  ],
  [
    dataTeams,
    {
      lists: { teams: data },
      all: data,
      values: {
        host: hosts,
        team: ['000 ANGSTROM', '001 Zebra'],
        id: ['t3'],
        country: codes,
        region: regions,
        q: ['ank', 'brazil', 'team 1', 'bour'],
        'source-name': ['HARBOUR Register'],
        scope: ['minimal'],
      },
      sorts: ['team', '-team', 'last-modified', 'id', 'host,team'],
    },
  ],
  [
    news,
    {
      lists: { news: items },
      all: items,
      values: {
        before: [...instants, '9999-12-31', '2026-01'],
        after: [...instants, '1000-01-01', '2025-12'],
        link: ['https://www.example.org/7', 'HTTPS://www.example.org/8'],
        q: ['ITEM 7', 'kind', '/5'],
        'source-name': ['harbour register'],
      },
      sorts: ['-published', 'published', '-id', 'title'],
    },
  ],
  [
    channels,
    {
      lists: { channels: channelRecords, news: [] },
      all: channelRecords,
      values: {
        channel: ['angstrom 3', 'Alert 1'],
        link: ['https://www.example.org/3'],
        rsslink: ['https://www.example.org/3.RSS'],
        q: ['angs', 'harbour', 'bay 1'],
        'source-name': ['harbour register'],
      },
      sorts: ['title', '-title', '-id'],
    },
  ],
];

/** How a source may be coarse in a bound, and still lose no match of those that it is asked for. */
const BOUNDS: readonly BehaviourName[] = [
  'honours every parameter',
  'treats before as inclusive',
  'treats after as inclusive',
  'rounds before to the day',
  'rounds after to the day',
];

interface Drawn {
  readonly asked: Readonly<Record<string, string>>;
  readonly capability: Capability;
  readonly coarsely: readonly BehaviourName[];
  /** Whether it passes over what it is coarse in. */
  readonly passes: boolean;
  readonly origin: SourceTraits | undefined;
}

function drawn({ values, sorts }: Ground): fc.Arbitrary<Drawn> {
  const names = Object.keys(values);
  const pairs = Object.entries(values).map(([name, some]) =>
    fc.constantFrom(...some).map((value) => [name, value] as const),
  );
  const sort = fc.constantFrom(undefined, ...sorts);
  // Few parameters, or nothing would match them all.
  const asked = fc
    .tuple(
      fc.subarray(pairs, { maxLength: 3 }).chain((some) => fc.tuple(...some)),
      sort,
    )
    .map(([some, by]) => [...some, ...(by === undefined ? [] : [['sort', by] as const])]);
  // Most names are claimed, so that filters are left none often enough.
  const kinds = fc.array(fc.constantFrom('exact', 'exact', 'exact', 'coarse', 'none'), {
    minLength: names.length,
    maxLength: names.length,
  });
  return fc
    .record({
      asked,
      kinds,
      sort: fc.subarray(sorts.filter((one) => !one.includes(','))),
      search: fc.boolean(),
      total: fc.boolean(),
      exact: fc.boolean(),
      coarsely: fc.subarray([...BOUNDS]),
      passes: fc.boolean(),
      origin: fc.constantFrom(undefined, ORIGIN),
    })
    .map(({ asked: chosen, kinds: how, coarsely, passes, origin, ...alike }) => ({
      asked: Object.fromEntries(chosen),
      capability: {
        ...alike,
        filters: names.filter((name, at) => name !== 'q' && how[at] === 'exact'),
        coarse: names.filter((name, at) => name !== 'q' && how[at] === 'coarse'),
      },
      coarsely,
      passes,
      origin,
    }));
}

/** Names that a source of this house's own making has no word for. */
const OURS = ['source-name', 'scope'];

/** Does exactly what it is known to do; asked for anything else, it gives nothing. */
function habitsOf(resource: Resource, { capability, coarsely, passes }: Drawn): readonly Behaviour[] {
  const { filters, coarse, search, sort } = capability;
  const own = resource === dataTeams ? ['id', ...OURS] : OURS;
  const claims = [...filters, ...coarse, ...(search ? ['q'] : []), ...(sort.length > 0 ? ['sort'] : [])];
  const heard = ['limit', 'offset', ...claims.filter((name) => !own.includes(name))];
  return [
    ...coarsely.filter((name) => coarse.some((bound) => name.includes(bound))).map((name) => behaviours[name]),
    { honours: (name) => !passes || !coarse.includes(name) },
    { selects: (matching, { query }) => ([...query.keys()].every((name) => heard.includes(name)) ? matching : []) },
  ];
}

interface Given {
  readonly drafts: readonly DraftRecord[];
  readonly total: number;
}

let upstream: UpstreamServer;

beforeAll(async () => {
  upstream = await startUpstream(neverResponds);
});

afterAll(() => upstream.close());

function readAs(resource: Resource, records: readonly unknown[]): readonly DraftRecord[] {
  const codesOf = { codes: ['one'], otherCodes: [], otherSourceNames: [] };
  const now = readingTime(Date.now());
  const reader = new RecordReader(resource, { ...ORIGIN, isAggregate: false, sourceNumber: 1, ...codesOf });
  return packRecords(
    resource,
    records.flatMap((record) => reader.read(record, new FindingCounter(), now) ?? []),
  );
}

async function given(resource: Resource, { lists }: Ground, draw: Drawn, sent: PushDown['sent']): Promise<Given> {
  upstream.handler = simulatedRepository(lists, habitsOf(resource, draw));
  const query = new URLSearchParams({ ...sent, limit: '10000', offset: '0' }).toString();
  const response = await fetch(`${upstream.address}/${resource.interfaceName}/${resource.path}?${query}`);
  upstream.forget();
  const body = (await response.json()) as { readonly data: readonly unknown[]; readonly total: number };
  return { drafts: readAs(resource, body.data), total: body.total };
}

async function matches(known: ReferenceRecords, asked: Drawn['asked']): Promise<readonly string[]> {
  const places = (await known.matchingIndexes(asked)) ?? [];
  return places.map((at) => recordKey(known.records[at] ?? { values: [], extraProperties: [] })).sort();
}

describe('what comes for an offer', () => {
  it.each(GROUNDS.map(([resource, ground]) => [resource.name, resource, ground] as const))(
    'of %s lacks no match, and keeps what is guaranteed',
    async (_, resource, ground) => {
      const whole = new ReferenceRecords(vocabularyOf(resource), readAs(resource, ground.all));
      const seen = { sent: 0, exact: 0, coarse: 0, limit: 0, filtered: 0 };
      await fc.assert(
        fc.asyncProperty(drawn(ground), async (draw) => {
          const { asked, capability, origin } = draw;
          const query = queryOf(resource, new URLSearchParams(asked).toString());
          const { sent, residual, exact, guaranteed } = pushDown(query, capability, origin);
          const { drafts, total } = await given(resource, ground, draw, sent);
          const came = new ReferenceRecords(vocabularyOf(resource), drafts);
          const expected = await matches(whole, asked);
          expect(await matches(came, asked)).toEqual(expected);
          if (guaranteed.filters) expect(drafts.map(recordKey).sort()).toEqual(expected);
          if (guaranteed.total) expect(total).toBe(expected.length);
          if (guaranteed.order) {
            const order = await came.comparator(asked['sort'] ?? '');
            expect(drafts.every((__, at) => at === 0 || order(at - 1, at) <= 0)).toBe(true);
          }
          const isRight = await createMatcher(
            came.recordSet,
            exact.map(({ predicate }) => predicate),
          );
          expect(drafts.every((__, at) => isRight?.matches(at) ?? true)).toBe(true);
          expect(guaranteed.limit).toBe(guaranteed.filters && guaranteed.order && guaranteed.total);
          expect(residual.includes('sort')).toBe(!guaranteed.order);
          seen.sent += Object.keys(sent).length;
          seen.exact += exact.length;
          seen.coarse += residual.filter((name) => name in sent).length;
          seen.limit += Number(guaranteed.limit);
          seen.filtered += Number(guaranteed.filters && exact.length > 0 && expected.length > 0);
        }),
        { numRuns: generatedRuns({ usual: 200, long: 1_000 }), ...SHRINK_LIMIT },
      );
      // Nothing would be lost by an offer of nothing.
      const rarely = Object.entries(seen).filter(([, count]) => count < 5);
      expect(rarely).toEqual([]);
    },
    GENERATED_TIMEOUT,
  );
});

/** Parameters that choose no records must not be in the way of the names above. */
test('the names that are asked for are no reserved ones, but for scope', () => {
  const names = GROUNDS.flatMap(([, { values }]) => Object.keys(values));
  expect(names.filter((name) => NON_FILTER_PARAMETERS.includes(name))).toEqual(['scope']);
});
