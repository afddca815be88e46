import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonFormat } from '../../../src/render/formats.js';
import { ResponseCache } from '../../../src/http/cache/response-cache.js';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { LogLine, TestGateway } from '../../support/gateway/test-gateway.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { waitFor } from '../../support/wait-for.js';

const render = jsonFormat.render.bind(jsonFormat);
const rendering = vi.spyOn(jsonFormat, 'render');
const trySend = vi.spyOn(ResponseCache.prototype, 'trySend');

afterEach(async () => {
  vi.clearAllMocks();
  await closeDataGateways();
});

const MINUTE = 60_000;

function teams(count: number, host: string): { id: string; team: string; host: string }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `t${at}`, team: `T${at}`, host }));
}

/** Sends one request with only the given header fields, because `fetch` adds Cache-Control to conditional ones. Returns the entity tag. */
async function fetchEtag({ origin }: TestGateway, target: string, headers: OutgoingHttpHeaders = {}): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve) => get(origin + target, { headers }, resolve));
  response.resume();
  await once(response, 'end');
  return response.headers.etag ?? '';
}

/** Waits for the given number of request lines, and returns them without their ids and durations. */
async function requestLines({ log }: TestGateway, count: number): Promise<object[]> {
  const lines = (): readonly LogLine[] => log.filter(({ message }) => message === 'request');
  await waitFor(() => {
    expect(lines()).toHaveLength(count);
  });
  return lines().map(({ facts }) => ({ ...facts, request: expect.any(String) as string, milliseconds: 0 }));
}

function wasServedFromCache(): boolean {
  return trySend.mock.results.at(-1)?.value === true;
}

/** Sharing of drains and renderings. */
describe('concurrent equal requests', () => {
  it('share one drain and one rendering', async () => {
    const { gateway, upstreams } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    const responses = await Promise.all(Array.from({ length: 100 }, () => gateway.get('/data/v1/teams')));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    // A page of three records, and one request behind it.
    expect(upstreams['one']?.requests.map(({ query }) => query.get('offset'))).toEqual(['0', '3']);
    expect(rendering).toHaveBeenCalledTimes(1);
  });

  it('all get a response when the first client disconnects', async () => {
    const late = dataUpstream({ teams: teams(3_000, 'x'.repeat(500)) });
    const { gateway } = await startDataGateway({
      one: {
        records: {},
        handler: (request, response) => void sleep(50).then(() => late(request, response)),
        registration: { 'page-size': 3000 },
      },
    });
    const target = '/data/v1/teams?limit=3000';
    const disconnecting = get(`${gateway.origin}${target}`);
    disconnecting.on('error', () => undefined);
    const others = Array.from({ length: 5 }, () => gateway.get(target));
    rendering.mockImplementationOnce((...parameters) => {
      disconnecting.destroy();
      return render(...parameters);
    });
    for (const { status, json: body } of await Promise.all(others)) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 3000 });
    }
  });
});

/** The response cache. */
describe('a cached response', () => {
  it('is sent without routing, and is rendered once', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(50, 'x'.repeat(100)) } } });
    const fetchText = (): Promise<string> =>
      gateway.get('/data/v1/teams', { 'accept-encoding': 'gzip' }).then(({ text }) => text);
    // The first request drains the source, which invalidates its own response; the second response is the first to be cached.
    const first = await fetchText();
    await fetchText();
    expect(wasServedFromCache()).toBe(false);
    for (let again = 0; again < 3; again += 1) {
      expect(await fetchText()).toBe(first);
      expect(wasServedFromCache()).toBe(true);
    }
    expect(rendering).toHaveBeenCalledTimes(1);
  });

  it('is logged like a response that is computed', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    const target = '/data/v1/teams?q=t1&limit=2';
    await fetchEtag(gateway, target);
    const etag = await fetchEtag(gateway, target);
    const bypass = { 'cache-control': 'no-transform' };
    for (const condition of [{}, { 'if-none-match': etag }]) {
      await fetchEtag(gateway, target, { ...bypass, ...condition });
      expect(wasServedFromCache()).toBe(false);
      await fetchEtag(gateway, target, condition);
      expect(wasServedFromCache()).toBe(true);
    }
    const lines = await requestLines(gateway, 6);
    const [computed, cached, computedUnmodified, cachedUnmodified] = lines.slice(2);
    expect(cached).toEqual(computed);
    expect(cachedUnmodified).toEqual(computedUnmodified);
    expect([cached, cachedUnmodified]).toMatchObject([
      { status: 200, method: 'GET', path: '/data/v1/teams', cache: 'hit', sources: { one: { state: 'fresh' } } },
      { status: 304, bytes: 0, format: 'json', resource: 'data-teams' },
    ]);
  });

  it('is logged with a separate id for each request', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    for (let times = 0; times < 5; times += 1) await gateway.get('/data/v1/teams');
    expect(wasServedFromCache()).toBe(true);
    await requestLines(gateway, 5);
    const ids = gateway.log.map(({ facts }) => ('request' in facts ? facts.request : undefined)).filter(Boolean);
    expect(new Set(ids).size).toBe(5);
  });

  it('is rendered once for all content codings, and separately for each format', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(50, 'x'.repeat(100)) } } });
    for (const accepted of ['gzip', 'br', 'identity'])
      await gateway.get('/data/v1/teams', { 'accept-encoding': accepted });
    expect(rendering).toHaveBeenCalledTimes(1);
    for (const [accept, type] of [
      ['application/json', 'application/json'],
      ['text/csv', 'text/csv'],
      ['application/json', 'application/json'],
    ] as const) {
      expect((await gateway.get('/data/v1/teams', { accept })).headers.get('content-type')).toContain(type);
    }
  });

  it('is sent for an equal query in another spelling, with the links of that request', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(30, 'x') } } });
    const targets = ['limit=5&offset=5', 'offset=5&limit=5', 'limit=5&offset=5&_=1', 'limit=05&offset=5'];
    for (let times = 0; times < 3; times += 1) await gateway.get(`/data/v1/teams?${targets[0]}`);
    for (const target of targets) {
      const cached = await gateway.get(`/data/v1/teams?${target}`);
      expect(wasServedFromCache()).toBe(true);
      const computed = await gateway.get(`/data/v1/teams?${target}`, { Range: 'bytes=0-' });
      expect(wasServedFromCache()).toBe(false);
      expect([cached.text, cached.headers.get('link')]).toEqual([computed.text, computed.headers.get('link')]);
    }
  });

  it('is computed again after its time to live, when its source has changed', async () => {
    const { gateway, upstreams, clock } = await startDataGateway({ one: { records: { teams: teams(1, 'before') } } });
    const fetchText = (): Promise<string> => gateway.get('/data/v1/teams').then(({ text }) => text);
    for (let times = 0; times < 3; times += 1) await fetchText();
    expect(wasServedFromCache()).toBe(true);
    const { one } = upstreams;
    if (one !== undefined) one.handler = dataUpstream({ teams: teams(1, 'after') });
    clock.advance(10 * MINUTE);
    expect(await fetchText()).toContain('after');
    expect(wasServedFromCache()).toBe(false);
    // The second of a change has passed.
    clock.advance(1_000);
    await fetchText();
    await fetchText();
    expect(await fetchText()).toContain('after');
    expect(wasServedFromCache()).toBe(true);
  });

  it.each([
    ['authorization', 'Bearer x'],
    ['prefer', 'handling=lenient'],
    ['range', 'bytes=0-1'],
    ['cache-control', 'no-cache'],
    ['via', '1.1 gateway-of-tests'],
  ])('is not sent for a request with %s', async (name, value) => {
    const setup = { server: { name: 'gateway-of-tests' } };
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(1, 'x') } } }, setup);
    for (let times = 0; times < 3; times += 1) await gateway.get('/data/v1/teams');
    expect(wasServedFromCache()).toBe(true);
    await gateway.get('/data/v1/teams', { [name]: value });
    expect(wasServedFromCache()).toBe(false);
  });

  it('is never a partial response', async () => {
    const handler: RequestHandler = (_, response) => void response.destroy();
    const { gateway } = await startDataGateway({
      one: { records: { teams: teams(1, 'x') } },
      two: { records: {}, handler },
    });
    for (let again = 0; again < 3; again += 1) {
      await gateway.get('/data/v1/teams');
      expect(wasServedFromCache()).toBe(false);
    }
  });

  it('is evicted before snapshots, so that many different queries request no source again', async () => {
    const { gateway, upstreams } = await startDataGateway(
      { one: { records: { teams: teams(100, 'x'.repeat(300)) } } },
      { cache: { memory: '512KiB' } },
    );
    await gateway.get('/data/v1/teams');
    const drained = upstreams['one']?.requests.length;
    for (let at = 0; at < 300; at += 1) await gateway.get(`/data/v1/teams?q=${at}x${at}&limit=100`);
    for (let at = 0; at < 100; at += 1) await gateway.get(`/data/v1/teams?offset=${at}`);
    expect(upstreams['one']?.requests).toHaveLength(drained ?? NaN);
  });
});
