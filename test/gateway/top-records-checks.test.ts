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

/** A large source of which everything is claimed, with behaviours of its own, and a Rollcall over it. */
class Checked {
  private constructor(
    private source: LargeSource,
    private readonly scene: LargeSourceGateway,
  ) {}

  static async of(
    lists: RepositoryLists,
    own: readonly Behaviour[] = [],
    more: Partial<LargeSource> = {},
  ): Promise<Checked> {
    const source = largeSource(lists, more);
    const scene = await startLargeSourceGateway([source], { clock: fakeClock() });
    open.push(scene);
    const checked = new Checked(source, scene);
    checked.answers(lists, own);
    return checked;
  }

  /** From now on the source has these records. */
  becomes(lists: RepositoryLists, own: readonly Behaviour[] = []): void {
    this.source = largeSource(lists);
    this.answers(lists, own);
  }

  private answers(lists: RepositoryLists, own: readonly Behaviour[]): void {
    const { one } = this.scene.upstreams;
    if (one !== undefined) one.handler = simulatedRepository(lists, own);
  }

  /** Asks; the answer is exact. Gives what is told of the source. */
  async ask(ask: OracleQuery): Promise<string> {
    const { got, state } = await this.answer(ask);
    const { total, data } = expectedList(allRecords(ask.resource, [this.source]), ask);
    expect([got.headers.get('x-total-count'), listedRecords(got)]).toEqual([String(total), data]);
    return state;
  }

  /** Asks, and gives the answer whatever it is. */
  async answer(
    ask: OracleQuery,
  ): Promise<{ readonly got: Awaited<ReturnType<LargeSourceGateway['gateway']['get']>>; readonly state: string }> {
    const got = await this.scene.gateway.get(requestTarget(ask));
    const { state = '', reason } = readReportedStates(got).get('one') ?? {};
    return { got, state: [state, ...(reason === undefined ? [] : [reason])].join(' ') };
  }

  /** Capabilities that were disproved, as they are logged. */
  get disproved(): readonly string[] {
    const lines = this.scene.gateway.log.filter(({ message }) => message === 'capability disproved');
    return lines.map(({ facts }) => ('capability' in facts ? String(facts.capability) : ''));
  }

  /** Requests so far. */
  get requests(): number {
    return this.scene.upstreams['one']?.requests.length ?? 0;
  }
}

/** So many teams of a country, whose names come in this order. */
function teamsOf(country: string, count: number, initial: string): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    'short-team-name': `${initial} ${String(at).padStart(4, '0')}`,
    'official-team-name': `Team ${at} of ${country}`,
    'country-code': country,
  }));
}

const NORWAY: Pick<OracleQuery, 'country'> = { country: ['no'] };

/** The first 150 in the order of names match, and no other one does. */
const NORWAY_FIRST: RepositoryLists = { directory: [...teamsOf('NO', 150, 'a'), ...teamsOf('BR', 150, 'b')] };

const {
  'honours every parameter': honours,
  'ignores filters': ignoring,
  'reports too large a total': tooMany,
  'reports too small a total': tooFew,
} = behaviours;

describe('the total of a filter that is pushed down', () => {
  it.each([0, 1, 3, 100])('is right at a limit of %i, though the source ignores the filter', async (limit) => {
    const checked = await Checked.of(NORWAY_FIRST, [ignoring]);
    expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit }))).toBe('fresh');
    expect(checked.disproved).toEqual(['filter country']);
  });

  it('is right where not all of the first page match, and only the number is asked for', async () => {
    const checked = await Checked.of({ directory: [...teamsOf('NO', 40, 'a'), ...teamsOf('BR', 260, 'b')] }, [
      ignoring,
    ]);
    expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    expect(checked.disproved).toEqual(['filter country']);
  });

  it('is believed where every record matches, once all of them were read', async () => {
    const checked = await Checked.of({ directory: teamsOf('NO', 300, 'a') });
    expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    const before = checked.requests;
    expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 20, offset: 270 }))).toBe('fresh');
    expect([checked.disproved, checked.requests - before]).toEqual([[], 0]);
  });

  it('is believed without reading all of them where nearly every record matches', async () => {
    const checked = await Checked.of({ directory: [...teamsOf('NO', 990, 'a'), ...teamsOf('BR', 10, 'b')] });
    expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 0 }))).toBe('fresh');
    expect(checked.requests).toBeLessThan(8);
  });

  it.each<[string, Behaviour]>([
    ['many', tooMany],
    ['few', tooFew],
  ])('is right where the source counts too %s, though a page would not show it', async (_, behaviour) => {
    const checked = await Checked.of({ directory: [...teamsOf('NO', 150, 'a'), ...teamsOf('BR', 300, 'b')] }, [
      behaviour,
    ]);
    await checked.ask(makeQuery(DIRECTORY_TEAMS, { ...NORWAY, limit: 3 }));
    expect(checked.disproved).toEqual(['total']);
  });
});

/** What a source answers behind its end. */
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
  const cases = ENDS.flatMap(([end, behaviour]) => [20, 100].map((pages) => ({ end, habit: behaviour, pages })));

  it.each(cases)(
    'is off, and no order, where $end comes behind the end, in pages of $pages',
    async ({ habit: behaviour, pages }) => {
      const checked = await Checked.of(NORWAY_FIRST, [tooMany, behaviour], { pageSize: pages });
      await checked.ask(makeQuery(DIRECTORY_TEAMS, { limit: 305 }));
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

/** Names in upper and lower case, with marks and punctuation, as registers have them. */
function namesOf(count: number, chance: SeededRandom): ReadonlySet<string> {
  const names = new Set<string>();
  while (names.size < count) {
    const plain = Array.from({ length: 2 + chance.below(2) }, () => chance.of(SYLLABLES)).join('');
    const vowel = chance.of(['a', 'e', 'o', 'u']);
    const word = chance.below(6) === 0 ? plain.replace(vowel, MARKED[vowel]) : plain;
    const cased = chance.of([word, word.toUpperCase(), `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`]);
    names.add(
      `${cased.slice(0, 2)}${chance.of(['', '', '', '-', ' '])}${cased.slice(2)}${chance.of([' CERT', '-CSIRT', ''])}`,
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
    'is off where the source $collation, which no first page may show ($seed)',
    async ({ collation, seed }) => {
      const chance = new SeededRandom(seed);
      const names = chance.shuffled([...namesOf(250, chance)]);
      const directory = names.map((name, at) => ({ 'short-team-name': name, 'official-team-name': `Team ${at}` }));
      const checked = await Checked.of({ directory }, [behaviours[collation]]);
      expect(await checked.ask(makeQuery(DIRECTORY_TEAMS, { limit: seed === 1 ? 5 : 50 }))).toBe('fresh');
      expect(checked.disproved).toEqual(['sort short-team-name']);
    },
  );
});

/** Teams with ids of their own, the last one changed first. */
function dated(changed: ReadonlyMap<number, number>): readonly RawRecord[] {
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
  // One moves from the part that was read behind it, another the other way: the total, and what stands between, are as they were.
  const moved = {
    teams: dated(
      new Map([
        [10, 120.5],
        [150, 5.5],
      ]),
    ),
    news: [],
    channels: [],
  };
  const before: RepositoryLists = { teams: dated(new Map()), news: [], channels: [] };

  it('is read anew where a team that was read comes again on a later page', async () => {
    const checked = await Checked.of(before);
    expect(await checked.ask(first)).toBe('fresh');
    checked.becomes(moved);
    expect(await checked.ask(deeper)).toBe('fresh');
    expect(await checked.ask({ ...first, limit: 200 })).toBe('fresh');
  });

  it('is told to be inconsistent where one comes again on a later page of every reading', async () => {
    const checked = await Checked.of(before);
    await checked.answer(first);
    // Each page is of another moment than the one before.
    checked.becomes(before, [{ orders: (ordered, _, { number }) => swapped(ordered, number % 5) }]);
    const { state } = await checked.answer({ ...deeper, limit: 110 });
    expect(state).toBe('inconsistent drift');
  });

  it('is not read anew over and over for a team that it lists twice', async () => {
    const teams = [...dated(new Map()), ...dated(new Map([[3, 130.5]])).slice(3, 4)];
    const checked = await Checked.of({ teams, news: [], channels: [] });
    await checked.answer({ ...first, limit: 150 });
    const read = checked.requests;
    await checked.answer({ ...first, limit: 20, offset: 155 });
    expect(checked.requests - read).toBeLessThan(3);
  });
});

/** The records, of which one was moved from the start to the middle, and another the other way. */
function swapped(records: readonly RawRecord[], which: number): readonly RawRecord[] {
  const [one, other] = [records[10 + which], records[150 + which]];
  return records.map((record) => (record === one ? other : record === other ? one : record) ?? record);
}

describe('the 10,000th item', () => {
  it('comes though many have its second, which stand before and behind it', async () => {
    const news = Array.from({ length: 10_040 }, (_, at) => ({
      id: at + 1,
      title: `Item ${at}`,
      published: new Date(Date.UTC(2026, 0, 1) - Math.floor(at / 30) * 60_000).toUTCString(),
    }));
    const checked = await Checked.of({ teams: [], news: new SeededRandom(1).shuffled(news), channels: [] }, [], {
      pageSize: 5_000,
    });
    expect(await checked.ask(makeQuery(NEWS, { limit: 1, offset: 9_999 }))).toBe('fresh');
  }, 60_000);
});

it('a stream that changes faster than it can be read is drained, and its records are given with the warning', async () => {
  let names = Array.from({ length: 600 }, (_, at) => `Team ${String(at).padStart(4, '0')}`);
  const upstream = await startUpstream((asked, response) => {
    const newcomer = `A newcomer ${String(10_000 - asked.number)}`;
    names = [newcomer, ...names];
    directoryUpstream(names.map((name) => ({ 'short-team-name': name, 'country-code': 'IS' })))(asked, response);
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
