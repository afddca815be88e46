import { afterEach, describe, expect, it } from 'vitest';
import { MEMBERS_KEY, ACCESS, bearer } from '../../support/gateway/members-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../../support/gateway/test-gateway.js';
import { readByNode } from '../../support/formats/format-readers.js';
import type { RenderedDocument } from '../../support/formats/format-readers.js';
import { status } from '../../support/upstream/faulty-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Scene {
  readonly upstream: UpstreamServer;
  readonly gateway: TestGateway;
}

/** A gateway whose only source fails. */
async function start(setup: Partial<GatewaySetup> = {}): Promise<Scene> {
  const upstream = await startUpstream(status(500));
  const gateway = await startGateway({
    defaults: { retries: 0 },
    ...setup,
    sources: { one: { data: upstream.address } },
  });
  open.push(upstream, gateway);
  return { upstream, gateway };
}

const COUNTRIES = '/data/v1/countries';

/** The properties of a JSON object in order; none for any other value. */
function entriesOf(json: unknown): [name: string, value: unknown][] {
  return typeof json === 'object' && json !== null ? Object.entries(json) : [];
}

/** The body of a response, which may be binary. */
async function bytesOf({ origin }: TestGateway, target: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(`${origin}${target}`)).arrayBuffer());
}

describe('the list of countries', () => {
  it('differs from the response that FIRST documents in the number of African countries only', async () => {
    const { gateway } = await start();
    const documented =
      '{"status":"OK","status-code":200,"version":"1","total":57,"limit":3,"offset":0,"access":"public","data":{' +
      '"DZ":{"country":"Algeria","region":"Africa"},"AO":{"country":"Angola","region":"Africa"},' +
      '"BJ":{"country":"Benin","region":"Africa"}}}';
    const { text } = await gateway.get(`${COUNTRIES}?region=africa&limit=3&pretty=false`);
    expect(text).toBe(documented.replace('"total":57', '"total":60'));
  });

  it('rests on no source: it is complete while all sources fail, strict or not, and requests none', async () => {
    const { gateway, upstream } = await start();
    expect((await gateway.get('/data/v1/teams')).status).toBe(502);
    const before = upstream.requests.length;
    const { status: code, headers } = await gateway.get(`${COUNTRIES}?q=nowhere`, { prefer: 'handling=strict' });
    expect(code).toBe(200);
    for (const name of ['source-status', 'via', 'cache-status', 'last-modified', 'preference-applied'])
      expect(headers.get(name), name).toBeNull();
    expect(upstream.requests.length).toBe(before);
  });

  it('has the same countries in every format, in the same order', async () => {
    const { gateway } = await start();
    const query = 'scope=full&limit=300';
    const { json } = await gateway.get(`${COUNTRIES}?${query}&envelope=0`);
    const entries = entriesOf(json);
    expect(entries.length).toBe(250);
    const read = async (format: RenderedDocument['format']): Promise<unknown> =>
      readByNode([{ format, body: await bytesOf(gateway, `${COUNTRIES}.${format}?${query}&envelope=0`) }])[0];
    const map = { map: entries.map(([code, country]) => [code, { map: entriesOf(country) }]) };
    expect(await read('yaml')).toEqual(map);
    expect(await read('xml')).toEqual({ root: 'data', value: map });
    const rows = [
      ['code', 'country', 'region', 'alpha-2', 'alpha-3'],
      ...entries.map(([code, country]) => [code, ...entriesOf(country).map(([, value]) => value)]),
    ];
    expect(await read('csv')).toEqual(rows);
    expect(await read('xlsx')).toMatchObject([
      { name: 'countries', rows },
      { name: 'About', rows: expect.arrayContaining([['total', '250']]) as unknown },
    ]);
  });

  it('is a valid envelope in YAML, XML and a script where no country matches', async () => {
    const { gateway } = await start();
    const [yaml] = readByNode([{ format: 'yaml', body: await bytesOf(gateway, `${COUNTRIES}.yml?q=nowhere`) }]);
    expect(yaml).toMatchObject({ map: expect.arrayContaining([['data', { map: [] }]]) as unknown });
    const [xml] = readByNode([{ format: 'xml', body: await bytesOf(gateway, `${COUNTRIES}.xml?q=nowhere`) }]);
    expect(xml).toMatchObject({ root: 'response', value: { map: expect.arrayContaining([['data', '']]) as unknown } });
    expect((await gateway.get(`${COUNTRIES}?q=nowhere&callback=f&pretty=0`)).text).toContain('"data":{}});');
  });

  it('is complete and without repetition for a client that follows the links', async () => {
    const { gateway } = await start();
    const seen: string[] = [];
    let target: string | undefined = `${COUNTRIES}?limit=77&envelope=false`;
    while (target !== undefined) {
      const { json, headers }: Awaited<ReturnType<TestGateway['get']>> = await gateway.get(target);
      seen.push(...entriesOf(json).map(([code]) => code));
      target = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen.length).toBe(250);
    expect(new Set(seen).size).toBe(250);
  });

  it('is compressed, with an entity tag of its own for each coding', async () => {
    const { gateway } = await start();
    const plain = await gateway.get(COUNTRIES, { 'accept-encoding': 'identity' });
    const packed = await gateway.get(COUNTRIES, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.text).toBe(plain.text);
    const tag = packed.headers.get('etag') ?? '';
    expect(tag).not.toBe(plain.headers.get('etag'));
    const repeated = await gateway.get(COUNTRIES, { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect(repeated.status).toBe(304);
  });

  it('reports hostile values of parameters like every list', async () => {
    const { gateway } = await start();
    const query = 'region=%00%0D%0AX-Evil:%201&scope=__proto__&fields=constructor&sort=alpha-4&q=%FF';
    const { status: code, json, headers } = await gateway.get(`${COUNTRIES}?${query}`);
    expect(code).toBe(400);
    expect(headers.get('x-evil')).toBeNull();
    const wrong = ['q', 'region', 'scope', 'sort', 'fields'];
    expect(json).toMatchObject({ errors: wrong.map((parameter) => ({ parameter })) });
  });

  it('is logged and counted as the resource countries, with its query and no source', async () => {
    const { gateway } = await start();
    await gateway.get(`${COUNTRIES}?scope=iso&region=EUROPE`);
    const line = gateway.log.find(({ message }) => message === 'request')?.facts;
    expect(line).toMatchObject({
      resource: 'countries',
      format: 'json',
      query: 'countries?region=150&scope=iso&sort=country&offset=0&limit=100',
    });
    expect(line).not.toHaveProperty('sources');
    expect(line).not.toHaveProperty('cache');
    expect(await gateway.metrics()).toMatch(/rollcall_requests_total\{[^}]*resource="countries"[^}]*\} 1/);
  });

  it('is public to members too, whatever access the scopes of teams need', async () => {
    const scopes = { pgp: 'members', minimal: 'members', country: 'members' };
    const { gateway } = await start({ access: { ...ACCESS, scopes } });
    for (const headers of [{}, bearer(MEMBERS_KEY)]) {
      const response = await gateway.get(`${COUNTRIES}?scope=full&limit=1`, headers);
      expect(response.json).toMatchObject({ access: 'public', data: { AF: { 'alpha-3': 'AFG' } } });
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    }
    expect((await gateway.get(COUNTRIES, bearer('rck_unknown'))).status).toBe(401);
  });

  it('is no resource that a source can be registered with', async () => {
    const registration = { data: 'http://127.0.0.1:9/data', resources: ['teams', 'countries'] };
    await expect(startGateway({ sources: { one: registration } })).rejects.toThrow('must be teams, news or channels');
  });

  it('counts against the rate limit of an address', async () => {
    const { gateway } = await start({ server: { limits: { rate: '2/1m' } } });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await gateway.get(COUNTRIES)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
