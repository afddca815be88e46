import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { searchThreads } from '../support/gateway/threads/search-threads.js';
import { threadModule } from '../../src/workers/thread-module.js';
import { moduleFromCode } from '../support/gateway/threads/worker-modules.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { waitFor } from '../support/wait-for.js';

const ONE = directoryUpstream([{ 'short-team-name': 'Acorn CERT', 'country-code': 'NO' }]);
const TWO = directoryUpstream([{ 'short-team-name': 'Birch CERT', 'country-code': 'SE' }]);

/** A list of many different words, whose index is larger than its records. */
const LARGE = directoryUpstream(
  Array.from({ length: 400 }, (_, at) => ({
    'short-team-name': `Large ${at}`,
    'constituency-description': Array.from({ length: 60 }, (_one, word) => `w${at}x${word}`).join(' '),
  })),
);

interface Scene {
  readonly gateway: TestGateway;
  readonly two: UpstreamServer;
  readonly clock: FakeClock;
}

const open: { close: () => unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

type Threads = Parameters<typeof searchThreads>[0];

async function startScene(
  second: RequestHandler,
  setup: Partial<GatewaySetup> = {},
  threads?: Threads,
  registered: object = {},
): Promise<Scene> {
  const [one, two] = [await startUpstream(ONE), await startUpstream(second)];
  const clock = fakeClock();
  const sources = { one: { directory: one.address }, two: { directory: two.address, ...registered } };
  const started = threads && searchThreads(threads);
  const gateway = await startGateway(
    { defaults: { retries: 0 }, sources, ...setup },
    { clock, ...(started && { searchThreads: started }) },
  );
  open.push(gateway, one, two, ...(started ? [started] : []));
  return { gateway, two, clock };
}

const search = ({ gateway }: Scene, q: string, extension = ''): Promise<GatewayResponse> =>
  gateway.get(`/directory/v1/search${extension}?q=${q}&envelope=1`);

const statusOf = ({ headers }: GatewayResponse): string => headers.get('source-status') ?? '';

/** Requires that a search is partial where it has hits, an error where it has none, and that both name the source. */
async function expectPartial(scene: Scene, reported: RegExp, named: RegExp): Promise<void> {
  const some = await search(scene, 'acorn');
  expect([some.status, statusOf(some)]).toEqual([200, expect.stringMatching(reported)]);
  expect(some.json).toMatchObject({ status: 'OK', total: 1, sources: [{ 'source-name': 'two' }] });
  expect([some.headers.get('etag'), some.headers.get('last-modified')]).toEqual([null, null]);
  for (const extension of ['', '.yaml', '.xml', '.csv', '.ndjson', '.xlsx']) {
    const none = await search(scene, 'nothing-like-this', extension);
    // YAML folds long lines.
    const text = none.text.replace(/\s+/g, ' ');
    expect([extension, text]).toEqual([extension, expect.stringMatching(named)]);
    expect(none.status === 502 || none.status === 504).toBe(true);
    expect(statusOf(none)).toMatch(reported);
    const partial = await search(scene, 'acorn', extension);
    expect([extension, partial.status]).toEqual([extension, 200]);
    const disposition = partial.headers.get('content-disposition');
    if (disposition !== null) expect(disposition).toMatch(/search-acorn-[-\d]{10}\.partial\./);
  }
}

describe('a search without one of the sources', () => {
  it.each([
    ['failed', faulty.status(500), /two;state=failed;reason=status/, /two: HTTP status 500/],
    ['sends no list', faulty.body('<html>'), /two;state=failed;reason=/, /two: /],
  ] as const)('that %s names it', async (_, handler, reported, named) => {
    await expectPartial(await startScene(handler), reported, named);
  });

  it('that does not respond in time names it, and searches the others', async () => {
    const scene = await startScene(neverResponds, {
      server: { deadline: '1s' },
      defaults: { timeout: '1s', retries: 0 },
    });
    const some = await search(scene, 'acorn');
    expect([some.status, statusOf(some)]).toEqual([
      200,
      expect.stringMatching(/^one;state=fresh;records=1;age=0, two;state=failed;reason=timeout/),
    ]);
    expect([502, 504]).toContain((await search(scene, 'nothing-like-this')).status);
  });

  it('that has failed since serves its last records, and says so', async () => {
    const scene = await startScene(TWO);
    expect((await search(scene, 'birch')).status).toBe(200);
    scene.two.handler = faulty.status(500);
    scene.clock.advance(3_600_000);
    const stale = await waitFor(async () => {
      const response = await search(scene, 'birch');
      expect(statusOf(response)).toMatch(/two;state=stale;reason=status/);
      return response;
    });
    expect(stale.json).toMatchObject({ total: 1, data: [{ 'short-team-name': 'Birch CERT' }] });
    const none = await search(scene, 'nothing-like-this');
    expect([none.status, statusOf(none)]).toEqual([200, expect.stringMatching(/two;state=stale/)]);
  });

  it('that is required is an error', async () => {
    const scene = await startScene(faulty.status(500), {}, undefined, { required: true });
    expect((await search(scene, 'acorn')).status).toBe(502);
  });

  it('that is itself a gateway leaves the gateways behind it known', async () => {
    const behind: RequestHandler = (request, response) => {
      response.setHeader('Via', '1.1 inner-gateway');
      LARGE(request, response);
    };
    const setup = { server: { name: 'outer' }, cache: { memory: '1MiB' } };
    const scene = await startScene(behind, setup, undefined, { aggregate: true });
    const { headers } = await search(scene, 'acorn');
    expect([headers.get('source-status'), headers.get('via')]).toEqual([
      expect.stringMatching(/two;state=partial;reason=index/),
      expect.stringMatching(/inner-gateway/),
    ]);
  });

  it('whose list is too large to be kept names it', async () => {
    const many = directoryUpstream(
      Array.from({ length: 3_000 }, (_, at) => ({ 'short-team-name': `Large ${at}`, host: 'x'.repeat(200) })),
    );
    const scene = await startScene(many, { cache: { memory: '256KiB' } });
    await expectPartial(scene, /two;state=partial;reason=index/, /two: its present records are not indexed/);
  });

  it('no source: a text that is too long is searched in its beginning, and the log names its record', async () => {
    const long = { 'short-team-name': 'Long', 'constituency-description': `${'word '.repeat(30_000)}lastword` };
    const scene = await startScene(directoryUpstream([long]));
    const some = await search(scene, 'long');
    expect([some.status, statusOf(some)]).toEqual([200, expect.stringMatching(/two;state=fresh;records=1/)]);
    const none = await search(scene, 'lastword');
    expect([none.status, statusOf(none)]).toEqual([200, expect.stringMatching(/two;state=fresh;records=1/)]);
    expect(none.json).toMatchObject({ total: 0 });
    const lines = scene.gateway.log.filter(({ message }) => message === 'records too long to be searched');
    expect(lines.map(({ facts }) => facts)).toEqual([{ source: 'two', records: ['two.long'] }]);
  });

  it('whose index does not fit into the memory names it, and keeps its records', async () => {
    const scene = await startScene(LARGE, { cache: { memory: '1MiB' } });
    const list = await scene.gateway.get('/directory/v1/teams?limit=1&envelope=1');
    expect(statusOf(list)).toMatch(/two;state=fresh;records=400/);
    await expectPartial(scene, /two;state=partial;reason=index/, /two: its present records are not indexed/);
    const lines = scene.gateway.log.filter(({ message }) => message === 'source not indexed');
    expect(lines.map(({ facts }) => facts)).toEqual([
      { source: 'two', error: expect.stringMatching(/does not fit into the cache/) as string },
    ]);
    expect(statusOf(await scene.gateway.get('/directory/v1/teams?limit=1'))).toMatch(/two;state=fresh;records=400/);
  });
});

const CRASH = moduleFromCode(
  `export default () => new Promise(() => setImmediate(() => { throw new Error('crash'); }));`,
);

/** Builds indexes, except the second one. */
const FAILS_SECOND = moduleFromCode(
  `const build = (await import(${JSON.stringify(threadModule('index-thread').href)})).default;
   let builds = 0;
   export default async (task) => {
     builds += 1;
     if (builds === 2) throw new Error('no index');
     return build(task);
   };`,
);

/** Builds indexes, the first after a moment. */
const SLOW = moduleFromCode(
  `const build = (await import(${JSON.stringify(threadModule('index-thread').href)})).default;
   let pause = 2_500;
   export default async (task) => {
     await new Promise((resolve) => setTimeout(resolve, pause));
     pause = 0;
     return build(task);
   };`,
);

describe('a search that was incomplete', () => {
  it('is confirmed by nobody when it is complete again', async () => {
    const scene = await startScene(LARGE, { cache: { memory: '4MiB' } }, { index: FAILS_SECOND });
    const path = '/directory/v1/search?q=cert';
    const incomplete = await scene.gateway.get(path);
    expect(statusOf(incomplete)).toMatch(/partial;reason=index/);
    scene.clock.advance(120_000);
    const conditions = { 'If-Modified-Since': new Date(scene.clock.now() - 120_000).toUTCString() };
    const complete = await scene.gateway.get(path, conditions);
    expect([complete.status, statusOf(complete)]).toEqual([200, expect.not.stringMatching(/partial/)]);
    const tag = { 'If-None-Match': String(complete.headers.get('etag')) };
    expect((await scene.gateway.get(path, tag)).status).toBe(304);
  });
});

describe('a search in threads', () => {
  it('answers as one without threads', async () => {
    const [threaded, plain] = [await startScene(TWO, {}, {}), await startScene(TWO)];
    for (const q of ['cert', 'brich', 'nothing-like-this']) {
      const [one, other] = [await search(threaded, q), await search(plain, q)];
      expect([q, one.status, one.text, statusOf(one)]).toEqual([q, other.status, other.text, statusOf(other)]);
    }
  });

  it('is an error that names all sources where no index can be built', async () => {
    const scene = await startScene(TWO, {}, { index: CRASH });
    const { status, headers, text } = await search(scene, 'acorn');
    expect([status, headers.get('source-status')]).toEqual([
      502,
      expect.stringMatching(/^one;state=partial;reason=index, two;state=partial;reason=index$/),
    ]);
    expect(text).toMatch(/one: its present records are not indexed.*two: its present records are not indexed/s);
    expect(scene.gateway.log.filter(({ message }) => message === 'source not indexed')).toHaveLength(2);
  });

  it('is an error that names all sources where the thread ends that searches, and the next search is answered', async () => {
    const scene = await startScene(TWO, {}, { search: CRASH });
    for (const q of ['acorn', 'nothing-like-this']) {
      const { status, headers, json } = await search(scene, q);
      expect([q, status, headers.get('source-status')]).toEqual([
        q,
        502,
        expect.stringMatching(/^one;state=partial;reason=index, two;state=partial;reason=index$/),
      ]);
      expect(json).toMatchObject({ sources: [{ reason: 'index' }, { reason: 'index' }] });
    }
    expect(scene.gateway.log.filter(({ message }) => message === 'search failed')).toHaveLength(2);
    expect((await scene.gateway.get('/directory/v1/teams?q=acorn')).status).toBe(200);
  });

  it('does not wait for an index past the deadline; the next search has it', async () => {
    const scene = await startScene(TWO, { server: { deadline: '1s' } }, { index: SLOW });
    const first = await search(scene, 'acorn');
    expect([first.status === 502 || first.status === 504, statusOf(first)]).toEqual([
      true,
      expect.stringMatching(/^one;state=partial;reason=index, two;state=partial;reason=index$/),
    ]);
    await waitFor(async () => {
      const later = await search(scene, 'birch');
      expect([later.status, statusOf(later)]).toEqual([
        200,
        expect.stringMatching(/^one;state=fresh.*two;state=fresh/),
      ]);
    });
  });
});
