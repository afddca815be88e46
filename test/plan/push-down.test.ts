import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { noCapability } from '../../src/model/registration/capability.js';
import type { Capability } from '../../src/model/registration/capability.js';
import type { Query } from '../../src/model/query.js';
import type { Resource } from '../../src/model/resource.js';
import { channels } from '../../src/model/resources/channels.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { pushDown } from '../../src/plan/push-down.js';
import type { PushDown, SourceTraits } from '../../src/plan/push-down.js';
import { ReferenceRecords, recordKey } from '../../src/probe/reference-records.js';
import type { Vocabulary } from '../../src/query/vocabulary.js';
import { createMatcher } from '../../src/records/record-filter.js';
import { FindingCounter } from '../../src/source/record/findings.js';
import { readingTime } from '../../src/source/record/read-value.js';
import { RecordReader } from '../../src/source/record/record-reader.js';
import { parsePublicQuery } from '../support/unit/parse-public-query.js';
import { NON_FILTER_PARAMETERS } from '../support/repository/exact-evaluation.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, RepositoryLists } from '../support/repository/simulated-repository.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import type { DraftRecord } from '../../src/model/record.js';
import { packRecords } from '../support/unit/pack-records.js';

const ORIGIN: SourceTraits = { sourceName: 'Harbour Register', aggregate: false, resolvesLinks: false };

/** Resolves links, and has records of any source. */
const AGGREGATE: SourceTraits = { sourceName: 'Harbour Register', aggregate: true, resolvesLinks: true };

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
  return parsePublicQuery(raw, vocabularyOf(resource));
}

function pushDownOf(resource: Resource, raw: string, can: Partial<Capability>, origin = AGGREGATE): PushDown {
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

describe('parameters sent to a source', () => {
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
      'are none where no capability is declared',
      directoryTeams,
      'host=a&q=b&country=BR',
      {},
      {},
      ['host', 'q', 'country', 'sort'],
    ],
    [
      'are filters as requested, sorted by name',
      directoryTeams,
      'rank=2&host=A%20b&-one-type=x',
      { filters: FILTERS },
      { '-one-type': 'x', host: 'A b', rank: '2' },
      ['sort'],
    ],
    [
      'include codes of countries in upper case, sorted',
      directoryTeams,
      'country=pt,BR%20,br',
      { filters: FILTERS },
      { country: 'BR,PT' },
      ['sort'],
    ],
    [
      'exclude countries that sources write with other codes too, because the filter would leave those out',
      directoryTeams,
      'country=BR,gb&country-code=GR&additional-country-code=uk',
      { filters: [...FILTERS, 'country-code', 'additional-country-code'] },
      {},
      ['country', 'country-code', 'additional-country-code', 'sort'],
    ],
    [
      'include other codes in a filter on a property',
      directoryTeams,
      'country-code=br',
      { filters: ['country-code'] },
      { 'country-code': 'br' },
      ['sort'],
    ],
    [
      'exclude a filter without a value and a search without words',
      directoryTeams,
      'host=&q=%20',
      { filters: FILTERS },
      {},
      ['sort'],
    ],
    [
      'exclude a value with leading white space, which the source may trim',
      directoryTeams,
      'host=%20a',
      { filters: FILTERS },
      {},
      ['host', 'sort'],
    ],
    [
      'exclude a value that is empty after folding',
      directoryTeams,
      'host=%CC%81',
      { filters: FILTERS },
      {},
      ['host', 'sort'],
    ],
    [
      'include a search, evaluated again, but no region, where exact is not declared',
      dataTeams,
      'q=a&region=Asia',
      { filters: FILTERS, search: true },
      { q: 'a' },
      ['q', 'region', 'sort'],
    ],
    [
      'exclude a search that is not declared',
      dataTeams,
      'q=a&region=Asia',
      { exact: true },
      {},
      ['q', 'region', 'sort'],
    ],
    [
      'include search and region where search and exact are declared',
      dataTeams,
      'q=A%20b&region=asia',
      { filters: FILTERS, search: true, exact: true },
      { q: 'A b', region: 'asia' },
      ['sort'],
    ],
    [
      'include the exact team filter of the data interface',
      dataTeams,
      'team=a',
      { filters: FILTERS },
      { team: 'a' },
      ['sort'],
    ],
    [
      'exclude the word search team of the directory interface where exact is not declared',
      directoryTeams,
      'team=a',
      { filters: FILTERS },
      {},
      ['team', 'sort'],
    ],
    [
      'include the word search team of the directory interface where exact is declared',
      directoryTeams,
      'team=a',
      { filters: FILTERS, exact: true },
      { team: 'a' },
      ['sort'],
    ],
    [
      'include bounds rounded outwards to the second',
      news,
      'before=2026-01-01T00:00:00.5Z&after=2025-01-01T00:00:00.5Z',
      { filters: FILTERS },
      { after: '2025-01-01T00:00:00+00:00', before: '2026-01-01T00:00:01+00:00' },
      ['sort'],
    ],
    [
      'include bounds of whole seconds unchanged, in UTC',
      news,
      'before=2026-01-01T01:00:00%2B01:00&after=2025-01',
      { filters: FILTERS },
      { after: '2025-01-01T00:00:00+00:00', before: '2026-01-01T00:00:00+00:00' },
      ['sort'],
    ],
    [
      'exclude a bound that cannot be written',
      news,
      'before=9999-12-31T23:59:59.5Z',
      { filters: ['before'] },
      {},
      ['before', 'sort'],
    ],
    ['exclude an id that Rollcall creates', dataTeams, 'id=one.a', { filters: FILTERS }, {}, ['id', 'sort']],
    [
      'exclude source-name',
      directoryTeams,
      'source-name=Harbour%20Register',
      { filters: FILTERS },
      {},
      ['source-name', 'sort'],
    ],
    [
      'exclude a filter that exists on the other interface only',
      directoryTeams,
      'team-type=a',
      { filters: ['team-type'] },
      {},
      ['team-type', 'sort'],
    ],
    [
      'exclude scope=pgp',
      dataTeams,
      'scope=pgp&host=a',
      { filters: [...FILTERS, 'scope'], sort: ['team'], total: true },
      { host: 'a', sort: 'team' },
      ['scope'],
    ],
    [
      'exclude the channel of news',
      news,
      'channel=x&link=/a',
      { filters: [...FILTERS, 'channel'], sort: ['-published'] },
      { link: '/a', sort: '-published' },
      ['channel'],
    ],
    [
      'include the channel filter of channels',
      channels,
      'channel=x',
      { filters: ['channel'] },
      { channel: 'x' },
      ['sort'],
    ],
    [
      'exclude parameters of the form of the response',
      dataTeams,
      'fields=s&envelope=1&pretty=0&callback=a&scope=minimal&limit=5&offset=7',
      {},
      {},
      ['sort'],
    ],
    ['include the default order', dataTeams, '', { sort: ['team'] }, { sort: 'team' }, []],
    [
      'include a descending order',
      directoryTeams,
      'sort=-last-modified',
      { sort: ['-last-modified'] },
      { sort: '-last-modified' },
      [],
    ],
    [
      'exclude an order that is declared in the other direction only',
      directoryTeams,
      'sort=-last-modified',
      { sort: ['last-modified'] },
      {},
      ['sort'],
    ],
    [
      'exclude an order by two properties',
      directoryTeams,
      'sort=host,email',
      { sort: ['host', 'email'] },
      {},
      ['sort'],
    ],
    [
      'include an order by a property whose name begins with -',
      directoryTeams,
      'sort=--one-type',
      { sort: ['-one-type', '--one-type'] },
      { sort: '--one-type' },
      [],
    ],
    [
      'exclude an order by ids that Rollcall creates',
      dataTeams,
      'sort=id',
      { sort: ['id', 'source-name'] },
      {},
      ['sort'],
    ],
    ['exclude an order by source-name', news, 'sort=source-name', { sort: ['id', 'source-name'] }, {}, ['sort']],
    ['include an order of news by id', news, 'sort=-id', { sort: ['-id'] }, { sort: '-id' }, []],
    [
      'exclude an order by a property of the other interface',
      directoryTeams,
      'sort=team',
      { sort: ['team'] },
      {},
      ['sort'],
    ],
  ])('%s', (...row) => {
    const [, resource, raw, can, sent, residual] = row;
    const found = pushDownOf(resource, raw, can);
    expect(found).toMatchObject({ sent, residual });
    expect(Object.keys(found.sent)).toEqual(Object.keys(sent).sort());
    expect(found.sent).toEqual(sent);
  });

  it('include q of the directory interface only where no word occurs in the source-name', () => {
    const can = { search: true, exact: true };
    expect(pushDownOf(directoryTeams, 'q=bank', can, ORIGIN)).toMatchObject({
      sent: { q: 'bank' },
      residual: ['sort'],
    });
    for (const q of ['BOUR', 'bank%20%C3%A1r'])
      expect(pushDownOf(directoryTeams, `q=${q}`, can, ORIGIN)).toMatchObject({ sent: {}, residual: ['q', 'sort'] });
    expect(pushDownOf(news, 'q=BOUR', can, ORIGIN)).toMatchObject({ sent: { q: 'BOUR' }, residual: ['sort'] });
  });
});

describe('guarantees of a push-down', () => {
  const can: Partial<Capability> = { filters: FILTERS, sort: ['-published'], total: true };

  it('cover filters, order, total and limit where everything is supported', () => {
    expect(pushDownOf(news, 'before=2026-01-01', can).guaranteed).toEqual({
      filters: true,
      order: true,
      total: true,
      limit: true,
    });
    expect(pushDownOf(news, '', can).guaranteed).toEqual({ filters: true, order: true, total: true, limit: true });
  });

  test.each<[title: string, raw: string, without: Partial<Capability>, left: Partial<PushDown['guaranteed']>]>([
    [
      'neither filters nor total where a filter is not supported',
      'before=2026-01-01',
      { filters: [] },
      { filters: false, total: false },
    ],
    ['neither filters nor total for a channel', 'channel=x', {}, { filters: false, total: false }],
    ['not the order where another one is supported', 'sort=published', {}, { order: false }],
    ['not the total where it is not supported', '', { total: false }, { total: false }],
  ])('cover %s, and never the limit', (_, raw, without, left) => {
    const all = { filters: true, order: true, total: true };
    expect(pushDownOf(news, raw, { ...can, ...without }).guaranteed).toEqual({ ...all, ...left, limit: false });
  });

  it('cover source-name for the name of a source that is not an aggregate', () => {
    const raw = 'source-name=harbour%20register';
    expect(pushDownOf(news, raw, can, ORIGIN)).toMatchObject({ residual: [], guaranteed: { limit: true } });
    expect(pushDownOf(news, raw, can, { ...ORIGIN, aggregate: true })).toMatchObject({ residual: ['source-name'] });
    expect(pushDownOf(news, 'source-name=Bay', can, ORIGIN)).toMatchObject({ residual: ['source-name'] });
  });

  it.each([
    [news, 'link'],
    [channels, 'link'],
    [channels, 'rsslink'],
  ])('exclude an absolute link where Rollcall resolves paths: $0.name, $1', (resource, name) => {
    const links = { filters: [name] };
    const relinks = { ...ORIGIN, resolvesLinks: true };
    const absolute = `${name}=https://www.example.org/7`;
    expect(pushDownOf(resource, absolute, links, ORIGIN).sent).toEqual({ [name]: 'https://www.example.org/7' });
    expect(pushDownOf(resource, absolute, links, relinks)).toMatchObject({ sent: {}, residual: [name, 'sort'] });
    expect(pushDownOf(resource, absolute, links)).toMatchObject({ sent: {}, residual: [name, 'sort'] });
    expect(pushDownOf(resource, `${name}=/7`, links, relinks).sent).toEqual({ [name]: '/7' });
  });

  it('come with the predicates of the filters, for checking records', () => {
    const declared = { filters: ['country', 'region'], search: true, exact: true };
    const { exact } = pushDownOf(dataTeams, 'host=a&country=BR&region=Asia&q=x', declared);
    expect(exact.map(({ name }) => name)).toEqual(['country', 'region', 'q']);
    expect(exact[0]?.predicate).toMatchObject({ parameter: 'country', codes: new Set(['BR']) });
  });
});

/** Records of a resource, and values to query: values of some records in other spellings, and values of none. */
interface GeneratorInput {
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

const GENERATOR_INPUTS: readonly (readonly [Resource, GeneratorInput])[] = [
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

interface GeneratedCase {
  readonly parameters: Readonly<Record<string, string>>;
  readonly capability: Capability;
  readonly origin: SourceTraits;
}

function generatedCases({ values, sorts }: GeneratorInput): fc.Arbitrary<GeneratedCase> {
  const names = Object.keys(values);
  const pairs = Object.entries(values).map(([name, some]) =>
    fc.constantFrom(...some).map((value) => [name, value] as const),
  );
  const sort = fc.constantFrom(undefined, ...sorts);
  // Few parameters, because otherwise nothing would match all of them.
  const parameters = fc
    .tuple(
      fc.subarray(pairs, { maxLength: 3 }).chain((some) => fc.tuple(...some)),
      sort,
    )
    .map(([some, by]) => [...some, ...(by === undefined ? [] : [['sort', by] as const])]);
  // Most names are declared, so that the residual has no filter often enough.
  const kinds = fc.array(fc.constantFrom('exact', 'exact', 'exact', 'none'), {
    minLength: names.length,
    maxLength: names.length,
  });
  return fc
    .record({
      parameters,
      kinds,
      sort: fc.subarray(sorts.filter((one) => !one.includes(','))),
      search: fc.boolean(),
      total: fc.boolean(),
      exact: fc.boolean(),
      origin: fc.constantFrom(AGGREGATE, ORIGIN),
    })
    .map(({ parameters: chosen, kinds: how, origin, ...alike }) => ({
      parameters: Object.fromEntries(chosen),
      capability: {
        ...alike,
        filters: names.filter((name, at) => name !== 'q' && how[at] === 'exact'),
      },
      origin,
    }));
}

/** Parameters that the simulated source does not have. */
const LOCAL_PARAMETERS = ['source-name', 'scope'];

/** A source that does exactly what its capability declares; with any other parameter, it returns nothing. */
function behavioursOf(resource: Resource, { capability }: GeneratedCase): readonly Behaviour[] {
  const { filters, search, sort } = capability;
  const unsupported = resource === dataTeams ? ['id', ...LOCAL_PARAMETERS] : LOCAL_PARAMETERS;
  const declared = [...filters, ...(search ? ['q'] : []), ...(sort.length > 0 ? ['sort'] : [])];
  const honoured = ['limit', 'offset', ...declared.filter((name) => !unsupported.includes(name))];
  return [
    { selects: (matching, { query }) => ([...query.keys()].every((name) => honoured.includes(name)) ? matching : []) },
  ];
}

interface SourceResult {
  readonly drafts: readonly DraftRecord[];
  readonly total: number;
}

let upstream: UpstreamServer;

beforeAll(async () => {
  upstream = await startUpstream(neverResponds);
});

afterAll(() => upstream.close());

function readAs(resource: Resource, records: readonly unknown[]): readonly DraftRecord[] {
  const codesOf = { codes: ['one'], registeredCodes: [], otherSourceNames: [] };
  const now = readingTime(Date.now());
  const reader = new RecordReader(resource, { ...ORIGIN, isAggregate: false, sourceNumber: 1, ...codesOf });
  return packRecords(
    resource,
    records.flatMap((record) => reader.read(record, new FindingCounter(), now) ?? []),
  );
}

async function querySource(
  resource: Resource,
  { lists }: GeneratorInput,
  generated: GeneratedCase,
  sent: PushDown['sent'],
): Promise<SourceResult> {
  upstream.handler = simulatedRepository(lists, behavioursOf(resource, generated));
  const query = new URLSearchParams({ ...sent, limit: '10000', offset: '0' }).toString();
  const response = await fetch(`${upstream.address}/${resource.interfaceName}/${resource.path}?${query}`);
  upstream.forget();
  const body = (await response.json()) as { readonly data: readonly unknown[]; readonly total: number };
  return { drafts: readAs(resource, body.data), total: body.total };
}

async function matches(known: ReferenceRecords, parameters: GeneratedCase['parameters']): Promise<readonly string[]> {
  const places = (await known.matchingIndexes(parameters)) ?? [];
  return places.map((at) => recordKey(known.records[at] ?? { values: [], extraProperties: [] })).sort();
}

describe('the result of a pushed-down query', () => {
  it.each(GENERATOR_INPUTS.map(([resource, input]) => [resource.name, resource, input] as const))(
    'for %s contains every match, and keeps the guarantees',
    async (_, resource, input) => {
      const allRecords = new ReferenceRecords(vocabularyOf(resource), readAs(resource, input.all));
      const counts = { sent: 0, exact: 0, searched: 0, limit: 0, filtered: 0 };
      await fc.assert(
        boundShrinking(
          fc.asyncProperty(generatedCases(input), async (generated) => {
            const { parameters, capability, origin } = generated;
            const query = queryOf(resource, new URLSearchParams(parameters).toString());
            const { sent, residual, exact, guaranteed } = pushDown(query, capability, origin);
            const { drafts, total } = await querySource(resource, input, generated, sent);
            const received = new ReferenceRecords(vocabularyOf(resource), drafts);
            const expected = await matches(allRecords, parameters);
            expect(await matches(received, parameters)).toEqual(expected);
            if (guaranteed.filters) expect(drafts.map(recordKey).sort()).toEqual(expected);
            if (guaranteed.total) expect(total).toBe(expected.length);
            if (guaranteed.order) {
              const order = await received.comparator(parameters['sort'] ?? '');
              expect(drafts.every((__, at) => at === 0 || order(at - 1, at) <= 0)).toBe(true);
            }
            const isRight = await createMatcher(
              received.recordSet,
              exact.map(({ predicate }) => predicate),
            );
            expect(drafts.every((__, at) => isRight?.matches(at) ?? true)).toBe(true);
            expect(guaranteed.limit).toBe(guaranteed.filters && guaranteed.order && guaranteed.total);
            expect(residual.includes('sort')).toBe(!guaranteed.order);
            counts.sent += Object.keys(sent).length;
            counts.exact += exact.length;
            counts.searched += residual.filter((name) => name in sent).length;
            counts.limit += Number(guaranteed.limit);
            counts.filtered += Number(guaranteed.filters && exact.length > 0 && expected.length > 0);
          }),
        ),
        { numRuns: generatedRuns({ usual: 200, long: 1_000 }) },
      );
      // A push-down that sends nothing would pass these checks, so each kind must occur.
      const tooRare = Object.entries(counts).filter(([, count]) => count < 3);
      expect(tooRare).toEqual([]);
    },
  );
});

/** Parameters that select no records would distort the generated queries. */
test('generated queries use no reserved parameter except scope', () => {
  const names = GENERATOR_INPUTS.flatMap(([, { values }]) => Object.keys(values));
  expect(names.filter((name) => NON_FILTER_PARAMETERS.includes(name))).toEqual(['scope']);
});
