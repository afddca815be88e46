import { describe, expect, it } from 'vitest';
import type { FetchLease, SharedStore } from '../../../../src/state/sharing/shared-store.js';
import { LONG, claim, claimGranted, publish, publishEntry } from './store-fixture.js';
import type { SharedStoreFixture } from './store-fixture.js';

/** What is expected of leases and rejected results. */
export function testLeases({ connect, wait }: SharedStoreFixture): void {
  describe('a lease', () => {
    it('is granted to one instance, and no other one while it is held', async () => {
      const [a, b] = [await connect(), await connect()];
      expect((await claimGranted(a, 'teams')).replacedWaitAt).toBe(0);
      expect(await claim(b, 'teams')).toEqual({ state: 'busy' });
      expect(await claim(a, 'teams')).toEqual({ state: 'busy' });
      expect((await claim(b, 'news')).state).toBe('granted');
    });

    it('is granted to one of many instances that claim at the same time', async () => {
      const stores = await Promise.all(Array.from({ length: 8 }, connect));
      const claims = await Promise.all(stores.map((store) => claim(store, 'teams')));
      expect(claims.filter(({ state }) => state === 'granted')).toHaveLength(1);
    });

    it('says from when on requests wait for the entry', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams', { waitAt: 1_234 });
      expect((await claimGranted(store, 'teams', { version })).replacedWaitAt).toBe(1_234);
    });

    it('is taken over with a higher token when it has ended, and is lost then', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await claimGranted(a, 'teams', { duration: 50 });
      await wait(100);
      const second = await claimGranted(b, 'teams');
      expect(second.token).toBeGreaterThan(first.token);
      expect(await a.renew(first, LONG)).toBe(false);
      expect(await a.publishRejected(first, { result: Buffer.from('failed'), until: LONG })).toBe(false);
      expect(await publish(a, first)).toEqual({ state: 'lost' });
      await a.release(first);
      expect(await claim(a, 'teams')).toEqual({ state: 'busy' });
      expect((await publish(b, second)).state).toBe('published');
    });

    it('is held for longer when it is renewed', async () => {
      const [a, b] = [await connect(), await connect()];
      const lease = await claimGranted(a, 'teams', { duration: 100 });
      expect(await a.renew(lease, LONG)).toBe(true);
      await wait(150);
      expect(await claim(b, 'teams')).toEqual({ state: 'busy' });
    });

    it('is good after its end as long as no other instance has claimed it', async () => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams', { duration: 50 });
      await wait(100);
      expect(await store.renew(lease, 50)).toBe(true);
      await wait(100);
      expect((await publish(store, lease)).state).toBe('published');
    });

    it.each<[string, (store: SharedStore, lease: FetchLease) => Promise<unknown>]>([
      ['was released', (store, lease) => store.release(lease)],
      ['was published', (store, lease) => publish(store, lease)],
      ['was rejected', (store, lease) => store.publishRejected(lease, { result: Buffer.from('failed'), until: 0 })],
    ])('is lost to its former holder when it %s, so that a late renewal does not revive it', async (_, giveUp) => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams');
      await giveUp(store, lease);
      expect(await store.renew(lease, LONG)).toBe(false);
      expect(await publish(store, lease)).toEqual({ state: 'lost' });
      expect((await claim(store, 'teams', { version: (await store.read('teams'))?.version ?? 0 })).state).toBe(
        'granted',
      );
    });

    it('is granted again after it was released, and after its result was published', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await claimGranted(a, 'teams');
      await a.release(first);
      const second = await claimGranted(b, 'teams');
      expect(second.token).toBeGreaterThan(first.token);
      const result = await publish(b, second);
      const version = result.state === 'published' ? result.version : -1;
      expect((await claim(a, 'teams', { version })).state).toBe('granted');
    });
  });

  describe('a claim', () => {
    it('returns an entry that is newer than the one that the instance knows, even while it is fetched', async () => {
      const [a, b] = [await connect(), await connect()];
      const version = await publishEntry(a, 'teams', { head: Buffer.from('a head') });
      const entry = { version, activeAt: 0, head: Buffer.from('a head') };
      expect(await claim(b, 'teams')).toEqual({ state: 'newer', entry });
      expect((await claim(b, 'teams', { version })).state).toBe('granted');
      expect(await claim(a, 'teams', { version: version - 1 })).toEqual({ state: 'newer', entry });
    });

    it('returns a rejected result while its time lasts, except to an operator', async () => {
      const [a, b] = [await connect(), await connect()];
      const lease = await claimGranted(a, 'teams');
      const rejected = { result: Buffer.from('failed'), until: lease.time + LONG };
      expect(await a.publishRejected(lease, rejected)).toBe(true);
      expect(await claim(b, 'teams')).toEqual({ state: 'rejected', rejected });
      expect((await claim(b, 'teams', { ignoresRejected: true })).state).toBe('granted');
    });

    it('is granted when the time of a rejected result has passed', async () => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams');
      await store.publishRejected(lease, { result: Buffer.from('failed'), until: lease.time + 100 });
      await wait(150);
      expect((await claim(store, 'teams')).state).toBe('granted');
    });

    it('is granted with the last rejected result as long as that is kept', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await claimGranted(a, 'teams');
      const rejected = { result: Buffer.from('failed'), until: first.time + 50 };
      await a.publishRejected(first, { ...rejected, duration: LONG });
      await wait(100);
      const granted = await claim(b, 'teams');
      expect(granted).toMatchObject({ state: 'granted', rejected });
      expect(await b.readRejected('teams')).toEqual(rejected);
      if (granted.state === 'granted') await b.publishRejected(granted.lease, { ...rejected, duration: 50 });
      await wait(100);
      expect(await a.readRejected('teams')).toBe(undefined);
      expect(await claim(a, 'teams')).not.toHaveProperty('rejected');
    });

    it('is granted with the entry that a rejected result does not replace', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams');
      const lease = await claimGranted(store, 'teams', { version });
      await store.publishRejected(lease, { result: Buffer.from('failed'), until: lease.time + LONG });
      expect((await store.read('teams'))?.version).toBe(version);
      expect((await claim(store, 'teams', { version })).state).toBe('rejected');
    });
  });
}
