import { setTimeout as sleep } from 'node:timers/promises';
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

/** A scene whose source fell into trouble after it had answered well. */
async function fallen(trouble: SourceFault, troubled: object = {}): Promise<FailureScene> {
  const scene = await open(troubled);
  await scene.ask();
  scene.clock.advance(TTL);
  scene.begin(trouble);
  return scene;
}

function crowd(scene: FailureScene, size: number): Promise<readonly ObservedResponse[]> {
  return Promise.all(Array.from({ length: size }, () => scene.ask()));
}

function messages(scene: FailureScene): readonly string[] {
  return scene.gateway.log.map(({ message }) => message);
}

describe('an answer with a last good copy', () => {
  it('has the validators of a complete one, and must be asked for again', async () => {
    const scene = await fallen(faulty.status(500));
    const { got } = await scene.ask();
    const total = String(HEALTHY_TEAMS.length + FAULTY_TEAMS.length);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'cache-control': 'no-cache',
      'last-modified': 'Sun, 01 Jun 2025 00:00:00 GMT',
      'x-total-count': total,
      'source-status':
        'well;state=fresh;records=3;age=0, troubled;state=stale;reason=status;status=500;records=30;age=60',
    });
    expect(Object.keys(Object(got.json) as object).slice(-2)).toEqual(['sources', 'data']);
  });

  it('is given when the deadline ends the waiting, and the drain goes on for the next', async () => {
    const scene = await open({}, { deadline: '2s' });
    await scene.ask();
    scene.clock.advance(TTL);
    const gate = faulty.holdResponses(directoryUpstream(FAULTY_TEAMS));
    scene.begin(gate.handler);
    expect(await scene.ask()).toMatchObject({ state: 'stale timeout', troubled: teamNames(FAULTY_TEAMS) });
    const { sent } = scene;
    gate.release();
    await expect.poll(async () => (await scene.ask()).state).toBe('fresh');
    // The other pages of the same drain, and no second first page.
    expect(scene.sent - sent).toBe(3);
  });

  it('is another answer once the source fails with another HTTP status', async () => {
    const scene = await fallen(faulty.status(401));
    const ask = (): Promise<GatewayResponse> => scene.gateway.get('/directory/v1/teams');
    const before = await ask();
    scene.clock.advance(2_000);
    scene.begin(faulty.status(500));
    const after = await ask();
    expect(after.text).toBe(before.text);
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  });

  it('is partial beside a source that gives nothing', async () => {
    const scene = await fallen(faulty.status(500));
    scene.clock.advance(STALE_IF_ERROR);
    const { got, state } = await scene.ask();
    expect(state).toBe('failed status');
    expect(got.headers.get('cache-control')).toBe('no-store');
    expect(got.headers.has('last-modified')).toBe(false);
  });
});

describe('Prefer: handling=strict', () => {
  it.each([
    'handling=strict',
    'Handling=Strict',
    'handling="strict"',
    'respond-async, handling=strict',
    'handling = strict; foo=bar',
  ])('is applied and echoed: %s', async (prefer) => {
    const scene = await open();
    const { status, got } = await scene.ask('', { prefer });
    expect(status).toBe(200);
    expect(got.headers.get('preference-applied')).toBe('handling=strict');
    expect(got.headers.get('vary')).toContain('Prefer');
  });

  it.each(['handling=loose', 'xhandling=strict', 'respond-async; handling=strict', 'handling', ''])(
    'is not taken for another preference: %s',
    async (prefer) => {
      const scene = await open();
      scene.begin(faulty.status(500));
      const { status, got } = await scene.ask('', { prefer });
      expect(status).toBe(200);
      expect(got.headers.has('preference-applied')).toBe(false);
    },
  );

  it.each<[string, SourceFault, number, string]>([
    ['a failure', faulty.status(500), 502, 'failed status'],
    ['a source that is late', neverResponds, 504, 'failed timeout'],
    ['a doubt', directoryUpstream(FAULTY_TEAMS, { total: 1 }), 502, 'inconsistent total'],
  ])('takes an error with the sources instead of a partial answer: %s', async (_title, trouble, status, state) => {
    const scene = await open({ timeout: '2s' });
    scene.begin(trouble);
    expect((await scene.ask()).status).toBe(200);
    const told = await scene.ask('', STRICT);
    expect(told).toMatchObject({ status, state, well: [], troubled: [] });
    const [first, reason] = state.split(' ');
    expect(told.sources).toMatchObject([{ 'source-name': 'troubled', state: first, reason }]);
    expect(told.got.json).not.toHaveProperty('data');
    expect(told.got.headers.get('cache-control')).toBe('no-store');
    expect(told.got.headers.get('preference-applied')).toBe('handling=strict');
  });

  it.each<[string, SourceFault, number]>([
    ['a failure', faulty.status(500), 502],
    ['a source that is late', neverResponds, 504],
    ['a source that gave far less', directoryUpstream([]), 502],
  ])('takes an error instead of a last good copy: %s', async (_title, trouble, status) => {
    const scene = await fallen(trouble, { timeout: '2s' });
    expect((await scene.ask()).state).toMatch(/^stale /);
    expect(await scene.ask('', STRICT)).toMatchObject({ status, well: [], troubled: [] });
  });

  it('does not mind a source that the query does not need', async () => {
    const scene = await open();
    scene.begin(faulty.status(500));
    expect((await scene.ask('&source-name=well', STRICT)).status).toBe(200);
  });
});

describe('a required source', () => {
  const REQUIRED = { required: true, timeout: '2s' };

  it.each<[string, SourceFault, number, string]>([
    ['failed', faulty.status(500), 502, 'failed status'],
    ['was late', neverResponds, 504, 'failed timeout'],
    ['gave not all', directoryUpstream(FAULTY_TEAMS, { offset: 'ignored', cap: PAGE }), 502, 'partial offset'],
    ['may not have given all', directoryUpstream(FAULTY_TEAMS, { total: 1 }), 502, 'inconsistent total'],
    ['leads back here', directoryUpstream(FAULTY_TEAMS, { headers: { Via: '1.1 here' } }), 502, 'excluded loop'],
  ])('that %s leaves no answer', async (_title, trouble, status, state) => {
    const scene = await open(REQUIRED, { name: 'here' });
    scene.begin(trouble);
    expect(await scene.ask()).toMatchObject({ status, state, well: [], troubled: [] });
  });

  it('may be stale', async () => {
    const scene = await fallen(faulty.status(500), REQUIRED);
    expect(await scene.ask()).toMatchObject({ status: 200, state: 'stale status', troubled: teamNames(FAULTY_TEAMS) });
  });

  it('is not missed by a query that does not need it', async () => {
    const scene = await open(REQUIRED);
    scene.begin(faulty.status(500));
    expect(await scene.ask('&source-name=well')).toMatchObject({ status: 200, well: teamNames(HEALTHY_TEAMS) });
  });
});

describe('a source that fails', () => {
  it('is asked by a hundred waiting clients as by one, and again after two seconds', async () => {
    const scene = await open();
    scene.begin(faulty.status(500));
    for (const requests of [2, 4]) {
      for (const { state } of await crowd(scene, 100)) expect(state).toBe('failed status');
      await crowd(scene, 100);
      expect(scene.sent).toBe(requests);
      scene.clock.advance(2_000);
    }
  });

  it('is not asked again within a request when its Retry-After is beyond the deadline', async () => {
    const scene = await open();
    scene.begin(faulty.status(503, { 'Retry-After': '11' }));
    expect((await scene.ask()).state).toBe('failed status');
    expect(scene.sent).toBe(1);
  });

  it('is in the answer again by itself as soon as it is well', async () => {
    const scene = await open();
    scene.begin(faulty.resetConnection);
    expect((await scene.ask()).state).toBe('failed connect');
    scene.begin();
    scene.clock.advance(2_000);
    const { state, troubled, sources, got } = await scene.ask();
    expect({ state, troubled, sources }).toEqual({
      state: 'fresh',
      troubled: teamNames(FAULTY_TEAMS),
      sources: undefined,
    });
    expect(got.headers.get('cache-control')).toBe('public, max-age=58, stale-while-revalidate=58');
  });

  it('is suspended after five failures: nothing is sent for 30 s, then one request of all who ask', async () => {
    const scene = await open();
    scene.begin(faulty.status(500));
    for (const requests of [2, 4, 5, 5]) {
      await scene.ask();
      expect(scene.sent).toBe(requests);
      scene.clock.advance(2_000);
    }
    // The fifth failure is four seconds ago.
    scene.clock.advance(COOLDOWN - 4_001);
    expect((await scene.ask()).state).toBe('suspended status');
    expect(scene.sent).toBe(5);
    scene.clock.advance(2_000);
    await crowd(scene, 50);
    expect(scene.sent).toBe(6);
    scene.begin();
    scene.clock.advance(COOLDOWN);
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
    const told = messages(scene).filter((message) => /suspended|resumed/.test(message));
    expect(told).toEqual(['source suspended', 'source resumed']);
  });

  it('is never suspended for refusing: it works', async () => {
    const scene = await open();
    scene.begin(faulty.status(403));
    for (let time = 1; time <= 8; time += 1) {
      expect((await scene.ask()).state).toBe('failed status');
      expect(scene.sent).toBe(time);
      scene.clock.advance(2_000);
    }
  });
});

describe('a source that suddenly gives far less', () => {
  const FEW = FAULTY_TEAMS.slice(0, PAGE);

  it('is believed when it still does so after confirm-shrink', async () => {
    const scene = await fallen(directoryUpstream(FEW));
    expect(await scene.ask()).toMatchObject({ state: 'stale shrunk', troubled: teamNames(FAULTY_TEAMS) });
    scene.clock.advance(CONFIRM - TTL);
    expect((await scene.ask()).state).toBe('stale shrunk');
    scene.clock.advance(TTL);
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: teamNames(FEW), sources: undefined });
  });

  it('is looked at once in a time to live while it is doubted', async () => {
    const scene = await fallen(directoryUpstream(FEW));
    await scene.ask();
    const { sent } = scene;
    scene.clock.advance(TTL - 1);
    await scene.ask();
    expect(scene.sent).toBe(sent);
    scene.clock.advance(1);
    await scene.ask();
    expect(scene.sent).toBeGreaterThan(sent);
  });

  it('is fresh at once when its records are back', async () => {
    const scene = await fallen(directoryUpstream(FEW));
    await scene.ask();
    scene.begin();
    scene.clock.advance(TTL);
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
  });

  it('is never believed to have nothing: stale until stale-if-error is over, then failed, until it has something', async () => {
    const scene = await fallen(directoryUpstream([]));
    for (const time of [0, CONFIRM, STALE_IF_ERROR - CONFIRM - 1]) {
      scene.clock.advance(time);
      expect(await scene.ask()).toMatchObject({ state: 'stale shrunk', troubled: teamNames(FAULTY_TEAMS) });
    }
    scene.clock.advance(1);
    for (const time of [0, CONFIRM]) {
      scene.clock.advance(time);
      expect(await scene.ask()).toMatchObject({
        status: 200,
        state: 'failed shrunk',
        well: teamNames(HEALTHY_TEAMS),
        troubled: [],
      });
    }
    scene.begin(directoryUpstream(FEW));
    scene.clock.advance(TTL);
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: teamNames(FEW) });
  });

  it('is believed at once when it was small', async () => {
    const scene = await open();
    scene.begin(directoryUpstream(FAULTY_TEAMS.slice(0, 20)));
    await scene.ask();
    scene.clock.advance(TTL);
    scene.begin(directoryUpstream([]));
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: [], sources: undefined });
  });
});

describe('the trial of a suspended source', () => {
  it('keeps no answer waiting until it times out', async () => {
    const scene = await open({ timeout: '5s' });
    scene.begin(faulty.status(500));
    for (let drain = 0; drain < 3; drain += 1) {
      await scene.ask();
      scene.clock.advance(2_000);
    }
    expect((await scene.ask()).state).toBe('suspended status');
    scene.begin(neverResponds);
    scene.clock.advance(COOLDOWN);
    const { sent } = scene;
    const answers = Promise.all([scene.ask(), scene.ask()]);
    const first = await Promise.race([answers, sleep(3_000, 'still waiting')]);
    expect(first).toMatchObject([{ state: 'suspended status' }, { state: 'suspended status' }]);
    expect(scene.sent).toBe(sent + 1);
  });

  it('shows the source in the very answer that it was sent for, when the source is well again', async () => {
    const scene = await open();
    scene.begin(faulty.status(500));
    for (let drain = 0; drain < 4; drain += 1) {
      await scene.ask();
      scene.clock.advance(2_000);
    }
    scene.begin();
    scene.clock.advance(COOLDOWN);
    expect(await scene.ask()).toMatchObject({ state: 'fresh', troubled: teamNames(FAULTY_TEAMS) });
  });
});

describe('sources that hang', () => {
  it('keep no well one waiting, however many there are', async () => {
    const [bad, good] = [await startUpstream(neverResponds), await startUpstream(directoryUpstream(HEALTHY_TEAMS))];
    const hanging = Array.from({ length: 5 }, (_, at) => [`bad-${at}`, { directory: bad.address }] as const);
    const gateway = await startGateway({
      server: { concurrency: 2, deadline: '2s' },
      sources: { ...Object.fromEntries(hanging), well: { directory: good.address } },
    });
    const { status, headers } = await gateway.get('/directory/v1/teams');
    expect(status).toBe(200);
    expect(headers.get('source-status')).toMatch(/well;state=fresh;records=3;age=[0-2]$/);
    await Promise.all([gateway, bad, good].map((one) => one.close()));
  });
});
