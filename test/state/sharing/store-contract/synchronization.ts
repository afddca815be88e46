import { describe, expect, it } from 'vitest';
import { NOTICE, claim, claimGranted, publish, publishEntry, report } from './store-fixture.js';
import type { SharedStoreFixture } from './store-fixture.js';

/** What is expected of the synchronization of instances. */
export function testSynchronization({ connect, wait, evictChanges }: SharedStoreFixture): void {
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

    it('begins another epoch when the list of changes was evicted alone, once', async () => {
      const store = await connect();
      await publishEntry(store, 'teams');
      const first = await report(store);
      await evictChanges();
      const second = await report(store, { known: first });
      expect(second.epoch.id).not.toBe(first.epoch.id);
      expect(second.epoch.since).toBe(second.time + NOTICE);
      expect((await report(store, { known: second })).epoch).toEqual(second.epoch);
      await store.remove('one');
      await evictChanges();
      expect((await report(store, { known: second })).epoch.id).not.toBe(second.epoch.id);
    });

    it('keeps the epoch where no entry has changed yet', async () => {
      const store = await connect();
      const first = await report(store);
      await evictChanges();
      expect((await report(store, { known: first })).epoch).toEqual(first.epoch);
    });
  });

  describe('an instance that does not know the epoch', () => {
    it('is granted no claim, and is shown no newer entry', async () => {
      const store = await connect();
      expect(await claim(store, 'teams', { epoch: undefined })).toEqual({ state: 'new-epoch' });
      await publishEntry(store, 'teams');
      for (const epoch of [undefined, '', 'other'])
        expect(await claim(store, 'teams', { epoch })).toEqual({ state: 'new-epoch' });
    });

    it('publishes nothing with a lease of an earlier epoch, and claims again in the new one', async () => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams');
      const first = await report(store);
      const known = { ...first, sequence: first.sequence + 1 };
      const { epoch } = await report(store, { known });
      expect(await publish(store, lease)).toEqual({ state: 'lost' });
      expect(await publish(store, lease, { isUnchanged: true })).toEqual({ state: 'lost' });
      expect(await store.read('teams')).toBe(undefined);
      expect(await claim(store, 'teams', { epoch: epoch.id })).toEqual({ state: 'busy' });
      await store.release(lease);
      expect((await publish(store, await claimGranted(store, 'teams', { epoch: epoch.id }))).state).toBe('published');
    });

    it('reads no entry as one of the epoch that it knows', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams');
      const { epoch } = await report(store);
      expect((await store.read('teams', epoch.id))?.version).toBe(version);
      await expect(store.read('teams', 'other')).rejects.toThrow('epoch');
    });

    it('is one that has not reported since the list of changes was evicted', async () => {
      const store = await connect();
      await publishEntry(store, 'news');
      const lease = await claimGranted(store, 'teams');
      await evictChanges();
      const { epoch } = lease;
      expect(await publish(store, lease)).toEqual({ state: 'lost' });
      expect(await claim(store, 'news', { epoch })).toEqual({ state: 'new-epoch' });
      await expect(store.read('news', epoch)).rejects.toThrow('epoch');
      const next = await report(store);
      expect((await claim(store, 'news', { epoch: next.epoch.id })).state).toBe('newer');
    });
  });
}
