import { afterEach, describe, expect, it } from 'vitest';
import { requestTarget } from '../oracle/random-query.js';
import { DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../oracle/model/oracle-resources.js';
import { allRecords, expectedList } from '../oracle/model/expected-list.js';
import type { OracleQuery } from '../oracle/model/expected-list.js';
import type { LargeSource } from '../oracle/push-down/large-sources.js';
import { SeededRandom } from '../oracle/push-down/random-records.js';
import { startLargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import type { LargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import { makeQuery, largeSource } from '../oracle/push-down/sample-sources.js';
import { listedRecords } from '../oracle/start-sources.js';
import { readReportedStates } from '../oracle/push-down/require-exact-response.js';
import { fakeClock } from '../support/fake-clock.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import type { Behaviour, BehaviourName, RepositoryLists } from '../support/repository/simulated-repository.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A gateway over a large source that declares every capability, with optional behaviours. */
class CheckedScene {
  private constructor(
    private source: LargeSource,
    private readonly scene: LargeSourceGateway,
  ) {}

  static async of(
    lists: RepositoryLists,
    sourceBehaviours: readonly Behaviour[] = [],
    more: Partial<LargeSource> = {},
  ): Promise<CheckedScene> {
    const source = largeSource(lists, more);
    const scene = await startLargeSourceGateway([source], { clock: fakeClock() });
    open.push(scene);
    const checked = new CheckedScene(source, scene);
    checked.setHandler(lists, sourceBehaviours);
    return checked;
  }

  /** Replaces the records and behaviours of the source. */
  setLists(lists: RepositoryLists, sourceBehaviours: readonly Behaviour[] = []): void {
    this.source = largeSource(lists);
    this.setHandler(lists, sourceBehaviours);
  }

  private setHandler(lists: RepositoryLists, sourceBehaviours: readonly Behaviour[]): void {
    const { one } = this.scene.upstreams;
    if (one !== undefined) one.handler = simulatedRepository(lists, sourceBehaviours);
  }

  /** Sends a query; expects the exact result. Returns the reported state of the source. */
  async expectExact(query: OracleQuery): Promise<string> {
    const { response, state } = await this.send(query);
    const { total, data } = expectedList(allRecords(query.resource, [this.source]), query);
    expect([response.headers.get('x-total-count'), listedRecords(response)]).toEqual([String(total), data]);
    return state;
  }

  /** Sends a query; returns the response and the reported state of the source. */
  async send(
    query: OracleQuery,
  ): Promise<{ readonly response: Awaited<ReturnType<LargeSourceGateway['gateway']['get']>>; readonly state: string }> {
    const response = await this.scene.gateway.get(requestTarget(query));
    const { state = '', reason } = readReportedStates(response).get('one') ?? {};
    return { response, state: [state, ...(reason === undefined ? [] : [reason])].join(' ') };
  }

  /** Disproved capabilities as logged. */
  get disproved(): readonly string[] {
    const lines = this.scene.gateway.log.filter(({ message }) => message === 'capability disproved');
    return lines.map(({ facts }) => ('capability' in facts ? String(facts.capability) : ''));
  }

  /** Number of requests that the source received. */
  get requests(): number {
    return this.scene.upstreams['one']?.requests.length ?? 0;
  }
}

/** The given number of teams of a country, whose names sort in this order. */
function teamsOf(country: string, count: number, initial: string): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    'short-team-name': `${initial} ${String(at).padStart(4, '0')}`,
    'official-team-name': `Team ${at} of ${country}`,
    'country-code': country,
  }));
}

const NORWAY: Pick<OracleQuery, 'country'> = { country: ['no'] };

/** The first 150 records by name match; the others do not. */
const NORWAY_FIRST: RepositoryLists = { directory: [...teamsOf('NO', 150, 'a'), ...teamsOf('BR', 150, 'b')] };

const {
  'honours every parameter': honours,
  'ignores filters': ignoresFilters,
  'reports too large a total': tooMany,
  'reports too small a total': tooFew,
} = behaviours;

describe('the total of a pushed-down filter', () => {
  it.each([0, 1, 3, 100])('is exact at a limit of %i, though the source ignores the filter', async (limit) => {
    const checked = await CheckedScene.of(NORWAY_FIRST, [ignoresFilters]);
    expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit }))).toBe('fresh');
    expect(checked.disproved).toEqual(['filter country']);
  });

  it('is exact where only a part of the first page matches and only the count is requested', async () => {
    const checked = await CheckedScene.of({ directory: [...teamsOf('NO', 40, 'a'), ...teamsOf('BR', 260, 'b')] }, [
      ignoresFilters,
    ]);
    expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    expect(checked.disproved).toEqual(['filter country']);
  });

  it('is believed where every record matches, after all of them were read', async () => {
    const checked = await CheckedScene.of({ directory: teamsOf('NO', 300, 'a') });
    expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 20, offset: 270 }))).toBe('fresh');
    expect(checked.disproved).toEqual([]);
  });

  it('is believed without reading all records where nearly every record matches, but not all', async () => {
    const checked = await CheckedScene.of({ directory: [...teamsOf('NO', 990, 'a'), ...teamsOf('BR', 10, 'b')] });
    expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    expect(checked.requests).toBeLessThan(8);
  });

  it.each<[string, Behaviour]>([
    ['many', tooMany],
    ['few', tooFew],
  ])('is exact where the source counts too %s, though the requested page does not show it', async (_, behaviour) => {
    const checked = await CheckedScene.of({ directory: [...teamsOf('NO', 150, 'a'), ...teamsOf('BR', 300, 'b')] }, [
      behaviour,
    ]);
    await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 3 }));
    expect(checked.disproved).toEqual(['total']);
  });
});

/** What a source returns for an offset behind its end. */
const ENDS: readonly (readonly [string, Behaviour])[] = [
  ['nothing', honours],
  ['its last page', { paging: { offset: 'clamped' } }],
  ['its first page', { paging: { cut: (all, from, size) => all.slice(from < all.length ? from : 0).slice(0, size) } }],
  [
    'its first records, on the page of its last ones too',
    { paging: { cut: (all, from, size) => [...all, ...all].slice(from % all.length).slice(0, size) } },
  ],
];

describe('a total that is too high', () => {
  const cases = ENDS.flatMap(([end, behaviour]) => [20, 100].map((pages) => ({ end, behaviour, pages })));

  it.each(cases)(
    'disproves the total and no order where the source returns $end behind the end, in pages of $pages',
    async ({ behaviour, pages }) => {
      const checked = await CheckedScene.of(NORWAY_FIRST, [tooMany, behaviour], { pageSize: pages });
      await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: 305 }));
      expect(checked.disproved).toEqual(['total']);
    },
  );
});

const SYLLABLES = [
  'al',
  'ber',
  'co',
  'dan',
  'el',
  'fran',
  'gor',
  'han',
  'is',
  'jo',
  'ka',
  'lu',
  'mar',
  'os',
  'ro',
  'sta',
  'vi',
  'zu',
] as const;
const MARKED = { a: 'å', e: 'é', o: 'ö', u: 'ü' } as const;

/** Names in upper and lower case, with diacritics and punctuation, as in real directories. */
function namesOf(count: number, random: SeededRandom): ReadonlySet<string> {
  const names = new Set<string>();
  while (names.size < count) {
    const plain = Array.from({ length: 2 + random.below(2) }, () => random.of(SYLLABLES)).join('');
    const vowel = random.of(['a', 'e', 'o', 'u']);
    const word = random.below(6) === 0 ? plain.replace(vowel, MARKED[vowel]) : plain;
    const cased = random.of([word, word.toUpperCase(), `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`]);
    names.add(
      `${cased.slice(0, 2)}${random.of(['', '', '', '-', ' '])}${cased.slice(2)}${random.of([' CERT', '-CSIRT', ''])}`,
    );
  }
  return names;
}

describe('an order by text', () => {
  const collations: readonly BehaviourName[] = [
    'sorts upper case before lower case',
    'sorts letters with marks after z',
    'sorts Å, Ä and Ö after z',
    'sorts by English collation',
    'sorts without punctuation',
  ];
  const cases = collations.flatMap((collation) => [1, 3].map((seed) => ({ collation, seed })));

  it.each(cases)(
    'is disproved where the source $collation, though the first page may not show it ($seed)',
    async ({ collation, seed }) => {
      const random = new SeededRandom(seed);
      const names = random.shuffled([...namesOf(250, random)]);
      const directory = names.map((name, at) => ({ 'short-team-name': name, 'official-team-name': `Team ${at}` }));
      const checked = await CheckedScene.of({ directory }, [behaviours[collation]]);
      expect(await checked.expectExact(makeQuery(DIRECTORY_TEAMS, { limit: seed === 1 ? 5 : 50 }))).toBe('fresh');
      expect(checked.disproved).toEqual(['sort short-team-name']);
    },
  );
});

/** Teams with ids, most recently changed first; `changed` overrides the hours since the change of single teams. */
function teamsByDate(changed: ReadonlyMap<number, number>): readonly RawRecord[] {
  return Array.from({ length: 200 }, (_, at) => ({
    id: `t${at}`,
    team: `Team ${at}`,
    'last-modified': new Date(Date.UTC(2026, 0, 1) - (changed.get(at) ?? at) * 3_600_000).toISOString(),
  }));
}

const BY_DATE: Pick<OracleQuery, 'sort'> = { sort: [{ property: 'last-modified', descending: true }] };

describe('a source that changes between the pages of a client', () => {
  const first = makeQuery(DATA_TEAMS, { ...BY_DATE, limit: 60 });
  const deeper = makeQuery(DATA_TEAMS, { ...BY_DATE, limit: 60, offset: 90 });
  // One record moves out of the part already read, another one into it. The total and the records between stay the same.
  const moved = {
    teams: teamsByDate(
      new Map([
        [10, 120.5],
        [150, 5.5],
      ]),
    ),
    news: [],
    channels: [],
  };
  const before: RepositoryLists = { teams: teamsByDate(new Map()), news: [], channels: [] };

  it('is read again from the start where a team already read occurs on a later page', async () => {
    const checked = await CheckedScene.of(before);
    expect(await checked.expectExact(first)).toBe('fresh');
    checked.setLists(moved);
    expect(await checked.expectExact(deeper)).toBe('fresh');
    expect(await checked.expectExact({ ...first, limit: 200 })).toBe('fresh');
  });

  it('is inconsistent where a team occurs again on a later page of every reading', async () => {
    const checked = await CheckedScene.of(before);
    await checked.send(first);
    // Each page shows a later state than the page before.
    checked.setLists(before, [{ orders: (ordered, _, { number }) => swapped(ordered, number % 5) }]);
    const { state } = await checked.send({ ...deeper, limit: 110 });
    expect(state).toBe('inconsistent drift');
  });

  it('is not read again for each page because of a team that it lists twice', async () => {
    const teams = [...teamsByDate(new Map()), ...teamsByDate(new Map([[3, 130.5]])).slice(3, 4)];
    const checked = await CheckedScene.of({ teams, news: [], channels: [] });
    await checked.send({ ...first, limit: 150 });
    const read = checked.requests;
    await checked.send({ ...first, limit: 20, offset: 155 });
    expect(checked.requests - read).toBeLessThan(3);
  });
});

/** The records, with one of the first ones and one of the middle exchanged. */
function swapped(records: readonly RawRecord[], which: number): readonly RawRecord[] {
  const [one, other] = [records[10 + which], records[150 + which]];
  return records.map((record) => (record === one ? other : record === other ? one : record) ?? record);
}

describe('the 10,000th item', () => {
  it('is returned though many items before and after it share its publication time', async () => {
    const news = Array.from({ length: 10_040 }, (_, at) => ({
      id: at + 1,
      title: `Item ${at}`,
      published: new Date(Date.UTC(2026, 0, 1) - Math.floor(at / 30) * 60_000).toUTCString(),
    }));
    const checked = await CheckedScene.of({ teams: [], news: new SeededRandom(1).shuffled(news), channels: [] }, [], {
      pageSize: 5_000,
    });
    expect(await checked.expectExact(makeQuery(NEWS, { limit: 1, offset: 9_999 }))).toBe('fresh');
  });
});

it('a source that changes faster than its pages can be read is drained, and reported as inconsistent', async () => {
  let names = Array.from({ length: 600 }, (_, at) => `Team ${String(at).padStart(4, '0')}`);
  const upstream = await startUpstream((request, response) => {
    const newcomer = `A newcomer ${String(10_000 - request.number)}`;
    names = [newcomer, ...names];
    directoryUpstream(names.map((name) => ({ 'short-team-name': name, 'country-code': 'IS' })))(request, response);
  });
  const supports = { teams: { filters: ['country'], sort: ['short-team-name'], total: true } };
  const gateway = await startGateway({
    sources: { one: { directory: upstream.address, 'drain-threshold': 100, retries: 0, supports } },
  });
  try {
    for (const query of ['limit=300', 'offset=300&limit=10', 'country=IS&limit=300']) {
      const { status, headers, json } = await gateway.get(`/directory/v1/teams?${query}`);
      expect([status, headers.get('source-status')]).toEqual([
        200,
        expect.stringContaining('inconsistent;reason=drift'),
      ]);
      expect(json).toHaveLength(query.includes('offset') ? 10 : 300);
    }
  } finally {
    await gateway.close();
    await upstream.close();
  }
});
