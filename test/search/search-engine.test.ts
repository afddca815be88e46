import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { RecordSet } from '../../src/records/record-set.js';
import { TaskAbortedError } from '../../src/workers/worker-thread.js';
import { SearchEngine } from '../../src/search/search-engine.js';
import type { BuiltIndex, RecordChunk } from '../../src/search/index/index-thread.js';
import type { CachedIndex, SearchEngineDependencies } from '../../src/search/search-engine.js';
import { parseSearchText } from '../../src/search/text/search-request.js';
import { fakeClock } from '../support/fake-clock.js';
import { teamRecordSet } from '../support/unit/team-record-set.js';
import { waitFor } from '../support/wait-for.js';
import type { Publish } from '../../src/events/event.js';

const KEY = 'public directory-teams public 1';

function setOf(name: string, count = 5): RecordSet {
  const teams = Array.from({ length: count }, (_, at) => ({ slug: `t${at}`, 'short-team-name': `${name} ${at}` }));
  return teamRecordSet('one', 1, teams);
}

function startEngine({
  capacity = 1_000_000,
  ...replaced
}: { readonly capacity?: number } & Partial<SearchEngineDependencies> = {}) {
  const budget = new MemoryBudget(capacity);
  const earlier = budget.addLevel();
  const indexes = budget.addLevel<CachedIndex>();
  const snapshots = budget.addLevel();
  const events: Parameters<Publish>[0][] = [];
  const clock = fakeClock();
  const engine = new SearchEngine({
    cacheLevel: indexes,
    clock,
    publish: (event) => events.push(event),
    codeOf: (number) => `source ${number}`,
    ...replaced,
  });
  return { engine, earlier, indexes, snapshots, clock, events };
}

/** Requests the index of a complete snapshot with these records. */
async function getIndex(engine: SearchEngine, list: string, set: RecordSet): Promise<BuiltIndex | undefined> {
  return (await engine.getIndex(list, searchedIn(set), new AbortController().signal))?.built;
}

/** A complete snapshot with these records. */
function searchedIn(set: RecordSet): Parameters<SearchEngine['getIndex']>[1] {
  const times = { fetchedAt: 0, verifiedAt: 0, staleAt: 0 };
  return { snapshot: { set, ...times, via: [], lists: [] }, isComplete: true };
}

const taskFor = (index: SharedArrayBuffer): Parameters<SearchEngine['search']>[0] => ({
  request: parseSearchText('acorn'),
  searchesKeys: true,
  sources: [{ index }],
  offset: 0,
  limit: 9,
});

const OPTIONS = { key: 'acorn', client: 'one', signal: new AbortController().signal };

/** The garbage collector of the engine, which a flag makes available to new contexts. */
function exposeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

describe('index of a record set', () => {
  it('is built once for concurrent searches, and kept for later ones', async () => {
    const { engine, indexes } = startEngine();
    const set = setOf('acorn');
    const [one, other] = await Promise.all([getIndex(engine, KEY, set), getIndex(engine, KEY, set)]);
    expect(one).toBeDefined();
    expect([other, await getIndex(engine, KEY, set)]).toEqual([one, one]);
    expect(other).toBe(one);
    expect([...indexes.list()]).toHaveLength(1);
  });

  it('counts in the memory with its bytes, and gives way to snapshots only', async () => {
    const { engine, earlier, indexes, snapshots, events } = startEngine({ capacity: 20_000 });
    const built = await getIndex(engine, KEY, setOf('acorn'));
    expect(indexes.bytes).toBe(built?.index.byteLength);
    expect(events).toMatchObject([{ type: 'source indexed', source: 'source 1', bytes: built?.index.byteLength }]);
    earlier.put('public earlier', {}, 20_000);
    expect([indexes.bytes, earlier.bytes]).toEqual([built?.index.byteLength, 0]);
    snapshots.put('public snapshot', {}, 20_000);
    expect([indexes.bytes, snapshots.bytes]).toEqual([0, 20_000]);
  });

  it('never evicts a snapshot: it is absent where it does not fit, until a minute later', async () => {
    const { engine, indexes, snapshots, clock, events } = startEngine({ capacity: 20_000 });
    snapshots.put('public snapshot', {}, 19_990);
    const set = setOf('acorn');
    expect(await getIndex(engine, KEY, set)).toBeUndefined();
    expect([indexes.bytes, snapshots.bytes]).toEqual([0, 19_990]);
    expect(events.filter(({ type }) => type === 'source not indexed')).toEqual([
      expect.objectContaining({ source: 'source 1', error: expect.stringMatching(/does not fit/) as string }),
    ]);
    snapshots.removeWhere(() => true);
    expect(await getIndex(engine, KEY, set)).toBeUndefined();
    clock.advance(60_000);
    expect(await getIndex(engine, KEY, set)).toBeDefined();
  });

  it('replaces the index of earlier records', async () => {
    const { engine, indexes } = startEngine();
    const before = await getIndex(engine, KEY, setOf('acorn', 50));
    const after = await getIndex(engine, KEY, setOf('birch', 3));
    expect(after?.index.byteLength).toBeLessThan(before?.index.byteLength ?? 0);
    expect(indexes.bytes).toBe(after?.index.byteLength);
  });

  it('is shared by lists of the same records', async () => {
    const { engine, indexes, events } = startEngine();
    const set = setOf('acorn');
    const one = await getIndex(engine, KEY, set);
    expect(await getIndex(engine, 'public directory-teams pgp 1', set)).toBe(one);
    expect([events.length, [...indexes.list()].length]).toEqual([1, 1]);
  });

  it('is dropped with the records', async () => {
    const { engine, indexes } = startEngine();
    await getIndex(engine, KEY, setOf('acorn'));
    await getIndex(engine, 'public directory-teams public 11', setOf('birch'));
    engine.dropWhere((key) => key.endsWith(' 1'));
    expect([...indexes.list()].map(({ key }) => key)).toEqual(['public directory-teams public 11']);
  });

  it('is waited for at the start as long as it takes, and by a search for five seconds', async () => {
    vi.useFakeTimers();
    let finish: (built: BuiltIndex) => void = () => undefined;
    const built = new Promise<BuiltIndex>((resolve) => {
      finish = resolve;
    });
    const { engine } = startEngine({
      threads: {
        buildIndex: async (listChunks) => {
          listChunks();
          return await built;
        },
        search: vi.fn(),
      },
    });
    const set = setOf('acorn');
    const ended: string[] = [];
    const search = getIndex(engine, KEY, set).finally(() => ended.push('search'));
    const start = engine
      .buildIndex(KEY, searchedIn(set), new AbortController().signal)
      .finally(() => ended.push('start'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toEqual(['search']);
    vi.useRealTimers();
    finish({ index: new SharedArrayBuffer(8), textBytes: 0, longIds: [] });
    await Promise.all([search, start]);
    expect(await getIndex(engine, KEY, set)).toBeDefined();
  });

  it('that cannot be built is absent, and reported with its source', async () => {
    const error = new Error('crash');
    const threads = { buildIndex: () => Promise.reject(error), search: vi.fn() };
    const { engine, events } = startEngine({ threads });
    expect(await getIndex(engine, KEY, setOf('acorn'))).toBeUndefined();
    expect(events).toEqual([{ type: 'source not indexed', source: 'source 1', error: 'crash' }]);
  });

  it('that cannot be built is built again where the clock was set back', async () => {
    const threads = { buildIndex: vi.fn(() => Promise.reject(new Error('crash'))), search: vi.fn() };
    const { engine, clock } = startEngine({ threads });
    const set = setOf('acorn');
    for (const change of [0, 1_000, -2_000]) {
      clock.advance(change);
      await getIndex(engine, KEY, set);
    }
    expect(threads.buildIndex).toHaveBeenCalledTimes(2);
  });

  it('is built from chunks of few records, and of few where these are long', async () => {
    const sizesOf = async (set: RecordSet): Promise<readonly number[]> => {
      const sizes: number[] = [];
      const buildIndex = (listChunks: () => Iterable<RecordChunk>): Promise<BuiltIndex> => {
        for (const { ids } of listChunks()) sizes.push(ids.length);
        return Promise.resolve({ index: new SharedArrayBuffer(1), textBytes: 1, longIds: [] });
      };
      await getIndex(startEngine({ threads: { buildIndex, search: vi.fn() } }).engine, KEY, set);
      return sizes;
    };
    expect(await sizesOf(setOf('acorn', 300))).toEqual([128, 128, 44]);
    const teams = Array.from({ length: 40 }, (_, at) => ({ slug: `t${at}`, 'short-team-name': 'a'.repeat(2 ** 17) }));
    expect(await sizesOf(teamRecordSet('one', 1, teams))).toEqual([16, 16, 8]);
  });

  it('does not keep records alive that nothing else needs', async () => {
    const { engine, indexes } = startEngine();
    const collectGarbage = exposeGarbageCollector();
    const reference = await (async (): Promise<WeakRef<RecordSet>> => {
      const set = setOf('acorn');
      await getIndex(engine, KEY, set);
      return new WeakRef(set);
    })();
    await waitFor(() => {
      collectGarbage();
      expect(reference.deref() === undefined).toBe(true);
    });
    expect(indexes.bytes).toBeGreaterThan(0);
  });
});

describe('search', () => {
  it('given up because its threads are closed is no failure', async () => {
    const closed = new TaskAbortedError('closed', 'the pool was closed');
    const threads = { buildIndex: () => Promise.reject(closed), search: () => Promise.reject(closed) };
    const { engine, events } = startEngine({ threads });
    expect(await getIndex(engine, KEY, setOf('acorn'))).toBeUndefined();
    expect(await engine.search(taskFor(new SharedArrayBuffer(8)), OPTIONS)).toBeUndefined();
    expect(events).toEqual([]);
  });

  it('is made in this thread where there is no other', async () => {
    const { engine } = startEngine();
    const built = await getIndex(engine, KEY, setOf('acorn'));
    if (built === undefined) throw new Error('no index');
    expect(await engine.search(taskFor(built.index), OPTIONS)).toMatchObject({ total: 5 });
  });

  it('that nobody waits for any more is not made', async () => {
    const threads = { buildIndex: vi.fn(), search: vi.fn() };
    const { engine } = startEngine({ threads });
    const options = { ...OPTIONS, signal: AbortSignal.abort() };
    expect(await engine.search(taskFor(new SharedArrayBuffer(64)), options)).toBeUndefined();
    expect(threads.search).not.toHaveBeenCalled();
  });

  it('that fails has no result, and is reported', async () => {
    const error = new Error('crash');
    const threads = { buildIndex: vi.fn(), search: vi.fn(() => Promise.reject(error)) };
    const { engine, events } = startEngine({ threads });
    expect(await engine.search(taskFor(new SharedArrayBuffer(64)), OPTIONS)).toBeUndefined();
    expect(events).toEqual([{ type: 'search failed', error: 'crash' }]);
  });

  it('over no source needs no thread', async () => {
    const threads = { buildIndex: vi.fn(), search: vi.fn() };
    const { engine } = startEngine({ threads });
    expect(await engine.search({ ...taskFor(new SharedArrayBuffer(64)), sources: [] }, OPTIONS)).toMatchObject({
      total: 0,
      hits: [],
    });
    expect(threads.search).not.toHaveBeenCalled();
  });
});
