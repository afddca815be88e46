import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { askPlainly, nginx, varnish } from './shared-cache.js';
import type { CacheProgram, PlainReply } from './shared-cache.js';
import type { StartedProgram } from './started-program.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** Milliseconds for a test that waits for times to live to pass. */
const PATIENCE = 60_000;

const NAME = 'short-team-name';

/** Long enough for an answer to be coded. */
const HOST = 'x'.repeat(100);

function teams(prefix: string): RequestHandler {
  return directoryUpstream(Array.from({ length: 30 }, (_, at) => ({ [NAME]: `${prefix} ${at}`, host: HOST })));
}

const below = (source: string, extension = ''): string => `/directory/v1/teams${extension}?source-name=${source}`;

type Asking = Readonly<Record<string, string>>;

/** Rollcall over sources that behave, one that does not, and some that will change; real time, and a shared cache in front. */
class Scene {
  private constructor(
    readonly cache: StartedProgram,
    readonly gateway: TestGateway,
    readonly sources: Readonly<Record<'lasting' | 'brief' | 'fading' | 'broken', UpstreamServer>>,
  ) {}

  static async open(program: CacheProgram): Promise<Scene> {
    const sources = {
      lasting: await startUpstream(teams('lasting')),
      brief: await startUpstream(teams('before')),
      fading: await startUpstream(teams('fading')),
      broken: await startUpstream(faulty.status(500)),
    };
    const registered = {
      lasting: { directory: sources.lasting.address, ttl: '10m' },
      brief: { directory: sources.brief.address, ttl: '3s' },
      // Asked again at once when it is back.
      fading: { directory: sources.fading.address, ttl: '3s', breaker: { cooldown: '1s' } },
      broken: { directory: sources.broken.address },
    };
    const gateway = await startGateway({ server: { name: 'rollcall-behind' }, sources: registered });
    const cache = await program.start(Number(new URL(gateway.origin).port));
    return new Scene(cache, gateway, sources);
  }

  async close(): Promise<void> {
    await this.cache.close();
    await Promise.all([this.gateway.close(), ...Object.values(this.sources).map((source) => source.close())]);
  }

  /** What a client of the cache gets. */
  ask(target: string, headers: Asking = {}, method = 'GET'): Promise<PlainReply> {
    return askPlainly(this.cache.port, { method, target, headers });
  }

  /** What Rollcall itself says. */
  askDirectly(target: string, headers: Asking = {}): Promise<PlainReply> {
    return askPlainly(Number(new URL(this.gateway.origin).port), { method: 'GET', target, headers });
  }

  /** Statuses with which Rollcall has answered so far. */
  get answered(): readonly unknown[] {
    const lines = this.gateway.log.filter(({ message }) => message === 'request');
    return lines.map(({ facts }) => ('status' in facts ? facts.status : undefined));
  }
}

/** Asks again until what comes is as it is waited for. */
async function until(ask: () => Promise<PlainReply>, isAwaited: (reply: PlainReply) => boolean): Promise<PlainReply> {
  for (;;) {
    const reply = await ask();
    if (isAwaited(reply)) return reply;
    await pause(100);
  }
}

/** The body without its coding. */
function decoded({ headers, body }: PlainReply): string {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding === 'gzip') return gunzipSync(body).toString();
  if (coding === 'br') return brotliDecompressSync(body).toString();
  return coding === 'identity' ? body.toString('latin1') : `in an unknown coding: ${coding}`;
}

/** Headers that no cache may lose. */
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

/** All that an answer depends on, each with each; what everybody can read last, that none gets it in place of its own. */
const WAYS: Asking[] = [
  'application/json',
  'application/yaml',
  'application/xml',
  'text/csv',
  'application/csv',
  'image/png',
]
  .flatMap((accept) => ['br', 'gzip', 'gzip, br', 'identity'].map((coding) => ({ accept, 'accept-encoding': coding })))
  .flatMap((asking) => [asking, { ...asking, prefer: 'handling=strict' }]);

describe.each([nginx, varnish])('$name as a shared cache', (program) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.open(program);
    return () => scene.close();
  }, PATIENCE);

  const isHit = (reply: PlainReply): boolean => program.isHit(reply);

  it('gives what it has without asking again, and all headers with it', async () => {
    const coding = { 'accept-encoding': 'gzip' };
    const first = await scene.ask(below('lasting'), coding);
    const second = await scene.ask(below('lasting'), coding);
    const head = await scene.ask(below('lasting'), coding, 'HEAD');
    expect([first, second, head].map(isHit)).toEqual([false, true, true]);
    const direct = keptOf(await scene.askDirectly(below('lasting'), coding));
    const steady = (kept: unknown[]): string => JSON.stringify(kept).replaceAll(/(age)=\d+|(revalidate)=\d+/g, '');
    for (const reply of [first, second, head]) {
      expect(steady(keptOf(reply))).toBe(steady(direct));
      expect(reply.headers.via).toContain('1.1 rollcall-behind');
    }
    expect(second.body.equals(first.body)).toBe(true);
    expect(head.body.length).toBe(0);
  });

  it('keeps formats, codings and preferences apart', async () => {
    const wrong: unknown[] = [];
    const tagged = new Map<string, Buffer>();
    for (const round of ['first', 'again'])
      for (const asking of WAYS) {
        const reply = await scene.ask(below('lasting', ''), asking);
        const faults = await faultsOf(scene, reply, asking);
        const { etag = 'W/' } = reply.headers;
        const { body } = reply;
        if (!etag.startsWith('W/') && tagged.get(etag)?.equals(body) === false) faults.push(`${etag} for two bodies`);
        tagged.set(etag, body);
        if (faults.length > 0) wrong.push([round, asking, faults]);
        if (round === 'again' && reply.status === 200 && !isHit(reply)) wrong.push([round, asking, 'not cached']);
      }
    expect(wrong).toEqual([]);
  });

  it('tells a client that has the answer so by itself, and one that has another coding of it gets its own', async () => {
    const target = below('lasting', '.json');
    const plain = await scene.ask(target, { 'accept-encoding': 'identity' });
    const tag = plain.headers.etag ?? '';
    const again = await scene.ask(target, { 'accept-encoding': 'identity', 'if-none-match': tag });
    expect([again.status, again.body.length, again.headers.etag, isHit(again)]).toEqual([304, 0, tag, true]);
    await scene.ask(target, { 'accept-encoding': 'gzip' });
    const other = await scene.ask(target, { 'accept-encoding': 'gzip', 'if-none-match': '"other"' });
    expect([other.status, isHit(other), decoded(other)]).toEqual([200, true, decoded(plain)]);
  });

  it(
    'asks whether an answer still holds when its time is over, and shows what has changed in every format',
    async () => {
      const before = scene.answered.length;
      const json = (): Promise<PlainReply> => scene.ask(below('brief'), { 'accept-encoding': 'gzip' });
      const csv = (): Promise<PlainReply> => scene.ask(below('brief', '.csv'));
      const first = await json();
      await csv();
      const same = await until(json, () => scene.answered.slice(before).includes(304));
      expect([decoded(same), same.headers.etag]).toEqual([decoded(first), first.headers.etag]);
      scene.sources.brief.handler = teams('after');
      const changed = await until(json, (reply) => decoded(reply).includes('after 0'));
      expect(decoded(changed)).not.toContain('before');
      expect(changed.headers.etag).not.toBe(first.headers.etag);
      expect(decoded(await until(csv, (reply) => decoded(reply).includes('after 0')))).not.toContain('before');
    },
    PATIENCE,
  );

  it('keeps no partial answer and no error', async () => {
    const before = scene.answered.length;
    const wanted: [target: string, status: number][] = [
      ['/directory/v1/teams', 200],
      ['/directory/v1/teams?limit=x', 400],
      ['/nowhere', 404],
      [below('broken'), 502],
    ];
    for (const [target, status] of [...wanted, ...wanted]) {
      const reply = await scene.ask(target);
      expect([reply.status, reply.headers['cache-control'], isHit(reply)], target).toEqual([status, 'no-store', false]);
    }
    await expect.poll(() => scene.answered.length - before).toBe(8);
  });

  it(
    'gives nothing unasked that rests on a last good copy, and keeps answers again once the source is back',
    async () => {
      const ask = (): Promise<PlainReply> => scene.ask(below('fading'));
      const good = await ask();
      expect(good.headers['source-status']).toContain('fading;state=fresh');
      scene.sources.fading.handler = faulty.status(500);
      const stale = await until(ask, ({ headers }) => headers['cache-control'] === 'no-cache');
      expect(stale.headers['source-status']).toContain('fading;state=stale;reason=status;status=500');
      const before = scene.answered.length;
      for (const reply of [await ask(), await ask(), await ask()])
        expect([isHit(reply), reply.headers['cache-control'], decoded(reply)]).toEqual([
          false,
          'no-cache',
          decoded(good),
        ]);
      await expect.poll(() => scene.answered.length - before).toBe(3);
      scene.sources.fading.handler = teams('back');
      expect(decoded(await until(ask, isHit))).toContain('back 0');
    },
    PATIENCE,
  );
});

/** How an answer of the cache differs from what Rollcall says to the same request. */
async function faultsOf(scene: Scene, reply: PlainReply, asking: Asking): Promise<string[]> {
  const direct = await scene.askDirectly(below('lasting'), asking);
  const { 'content-encoding': coding = 'identity', etag = '', ...headers } = reply.headers;
  const faults = [];
  if (reply.status !== direct.status) faults.push(`status ${reply.status}`);
  if (headers['content-type'] !== direct.headers['content-type']) faults.push(`type ${headers['content-type'] ?? ''}`);
  if (headers['preference-applied'] !== direct.headers['preference-applied']) faults.push('preference');
  if (coding !== 'identity' && asking['accept-encoding']?.includes(coding) !== true) faults.push(`coding ${coding}`);
  if (decoded(reply) !== decoded(direct)) faults.push('body');
  return [...faults, ...(await tagFaults(scene, reply, asking, { coding, etag }))];
}

/** A strong tag stands for bytes: those that Rollcall sends with it in this coding. */
async function tagFaults(
  scene: Scene,
  reply: PlainReply,
  asking: Asking,
  { coding, etag }: { coding: string; etag: string },
): Promise<string[]> {
  if (reply.status !== 200) return etag === '' ? [] : ['an error with a tag'];
  if (etag.startsWith('W/')) return [];
  const same = await scene.askDirectly(below('lasting'), { ...asking, 'accept-encoding': coding });
  return same.headers.etag === etag && same.body.equals(reply.body) ? [] : [`tag ${etag}`];
}
