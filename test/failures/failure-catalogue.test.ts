import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collectProcessWarnings } from '../support/process-warnings.js';
import type { ProcessWarnings } from '../support/process-warnings.js';
import { SOURCE_TEXT } from '../support/upstream/faulty-responses.js';
import type { LogLine } from '../support/gateway/test-gateway.js';
import { failureCatalogue } from './failure-catalogue.js';
import type { Failure } from './failure-catalogue.js';
import { dataFailureCatalogue } from './data-failure-catalogue.js';
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

/** Whether a last good copy stands in, for what came is nothing, or far less. */
function isBarren({ shown = 0 }: Failure): boolean {
  return shown * 2 < FAULTY_TEAMS.length;
}

const barren = cases.filter(([, failure]) => isBarren(failure));

describe('docs/failures.md', () => {
  it('has a row for every failure of the catalogue, and for no other', () => {
    const ids = [...failureCatalogue, ...dataFailureCatalogue].map(({ id }) => id);
    expect(table.map(({ id }) => id)).toEqual(ids);
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length);
  });
});

describe('a source in trouble', () => {
  let scene: FailureScene | undefined;
  let alarms: ProcessWarnings;

  beforeAll(() => {
    alarms = collectProcessWarnings();
  });
  afterEach(async () => {
    await scene?.close();
    scene = undefined;
  });
  afterAll(async () => {
    expect(await alarms.stop()).toEqual([]);
  });

  const open = async (registered?: object): Promise<FailureScene> => (scene = await FailureScene.open(registered));

  it.each(cases)('is told as docs/failures.md says, beside a healthy one: %s', async (_id, failure, row) => {
    const scene = await open(failure.registered);
    await lead(scene, failure);
    const [sent, lines] = [scene.sent, scene.gateway.log.length];
    const told = await scene.ask();
    expectTold(told, failure, row);
    if (row.state === 'failed') expect(scene.sent - sent).toBe(failure.requests ?? row.tries);
    expectLogged(scene.gateway.log.slice(lines), failure, row);
    expectCounted(await scene.gateway.metrics(), failure, row);
    expect((await scene.ask('&source-name=troubled')).status).toBe(statusAlone(failure, row));
  });

  it.each(cases.filter(([, , { again }]) => again !== undefined))(
    'is asked again as soon as docs/failures.md says, and no sooner: %s',
    async (_id, failure, row) => {
      const scene = await open(failure.registered);
      await lead(scene, failure);
      await scene.ask();
      const { sent } = scene;
      scene.clock.advance((row.again ?? 0) * 1_000 - 1);
      await scene.ask();
      expect(scene.sent).toBe(sent);
      scene.clock.advance(1);
      await scene.ask();
      expect(scene.sent).toBeGreaterThan(sent);
    },
  );

  it.each(barren)('has its last good copy stand in, until that is too old: %s', async (_id, failure, row) => {
    const scene = await open(failure.registered);
    expectComplete(await scene.ask());
    scene.clock.advance(TTL);
    await lead(scene, failure);
    const stale = await scene.ask();
    const reason = row.state === 'suspended' ? 'suspended' : row.reason;
    expect(stale).toMatchObject({
      status: 200,
      state: `stale ${reason}`,
      well: teamNames(HEALTHY_TEAMS),
      troubled: teamNames(FAULTY_TEAMS),
    });
    const detail = row.state === 'suspended' ? {} : failure.detail;
    expect(stale.sources).toEqual([{ 'source-name': 'troubled', state: 'stale', reason, ...detail }]);
    expect(stale.got.headers.get('cache-control')).toBe('no-cache');
    expectNoGossip(stale);
    scene.clock.advance(STALE_IF_ERROR);
    expectTold(await scene.ask(), failure, row);
    scene.begin();
    scene.clock.advance(Math.max(COOLDOWN, TTL));
    // Against what it counted for so long its few records have to be seen twice.
    if (row.reason === 'too-large') {
      expect(await scene.ask()).toMatchObject({ state: 'failed shrunk' });
      scene.clock.advance(CONFIRM);
    }
    expectComplete(await scene.ask());
  });
});

describe('one process', () => {
  it('lives through every failure of the catalogue, and then answers completely', { timeout: 120_000 }, async () => {
    const alarms = collectProcessWarnings();
    const scene = await FailureScene.open({ timeout: '5s', 'max-body': '1MiB' });
    for (const [id, failure, row] of cases) {
      expectComplete(await scene.ask(), id);
      scene.clock.advance(TTL);
      await lead(scene, failure);
      const told = await scene.ask();
      const reason = row.state === 'suspended' ? 'suspended' : (failure.reason ?? row.reason);
      const state = isBarren(failure) ? 'stale' : row.state;
      expect({ id, status: told.status, state: told.state }).toEqual({ id, status: 200, state: `${state} ${reason}` });
      expectNoGossip(told);
      scene.begin();
      scene.clock.advance(TTL);
    }
    expectComplete(await scene.ask(), 'at the end');
    await scene.close();
    expect(await alarms.stop()).toEqual([]);
  });
});

async function lead(scene: FailureScene, failure: Failure): Promise<void> {
  const trouble = failure.trouble(scene);
  if (failure.lead === undefined) scene.begin(trouble);
  else await failure.lead(scene, trouble);
}

function expectTold(
  told: ObservedResponse,
  { shown = 0, reason: before, detail }: Failure,
  { state, reason = before }: FailureRow,
): void {
  expect(told).toMatchObject({ status: 200, state: `${state} ${reason}`, well: teamNames(HEALTHY_TEAMS) });
  expect(told.troubled).toEqual(teamNames(FAULTY_TEAMS).slice(0, shown));
  expect(told.sources).toEqual([expect.objectContaining({ 'source-name': 'troubled', state, reason, ...detail })]);
  for (const [name, value] of Object.entries(detail ?? {})) {
    expect(told.got.headers.get('source-status')).toContain(`;reason=${reason};${name}=${String(value)}`);
  }
  const { headers } = told.got;
  expect(headers.get('cache-control')).toBe(state === 'stale' ? 'no-cache' : 'no-store');
  expect(headers.has('last-modified')).toBe(state === 'stale');
  expectNoGossip(told);
}

function expectComplete(told: ObservedResponse, message?: string): void {
  const { state, status, well, troubled, sources } = told;
  expect({ state, status, well, troubled, sources }, message).toEqual({
    state: 'fresh',
    status: 200,
    well: teamNames(HEALTHY_TEAMS),
    troubled: teamNames(FAULTY_TEAMS),
    sources: undefined,
  });
}

/** Nothing that a source says beside its records, and nothing of where it is. */
function expectNoGossip({ got }: ObservedResponse): void {
  const all = [got.text, ...[...got.headers].map(([name, value]) => `${name}: ${value}`)].join('\n');
  for (const gossip of [SOURCE_TEXT, '127.0.0.1', 'xxxx', 'CERT', 'at /', 'ECONN']) expect(all).not.toContain(gossip);
}

/** The state without any other source: what there is, else 504 for a source that was late, else 502. */
function statusAlone({ shown = 0 }: Failure, { reason }: FailureRow): number {
  if (shown > 0) return 200;
  return reason === 'timeout' ? 504 : 502;
}

/** One line that tells of the failure, and the state in the line of the request. */
function expectLogged(lines: readonly LogLine[], failure: Failure, row: FailureRow): void {
  const { line = 'source failed', reason = row.reason, detail } = failure;
  const told = lines.filter(
    ({ message, facts }) => message === line && 'source' in facts && facts.source === 'troubled',
  );
  expect(told).toHaveLength(1);
  if (line === 'source failed') {
    expect(told[0]).toMatchObject({ level: 'warn', facts: { reason, ...detail } });
    expect(told[0]).toHaveProperty('facts.detail');
  }
  const request = lines.find(({ message }) => message === 'request');
  expect(request).toMatchObject({ facts: { sources: { troubled: { state: row.state, reason, ...detail } } } });
}

/** The fetch counts under its state and reason, the requests under how they ended, and a source that is left alone is told. */
function expectCounted(metrics: string, { reason: before }: Failure, { state, reason = before }: FailureRow): void {
  const of = 'source="troubled",resource="directory-teams"';
  expect(metrics).toContain(`rollcall_source_fetches_total{${of},state="${state}",reason="${reason}"} 1\n`);
  expect(metrics).toMatch(/rollcall_source_requests_total\{source="well",result="ok"\} [1-9]/);
  // An answer that is JSON has come, whatever is in it.
  const result = reason === 'schema' ? 'ok' : reason;
  if (state === 'failed')
    expect(metrics).toContain(`rollcall_source_requests_total{source="troubled",result="${result}"} `);
  if (state === 'suspended') expect(metrics).toContain('rollcall_source_suspended{source="troubled"} 1\n');
}
