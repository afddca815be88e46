import { afterEach, describe, expect, it } from 'vitest';
import type { SearchThreads } from '../../../src/search/search-threads.js';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../support/gateway/admin-port.js';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { moduleFromCode } from '../../support/gateway/threads/worker-modules.js';
import { searchThreads as createSearchThreads } from '../../support/gateway/threads/search-threads.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

const threads: SearchThreads[] = [];

afterEach(async () => {
  closeAdminPorts();
  for (const thread of threads.splice(0)) thread.close();
  await closeDataGateways();
});

const RECORDS = { teams: [{ id: 'a', team: 'Anchor CERT' }], news: [], channels: [] };
const healthy = dataUpstream(RECORDS);

/** A handler that can be replaced while the upstream runs. */
interface Switch {
  current: RequestHandler;
  readonly handler: RequestHandler;
}

function switchable(current: RequestHandler): Switch {
  const state: Switch = { current, handler: (request, response) => state.current(request, response) };
  return state;
}

const down = faulty.status(503);
const TEAMS_ONLY = { resources: ['teams'] };

interface Readiness {
  readonly data: DataGateway;
  /** Status and lines of `/readyz`. */
  readonly ready: () => Promise<{ readonly status: number; readonly lines: readonly string[] }>;
}

async function start(
  sources: Parameters<typeof startDataGateway>[0],
  { ready = 'data', ...setup }: { readonly ready?: string; readonly [name: string]: unknown } = {},
  dependencies: Parameters<typeof startDataGateway>[2] = {},
): Promise<Readiness> {
  const data = await startDataGateway(sources, { admin: { ready }, defaults: { retries: 0 }, ...setup }, dependencies);
  const origin = await openAdminPortOf(data.gateway);
  return {
    data,
    ready: async () => {
      const { status, text } = await requestAdmin(origin, '/readyz');
      return { status, lines: text.trim().split('\n') };
    },
  };
}

describe('/readyz with admin.ready: data', () => {
  it('names the resources that no source can give, and why, a line for each source', async () => {
    const broken = { records: RECORDS, handler: down, registration: TEAMS_ONLY };
    const { data, ready } = await start({ one: broken, two: broken });
    await data.gateway.app.warmUp();
    const { status, lines } = await ready();
    expect(status).toBe(503);
    expect(lines).toEqual([
      'not ready',
      'directory-teams: no source has records',
      expect.stringMatching(/^directory-teams, one: no records: .*HTTP status 503/),
      expect.stringMatching(/^directory-teams, two: no records: .*HTTP status 503/),
      'data-teams: no source has records',
      expect.stringMatching(/^data-teams, one: no records/),
      expect.stringMatching(/^data-teams, two: no records/),
    ]);
    expect(lines.join('\n')).not.toContain(faulty.SOURCE_TEXT);
  });

  it('is ready when one source has records of each resource, whatever the others have', async () => {
    const { data, ready } = await start({
      one: { records: RECORDS, handler: down },
      two: { records: RECORDS },
    });
    await data.gateway.app.warmUp();
    expect(await ready()).toEqual({ status: 200, lines: ['ready'] });
  });

  it('is not ready while a required source has no records, because there is no list without it', async () => {
    const { data, ready } = await start({
      one: { records: RECORDS, handler: down, registration: { required: true, resources: ['teams'] } },
      two: { records: RECORDS },
    });
    await data.gateway.app.warmUp();
    const { status, lines } = await ready();
    expect(status).toBe(503);
    expect(lines).toContain('data-teams: a required source has no records');
    expect(lines.filter((line) => line.includes('two'))).toEqual([]);
    expect((await data.ask('/teams')).status).toBe(502);
  });

  it('fetches what is missing by itself, so that it recovers without a query', async () => {
    const source = switchable(down);
    const { data, ready } = await start({
      one: { records: RECORDS, handler: source.handler, registration: TEAMS_ONLY },
    });
    await data.gateway.app.warmUp();
    expect((await ready()).status).toBe(503);
    source.current = healthy;
    // A source that has just failed is not requested again at once.
    data.clock.advance(3_000);
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect((await data.ask('/teams')).data).toHaveLength(1);
  });

  it('recovers although no source was warmed up', async () => {
    const { ready } = await start({ one: { records: RECORDS } });
    expect((await ready()).lines).toContain('news, one: not requested yet');
    await expect.poll(async () => (await ready()).status).toBe(200);
  });

  it('requests a source that has just failed, or is suspended, no more often than queries would', async () => {
    const { data, ready } = await start(
      { one: { records: RECORDS, handler: down, registration: TEAMS_ONLY } },
      {},
      { suspension: { failures: 2, cooldown: 30_000 } },
    );
    await data.gateway.app.warmUp();
    const sent = (): number => data.upstreams['one']?.requests.length ?? 0;
    const afterWarmUp = sent();
    for (let poll = 0; poll < 20; poll += 1) await ready();
    expect(sent()).toBe(afterWarmUp);
    for (let poll = 0; poll < 5; poll += 1) {
      data.clock.advance(2_500);
      await ready();
      await ready();
    }
    // One request by each poll until the breaker opens.
    expect(sent() - afterWarmUp).toBeGreaterThan(0);
    expect(sent() - afterWarmUp).toBeLessThanOrEqual(2);
  });

  it('is ready with stale records, and no longer when these may not be served any more', async () => {
    const source = switchable(healthy);
    const { data, ready } = await start(
      { one: { records: RECORDS, handler: source.handler, registration: TEAMS_ONLY } },
      { defaults: { retries: 0, ttl: '60s', 'stale-if-error': '1h' } },
    );
    await data.gateway.app.warmUp();
    source.current = down;
    data.clock.advance(30 * 60_000);
    await data.ask('/teams');
    expect((await ready()).status).toBe(200);
    data.clock.advance(60 * 60_000);
    expect((await ready()).status).toBe(503);
    source.current = healthy;
    data.clock.advance(40_000);
    await expect.poll(async () => (await ready()).status).toBe(200);
  });

  it('counts a source with more records than its drain-threshold as able to answer', async () => {
    const teams = Array.from({ length: 30 }, (_, at) => ({ id: `t${at}`, team: `Team ${at}` }));
    const registration = { ...TEAMS_ONLY, 'drain-threshold': 5, supports: { teams: { sort: ['team'], total: true } } };
    const { data, ready } = await start({ one: { records: { ...RECORDS, teams }, registration } });
    await data.gateway.app.warmUp();
    expect(await ready()).toEqual({ status: 200, lines: ['ready'] });
  });
});

/** A gateway over one source, whose lists are indexed by the code of a module. */
async function startIndexing(code: string): Promise<Readiness> {
  const searchThreads = createSearchThreads({ index: moduleFromCode(code) });
  threads.push(searchThreads);
  return start({ one: { records: RECORDS } }, { server: { deadline: '1s' } }, { searchThreads });
}

describe('/readyz with admin.ready: data, while lists are indexed', () => {
  it('is not ready until the lists of the start are indexed, and says so', async () => {
    const { data, ready } = await startIndexing('export default () => new Promise(() => undefined);');
    await data.gateway.app.warmUp();
    expect(await ready()).toEqual({ status: 503, lines: ['not ready', 'search: the lists are being indexed'] });
  });

  it('is ready although no list can be indexed', async () => {
    const { data, ready } = await startIndexing('export default () => Promise.reject(new Error("crash"));');
    await data.gateway.app.warmUp();
    await expect.poll(ready).toEqual({ status: 200, lines: ['ready'] });
  });
});

describe('/readyz with admin.ready: listeners', () => {
  it('does not depend on the sources, and requests nothing of them', async () => {
    const { data, ready } = await start({ one: { records: RECORDS, handler: down } }, { ready: 'listeners' });
    expect(await ready()).toEqual({ status: 200, lines: ['ready'] });
    expect(data.upstreams['one']?.requests).toHaveLength(0);
  });
});
