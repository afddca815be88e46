import { describe, expect, it } from 'vitest';
import type { SharedStore } from '../../../../src/state/sharing/shared-store.js';
import { LONG, claimGranted, publish } from './store-fixture.js';
import type { SharedStoreFixture } from './store-fixture.js';

async function readAll(store: SharedStore, id: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of store.readRecords(id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Parts of different sizes, with every byte in them. */
function createParts(sizes: readonly number[]): readonly Buffer[] {
  return sizes.map((size, seed) => Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + seed) % 256)));
}

/** What is expected of records and hints. */
export function testRecordsAndHints({ connect }: SharedStoreFixture): void {
  describe('records', () => {
    it.each([
      ['one part', [5]],
      ['parts of many sizes', [0, 1, 700_000, 3, 262_144, 100_000, 262_143]],
      ['no parts', []],
      ['an empty part', [0]],
    ])('are read by each instance as they were written: %s', async (_, sizes) => {
      const [a, b] = [await connect(), await connect()];
      const parts = createParts(sizes);
      await a.writeRecords('records-1', parts);
      expect((await readAll(b, 'records-1')).equals(Buffer.concat(parts))).toBe(true);
    });

    it('are not read where they were not written', async () => {
      await expect(readAll(await connect(), 'records-1')).rejects.toThrow();
    });

    it('are not read where the writer stopped in between', async () => {
      const [a, b] = [await connect(), await connect()];
      const stopping = (function* parts(): Iterable<Buffer> {
        yield Buffer.alloc(300_000);
        throw new Error('the writer stopped');
      })();
      await expect(a.writeRecords('records-1', stopping)).rejects.toThrow('the writer stopped');
      await expect(readAll(b, 'records-1')).rejects.toThrow();
    });

    it('are never overwritten', async () => {
      const [a, b] = [await connect(), await connect()];
      await a.writeRecords('records-1', [Buffer.from('first')]);
      await expect(b.writeRecords('records-1', [Buffer.from('other')])).rejects.toThrow('exist already');
      expect((await readAll(b, 'records-1')).toString()).toBe('first');
    });

    it('are still read by an instance that began before the entry was replaced', async () => {
      const store = await connect();
      await store.writeRecords('records-1', [Buffer.from('first')]);
      const records = { id: 'records-1', duration: LONG };
      const result = await publish(store, await claimGranted(store, 'teams'), { records });
      const version = result.state === 'published' ? result.version : 0;
      await publish(store, await claimGranted(store, 'teams', { version }), { isUnchanged: true });
      expect((await readAll(store, 'records-1')).toString()).toBe('first');
    });
  });

  describe('hints', () => {
    const changes: Record<string, (store: SharedStore) => Promise<unknown>> = {
      'an entry is published': async (store) => publish(store, await claimGranted(store, 'teams')),
      'a lease is released': async (store) => store.release(await claimGranted(store, 'teams')),
      'a rejected result is published': async (store) =>
        store.publishRejected(await claimGranted(store, 'teams'), { result: Buffer.from('failed'), until: 0 }),
      'a source is removed': (store) => store.remove('teams'),
    };

    it.each(Object.entries(changes))('reach the other instances with the name when %s', async (_, change) => {
      const [a, b] = [await connect(), await connect()];
      const received: Record<'a' | 'b', (string | undefined)[]> = { a: [], b: [] };
      a.onChange((name) => received.a.push(name));
      b.onChange((name) => received.b.push(name));
      await change(a);
      await expect.poll(() => received).toEqual({ a: [], b: ['teams'] });
    });
  });
}
