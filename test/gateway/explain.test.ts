import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { explainQuery } from '../../src/gateway/explain.js';
import type { SourceExplanation } from '../../src/gateway/explain.js';
import { resolveTarget } from '../../src/http/match-route.js';
import type { ResolvedTarget } from '../../src/http/match-route.js';
import { getBackend } from '../../src/http/operations/served-resource.js';
import { defaultQueryOptions } from '../../src/source/request/source-request-context.js';
import { createUndiciTransport } from '../../src/source/client/transport/http-transport.js';
import type { ClosableTransport } from '../../src/source/client/transport/http-transport.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import { ACCESS } from '../support/gateway/members-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const open: { app: App; client: ClosableTransport; upstream: UpstreamServer }[] = [];

afterEach(async () => {
  for (const { app, client, upstream } of open.splice(0)) {
    app.stopBackgroundWork();
    await Promise.all([client.close(), upstream.close()]);
  }
});

interface ExplainScene {
  readonly upstream: UpstreamServer;
  readonly clock: FakeClock;
  readonly plan: (target: string) => readonly SourceExplanation[] | undefined;
  readonly answer: (target: string) => Promise<unknown>;
}

/** A gateway over one source with 120 teams and 120 news items, with the given settings of the source. */
async function startScene(
  settings: object,
  interfaceNames: readonly string[] = ['directory', 'data'],
  setup: object = {},
): Promise<ExplainScene> {
  const lists = { directory: distinctiveTeams(120, 'directory'), teams: distinctiveTeams(120, 'data') };
  const upstream = await startUpstream(simulatedRepository({ ...lists, news: distinctiveNews(120), channels: [] }));
  const bases = Object.fromEntries(
    interfaceNames.map((apiInterface) => [apiInterface, `${upstream.address}/${apiInterface}`]),
  );
  const parsed = parseConfig(JSON.stringify({ ...setup, sources: { one: { number: 1, ...bases, ...settings } } }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const [client, clock] = [createUndiciTransport('rollcall'), fakeClock()];
  const app = createApp(parsed.config, { transport: client.transport, clock, random: () => 0 });
  open.push({ app, client, upstream });
  const resolve = (target: string): ResolvedTarget => {
    const resolved = resolveTarget(target, app.servedResources);
    if ('problem' in resolved) throw new Error(resolved.problem.message);
    return resolved;
  };
  return {
    upstream,
    clock,
    plan: (target) => {
      const { query, itemId } = resolve(target);
      return explainQuery(query, itemId, app.sourcesAt(query.access) ?? []);
    },
    answer: (target) => {
      const { resource: served, query, itemId: item } = resolve(target);
      return getBackend(served.options, query).answerQuery(query, item, defaultQueryOptions);
    },
  };
}

const TEAMS = '/directory/v1/teams?country=BR';

describe('explain', () => {
  it('plans a drain without sending a request to the source', async () => {
    const { upstream, plan } = await startScene({});
    expect(plan(TEAMS)).toMatchObject([
      { code: 'one', interfaceName: 'directory', participation: { strategy: 'drain' } },
    ]);
    expect(upstream.requests).toHaveLength(0);
  });

  it('reports a cached snapshot, and marks it stale after its time to live', async () => {
    const { clock, plan, answer } = await startScene({ ttl: '60s' });
    await answer(TEAMS);
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'cached', isStale: false } }]);
    clock.advance(61_000);
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'cached', isStale: true } }]);
    clock.advance(400_000);
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'drain' } }]);
  });

  it('reports which parts of the query are pushed down to a source found to exceed its drain-threshold', async () => {
    const supports = { teams: { filters: ['country'], sort: ['short-team-name'], total: true } };
    const { plan, answer } = await startScene({ 'drain-threshold': 50, supports }, ['directory']);
    await answer(TEAMS);
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'push-down', isTopN: true, residual: [] } }]);
    expect(plan('/directory/v1/teams')).toMatchObject([{ participation: { strategy: 'push-down', isTopN: true } }]);
    expect(plan('/directory/v1/teams?host=x')).toMatchObject([{ participation: { strategy: 'drain', sent: {} } }]);
    expect(plan('/data/v1/teams?country=BR')).toMatchObject([
      { interfaceName: 'directory', participation: { strategy: 'drain', sent: {} } },
    ]);
    await answer('/directory/v1/teams?host=x');
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'cached' } }]);
  });

  it('reports that a members query asks a source with members credentials at members access, and other queries do not', async () => {
    const credentials = { members: { bearer: 'token' } };
    const { plan } = await startScene({ credentials }, ['data'], { access: ACCESS });
    expect(plan('/data/v1/teams?scope=members')).toMatchObject([{ access: 'members' }]);
    expect(plan('/data/v1/teams')).toMatchObject([{ access: 'public' }]);
    const { plan: planWithout } = await startScene({}, ['data'], { access: ACCESS });
    expect(planWithout('/data/v1/teams?scope=members')).toMatchObject([{ access: 'public' }]);
  });

  it('reports excluded sources with the reason', async () => {
    const { plan } = await startScene({ coverage: { countries: ['PT'] }, resources: ['teams', 'news'] });
    expect(plan(TEAMS)).toMatchObject([{ participation: { strategy: 'excluded', reason: 'coverage' } }]);
    expect(plan('/data/v1/channels')).toMatchObject([{ participation: { strategy: 'excluded', reason: 'resource' } }]);
    expect(plan('/data/v1/news?channel=Alerts')).toMatchObject([
      { participation: { strategy: 'excluded', reason: 'resource' } },
    ]);
    expect(plan('/data/v1/news')).toMatchObject([{ interfaceName: 'data', participation: { strategy: 'drain' } }]);
  });

  it('reports the source that owns a news item, and the native id of the item', async () => {
    const { plan } = await startScene({});
    expect(plan('/data/v1/news/12001')).toEqual([
      {
        code: 'one',
        sourceName: 'one',
        interfaceName: 'data',
        access: 'public',
        participation: { strategy: 'item', nativeId: 12 },
      },
    ]);
    expect(plan('/data/v1/news/12002')).toBeUndefined();
  });
});
