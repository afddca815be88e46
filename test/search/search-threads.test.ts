import { afterEach, expect, it } from 'vitest';
import { IndexAssembly } from '../../src/search/index/index-thread.js';
import type { RecordChunk } from '../../src/search/index/index-thread.js';
import { SEARCH_FIELDS } from '../../src/search/index/terms.js';
import { searchRecords } from '../../src/search/ranking/search-records.js';
import type { SearchTask } from '../../src/search/ranking/search-records.js';
import type { SearchThreads } from '../../src/search/search-threads.js';
import { parseSearchText } from '../../src/search/text/search-request.js';
import { searchThreads } from '../support/gateway/threads/search-threads.js';
import { moduleFromCode } from '../support/gateway/threads/worker-modules.js';
import { waitUntilStable } from '../support/wait-until-stable.js';

const open: SearchThreads[] = [];

function openThreads(modules?: Parameters<typeof searchThreads>[0]): SearchThreads {
  const threads = searchThreads(modules);
  open.push(threads);
  return threads;
}

afterEach(() => {
  for (const threads of open.splice(0)) threads.close();
});

/** Ends the thread by an error that nothing catches. */
const CRASH = moduleFromCode(
  `export default () => new Promise(() => setImmediate(() => { throw new Error('crash'); }));`,
);

function chunksOf(name: string, count: number): readonly RecordChunk[] {
  return Array.from({ length: count }, (_, chunk) => {
    const numbers = [1, 2, 3].map((at) => chunk * 3 + at);
    return {
      longIds: [],
      ids: numbers.map((number) => `one.${name}-${count * 3 - number}`),
      texts: numbers.map((number) =>
        SEARCH_FIELDS.map((field) => `${field} ${name}${number} Łódź 10.0.0.${number % 250}`),
      ),
    };
  });
}

function buildHere(chunks: readonly RecordChunk[]): ReturnType<IndexAssembly['finish']> {
  const assembly = new IndexAssembly();
  for (const chunk of chunks) assembly.add(chunk);
  return assembly.finish();
}

const bytesOf = ({ index }: { readonly index: SharedArrayBuffer }): Buffer => Buffer.from(new Uint8Array(index));

const task = (text: string, index: SharedArrayBuffer): SearchTask => ({
  request: parseSearchText(text),
  searchesKeys: true,
  sources: [{ index, allowed: new Uint8Array(new Uint32Array(index, 0, 3)[2] ?? 0).fill(1) }],
  offset: 1,
  limit: 2,
});

it('builds the same index as the main thread, and counts the bytes of the texts', async () => {
  const chunks = chunksOf('acorn', 50);
  const [built, expected] = [await openThreads().buildIndex(() => chunks), buildHere(chunks)];
  expect(bytesOf(built).equals(bytesOf(expected))).toBe(true);
  expect(built.textBytes).toBe(expected.textBytes);
  expect(bytesOf(await openThreads().buildIndex(() => [])).equals(bytesOf(buildHere([])))).toBe(true);
});

it('builds concurrent indexes each from its own records', async () => {
  const threads = openThreads();
  const names = ['acorn', 'birch', 'cedar'];
  const built = await Promise.all(names.map((name) => threads.buildIndex(() => chunksOf(name, 20))));
  for (const [at, name] of names.entries())
    expect([
      name,
      built[at] !== undefined && bytesOf(built[at]).equals(bytesOf(buildHere(chunksOf(name, 20)))),
    ]).toEqual([name, true]);
});

it('searches in the thread as in the main thread, while an index is built', async () => {
  const threads = openThreads();
  const { index } = buildHere(chunksOf('acorn', 20));
  const building = threads.buildIndex(() => chunksOf('birch', 200));
  for (const text of ['acorn7', 'acrn', 'łodz place', '10.0.0.0/24', 'nothing'])
    expect([text, await threads.search(task(text, index))]).toEqual([text, searchRecords(task(text, index))]);
  expect((await building).index.byteLength).toBeGreaterThan(0);
});

it('rejects an index whose records cannot be read, and builds the next one', async () => {
  const threads = openThreads();
  function* failing(): Generator<RecordChunk, void, undefined> {
    yield* chunksOf('acorn', 2);
    throw new Error('unreadable');
  }
  await expect(threads.buildIndex(failing)).rejects.toThrow('the records could not be read');
  expect(
    bytesOf(await threads.buildIndex(() => chunksOf('birch', 2))).equals(bytesOf(buildHere(chunksOf('birch', 2)))),
  ).toBe(true);
});

it('rejects what a thread cannot do that ends', async () => {
  const threads = openThreads({ index: CRASH, search: CRASH });
  const { index } = buildHere(chunksOf('acorn', 1));
  await expect(threads.buildIndex(() => chunksOf('acorn', 2))).rejects.toThrow();
  await expect(threads.search(task('acorn1', index))).rejects.toThrow();
});

it('rejects the index that it builds when it is closed, and those that wait', async () => {
  const threads = openThreads({
    index: moduleFromCode('export default () => new Promise(() => setInterval(() => {}, 1e6));'),
  });
  const builds = [threads.buildIndex(() => chunksOf('acorn', 2)), threads.buildIndex(() => chunksOf('birch', 2))];
  const settled = Promise.allSettled(builds);
  await new Promise((resolve) => setTimeout(resolve, 50));
  threads.close();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

it('requests no more chunks after it was closed', async () => {
  const threads = openThreads();
  let produced = 0;
  function* endless(): Generator<RecordChunk, void, undefined> {
    for (;;) {
      produced += 1;
      if (produced === 20) threads.close();
      yield* chunksOf('acorn', 1);
    }
  }
  await expect(threads.buildIndex(endless)).rejects.toThrow('closed');
  await waitUntilStable(() => produced);
});

it('rejects the search that it makes when it is closed', async () => {
  const threads = openThreads({ search: moduleFromCode('export default () => { for (;;); };') });
  const rejected = expect(threads.search(task('acorn', buildHere(chunksOf('acorn', 1)).index))).rejects.toThrow(
    'closed',
  );
  await new Promise((resolve) => setTimeout(resolve, 50));
  threads.close();
  await rejected;
});

it('keeps no port open behind an index that is built', async () => {
  const threads = openThreads();
  const countPorts = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  await threads.buildIndex(() => chunksOf('acorn', 1));
  const before = countPorts();
  for (const name of ['birch', 'cedar', 'dogwood']) await threads.buildIndex(() => chunksOf(name, 1));
  await expect.poll(countPorts).toBeLessThanOrEqual(before);
});
