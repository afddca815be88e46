import { afterEach, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse } from '../support/gateway/test-gateway.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import {
  CONFIRM,
  COOLDOWN,
  PAGE,
  STALE_IF_ERROR,
  FailureScene,
  FAULTY_TEAMS,
  TTL,
  HEALTHY_TEAMS,
  teamNames,
} from './failure-scene.js';
import type { ObservedResponse, SourceFault } from './failure-scene.js';

const STRICT = { prefer: 'handling=strict' };

let scenes: FailureScene[] = [];

afterEach(async () => {
  await Promise.all(scenes.map((scene) => scene.close()));
  scenes = [];
});

async function open(troubled: object = {}, server: object = {}): Promise<FailureScene> {
  const scene = await FailureScene.open(troubled, server);
  scenes.push(scene);
  return scene;
}

/** A scene whose source fails after it was drained, when its snapshot is past the time to live. */
async function openFailing(fault: SourceFault, troubled: object = {}): Promise<FailureScene> {
  const scene = await open(troubled);
  await scene.fetchList();
  scene.clock.advance(TTL);
  scene.setFault(fault);
  return scene;
}

function fetchListTimes(scene: FailureScene, size: number): Promise<readonly ObservedResponse[]> {
  return Promise.all(Array.from({ length: size }, () => scene.fetchList()));
}

function messages(scene: FailureScene): readonly string[] {
  return scene.gateway.log.map(({ message }) => message);
}

/** Fallback to the last snapshot (decisions 6.12, 7.14). */
describe('a response with a stale snapshot', () => {
  it('has the total of a complete one, no date, and Cache-Control: no-cache', async () => {
    const scene = await openFailing(faulty.status(500));
    const { response } = await scene.fetchList();
    const total = String(HEALTHY_TEAMS.length + FAULTY_TEAMS.length);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-cache',
      'x-total-count': total,
      'source-status':
        'well;state=fresh;records=3;age=0, troubled;state=stale;reason=status;status=500;records=30;age=60',
    });
    expect(response.headers.has('last-modified')).toBe(false);
    expect(Object.keys(Object(response.json) as object).slice(-2)).toEqual(['sources', 'data']);
  });

  it('is sent at the deadline while the drain continues for the next response', async () => {
    const scene = await open({}, { deadline: '200ms' });
    await expect.poll(async () => (await scene.fetchList()).state).toBe('fresh');
    scene.clock.advance(TTL);
    const gate = faulty.holdResponses(directoryUpstream(FAULTY_TEAMS));
    scene.setFault(gate.handler);
    expect(await scene.fetchList()).toMatchObject({ state: 'stale timeout', troubled: teamNames(FAULTY_TEAMS) });
    const { sent } = scene;
    gate.release();
    await expect.poll(async () => (await scene.fetchList()).state).toBe('fresh');
    // The other pages of the same drain, without a second request for the first page.
    expect(scene.sent - sent).toBe(3);
  });

  it('has another ETag once the source fails with another HTTP status', async () => {
    const scene = await openFailing(faulty.status(401));
    const fetchTeams = (): Promise<GatewayResponse> => scene.gateway.get('/directory/v1/teams');
    const before = await fetchTeams();
    scene.clock.advance(2_000);
    scene.setFault(faulty.status(500));
    const after = await fetchTeams();
    expect(after.text).toBe(before.text);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('becomes partial without validators after stale-if-error', async () => {
    const scene = await openFailing(faulty.status(500));
    scene.clock.advance(STALE_IF_ERROR);
    const { response, state } = await scene.fetchList();
    expect(state).toBe('failed status');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.has('last-modified')).toBe(false);
  });
});

/** Strict handling (decisions 6.5). */
describe('Prefer: handling=strict', () => {
  it.each([
    'handling=strict',
    'Handling=Strict',
    'handling="strict"',
    'respond-async, handling=strict',
    'handling = strict; foo=bar',
  ])('is applied and echoed: %s', async (prefer) => {
    const scene = await open();
    const { status, response } = await scene.fetchList('', { prefer });
    expect(status).toBe(200);
    expect(response.headers.get('preference-applied')).toBe('handling=strict');
    expect(response.headers.get('vary')).toContain('Prefer');
  });

  it.each(['handling=loose', 'xhandling=strict', 'respond-async; handling=strict', 'handling', ''])(
    'is not applied for another preference: %s',
    async (prefer) => {
      const scene = await open();
      scene.setFault(faulty.status(500));
      const { status, response } = await scene.fetchList('', { prefer });
      expect(status).toBe(200);
      expect(response.headers.has('preference-applied')).toBe(false);
    },
  );

  it.each<[string, SourceFault, number, string]>([
    ['a failure', faulty.status(500), 502, 'failed status'],
    ['a timeout', neverResponds, 504, 'failed timeout'],
    ['an inconsistent source', directoryUpstream(FAULTY_TEAMS, { total: 1 }), 502, 'inconsistent total'],
  ])('turns a partial response into an error with the sources: %s', async (_title, fault, status, state) => {
    const scene = await open();
    scene.setFault(fault);
    expect((await scene.fetchList()).status).toBe(200);
    const strict = await scene.fetchList('', STRICT);
    expect(strict).toMatchObject({ status, state, well: [], troubled: [] });
    const [first, reason] = state.split(' ');
    expect(strict.sources).toMatchObject([{ 'source-name': 'troubled', state: first, reason }]);
    expect(strict.response.json).not.toHaveProperty('data');
    expect(strict.response.headers.get('cache-control')).toBe('no-store');
    expect(strict.response.headers.get('preference-applied')).toBe('handling=strict');
  });

  it.each<[string, SourceFault, number]>([
    ['a failure', faulty.status(500), 502],
    ['a timeout', neverResponds, 504],
    ['a source that lost its records', directoryUpstream([]), 502],
  ])('turns a stale response into an error: %s', async (_title, fault, status) => {
    const scene = await openFailing(fault);
    expect((await scene.fetchList()).state).toMatch(/^stale /);
    expect(await scene.fetchList('', STRICT)).toMatchObject({ status, well: [], troubled: [] });
  });

  it('ignores a failed source that the query does not contact', async () => {
    const scene = await open();
    scene.setFault(faulty.status(500));
    expect((await scene.fetchList('&source-name=well', STRICT)).status).toBe(200);
  });
});

/** Required sources (decisions 6.5). */
describe('a required source', () => {
  const REQUIRED = { required: true };

  it.each<[string, SourceFault, number, string]>([
    ['fails', faulty.status(500), 502, 'failed status'],
    ['times out', neverResponds, 504, 'failed timeout'],
    ['is partial', directoryUpstream(FAULTY_TEAMS, { offset: 'ignored', cap: PAGE }), 502, 'partial offset'],
    ['is inconsistent', directoryUpstream(FAULTY_TEAMS, { total: 1 }), 502, 'inconsistent total'],
    [
      'leads back to this gateway',
      directoryUpstream(FAULTY_TEAMS, { headers: { Via: '1.1 here' } }),
      502,
      'excluded loop',
    ],
  ])('that %s turns the response into an error', async (_title, fault, status, state) => {
    const scene = await open(REQUIRED, { name: 'here' });
    scene.setFault(fault);
    expect(await scene.fetchList()).toMatchObject({ status, state, well: [], troubled: [] });
  });

  it('may be stale', async () => {
    const scene = await openFailing(faulty.status(500), REQUIRED);
    expect(await scene.fetchList()).toMatchObject({
      status: 200,
      state: 'stale status',
      troubled: teamNames(FAULTY_TEAMS),
    });
  });

  it('may fail for a query that does not contact it', async () => {
    const scene = await open(REQUIRED);
    scene.setFault(faulty.status(500));
    expect(await scene.fetchList('&source-name=well')).toMatchObject({ status: 200, well: teamNames(HEALTHY_TEAMS) });
  });
});

/** Shared fetches, retries and the circuit breaker (decisions 6.9, 6.13). */
describe('a failing source', () => {
  it('receives one fetch for twenty clients, and the next one after two seconds', async () => {
    const scene = await open();
    scene.setFault(faulty.status(500));
    for (const requests of [2, 4]) {
      for (const { state } of await fetchListTimes(scene, 20)) expect(state).toBe('failed status');
      await fetchListTimes(scene, 20);
      expect(scene.sent).toBe(requests);
      scene.clock.advance(2_000);
    }
  });

  it('is not retried when its Retry-After ends after the deadline', async () => {
    const scene = await open();
    scene.setFault(faulty.status(503, { 'Retry-After': '11' }));
    expect((await scene.fetchList()).state).toBe('failed status');
    expect(scene.sent).toBe(1);
  });

  it('is fresh again in the first fetch after it recovers', async () => {
    const scene = await open();
    scene.setFault(faulty.resetConnection);
    expect((await scene.fetchList()).state).toBe('failed connect');
    scene.setFault();
    scene.clock.advance(2_000);
    const { state, troubled, sources, response } = await scene.fetchList();
    expect({ state, troubled, sources }).toEqual({
      state: 'fresh',
      troubled: teamNames(FAULTY_TEAMS),
      sources: undefined,
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=58, stale-while-revalidate=58');
  });

  it('is suspended for 30 s after five failures, and then receives one trial request', async () => {
    const scene = await open();
    scene.setFault(faulty.status(500));
    for (const requests of [2, 4, 5, 5]) {
      await scene.fetchList();
      expect(scene.sent).toBe(requests);
      scene.clock.advance(2_000);
    }
    // The fifth failure was four seconds ago.
    scene.clock.advance(COOLDOWN - 4_001);
    expect((await scene.fetchList()).state).toBe('suspended status');
    expect(scene.sent).toBe(5);
    scene.clock.advance(2_000);
    await fetchListTimes(scene, 50);
    expect(scene.sent).toBe(6);
    scene.setFault();
    scene.clock.advance(COOLDOWN);
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
    const lines = messages(scene).filter((message) => /suspended|resumed/.test(message));
    expect(lines).toEqual(['source suspended', 'source resumed']);
  });

  it('is never suspended for refusals', async () => {
    const scene = await open();
    scene.setFault(faulty.status(403));
    for (let time = 1; time <= 8; time += 1) {
      expect((await scene.fetchList()).state).toBe('failed status');
      expect(scene.sent).toBe(time);
      scene.clock.advance(2_000);
    }
  });
});

/** The shrink guard (decisions 6.11). */
describe('a source that suddenly returns far fewer records', () => {
  const FEW = FAULTY_TEAMS.slice(0, PAGE);

  it('is accepted after confirm-shrink', async () => {
    const scene = await openFailing(directoryUpstream(FEW));
    expect(await scene.fetchList()).toMatchObject({ state: 'stale shrunk', troubled: teamNames(FAULTY_TEAMS) });
    scene.clock.advance(CONFIRM - TTL);
    expect((await scene.fetchList()).state).toBe('stale shrunk');
    scene.clock.advance(TTL);
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: teamNames(FEW), sources: undefined });
  });

  it('is fetched once in each time to live until it is accepted', async () => {
    const scene = await openFailing(directoryUpstream(FEW));
    await scene.fetchList();
    const { sent } = scene;
    scene.clock.advance(TTL - 1);
    await scene.fetchList();
    expect(scene.sent).toBe(sent);
    scene.clock.advance(1);
    await scene.fetchList();
    expect(scene.sent).toBeGreaterThan(sent);
  });

  it('is fresh at once when its records return', async () => {
    const scene = await openFailing(directoryUpstream(FEW));
    await scene.fetchList();
    scene.setFault();
    scene.clock.advance(TTL);
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
  });

  it('is stale without records until stale-if-error ends, then failed until it returns records', async () => {
    const scene = await openFailing(directoryUpstream([]));
    for (const time of [0, CONFIRM, STALE_IF_ERROR - CONFIRM - 1]) {
      scene.clock.advance(time);
      expect(await scene.fetchList()).toMatchObject({ state: 'stale shrunk', troubled: teamNames(FAULTY_TEAMS) });
    }
    scene.clock.advance(1);
    for (const time of [0, CONFIRM]) {
      scene.clock.advance(time);
      expect(await scene.fetchList()).toMatchObject({
        status: 200,
        state: 'failed shrunk',
        well: teamNames(HEALTHY_TEAMS),
        troubled: [],
      });
    }
    scene.setFault(directoryUpstream(FEW));
    scene.clock.advance(TTL);
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: teamNames(FEW) });
  });

  it('is accepted at once when it had at most 20 records', async () => {
    const scene = await open();
    scene.setFault(directoryUpstream(FAULTY_TEAMS.slice(0, 20)));
    await scene.fetchList();
    scene.clock.advance(TTL);
    scene.setFault(directoryUpstream([]));
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: [], sources: undefined });
  });
});

/** The trial request of the circuit breaker (decisions 6.13). */
describe('the trial request of a suspended source', () => {
  it('does not delay a response until the request times out', async () => {
    const scene = await open({ timeout: '1h' }, { deadline: '1h' });
    scene.setFault(faulty.status(500));
    for (let drain = 0; drain < 3; drain += 1) {
      await scene.fetchList();
      scene.clock.advance(2_000);
    }
    expect((await scene.fetchList()).state).toBe('suspended status');
    scene.setFault(neverResponds);
    scene.clock.advance(COOLDOWN);
    const { sent } = scene;
    const responses = await Promise.all([scene.fetchList(), scene.fetchList()]);
    expect(responses).toMatchObject([{ state: 'suspended status' }, { state: 'suspended status' }]);
    expect(scene.sent).toBe(sent + 1);
  });

  it('contributes records to the response for which it was sent when the source has recovered', async () => {
    const scene = await open();
    scene.setFault(faulty.status(500));
    for (let drain = 0; drain < 4; drain += 1) {
      await scene.fetchList();
      scene.clock.advance(2_000);
    }
    scene.setFault();
    scene.clock.advance(COOLDOWN);
    expect(await scene.fetchList()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
  });
});

describe('sources that never respond', () => {
  it('do not delay a healthy source by using up the concurrency limit', async () => {
    const [bad, good] = [await startUpstream(neverResponds), await startUpstream(directoryUpstream(HEALTHY_TEAMS))];
    // More than the requests that may be in progress at all sources together.
    const hanging = Array.from({ length: 70 }, (_, at) => [`bad-${at}`, { directory: bad.address }] as const);
    const gateway = await startGateway({
      server: { deadline: '2s' },
      sources: { ...Object.fromEntries(hanging), well: { directory: good.address } },
    });
    const { status, headers } = await gateway.get('/directory/v1/teams');
    expect(status).toBe(200);
    expect(headers.get('source-status')).toMatch(/^\*;state=fresh;sources=1;records=3, bad-0;/);
    await Promise.all([gateway, bad, good].map((server) => server.close()));
  });
});
