import { afterEach, describe, expect, it } from 'vitest';
import { requestTarget } from '../oracle/random-query.js';
import { DIRECTORY_TEAMS, NEWS, DATA_TEAMS } from '../oracle/model/oracle-resources.js';
import { allRecords, expectedList } from '../oracle/model/expected-list.js';
import type { OracleQuery } from '../oracle/model/expected-list.js';
import type { FaultName, LargeSource } from '../oracle/push-down/large-sources.js';
import { startLargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import type { LargeSourceGateway } from '../oracle/push-down/start-large-sources.js';
import { makeQuery, largeSource, manyNews, manyTeams, nothingDeclared } from '../oracle/push-down/sample-sources.js';
import { listedRecords } from '../oracle/start-sources.js';
import { readReportedStates } from '../oracle/push-down/require-exact-response.js';
import type { ReportedState } from '../oracle/push-down/require-exact-response.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';

/** Milliseconds: the time to live, and what is given beyond it while it is refreshed, both as configured by default. */
const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const FRESH: ReportedState = { state: 'fresh', reason: undefined };

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A liar of which everything is claimed, and what is seen of it. */
class Lie {
  private constructor(
    readonly source: LargeSource,
    readonly scene: LargeSourceGateway,
    readonly clock: FakeClock,
  ) {}

  static async of(behaviours: readonly FaultName[], ask: OracleQuery, more: Partial<LargeSource> = {}): Promise<Lie> {
    const source = largeSource(ask.resource === DIRECTORY_TEAMS ? manyTeams : manyNews, {
      behaviours,
      honest: false,
      ...more,
    });
    const clock = fakeClock();
    const scene = await startLargeSourceGateway([source], { clock });
    open.push(scene);
    return new Lie(source, scene, clock);
  }

  /** Asks; the answer is exact, and of all that there is, in whatever state that is told. */
  async ask(ask: OracleQuery, { state, reason }: ReportedState = FRESH): Promise<void> {
    const got = await this.scene.gateway.get(requestTarget(ask));
    expect(readReportedStates(got).get('one')).toEqual({ state, reason });
    const { total, data } = expectedList(allRecords(ask.resource, [this.source]), ask);
    expect([got.headers.get('x-total-count'), listedRecords(got)]).toEqual([String(total), data]);
  }

  /** Capabilities that the operator's counter names, with their counts. */
  async counted(): Promise<readonly string[]> {
    const text = await this.scene.gateway.metrics();
    const counts = text.matchAll(/^rollcall_source_capabilities_disproved_total\{(.*)\} (\d+)$/gm);
    return [...counts].map(([, labels = '', count = '']) => `${labels} ${count}`);
  }

  get logged(): readonly object[] {
    const { log } = this.scene.gateway;
    return log
      .filter(({ message }) => message === 'capability disproved')
      .map(({ level, facts }) => ({ level, ...facts }));
  }

  /** Queries of the requests since so many had been made. */
  requests(from = 0): readonly URLSearchParams[] {
    return (this.scene.upstreams['one']?.requests ?? []).slice(from).map(({ query }) => query);
  }
}

const isNorway = { filters: [['country-code', 'NO']] } as const;
const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

/** What two items of `tellingNews` have at once. */
const MOMENT = String(manyNews.news?.[5]?.['published']);
const AT = new Date(MOMENT).toISOString();

/** Habits, what is asked, what that disproves, and as what it is seen. */
const LIES: readonly (readonly [habit: FaultName, ask: OracleQuery, capability: string, evidence: RegExp])[] = [
  ['ignores filters', makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 20 }), 'filter country-code', /does not meet/],
  [
    'ignores filters',
    makeQuery(DIRECTORY_TEAMS, { country: ['no', 'pt'], limit: 20 }),
    'filter country',
    /does not meet/,
  ],
  ['ignores filters', makeQuery(DIRECTORY_TEAMS, { region: 'Europe', limit: 20 }), 'filter region', /does not meet/],
  ['ignores filters', makeQuery(DIRECTORY_TEAMS, { team: 'zebra', limit: 20 }), 'filter team', /does not meet/],
  [
    'ignores filters',
    makeQuery(DATA_TEAMS, { filters: [['host', 'øresund äpfel']], limit: 20 }),
    'filter host',
    /does not meet/,
  ],
  ['ignores filters', makeQuery(DATA_TEAMS, { q: 'portugal', limit: 20 }), 'filter q', /does not meet/],
  ['ignores filters', makeQuery(NEWS, { before: '2025-12-01', limit: 20 }), 'filter before', /does not meet/],
  [
    'ignores filters',
    makeQuery(NEWS, { after: '2025-12-01', ...sortedBy('published') }),
    'filter after',
    /does not meet/,
  ],
  [
    'ignores filters',
    makeQuery(NEWS, { link: 'https://www.example.org/9', limit: 20 }),
    'filter link',
    /does not meet/,
  ],
  ['treats before as inclusive', makeQuery(NEWS, { before: AT, limit: 5 }), 'filter before', /does not meet/],
  [
    'treats after as inclusive',
    makeQuery(NEWS, { after: AT, ...sortedBy('published'), limit: 5 }),
    'filter after',
    /does not meet/,
  ],
  ['reads times in another time zone', makeQuery(NEWS, { after: AT }), 'filter after', /does not meet/],
  ['ignores sort', makeQuery(DIRECTORY_TEAMS, { limit: 20 }), 'sort short-team-name', /came too late/],
  [
    'ignores sort',
    makeQuery(DATA_TEAMS, { ...sortedBy('last-modified', true) }),
    'sort -last-modified',
    /came too late/,
  ],
  ['ignores sort', makeQuery(NEWS, { ...sortedBy('title'), limit: 3 }), 'sort title', /came too late/],
  ['ignores sort in a filtered request', makeQuery(DIRECTORY_TEAMS, isNorway), 'sort short-team-name', /came too late/],
  [
    'ignores the direction of sort',
    makeQuery(DIRECTORY_TEAMS, sortedBy('short-team-name', true)),
    'sort -short-team-name',
    /came too late/,
  ],
  ['ignores the direction of sort', makeQuery(NEWS, { limit: 3 }), 'sort -published', /came too late/],
  [
    'sorts upper case before lower case',
    makeQuery(DIRECTORY_TEAMS, { limit: 30 }),
    'sort short-team-name',
    /came too late/,
  ],
  [
    'sorts letters with marks after z',
    makeQuery(DIRECTORY_TEAMS, { limit: 30 }),
    'sort short-team-name',
    /came too late/,
  ],
  ['sorts Å, Ä and Ö after z', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /came too late/],
  ['sorts by English collation', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /came too late/],
  ['sorts without punctuation', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /came too late/],
  [
    'sorts missing values first',
    makeQuery(DATA_TEAMS, { ...sortedBy('last-modified'), limit: 5 }),
    'sort last-modified',
    /came too late/,
  ],
  ['reports the page size as total', makeQuery(DIRECTORY_TEAMS, { limit: 20 }), 'total', /counts \d+, and gives more/],
  ['reports the page size as total', makeQuery(NEWS, { limit: 0 }), 'total', /counts 1, and gives more/],
  ['reports no total', makeQuery(DIRECTORY_TEAMS, { limit: 20 }), 'total', /does not say how many/],
  ['reports too small a total', makeQuery(DIRECTORY_TEAMS, { ...isNorway }), 'total', /counts \d+, and gives \d+/],
  ['reports too small a total', makeQuery(NEWS, { limit: 300 }), 'total', /counts \d+, and gives/],
  [
    'ignores filters in the total',
    makeQuery(DIRECTORY_TEAMS, { ...isNorway }),
    'total',
    /counts \d+, and gives nothing behind \d+/,
  ],
  ['ignores offset', makeQuery(DIRECTORY_TEAMS, { limit: 150 }), 'total', /gives the first page again/],
  ['ignores offset', makeQuery(NEWS, { limit: 1, offset: 120 }), 'total', /gives the first page again/],
  [
    'ignores offset in a filtered request',
    makeQuery(NEWS, { before: '2026-01-01', limit: 150 }),
    'total',
    /gives the first page again/,
  ],
];

interface Lied {
  readonly more?: Partial<LargeSource>;
  readonly behaviour: FaultName;
  readonly ask: OracleQuery;
  readonly capability: string;
  readonly evidence: RegExp;
  /** As what all that it has is told, where that is doubted too. */
  readonly told?: ReportedState;
}

/** Asks, and looks at what that disproves, now and later. */
async function seen({ behaviour, ask, capability, evidence, told = FRESH, more = {} }: Lied): Promise<void> {
  const lie = await Lie.of([behaviour], ask, more);
  await lie.ask(ask, told);
  const resource = RESOURCES[ask.resource.name];
  expect(await lie.counted()).toEqual([`source="one",resource="${resource}",capability="${capability}" 1`]);
  const seenAs = expect.stringMatching(evidence) as string;
  expect(lie.logged).toEqual([{ level: 'warn', source: 'one', resource, capability, evidence: seenAs }]);
  const before = lie.requests().length;
  await lie.ask({ ...ask, limit: 7, offset: 3 });
  // All of it is held now, and nothing more is asked of it; where that is doubtful, what is still believed of the source gives the better answer.
  if (told === FRESH) expect(lie.requests()).toHaveLength(before);
  // When that is over, it is not asked for the same again.
  lie.clock.advance(TTL + WHILE_REVALIDATE + 1);
  await lie.scene.gateway.get(requestTarget(ask));
  const later = lie.requests(before);
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((query) => asksFor(query, capability)).map(String)).toEqual([]);
  expect(await lie.counted()).toHaveLength(1);
}

const RESOURCES = { directory: 'directory-teams', teams: 'data-teams', news: 'news', channels: 'channels' };

/** Whether a request rests on a capability. On the total those do that ask for the start of an order. */
function asksFor(query: URLSearchParams, capability: string): boolean {
  const [claim, name = ''] = capability.split(' ');
  if (claim === 'filter') return query.has(name);
  return claim === 'sort' ? query.get('sort') === name : query.has('sort');
}

describe('a source that is said to do all that this house does', () => {
  const cases = LIES.map(([behaviour, ask, capability, evidence]) => ({
    behaviour,
    ask,
    capability,
    evidence,
    title: requestTarget(ask),
  }));

  it.each(cases)(
    'and that $behaviour, is seen at $title: $capability is off, logged and counted, the answer exact',
    seen,
  );

  it.each<[FaultName, OracleQuery, ReportedState]>([
    ['reports too large a total', makeQuery(NEWS, { after: '2025-12-25' }), { state: 'partial', reason: 'window' }],
    [
      'reports too large a total',
      makeQuery(DATA_TEAMS, { country: ['no'] }),
      { state: 'inconsistent', reason: 'total' },
    ],
  ])('and that %s, is seen to, and what all that it has is told to be in doubt too', async (behaviour, ask, told) => {
    await seen({ behaviour, ask, capability: 'total', evidence: /counts \d+, and gives nothing behind \d+/, told });
  });

  it('of filters only, and that passes over them, is seen to though more comes than is drained', async () => {
    const ask = makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 20 });
    const supports = { teams: { ...nothingDeclared, filters: ['country-code'] } };
    await seen({
      ask,
      behaviour: 'ignores filters',
      capability: 'filter country-code',
      evidence: /does not meet/,
      more: { supports },
    });
  });

  it('and that gives more than it is asked for, is none the worse for it', async () => {
    const ask = makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 3 });
    const lie = await Lie.of(['ignores limit'], ask);
    await lie.ask(ask);
    expect([await lie.counted(), lie.logged]).toEqual([[], []]);
  });
});
