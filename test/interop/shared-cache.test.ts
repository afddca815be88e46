import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { sendPlainRequest } from '../support/http/plain-request.js';
import type { PlainReply } from '../support/http/plain-request.js';
import { nginx, varnish } from './shared-cache.js';
import type { CacheProgram } from './shared-cache.js';
import type { StartedProgram } from './started-program.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** Timeout in milliseconds of a test that waits for times to live to pass. */
const LIFETIME_TEST_TIMEOUT = 60_000;

const NAME = 'short-team-name';

/** Long enough for the response to be compressed. */
const HOST = 'x'.repeat(100);

function teams(prefix: string): RequestHandler {
  return directoryUpstream(Array.from({ length: 30 }, (_, at) => ({ [NAME]: `${prefix} ${at}`, host: HOST })));
}

const targetOf = (source: string, extension = ''): string => `/directory/v1/teams${extension}?source-name=${source}`;

type RequestHeaders = Readonly<Record<string, string>>;

/** A shared cache in front of Rollcall with a constant source, a broken one and two that tests change. Runs in real time. */
class CachedGateway {
  private constructor(
    readonly cache: StartedProgram,
    readonly gateway: TestGateway,
    readonly sources: Readonly<Record<'lasting' | 'brief' | 'fading' | 'broken', UpstreamServer>>,
  ) {}

  static async open(program: CacheProgram): Promise<CachedGateway> {
    const sources = {
      lasting: await startUpstream(teams('lasting')),
      brief: await startUpstream(teams('before')),
      fading: await startUpstream(teams('fading')),
      broken: await startUpstream(faulty.status(500)),
    };
    const registered = {
      lasting: { directory: sources.lasting.address, ttl: '10m' },
      brief: { directory: sources.brief.address, ttl: '3s' },
      fading: { directory: sources.fading.address, ttl: '3s' },
      broken: { directory: sources.broken.address },
    };
    // A short cooldown, so that a source is requested soon after it works again.
    const gateway = await startGateway(
      { server: { name: 'rollcall-behind' }, sources: registered },
      { suspension: { failures: 5, cooldown: 1_000 } },
    );
    const cache = await program.start(Number(new URL(gateway.origin).port));
    return new CachedGateway(cache, gateway, sources);
  }

  async close(): Promise<void> {
    await this.cache.close();
    await Promise.all([this.gateway.close(), ...Object.values(this.sources).map((source) => source.close())]);
  }

  /** Sends a request to the shared cache. */
  request(target: string, headers: RequestHeaders = {}, method = 'GET'): Promise<PlainReply> {
    return sendPlainRequest(this.cache.port, { method, target, headers });
  }

  /** Sends a request to Rollcall itself. */
  requestDirectly(target: string, headers: RequestHeaders = {}): Promise<PlainReply> {
    return sendPlainRequest(Number(new URL(this.gateway.origin).port), { method: 'GET', target, headers });
  }

  /** Statuses of all responses that Rollcall has sent so far. */
  get statuses(): readonly unknown[] {
    const lines = this.gateway.log.filter(({ message }) => message === 'request');
    return lines.map(({ facts }) => ('status' in facts ? facts.status : undefined));
  }
}

/** Repeats a request until the reply meets a condition. */
async function until(send: () => Promise<PlainReply>, isExpected: (reply: PlainReply) => boolean): Promise<PlainReply> {
  for (;;) {
    const reply = await send();
    if (isExpected(reply)) return reply;
    await pause(100);
  }
}

/** The body without its content coding. */
function decoded({ headers, body }: PlainReply): string {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding === 'gzip') return gunzipSync(body).toString();
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return coding === 'identity' ? body.toString('latin1') : `in an unknown coding: ${coding}`;
}

/** Header fields that a cache must keep. */
const KEPT = [
  'content-type',
  'etag',
  'cache-control',
  'vary',
  'source-status',
  'x-total-count',
  'x-version',
  'link',
  'access-control-allow-origin',
] as const;

const keptOf = ({ headers }: PlainReply): unknown[] => KEPT.map((name) => [name, headers[name]]);

/**
 * All combinations of the request fields that a response depends on. For each media type, the coding that any client can read
 * (`identity`) comes last, so that the cache cannot serve it in place of the others.
 */
const VARIANTS: RequestHeaders[] = [
  'application/json',
  'application/yaml',
  'application/xml',
  'text/csv',
  'application/csv',
  'image/png',
]
  .flatMap((accept) => ['br', 'gzip', 'gzip, br', 'identity'].map((coding) => ({ accept, 'accept-encoding': coding })))
  .flatMap((headers) => [headers, { ...headers, prefer: 'handling=strict' }]);

describe.each([nginx, varnish])('$name as a shared cache', (program) => {
  let cached: CachedGateway;

  beforeAll(async () => {
    cached = await CachedGateway.open(program);
    return () => cached.close();
  }, LIFETIME_TEST_TIMEOUT);

  const isHit = (reply: PlainReply): boolean => program.isHit(reply);

  it('serves a cached response with all header fields, without a request to Rollcall', async () => {
    const coding = { 'accept-encoding': 'gzip' };
    const first = await cached.request(targetOf('lasting'), coding);
    const second = await cached.request(targetOf('lasting'), coding);
    const head = await cached.request(targetOf('lasting'), coding, 'HEAD');
    expect([first, second, head].map(isHit)).toEqual([false, true, true]);
    const direct = keptOf(await cached.requestDirectly(targetOf('lasting'), coding));
    const steady = (kept: unknown[]): string => JSON.stringify(kept).replaceAll(/(age)=\d+|(revalidate)=\d+/g, '');
    for (const reply of [first, second, head]) {
      expect(steady(keptOf(reply))).toBe(steady(direct));
      expect(reply.headers.via).toContain('1.1 rollcall-behind');
    }
    expect(second.body.equals(first.body)).toBe(true);
    expect(head.body.length).toBe(0);
  });

  it('caches formats, content codings and preferences separately', async () => {
    const wrong: unknown[] = [];
    const tagged = new Map<string, Buffer>();
    for (const round of ['first', 'again'])
      for (const requestHeaders of VARIANTS) {
        const reply = await cached.request(targetOf('lasting', ''), requestHeaders);
        const differences = await differencesOf(cached, reply, requestHeaders);
        const { etag = 'W/' } = reply.headers;
        const { body } = reply;
        if (!etag.startsWith('W/') && tagged.get(etag)?.equals(body) === false)
          differences.push(`${etag} for two bodies`);
        tagged.set(etag, body);
        if (differences.length > 0) wrong.push([round, requestHeaders, differences]);
        if (round === 'again' && reply.status === 200 && !isHit(reply))
          wrong.push([round, requestHeaders, 'not cached']);
      }
    expect(wrong).toEqual([]);
  });

  it('sends a 304 from the cache, and each content coding to the clients that accept it', async () => {
    const target = targetOf('lasting', '.json');
    const plain = await cached.request(target, { 'accept-encoding': 'identity' });
    const tag = plain.headers.etag ?? '';
    const again = await cached.request(target, { 'accept-encoding': 'identity', 'if-none-match': tag });
    expect([again.status, again.body.length, again.headers.etag, isHit(again)]).toEqual([304, 0, tag, true]);
    await cached.request(target, { 'accept-encoding': 'gzip' });
    const other = await cached.request(target, { 'accept-encoding': 'gzip', 'if-none-match': '"other"' });
    expect([other.status, isHit(other), decoded(other)]).toEqual([200, true, decoded(plain)]);
  });

  it(
    'revalidates a response after its time to live, and serves changed records in every format',
    async () => {
      const before = cached.statuses.length;
      const json = (): Promise<PlainReply> => cached.request(targetOf('brief'), { 'accept-encoding': 'gzip' });
      const csv = (): Promise<PlainReply> => cached.request(targetOf('brief', '.csv'));
      const first = await json();
      await csv();
      const same = await until(json, () => cached.statuses.slice(before).includes(304));
      expect([decoded(same), same.headers.etag]).toEqual([decoded(first), first.headers.etag]);
      cached.sources.brief.handler = teams('after');
      const changed = await until(json, (reply) => decoded(reply).includes('after 0'));
      expect(decoded(changed)).not.toContain('before');
      expect(changed.headers.etag).not.toBe(first.headers.etag);
      expect(decoded(await until(csv, (reply) => decoded(reply).includes('after 0')))).not.toContain('before');
    },
    LIFETIME_TEST_TIMEOUT,
  );

  it('caches neither partial responses nor errors', async () => {
    const before = cached.statuses.length;
    const wanted: [target: string, status: number][] = [
      ['/directory/v1/teams', 200],
      ['/directory/v1/teams?limit=x', 400],
      ['/nowhere', 404],
      [targetOf('broken'), 502],
    ];
    for (const [target, status] of [...wanted, ...wanted]) {
      const reply = await cached.request(target);
      expect([reply.status, reply.headers['cache-control'], isHit(reply)], target).toEqual([status, 'no-store', false]);
    }
    await expect.poll(() => cached.statuses.length - before).toBe(8);
  });

  it(
    'revalidates each stale response, and caches responses again once the source works',
    async () => {
      const send = (): Promise<PlainReply> => cached.request(targetOf('fading'));
      const good = await send();
      expect(good.headers['source-status']).toContain('fading;state=fresh');
      cached.sources.fading.handler = faulty.status(500);
      const stale = await until(send, ({ headers }) => headers['cache-control'] === 'no-cache');
      expect(stale.headers['source-status']).toContain('fading;state=stale;reason=status;status=500');
      const before = cached.statuses.length;
      for (const reply of [await send(), await send(), await send()])
        expect([isHit(reply), reply.headers['cache-control'], decoded(reply)]).toEqual([
          false,
          'no-cache',
          decoded(good),
        ]);
      await expect.poll(() => cached.statuses.length - before).toBe(3);
      cached.sources.fading.handler = teams('back');
      expect(decoded(await until(send, isHit))).toContain('back 0');
    },
    LIFETIME_TEST_TIMEOUT,
  );
});

/** The differences between a reply of the cache and the response of Rollcall to the same request. */
async function differencesOf(
  cached: CachedGateway,
  reply: PlainReply,
  requestHeaders: RequestHeaders,
): Promise<string[]> {
  const direct = await cached.requestDirectly(targetOf('lasting'), requestHeaders);
  const { 'content-encoding': coding = 'identity', etag = '', ...headers } = reply.headers;
  const differences = [];
  if (reply.status !== direct.status) differences.push(`status ${reply.status}`);
  if (headers['content-type'] !== direct.headers['content-type'])
    differences.push(`type ${headers['content-type'] ?? ''}`);
  if (headers['preference-applied'] !== direct.headers['preference-applied']) differences.push('preference');
  if (coding !== 'identity' && requestHeaders['accept-encoding']?.includes(coding) !== true)
    differences.push(`coding ${coding}`);
  if (decoded(reply) !== decoded(direct)) differences.push('body');
  return [...differences, ...(await tagDifferences(cached, reply, requestHeaders, { coding, etag }))];
}

/** Checks that a strong tag identifies the bytes that Rollcall sends with it in this content coding. */
async function tagDifferences(
  cached: CachedGateway,
  reply: PlainReply,
  requestHeaders: RequestHeaders,
  { coding, etag }: { coding: string; etag: string },
): Promise<string[]> {
  if (reply.status !== 200) return etag === '' ? [] : ['an error with a tag'];
  if (etag.startsWith('W/')) return [];
  const same = await cached.requestDirectly(targetOf('lasting'), { ...requestHeaders, 'accept-encoding': coding });
  return same.headers.etag === etag && same.body.equals(reply.body) ? [] : [`tag ${etag}`];
}
