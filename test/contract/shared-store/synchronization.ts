import { describe, expect, it } from 'vitest';
import type { InstanceReport, SharedState, SharedStore } from '../../../src/state/sharing/shared-store.js';
import { NOTICE, publishEntry } from './store-fixture.js';
import type { SharedStoreFixture } from './store-fixture.js';

function report(store: SharedStore, options: Partial<InstanceReport> = {}): Promise<SharedState> {
  return store.synchronize({ instance: 'a', configuration: 'one', known: undefined, notice: NOTICE, ...options });
}

/** What is expected of the synchronization of instances. */
export function testSynchronization({ connect, wait }: SharedStoreFixture): void {
  describe('synchronization', () => {
    it('begins an epoch one notice period after the first report, which is the same for all instances', async () => {
      const store = await connect();
      const first = await report(store);
      expect(first.epoch.since).toBe(first.time + NOTICE);
      const second = await report(await connect(), { instance: 'b' });
      expect(second.epoch).toEqual(first.epoch);
      expect((await report(store, { known: second })).epoch).toEqual(first.epoch);
    });

    it('names the entries that changed since the last report, and all to an instance that knows nothing', async () => {
      const [a, b] = [await connect(), await connect()];
      await publishEntry(a, 'teams');
      const first = await report(b);
      expect(first.changed).toEqual(['teams']);
      await publishEntry(a, 'news');
      const second = await report(b, { known: first });
      expect(second.changed).toEqual(['news']);
      expect(second.sequence).toBeGreaterThan(first.sequence);
      expect((await report(b, { known: second })).changed).toEqual([]);
      expect([...(await report(b, { instance: 'c' })).changed].sort()).toEqual(['news', 'teams']);
    });

    it('names all entries to an instance that knows another epoch', async () => {
      const store = await connect();
      await publishEntry(store, 'teams');
      const { sequence } = await report(store);
      const known = { epoch: { id: 'other', since: 0 }, sequence };
      expect((await report(store, { known })).changed).toEqual(['teams']);
    });

    it('names thousands of entries', async () => {
      const store = await connect();
      const names = Array.from({ length: 2_500 }, (_, number) => `source-${number}`);
      for (const name of names) await store.remove(name);
      expect([...(await report(store)).changed].sort()).toEqual([...names].sort());
    });

    it('begins another epoch when an instance knows a later change than the memory', async () => {
      const store = await connect();
      await publishEntry(store, 'teams');
      const first = await report(store);
      const known = { ...first, sequence: first.sequence + 1 };
      const second = await report(store, { known });
      expect(second.epoch.id).not.toBe(first.epoch.id);
      expect(second.epoch.since).toBe(second.time + NOTICE);
      expect(second.changed).toEqual(['teams']);
      expect((await report(store, { known: second })).epoch).toEqual(second.epoch);
    });

    it('is mixed while instances with different configurations are alive, then begins another epoch', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await report(a);
      const mixed = await report(b, { instance: 'b', configuration: 'two' });
      expect([first.isMixed, mixed.isMixed]).toEqual([false, true]);
      expect((await report(a, { known: first })).isMixed).toBe(true);
      expect(mixed.epoch).toEqual(first.epoch);
      await wait(NOTICE + 50);
      const next = await report(b, { instance: 'b', configuration: 'two', known: mixed });
      expect(next.isMixed).toBe(false);
      expect(next.epoch.id).not.toBe(first.epoch.id);
      expect(next.epoch.since).toBe(next.time + NOTICE);
    });

    it('begins another epoch after a mixed one even where the configuration is the earlier one again', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await report(a);
      await report(b, { instance: 'b', configuration: 'two' });
      await wait(NOTICE + 50);
      expect((await report(a, { known: first })).epoch.id).not.toBe(first.epoch.id);
    });

    it('keeps the epoch while no instance is alive, and while one restarts with the same configuration', async () => {
      const first = await report(await connect());
      await wait(NOTICE + 50);
      expect((await report(await connect(), { instance: 'b' })).epoch).toEqual(first.epoch);
    });
  });
}
