import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { ACCESS, MEMBERS_KEY, PUBLIC_KEY, bearer } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { readDescription } from '../support/openapi/read-description.js';
import type { Description } from '../support/openapi/read-description.js';
import { findDifferences } from '../support/openapi/response-checker.js';
import { createSchemaValidator } from '../support/openapi/schema-validator.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const TEAMS = [
  { 'short-team-name': 'Acorn CERT', 'country-code': 'NO', email: 'cert@acorn.example.org', '-harbour-berth': 3 },
  { 'short-team-name': 'Twin', 'official-team-name': 'Twin of Norway', 'country-code': 'NO' },
  { 'short-team-name': 'twin', 'official-team-name': 'Twin of Portugal', 'country-code': 'PT' },
  { 'short-team-name': 'Leaver', 'country-code': 'SE' },
];
const DATA = {
  teams: [{ id: 'acorn', team: 'Acorn CERT', country: 'NO', email: 'cert@acorn.example.org' }],
  news: [{ id: 7, title: 'Exercise', link: '/news/7', published: 'Sat, 19 Sep 2026 09:14:58 GMT', content: 'x' }],
  channels: [{ id: 1, title: 'Advisories' }],
};

/** What is requested in every state of the sources. */
const TARGETS = [
  '/directory/v1/teams',
  '/directory/v1/teams?envelope=true',
  '/directory/v1/teams?q=nothing',
  '/directory/v1/teams?limit=x',
  '/directory/v1/teams?callback=show',
  '/directory/v1/teams.json',
  '/directory/v1/teams.csv',
  '/directory/v1/teams.xlsx',
  '/directory/v1/teams.ndjson',
  '/directory/v1/teams.vcf',
  '/directory/v1/teams.geojson',
  '/directory/v1/search?q=acron&envelope=true',
  '/directory/v1/search',
  '/directory/v1/teams/harbour.acorn-cert',
  '/directory/v1/teams/harbour.acorn-cert/same?envelope=true',
  '/directory/v1/teams/harbour.twin',
  '/directory/v1/teams/harbour.leaver',
  '/directory/v1/teams/harbour.never',
  '/directory/v1/teams/nobody.never',
  '/data/v1/teams',
  '/data/v1/teams?scope=pgp',
  '/data/v1/teams?scope=members',
  '/data/v1/teams.asc?scope=pgp',
  '/data/v1/teams.asc',
  '/data/v1/search?q=acorn',
  '/data/v1/teams/lantern.acorn',
  '/data/v1/teams/harbour.twin.json',
  '/data/v1/news',
  '/data/v1/news.atom',
  '/data/v1/news?channel=Advisories',
  '/data/v1/news/7002',
  '/data/v1/news/9002',
  '/data/v1/news/9999',
  '/data/v1/channels',
  '/data/v1/countries',
  '/data/v1/countries?envelope=false&scope=full',
  '/data/v1/countries?q=nothing',
  '/data/v1/countries?limit=x',
  '/data/v1/countries.csv',
];

/** The header fields with which each is requested. */
const REQUEST_FIELDS: readonly Readonly<Record<string, string>>[] = [
  {},
  { prefer: 'handling=strict' },
  { prefer: 'handling=lenient, private' },
  { accept: 'image/png' },
  { 'if-match': '"other"' },
];

interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly directory: UpstreamServer;
  readonly data: UpstreamServer;
  readonly description: Description;
  /** Sends requests, and returns the statuses and what differs from the description. */
  readonly check: (targets: readonly string[], fields?: Readonly<Record<string, string>>) => Promise<Result>;
}

interface Result {
  readonly statuses: readonly number[];
  readonly differences: readonly string[];
}

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startScene(setup: Partial<GatewaySetup> = {}): Promise<Scene> {
  const directory = await startUpstream(directoryUpstream(TEAMS));
  const data = await startUpstream(dataUpstream(DATA));
  const clock = fakeClock();
  const sources = { harbour: { directory: directory.address }, lantern: { data: data.address } };
  const gateway = await startGateway({ sources, ...setup }, { clock });
  open.push(gateway, directory, data);
  const document = (await gateway.get('/openapi.json')).json;
  const description = readDescription(document);
  const validator = createSchemaValidator(document);
  const check: Scene['check'] = async (targets, fields = {}) => {
    const responses = [];
    for (const target of targets) responses.push({ target, response: await gateway.get(target, fields) });
    return {
      statuses: [...new Set(responses.map(({ response }) => response.status))].sort(),
      differences: responses.flatMap((one) => findDifferences(description, validator, one)),
    };
  };
  return { gateway, clock, directory, data, description, check };
}

/** Sends every request in the present state of the sources. */
async function checkAll({ check }: Scene, requestFields = REQUEST_FIELDS): Promise<Result> {
  const results: Result[] = [];
  for (const fields of requestFields) results.push(await check(TARGETS, fields));
  return {
    statuses: [...new Set(results.flatMap(({ statuses }) => statuses))].sort(),
    differences: [...new Set(results.flatMap(({ differences }) => differences))],
  };
}

/** Waits beyond the time to live and stale-while-revalidate, so that the next request waits for a refresh. */
const LATER = 60_000 + 300_000 + 1;

/** Every response is one that the description has: its status, fields, media type and schema (decisions 2.42). */
describe('the described responses', () => {
  it('are those of a gateway whose sources all respond, lose a team, and respond with errors', async () => {
    const scene = await startScene();
    const { clock, directory, data } = scene;
    expect(await checkAll(scene)).toEqual({ statuses: [200, 300, 400, 401, 404, 406, 412], differences: [] });
    directory.handler = directoryUpstream(TEAMS.slice(0, 3));
    clock.advance(LATER);
    expect(await checkAll(scene)).toEqual({ statuses: [200, 300, 400, 401, 404, 406, 412], differences: [] });
    directory.handler = faulty.status(500);
    data.handler = faulty.status(500);
    clock.advance(LATER);
    expect(await checkAll(scene, REQUEST_FIELDS.slice(0, 3))).toEqual({
      statuses: [200, 300, 400, 401, 404, 406, 502, 503],
      differences: [],
    });
    // About 500 requests, one after the other.
  });

  it('are those of a gateway whose sources have never responded', async () => {
    const scene = await startScene({ server: { deadline: '200ms' } });
    const never = (): void => undefined;
    scene.directory.handler = never;
    scene.data.handler = never;
    expect(await scene.check(['/directory/v1/teams', '/data/v1/news', '/data/v1/teams/lantern.acorn'])).toEqual({
      statuses: [504],
      differences: [],
    });
  });

  it('are those of a gateway that lost one of its sources', async () => {
    const scene = await startScene();
    scene.data.handler = faulty.status(503);
    const result = await checkAll(scene, REQUEST_FIELDS.slice(0, 2));
    expect(result.differences).toEqual([]);
    expect(result.statuses).toEqual(expect.arrayContaining([200, 502]));
  });

  it('are those to conditional requests, which match', async () => {
    const { gateway, check } = await startScene();
    for (const target of [
      '/directory/v1/teams',
      '/directory/v1/search?q=acron',
      '/data/v1/teams/lantern.acorn',
      '/data/v1/countries.csv',
    ]) {
      const etag = (await gateway.get(target)).headers.get('etag') ?? '';
      expect(await check([target], { 'if-none-match': etag }), target).toEqual({ statuses: [304], differences: [] });
    }
  });

  it('are those to clients with credentials, with refused ones, and beyond a rate limit', async () => {
    const { check } = await startScene({ access: ACCESS, server: { limits: { rate: '3/1m' } } });
    const members = ['/data/v1/teams?scope=members', '/directory/v1/teams'];
    expect(await check(members, bearer(MEMBERS_KEY))).toEqual({ statuses: [200], differences: [] });
    expect(await check(members.slice(0, 1), bearer(PUBLIC_KEY))).toEqual({ statuses: [403], differences: [] });
    expect(await check(['/data/v1/countries'], bearer('wrong'))).toEqual({ statuses: [401], differences: [] });
    const targets = ['/directory/v1/teams', '/data/v1/news', '/data/v1/channels', '/data/v1/countries'];
    expect(await check(targets)).toEqual({ statuses: [200, 429], differences: [] });
  });

  it('are those to a request that has passed through the gateway', async () => {
    const { check } = await startScene({ server: { name: 'gateway.example.org' } });
    const result = await check(['/data/v1/countries', '/directory/v1/teams'], { via: '1.1 gateway.example.org' });
    expect(result).toEqual({ statuses: [508], differences: [] });
  });
});
