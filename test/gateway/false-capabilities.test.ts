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

/** Milliseconds: the default time to live, and the default `stale-while-revalidate` period. */
const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const FRESH: ReportedState = { state: 'fresh', reason: undefined };

const open: LargeSourceGateway[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** A gateway over one source with false declarations, and what the gateway logged, counted and requested. */
class FalseCapabilityScene {
  private constructor(
    readonly source: LargeSource,
    readonly scene: LargeSourceGateway,
    readonly clock: FakeClock,
  ) {}

  static async of(
    behaviours: readonly FaultName[],
    query: OracleQuery,
    more: Partial<LargeSource> = {},
  ): Promise<FalseCapabilityScene> {
    const source = largeSource(query.resource === DIRECTORY_TEAMS ? manyTeams : manyNews, {
      behaviours,
      honest: false,
      ...more,
    });
    const clock = fakeClock();
    const scene = await startLargeSourceGateway([source], { clock });
    open.push(scene);
    return new FalseCapabilityScene(source, scene, clock);
  }

  /** Sends a query; expects the exact result and the given state of the source. */
  async query(query: OracleQuery, { state, reason }: ReportedState = FRESH): Promise<void> {
    const response = await this.scene.gateway.get(requestTarget(query));
    expect(readReportedStates(response).get('one')).toEqual({ state, reason });
    const { total, data } = expectedList(allRecords(query.resource, [this.source]), query);
    expect([response.headers.get('x-total-count'), listedRecords(response)]).toEqual([String(total), data]);
  }

  /** Labels and values of the counter of disproved capabilities. */
  async disprovedCounts(): Promise<readonly string[]> {
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

  /** Query strings of the requests to the source, without the given number of first ones. */
  requests(from = 0): readonly URLSearchParams[] {
    return (this.scene.upstreams['one']?.requests ?? []).slice(from).map(({ query }) => query);
  }
}

const isNorway = { filters: [['country-code', 'NO']] } as const;
const sortedBy = (property: string, descending = false): Pick<OracleQuery, 'sort'> => ({
  sort: [{ property, descending }],
});

/** Publication time that two items of `manyNews` share. */
const MOMENT = String(manyNews.news?.[5]?.['published']);
const MOMENT_ISO = new Date(MOMENT).toISOString();

/** Behaviours of a source, a query, the capability that the response disproves, and the logged evidence. */
const FALSE_CAPABILITIES: readonly (readonly [
  behaviour: FaultName,
  query: OracleQuery,
  capability: string,
  evidence: RegExp,
])[] = [
  [
    'ignores filters',
    makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 20 }),
    'filter country-code',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(DIRECTORY_TEAMS, { country: ['no', 'pt'], limit: 20 }),
    'filter country',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(DIRECTORY_TEAMS, { region: 'Europe', limit: 20 }),
    'filter region',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(DIRECTORY_TEAMS, { team: 'zebra', limit: 20 }),
    'filter team',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(DATA_TEAMS, { filters: [['host', 'øresund äpfel']], limit: 20 }),
    'filter host',
    /does not match the filter/,
  ],
  ['ignores filters', makeQuery(DATA_TEAMS, { q: 'portugal', limit: 20 }), 'filter q', /does not match the filter/],
  [
    'ignores filters',
    makeQuery(NEWS, { before: '2025-12-01', limit: 20 }),
    'filter before',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(NEWS, { after: '2025-12-01', ...sortedBy('published') }),
    'filter after',
    /does not match the filter/,
  ],
  [
    'ignores filters',
    makeQuery(NEWS, { link: 'https://www.example.org/9', limit: 20 }),
    'filter link',
    /does not match the filter/,
  ],
  [
    'treats before as inclusive',
    makeQuery(NEWS, { before: MOMENT_ISO, limit: 5 }),
    'filter before',
    /does not match the filter/,
  ],
  [
    'treats after as inclusive',
    makeQuery(NEWS, { after: MOMENT_ISO, ...sortedBy('published'), limit: 5 }),
    'filter after',
    /does not match the filter/,
  ],
  [
    'reads times in another time zone',
    makeQuery(NEWS, { after: MOMENT_ISO }),
    'filter after',
    /does not match the filter/,
  ],
  ['ignores sort', makeQuery(DIRECTORY_TEAMS, { limit: 20 }), 'sort short-team-name', /is out of order/],
  [
    'ignores sort',
    makeQuery(DATA_TEAMS, { ...sortedBy('last-modified', true) }),
    'sort -last-modified',
    /is out of order/,
  ],
  ['ignores sort', makeQuery(NEWS, { ...sortedBy('title'), limit: 3 }), 'sort title', /is out of order/],
  [
    'ignores sort in a filtered request',
    makeQuery(DIRECTORY_TEAMS, isNorway),
    'sort short-team-name',
    /is out of order/,
  ],
  [
    'ignores the direction of sort',
    makeQuery(DIRECTORY_TEAMS, sortedBy('short-team-name', true)),
    'sort -short-team-name',
    /is out of order/,
  ],
  ['ignores the direction of sort', makeQuery(NEWS, { limit: 3 }), 'sort -published', /is out of order/],
  [
    'sorts upper case before lower case',
    makeQuery(DIRECTORY_TEAMS, { limit: 30 }),
    'sort short-team-name',
    /is out of order/,
  ],
  [
    'sorts letters with marks after z',
    makeQuery(DIRECTORY_TEAMS, { limit: 30 }),
    'sort short-team-name',
    /is out of order/,
  ],
  ['sorts Å, Ä and Ö after z', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /is out of order/],
  ['sorts by English collation', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /is out of order/],
  ['sorts without punctuation', makeQuery(DATA_TEAMS, { limit: 30 }), 'sort team', /is out of order/],
  [
    'sorts missing values first',
    makeQuery(DATA_TEAMS, { ...sortedBy('last-modified'), limit: 5 }),
    'sort last-modified',
    /is out of order/,
  ],
  [
    'reports the page size as total',
    makeQuery(DIRECTORY_TEAMS, { limit: 20 }),
    'total',
    /total is \d+, but more records follow/,
  ],
  ['reports the page size as total', makeQuery(NEWS, { limit: 0 }), 'total', /total is 1, but more records follow/],
  ['reports no total', makeQuery(DIRECTORY_TEAMS, { limit: 20 }), 'total', /the response has no total/],
  [
    'reports too small a total',
    makeQuery(DIRECTORY_TEAMS, { ...isNorway }),
    'total',
    /total is \d+, but \d+ records were returned/,
  ],
  ['reports too small a total', makeQuery(NEWS, { limit: 300 }), 'total', /total is \d+, but/],
  [
    'ignores filters in the total',
    makeQuery(DIRECTORY_TEAMS, { ...isNorway }),
    'total',
    /total is \d+, but there is no record at offset \d+/,
  ],
  ['ignores offset', makeQuery(DIRECTORY_TEAMS, { limit: 150 }), 'total', /the first page repeats at offset/],
  ['ignores offset', makeQuery(NEWS, { limit: 1, offset: 120 }), 'total', /the first page repeats at offset/],
  [
    'ignores offset in a filtered request',
    makeQuery(NEWS, { before: '2026-01-01', limit: 150 }),
    'total',
    /the first page repeats at offset/,
  ],
];

interface FalseCapability {
  readonly more?: Partial<LargeSource>;
  readonly behaviour: FaultName;
  readonly query: OracleQuery;
  readonly capability: string;
  readonly evidence: RegExp;
  /** State reported for the complete list of the source, where the list is in doubt too. */
  readonly expectedState?: ReportedState;
}

/** Sends a query and checks which capability it disproves, and that the source is not trusted with it again. */
async function expectDisproved({
  behaviour,
  query,
  capability,
  evidence,
  expectedState = FRESH,
  more = {},
}: FalseCapability): Promise<void> {
  const faultyScene = await FalseCapabilityScene.of([behaviour], query, more);
  await faultyScene.query(query, expectedState);
  const resource = RESOURCES[query.resource.name];
  expect(await faultyScene.disprovedCounts()).toEqual([
    `source="one",resource="${resource}",capability="${capability}" 1`,
  ]);
  const loggedEvidence = expect.stringMatching(evidence) as string;
  expect(faultyScene.logged).toEqual([
    { level: 'warn', source: 'one', resource, capability, evidence: loggedEvidence },
  ]);
  const before = faultyScene.requests().length;
  await faultyScene.query({ ...query, limit: 7, offset: 3 });
  // The complete list is cached, so no request is needed. Where that list is in doubt, Rollcall pushes down the remaining capabilities instead.
  if (expectedState === FRESH) expect(faultyScene.requests()).toHaveLength(before);
  // Once the list has expired, the disproved capability is not used again.
  faultyScene.clock.advance(TTL + WHILE_REVALIDATE + 1);
  await faultyScene.scene.gateway.get(requestTarget(query));
  const later = faultyScene.requests(before);
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((query) => reliesOn(query, capability)).map(String)).toEqual([]);
  expect(await faultyScene.disprovedCounts()).toHaveLength(1);
}

const RESOURCES = { directory: 'directory-teams', teams: 'data-teams', news: 'news', channels: 'channels' };

/** Whether a request relies on a capability. Requests for sorted records rely on the total. */
function reliesOn(query: URLSearchParams, capability: string): boolean {
  const [kind, name = ''] = capability.split(' ');
  if (kind === 'filter') return query.has(name);
  return kind === 'sort' ? query.get('sort') === name : query.has('sort');
}

describe('a source with false declarations', () => {
  const cases = FALSE_CAPABILITIES.map(([behaviour, query, capability, evidence]) => ({
    behaviour,
    query,
    capability,
    evidence,
    title: requestTarget(query),
  }));

  it.each(cases)(
    '$behaviour: $title disproves $capability, which is logged, counted and switched off, and the result is exact',
    expectDisproved,
  );

  it.each<[FaultName, OracleQuery, ReportedState]>([
    ['reports too large a total', makeQuery(NEWS, { after: '2025-12-25' }), { state: 'partial', reason: 'window' }],
    [
      'reports too large a total',
      makeQuery(DATA_TEAMS, { country: ['no'] }),
      { state: 'inconsistent', reason: 'total' },
    ],
  ])(
    '%s: the total is switched off, and the complete list is reported to be in doubt',
    async (behaviour, query, expectedState) => {
      await expectDisproved({
        behaviour,
        query,
        capability: 'total',
        evidence: /total is \d+, but there is no record at offset \d+/,
        expectedState,
      });
    },
  );

  it('loses a declared filter that it ignores, though more records arrive than its drain-threshold', async () => {
    const query = makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 20 });
    const supports = { teams: { ...nothingDeclared, filters: ['country-code'] } };
    await expectDisproved({
      query,
      behaviour: 'ignores filters',
      capability: 'filter country-code',
      evidence: /does not match the filter/,
      more: { supports },
    });
  });

  it('loses no capability for returning more records than requested', async () => {
    const query = makeQuery(DIRECTORY_TEAMS, { ...isNorway, limit: 3 });
    const faultyScene = await FalseCapabilityScene.of(['ignores limit'], query);
    await faultyScene.query(query);
    expect([await faultyScene.disprovedCounts(), faultyScene.logged]).toEqual([[], []]);
  });
});
