import { BroadcastChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { WatchedClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { searchThreads } from '../support/gateway/threads/search-threads.js';
import { threadModule } from '../../src/workers/thread-module.js';
import type { ThreadName } from '../../src/workers/thread-module.js';
import { moduleFromCode } from '../support/gateway/threads/worker-modules.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { status } from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { waitUntilStable } from '../support/wait-until-stable.js';
import { waitFor } from '../support/wait-for.js';

const open: { close: () => unknown }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** More characters than a list has that is indexed with the small ones. */
const MUCH_TEXT = 'word '.repeat(24_000);

/** A list of teams. The second word of their names is the version of the list. */
function changingList(name: string, count: number, readVersion: () => number = () => 1, text = ''): RequestHandler {
  return directoryUpstream([], {
    records: () =>
      Array.from({ length: count }, (_, at) => ({
        id: `${name}-${at}`,
        'short-team-name': `${name} v${readVersion()} no${at}`,
        'constituency-description': text,
      })),
  });
}

/** A thread that does what a module does, and keeps the result of each task until it may go on. */
interface HeldThread {
  readonly module: URL;
  /** The names of the tasks, in the order in which they were done. */
  readonly done: readonly string[];
  /** Lets everything go on that is held, or will be. */
  release(): void;
  close(): void;
}

/** `nameOf` is an expression of `task` and `result`. `isHeld` gets the names of all tasks so far, that of the last one too. */
function holdThread(thread: ThreadName, nameOf: string, isHeld: (names: readonly string[]) => boolean): HeldThread {
  const name = `held ${Math.random()}`;
  const channel = new BroadcastChannel(name);
  const done: string[] = [];
  let isReleased = false;
  channel.onmessage = (message) => {
    // The thread below sends nothing else.
    const { data } = message as { readonly data: { readonly done: string; readonly thread: number } };
    done.push(data.done);
    if (isReleased || !isHeld(done)) channel.postMessage(data.thread);
  };
  const code = `
    import { BroadcastChannel, threadId } from 'node:worker_threads';
    const run = (await import(${JSON.stringify(threadModule(thread).href)})).default;
    const channel = new BroadcastChannel(${JSON.stringify(name)});
    channel.unref();
    export default async (task) => {
      const result = await run(task);
      const released = new Promise((resolve) => { channel.onmessage = ({ data }) => [threadId, 'all'].includes(data) && resolve(); });
      channel.postMessage({ done: ${nameOf}, thread: threadId });
      await released;
      return result;
    };`;
  const held: HeldThread = {
    module: moduleFromCode(code),
    done,
    release: () => {
      isReleased = true;
      channel.postMessage('all');
    },
    close: () => {
      channel.close();
    },
  };
  open.push(held);
  return held;
}

interface Scene {
  readonly gateway: TestGateway;
  readonly clock: WatchedClock;
}

async function startScene(
  handlers: Readonly<Record<string, RequestHandler>>,
  modules: Parameters<typeof searchThreads>[0],
  server: GatewaySetup['server'] = {},
): Promise<Scene> {
  const clock = fakeClock();
  const sources: Record<string, object> = {};
  for (const [code, handler] of Object.entries(handlers)) {
    const upstream = await startUpstream(handler);
    open.push(upstream);
    sources[code] = { directory: upstream.address };
  }
  const threads = searchThreads(modules);
  const defaults = { ttl: '5s', 'stale-while-revalidate': '0s' };
  const gateway = await startGateway({ defaults, sources, server }, { clock, searchThreads: threads });
  open.push(gateway, threads);
  return { gateway, clock };
}

const search = ({ gateway }: Scene, q: string, headers = {}): Promise<GatewayResponse> =>
  gateway.get(`/directory/v1/search?q=${q}&envelope=1`, headers);

const statusOf = ({ headers }: GatewayResponse): string => headers.get('source-status') ?? '';

/** Threads in which each index of a large list but the first is held. */
const holdLaterLargeIndexes = (): HeldThread =>
  holdThread('index-thread', 'result.textBytes > 2e6 ? "large" : "small"', (names) => {
    return names.at(-1) === 'large' && names.indexOf('large') < names.length - 1;
  });

interface ChangingScene extends Scene {
  readonly index: HeldThread;
  /** Searches after a change of both lists. */
  searchChanged(): Promise<GatewayResponse>;
  /** From now on the source with the large list fails. */
  stopHostile(): void;
}

async function startWithChangingLists(): Promise<ChangingScene> {
  const index = holdLaterLargeIndexes();
  let version = 1;
  const readVersion = (): number => version;
  let isStopped = false;
  const birches = changingList('birch', 20, readVersion, MUCH_TEXT);
  const lists = {
    honest: changingList('acorn', 2, readVersion),
    hostile: (...exchange: Parameters<RequestHandler>) => (isStopped ? status(500) : birches)(...exchange),
  } satisfies Record<string, RequestHandler>;
  const scene = await startScene(lists, { index: index.module });
  await waitFor(async () => {
    expect(statusOf(await search(scene, 'acorn'))).toMatch(/^honest;state=fresh.*hostile;state=fresh/);
  });
  const searchChanged = (): Promise<GatewayResponse> => {
    version += 1;
    scene.clock.advance(5_000);
    return search(scene, 'acorn');
  };
  const stopHostile = (): void => {
    isStopped = true;
  };
  return { ...scene, index, searchChanged, stopHostile };
}

it('a source whose changed list is being indexed is searched as it was before, is stale, and leaves the others fresh', async () => {
  const scene = await startWithChangingLists();
  for (const age of [5, 10, 15]) {
    await scene.searchChanged();
    await waitFor(async () => {
      const { status, headers } = await search(scene, 'acorn');
      expect([status, headers.get('source-status'), headers.get('cache-control')]).toEqual([
        200,
        `honest;state=fresh;records=2;age=0, hostile;state=stale;reason=index;records=20;age=${age}`,
        'no-cache',
      ]);
    });
  }
  const { json } = await search(scene, 'birch+no3');
  expect(json).toMatchObject({ total: 1, data: [{ 'short-team-name': 'birch v1 no3' }] });
  const nothing = await search(scene, 'nothing-like-this');
  expect([nothing.status, nothing.json]).toMatchObject([
    200,
    { total: 0, sources: [{ 'source-name': 'hostile', state: 'stale', reason: 'index' }] },
  ]);
  expect(statusOf(await scene.gateway.get('/directory/v1/teams?limit=1'))).toMatch(/hostile;state=fresh/);
});

it('a source that fails while its changed list is being indexed says that it failed', async () => {
  const scene = await startWithChangingLists();
  await scene.searchChanged();
  scene.stopHostile();
  scene.clock.advance(5_000);
  expect(statusOf(await search(scene, 'acorn'))).toMatch(/hostile;state=stale;reason=status;/);
});

it('the earlier records of a source are searched for five minutes; then it is left out until the next index', async () => {
  const scene = await startWithChangingLists();
  await scene.searchChanged();
  scene.clock.advance(300_000);
  expect(statusOf(await search(scene, 'acorn'))).toBe(
    'honest;state=fresh;records=2;age=0, hostile;state=partial;reason=index',
  );
});

it('indexes of records that have been replaced meanwhile are not built', async () => {
  const scene = await startWithChangingLists();
  for (let change = 1; change <= 4; change += 1) await scene.searchChanged();
  scene.index.release();
  await waitFor(async () => {
    expect(statusOf(await search(scene, 'acorn'))).toMatch(/hostile;state=fresh/);
  });
  expect((await search(scene, 'birch+no3')).json).toMatchObject({ data: [{ 'short-team-name': 'birch v5 no3' }] });
  await waitUntilStable(() => scene.index.done.length);
  expect(scene.index.done.filter((one) => one === 'large')).toHaveLength(3);
});

it('a search counts as changed when the earlier records of a source are no longer searched', async () => {
  const scene = await startWithChangingLists();
  await scene.searchChanged();
  scene.clock.advance(3_000);
  expect(statusOf(await search(scene, 'acorn'))).toMatch(/hostile;state=stale/);
  const sinceStale = { 'If-Modified-Since': new Date(scene.clock.now()).toUTCString() };
  scene.index.release();
  await waitFor(async () => {
    const again = await search(scene, 'acorn', sinceStale);
    expect([again.status, statusOf(again)]).toEqual([200, expect.stringMatching(/hostile;state=fresh/)]);
  });
});

it('records that the operator has forgotten are not searched any more', async () => {
  const scene = await startWithChangingLists();
  await scene.gateway.app.sources.find(({ code }) => code === 'hostile')?.operations.forget();
  expect(statusOf(await search(scene, 'acorn'))).toBe(
    'honest;state=fresh;records=2;age=0, hostile;state=partial;reason=index',
  );
});

/** Threads in which the first search is held, so that the others wait. */
const holdFirstSearch = (): HeldThread =>
  holdThread('search-thread', 'task.request.joinedSpellings[0]', ({ length }) => length === 1);

it('equal searches at the same time are made once', async () => {
  const held = holdFirstSearch();
  const scene = await startScene({ one: changingList('acorn', 2) }, { search: held.module });
  const equal = ['acorn', 'acorn', 'acorn'].map((q) => search(scene, q));
  await expect.poll(() => held.done).toEqual(['acorn']);
  await waitUntilStable(() => scene.clock.looks);
  held.release();
  const answers = await Promise.all(equal);
  expect(answers.map(({ json }) => json)).toEqual(answers.map(() => expect.objectContaining({ total: 2 }) as unknown));
  expect(held.done).toEqual(['acorn']);
  await search(scene, 'acorn');
  expect(held.done).toEqual(['acorn', 'acorn']);
});

it('clients take turns, however many searches one of them makes', async () => {
  const held = holdFirstSearch();
  const server = { 'trust-proxy': ['loopback'] };
  const scene = await startScene({ one: changingList('acorn', 2) }, { search: held.module }, server);
  const from = (address: string, q: string): Promise<GatewayResponse> =>
    search(scene, q, { 'X-Forwarded-For': address });
  const many = Array.from({ length: 20 }, (_, at) => from('192.0.2.1', `acorn${at}`));
  await expect.poll(() => held.done).toHaveLength(1);
  await waitUntilStable(() => scene.clock.looks);
  const other = ['acorn19', 'cedar'].map((q) => from('192.0.2.2', q));
  await waitUntilStable(() => scene.clock.looks);
  held.release();
  await Promise.all([...many, ...other]);
  expect(held.done.slice(0, 5)).toEqual(expect.arrayContaining(['acorn19', 'cedar']));
});
