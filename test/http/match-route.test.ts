import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { formatRouteTemplate, resolveTarget } from '../../src/http/match-route.js';
import { systemClock } from '../../src/model/clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';

const server = { limit: { default: 7, max: 9 } };
const sources = { one: { number: 1, directory: 'http://127.0.0.1:9/directory', data: 'http://127.0.0.1:9/data' } };
let app: App;
let gateway: TestGateway;

beforeAll(async () => {
  const parsed = parseConfig(JSON.stringify({ server, sources }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const transport = (): Promise<never> => Promise.reject(new Error('no source must be requested'));
  app = createApp(parsed.config, { transport, clock: systemClock });
  gateway = await startGateway({ server, sources });
});

afterAll(async () => {
  app.stopBackgroundWork();
  await gateway.close();
});

describe('formatRouteTemplate', () => {
  it('names the interface and the path of each resource, without its base path', () => {
    const templates = app.servedResources.map(formatRouteTemplate);
    expect(templates).toContain('{directory_url}/teams/{id}/same');
    expect(templates).toContain('{data_url}/news/{id}');
    expect(templates).toContain('{data_url}/countries');
  });
});

describe('resolveTarget', () => {
  it.each([
    ['/directory/v1/teams?country=BR', 'directory-teams', undefined, 7],
    ['/directory/v1/teams.csv?limit=5', 'directory-teams', undefined, 5],
    ['http://irt.example.org/data/v1/news.json?limit=100', 'news', undefined, 9],
    ['/data/v1/news/12001.xml', 'news-item', '12001', 7],
    ['/directory/v1/teams/harbour.a%2Fb%2Ejson.csv', 'directory-teams', 'harbour.a/b.json', 7],
    ['/data/v1/teams?scope=members', 'data-teams', undefined, 7],
    ['/data/v1/countries.csv?limit=8', 'countries', undefined, 8],
  ])('resolves %s', (target, resource, item, limit) => {
    expect(resolveTarget(target, app.servedResources)).toMatchObject({
      query: { resource: { name: resource }, limit },
      itemId: item,
    });
  });

  const invalidTargets = [
    '/directory/v1/teams?contry=BR&country=XQ&limit=-1',
    '/directory/v1/teams/?country=BR',
    '/irt/teams',
    '/data/v1/news.xlsx',
    '/data/v1/teams/harbour.%E0%A4',
    '/data/v1/news.csv?callback=f',
    `/directory/v1/teams?q=${'x'.repeat(9_000)}`,
  ];
  it.each(invalidTargets.map((target) => [target.slice(0, 60), target] as const))(
    'reports the same error for %s as the server',
    async (_start, target) => {
      const body = (await gateway.get(target, { accept: 'application/json' })).text;
      const resolved = resolveTarget(target, app.servedResources);
      expect(resolved).toHaveProperty('problem');
      const { message } = 'problem' in resolved ? resolved.problem : { message: '' };
      expect(body).toContain(JSON.stringify(message).slice(1, -1));
    },
  );
});
