import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectProcessWarnings } from '../support/process-warnings.js';
import type { ProcessWarnings } from '../support/process-warnings.js';
import { SOURCE_TEXT } from '../support/upstream/faulty-responses.js';
import type { LogLine } from '../support/gateway/test-gateway.js';
import { failureCatalogue } from './failure-catalogue.js';
import type { Failure } from './failure-catalogue.js';
import { dataFailureCatalogue } from './data-failure-catalogue.js';
import { documentFailureCatalogue } from './document-failure-catalogue.js';
import { feedFailureCatalogue } from './feed-failure-catalogue.js';
import {
  CONFIRM,
  COOLDOWN,
  FailureScene,
  STALE_IF_ERROR,
  FAULTY_TEAMS,
  TTL,
  HEALTHY_TEAMS,
  teamNames,
} from './failure-scene.js';
import type { ObservedResponse } from './failure-scene.js';
import { readFailureTable } from './read-failure-table.js';
import type { FailureRow } from './read-failure-table.js';

const table = readFailureTable();

/** Each failure with its row, by id. */
const cases = failureCatalogue.flatMap((failure) =>
  table.filter(({ id }) => id === failure.id).map((row) => [failure.id, failure, row] as const),
);

/** Whether the last snapshot is served, because the source returned no records or far fewer. */
function isServedStale({ shown = 0 }: Failure): boolean {
  return shown * 2 < FAULTY_TEAMS.length;
}

const servedStale = cases.filter(([, failure]) => isServedStale(failure));

describe('docs/failures.md', () => {
  it('has a row for every failure of the catalogue, and for no other', () => {
    const ids = [
      ...failureCatalogue,
      ...dataFailureCatalogue,
      ...documentFailureCatalogue,
      ...feedFailureCatalogue,
    ].map(({ id }) => id);
    expect(table.map(({ id }) => id)).toEqual(ids);
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
  });
});

describe('a faulty source', () => {
  let scene: FailureScene | undefined;
  let warnings: ProcessWarnings;

  beforeAll(() => {
    warnings = collectProcessWarnings();
  });
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
  });
  afterAll(async () => {
    expect(await warnings.stop()).toEqual([]);
  });

  const open = async (registered?: object): Promise<FailureScene> => (scene = await FailureScene.open(registered));

  it.each(cases)('is reported beside a healthy one as docs/failures.md states: %s', async (_id, failure, row) => {
    const scene = await open(failure.registered);
    await prepare(scene, failure);
    const [sent, lines] = [scene.sent, scene.gateway.log.length];
    const response = await scene.fetchList();
    expectReported(response, failure, row);
    if (row.state === 'failed') expect(scene.sent - sent).toBe(failure.requests ?? row.tries);
    expectLogLine(scene.gateway.log.slice(lines), failure, row);
    expectMetrics(await scene.gateway.metrics(), failure, row);
    expect((await scene.fetchList('&source-name=troubled')).status).toBe(statusAlone(failure, row));
  });

  it.each(cases.filter(([, , { again }]) => again !== undefined))(
    'is requested again exactly when docs/failures.md states: %s',
    async (_id, failure, row) => {
      const scene = await open(failure.registered);
      await prepare(scene, failure);
      await scene.fetchList();
      const { sent } = scene;
      scene.clock.advance((row.again ?? 0) * 1_000 - 1);
      await scene.fetchList();
      expect(scene.sent).toBe(sent);
      scene.clock.advance(1);
      await scene.fetchList();
      expect(scene.sent).toBeGreaterThan(sent);
    },
  );

  it.each(servedStale)('is served from its last snapshot until stale-if-error ends: %s', async (_id, failure, row) => {
    const scene = await open(failure.registered);
    expectComplete(await scene.fetchList());
    scene.clock.advance(TTL);
    await prepare(scene, failure);
    const stale = await scene.fetchList();
    const reason = row.state === 'suspended' ? 'suspended' : row.reason;
    expect(stale).toMatchObject({
      status: 200,
      state: `stale ${reason}`,
      well: teamNames(HEALTHY_TEAMS),
      troubled: teamNames(FAULTY_TEAMS),
    });
    const detail = row.state === 'suspended' ? {} : failure.detail;
    expect(stale.sources).toEqual([{ 'source-name': 'troubled', state: 'stale', reason, ...detail }]);
    expect(stale.response.headers.get('cache-control')).toBe('no-cache');
    expectNoSourceText(stale);
    scene.clock.advance(STALE_IF_ERROR);
    expectReported(await scene.fetchList(), failure, row);
    scene.setFault();
    scene.clock.advance(Math.max(COOLDOWN, TTL));
    // Compared with the large total that was trusted before, the 30 records count as shrunk until confirm-shrink.
    if (row.reason === 'too-large') {
      expect(await scene.fetchList()).toMatchObject({ state: 'failed shrunk' });
      scene.clock.advance(CONFIRM);
    }
    expectComplete(await scene.fetchList());
  });
});

describe('one process', () => {
  it('survives every failure of the catalogue and is complete after each', async () => {
    const warnings = collectProcessWarnings();
    const scene = await FailureScene.open({ 'max-body': '1MiB' });
    for (const [id, failure, row] of cases) {
      expectComplete(await scene.fetchList(), id);
      scene.clock.advance(TTL);
      await prepare(scene, failure);
      const observed = await scene.fetchList();
      const reason = row.state === 'suspended' ? 'suspended' : (failure.reason ?? row.reason);
      const state = isServedStale(failure) ? 'stale' : row.state;
      expect({ id, status: observed.status, state: observed.state }).toEqual({
        id,
        status: 200,
        state: `${state} ${reason}`,
      });
      expectNoSourceText(observed);
      scene.setFault();
      scene.clock.advance(TTL);
    }
    expectComplete(await scene.fetchList(), 'at the end');
    await scene.close();
    expect(await warnings.stop()).toEqual([]);
  });
});

async function prepare(scene: FailureScene, failure: Failure): Promise<void> {
  const fault = failure.fault(scene);
  if (failure.prepare === undefined) scene.setFault(fault);
  else await failure.prepare(scene, fault);
}

function expectReported(
  observed: ObservedResponse,
  { shown = 0, reason: before, detail }: Failure,
  { state, reason = before }: FailureRow,
): void {
  expect(observed).toMatchObject({ status: 200, state: `${state} ${reason}`, well: teamNames(HEALTHY_TEAMS) });
  expect(observed.troubled).toEqual(teamNames(FAULTY_TEAMS).slice(0, shown));
  expect(observed.sources).toEqual([expect.objectContaining({ 'source-name': 'troubled', state, reason, ...detail })]);
  for (const [name, value] of Object.entries(detail ?? {})) {
    expect(observed.response.headers.get('source-status')).toContain(`;reason=${reason};${name}=${String(value)}`);
  }
  const { headers } = observed.response;
  expect(headers.get('cache-control')).toBe(state === 'stale' ? 'no-cache' : 'no-store');
  expect(headers.has('last-modified')).toBe(false);
  expectNoSourceText(observed);
}

function expectComplete(observed: ObservedResponse, message?: string): void {
  const { state, status, well, troubled, sources } = observed;
  expect({ state, status, well, troubled, sources }, message).toEqual({
    state: 'fresh',
    status: 200,
    well: teamNames(HEALTHY_TEAMS),
    troubled: teamNames(FAULTY_TEAMS),
    sources: undefined,
  });
}

/** Checks that the response has no text of a source beside its records, and nothing that reveals its address. */
function expectNoSourceText({ response }: ObservedResponse): void {
  const all = [response.text, ...[...response.headers].map(([name, value]) => `${name}: ${value}`)].join('\n');
  for (const text of [SOURCE_TEXT, '127.0.0.1', 'xxxx', 'CERT', 'at /', 'ECONN']) expect(all).not.toContain(text);
}

/** HTTP status of a response from this source alone: 200 with its records, else 504 after a timeout, else 502. */
function statusAlone({ shown = 0 }: Failure, { reason }: FailureRow): number {
  if (shown > 0) return 200;
  return reason === 'timeout' ? 504 : 502;
}

/** Checks that one log line reports the failure, and that the line of the request has the state. */
function expectLogLine(lines: readonly LogLine[], failure: Failure, row: FailureRow): void {
  const { line = 'source failed', reason = row.reason, detail } = failure;
  const matching = lines.filter(
    ({ message, facts }) => message === line && 'source' in facts && facts.source === 'troubled',
  );
  expect(matching).toHaveLength(1);
  if (line === 'source failed') {
    expect(matching[0]).toMatchObject({ level: 'warn', facts: { reason, ...detail } });
    expect(matching[0]).toHaveProperty('facts.detail');
  }
  const request = lines.find(({ message }) => message === 'request');
  expect(request).toMatchObject({ facts: { sources: { troubled: { state: row.state, reason, ...detail } } } });
}

/** Checks that the fetch is counted by state and reason, the requests by result, and that a suspended source is marked. */
function expectMetrics(metrics: string, { reason: before }: Failure, { state, reason = before }: FailureRow): void {
  const of = 'source="troubled",resource="directory-teams"';
  expect(metrics).toContain(`rollcall_source_fetches_total{${of},state="${state}",reason="${reason}"} 1\n`);
  expect(metrics).toMatch(/rollcall_source_requests_total\{source="well",result="ok"\} [1-9]/);
  // The request itself succeeded: the response was JSON.
  const result = reason === 'schema' ? 'ok' : reason;
  if (state === 'failed')
    expect(metrics).toContain(`rollcall_source_requests_total{source="troubled",result="${result}"} `);
  if (state === 'suspended') expect(metrics).toContain('rollcall_source_suspended{source="troubled"} 1\n');
}
