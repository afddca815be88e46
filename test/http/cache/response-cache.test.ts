import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as encode from '../../../src/http/representation/content-coding.js';
import * as json from '../../../src/render/json.js';
import { ResponseCache } from '../../../src/http/cache/response-cache.js';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { LogLine, TestGateway } from '../../support/gateway/test-gateway.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

vi.mock('../../../src/render/json.js', { spy: true });
const rendering = vi.mocked(json.renderJson);
const short = vi.spyOn(ResponseCache.prototype, 'trySend');
vi.mock('../../../src/http/representation/content-coding.js', { spy: true });
const coding = vi.mocked(encode.encodeContent);

afterEach(async () => {
  vi.clearAllMocks();
  await closeDataGateways();
});

const MINUTE = 60_000;

function teams(count: number, host: string): { id: string; team: string; host: string }[] {
  return Array.from({ length: count }, (_, at) => ({ id: `t${at}`, team: `T${at}`, host }));
}

/** One request, with no headers but those that are named: fetch adds Cache-Control to conditions. Returns the entity tag. */
async function asked({ origin }: TestGateway, target: string, headers: OutgoingHttpHeaders = {}): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve) => get(origin + target, { headers }, resolve));
  answer.resume();
  await once(answer, 'end');
  return answer.headers.etag ?? '';
}

/** What so many lines of requests tell, once they are there, but for what is never the same: their ids and how long they took. */
async function requestLines({ log }: TestGateway, count: number): Promise<object[]> {
  const lines = (): readonly LogLine[] => log.filter(({ message }) => message === 'request');
  await vi.waitFor(() => {
    expect(lines()).toHaveLength(count);
  });
  return lines().map(({ facts }) => ({ ...facts, request: expect.any(String) as string, milliseconds: 0 }));
}

function sentShort(): boolean {
  return short.mock.results.at(-1)?.value === true;
}

describe('equal requests at the same time', () => {
  it('cost one drain and one rendering', async () => {
    const { gateway, upstreams } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => gateway.get('/data/v1/teams')));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    // Three records in a page, and a look behind them.
    expect(upstreams['one']?.requests.map(({ query }) => query.get('offset'))).toEqual(['0', '3']);
    expect(rendering).toHaveBeenCalledTimes(1);
  });

  it('are all answered when the first client leaves', async () => {
    const late = dataUpstream({ teams: teams(3_000, 'x'.repeat(500)) });
    const { gateway } = await startDataGateway({
      one: {
        records: {},
        handler: (asked, response) => void sleep(50).then(() => late(asked, response)),
        registration: { 'page-size': 3000 },
      },
    });
    const target = '/data/v1/teams?limit=3000';
    const leaving = get(`${gateway.origin}${target}`);
    leaving.on('error', () => undefined);
    const others = Array.from({ length: 5 }, () => gateway.get(target));
    rendering.mockImplementationOnce((...parameters) => {
      leaving.destroy();
      return rendering.getMockImplementation()?.(...parameters) ?? json.renderJson(...parameters);
    });
    for (const { status, json: body } of await Promise.all(others)) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 3000 });
    }
  });
});

describe('an answer that is held', () => {
  it('is sent before any route sees the request, rendered once and coded once', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(50, 'x'.repeat(100)) } } });
    const ask = (): Promise<string> =>
      gateway.get('/data/v1/teams', { 'accept-encoding': 'gzip' }).then(({ text }) => text);
    // What is held changes while it is drained for the first one, so that the second one is the first of many that are alike.
    const first = await ask();
    await ask();
    expect(sentShort()).toBe(false);
    for (let again = 0; again < 3; again += 1) {
      expect(await ask()).toBe(first);
      expect(sentShort()).toBe(true);
    }
    expect(rendering).toHaveBeenCalledTimes(1);
    expect(coding).toHaveBeenCalledTimes(1);
  });

  it('has a line in the log that tells what that of the long way does', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    const target = '/data/v1/teams?q=t1&limit=2';
    await asked(gateway, target);
    const etag = await asked(gateway, target);
    const long = { 'cache-control': 'no-transform' };
    for (const condition of [{}, { 'if-none-match': etag }]) {
      await asked(gateway, target, { ...long, ...condition });
      expect(sentShort()).toBe(false);
      await asked(gateway, target, condition);
      expect(sentShort()).toBe(true);
    }
    const lines = await requestLines(gateway, 6);
    const [longWay, shortWay, longUnmodified, shortUnmodified] = lines.slice(2);
    expect(shortWay).toEqual(longWay);
    expect(shortUnmodified).toEqual(longUnmodified);
    expect([shortWay, shortUnmodified]).toMatchObject([
      { status: 200, method: 'GET', path: '/data/v1/teams', cache: 'hit', sources: { one: { state: 'fresh' } } },
      { status: 304, bytes: 0, format: 'json', resource: 'data-teams' },
    ]);
  });

  it('has a line with an id of its own for each request', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(3, 'x') } } });
    for (let times = 0; times < 5; times += 1) await gateway.get('/data/v1/teams');
    expect(sentShort()).toBe(true);
    await requestLines(gateway, 5);
    const ids = gateway.log.map(({ facts }) => ('request' in facts ? facts.request : undefined)).filter(Boolean);
    expect(new Set(ids).size).toBe(5);
  });

  it('is rendered once for all who want it in other codings, and told apart by format', async () => {
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

  it('is sent for an equal query too, with the links of that', async () => {
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(30, 'x') } } });
    const targets = ['limit=5&offset=5', 'offset=5&limit=5', 'limit=5&offset=5&_=1', 'limit=05&offset=5'];
    for (let times = 0; times < 3; times += 1) await gateway.get(`/data/v1/teams?${targets[0]}`);
    for (const target of targets) {
      const held = await gateway.get(`/data/v1/teams?${target}`);
      expect(sentShort()).toBe(true);
      const anew = await gateway.get(`/data/v1/teams?${target}`, { Range: 'bytes=0-' });
      expect(sentShort()).toBe(false);
      expect([held.text, held.headers.get('link')]).toEqual([anew.text, anew.headers.get('link')]);
    }
  });

  it('goes the long way again once its source has changed, or its time to live is over', async () => {
    const { gateway, upstreams, clock } = await startDataGateway({ one: { records: { teams: teams(1, 'before') } } });
    const ask = (): Promise<string> => gateway.get('/data/v1/teams').then(({ text }) => text);
    for (let times = 0; times < 3; times += 1) await ask();
    expect(sentShort()).toBe(true);
    const { one } = upstreams;
    if (one !== undefined) one.handler = dataUpstream({ teams: teams(1, 'after') });
    clock.advance(10 * MINUTE);
    expect(await ask()).toContain('after');
    expect(sentShort()).toBe(false);
    await ask();
    expect(await ask()).toContain('after');
    expect(sentShort()).toBe(true);
  });

  it.each([
    ['authorization', 'Bearer x'],
    ['prefer', 'handling=lenient'],
    ['range', 'bytes=0-1'],
    ['cache-control', 'no-cache'],
    ['via', '1.1 gateway-of-tests'],
  ])('is not what a request with %s gets', async (name, value) => {
    const setup = { server: { name: 'gateway-of-tests' } };
    const { gateway } = await startDataGateway({ one: { records: { teams: teams(1, 'x') } } }, setup);
    for (let times = 0; times < 3; times += 1) await gateway.get('/data/v1/teams');
    expect(sentShort()).toBe(true);
    await gateway.get('/data/v1/teams', { [name]: value });
    expect(sentShort()).toBe(false);
  });

  it('is never a partial or stale one', async () => {
    const handler: RequestHandler = (_, response) => void response.destroy();
    const { gateway } = await startDataGateway({
      one: { records: { teams: teams(1, 'x') } },
      two: { records: {}, handler },
    });
    for (let again = 0; again < 3; again += 1) {
      await gateway.get('/data/v1/teams');
      expect(sentShort()).toBe(false);
    }
  });

  it('gives way to held copies, so that a flood of different queries asks no source again', async () => {
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
