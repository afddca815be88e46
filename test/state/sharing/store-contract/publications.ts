import { describe, expect, it } from 'vitest';
import type { Publication, PublicationResult, SharedStore } from '../../../../src/state/sharing/shared-store.js';
import { LONG, NOTICE, claim, claimGranted, publish, publishEntry } from './store-fixture.js';
import type { SharedStoreFixture } from './store-fixture.js';

/** Every byte. */
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** What is expected of entries. */
export function testPublications({ connect, wait }: SharedStoreFixture): void {
  /** Replaces an entry that is active after some time from now. */
  async function replace(
    store: SharedStore,
    version: number,
    { activeIn, ...options }: Partial<Publication> & { readonly activeIn: number },
  ): Promise<{ readonly result: PublicationResult; readonly activeAt: number; readonly time: number }> {
    const lease = await claimGranted(store, 'teams', { version });
    const activeAt = lease.time + activeIn;
    return { result: await publish(store, lease, { activeAt, ...options }), activeAt, time: lease.time };
  }

  describe('an entry', () => {
    it('is read by each instance as it was published', async () => {
      const [a, b] = [await connect(), await connect()];
      expect(await b.read('teams')).toBe(undefined);
      const version = await publishEntry(a, 'teams', { head: allBytes, activeAt: 42, waitAt: Infinity });
      expect(await b.read('teams')).toEqual({ version, activeAt: 42, head: allBytes });
    });

    it('has a version that is higher than that of each entry before', async () => {
      const store = await connect();
      const versions = [await publishEntry(store, 'teams'), await publishEntry(store, 'news')];
      versions.push(await publishEntry(store, 'teams', { version: versions[0] ?? 0, isUnchanged: true }));
      expect(versions).toEqual([...new Set(versions)].sort((x, y) => x - y));
    });

    it('is forgotten after its duration', async () => {
      const store = await connect();
      await publishEntry(store, 'teams', { duration: 50 });
      await wait(100);
      expect(await store.read('teams')).toBe(undefined);
      expect((await claim(store, 'teams', { version: 0 })).state).toBe('granted');
    });

    it('ends a rejected result', async () => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams');
      await store.publishRejected(lease, { result: Buffer.from('failed'), until: lease.time + LONG });
      const version = await publishEntry(store, 'teams', { ignoresRejected: true });
      expect((await claim(store, 'teams', { version })).state).toBe('granted');
    });

    it('is not stored where its records are not', async () => {
      const store = await connect();
      const lease = await claimGranted(store, 'teams');
      await expect(publish(store, lease, { records: { id: 'missing', duration: LONG } })).rejects.toThrow('records');
      expect(await store.read('teams')).toBe(undefined);
    });
  });

  describe('an entry that replaces another one', () => {
    it('is late where it is active before the notice period has passed, and is not stored', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams', { waitAt: Infinity });
      const { result, time } = await replace(store, version, { activeIn: NOTICE - 150, head: allBytes });
      expect(result.state).toBe('late');
      expect(result.state === 'late' && result.required >= time + NOTICE).toBe(true);
      expect((await store.read('teams'))?.version).toBe(version);
    });

    it('is stored under the same lease with the time that is required', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams', { waitAt: Infinity });
      const lease = await claimGranted(store, 'teams', { version });
      const late = await publish(store, lease, { activeAt: lease.time });
      const activeAt = late.state === 'late' ? late.required + NOTICE : 0;
      expect((await publish(store, lease, { activeAt })).state).toBe('published');
      expect((await store.read('teams'))?.activeAt).toBe(activeAt);
    });

    it('is late where it is active before requests have waited for it half a second', async () => {
      const store = await connect();
      const { time } = await claimGranted(store, 'clock');
      const waitAt = time - 10_000;
      const version = await publishEntry(store, 'teams', { waitAt });
      const early = await replace(store, version, { activeIn: 0, activeAt: waitAt + 499 });
      expect(early.result).toEqual({ state: 'late', required: waitAt + 500 });
    });

    it('is stored where it is active at once and requests have waited for it half a second', async () => {
      const store = await connect();
      const { time } = await claimGranted(store, 'clock');
      const version = await publishEntry(store, 'teams', { waitAt: time - 500 });
      expect((await replace(store, version, { activeIn: 0 })).result.state).toBe('published');
    });

    it('is active at any time where it contains the same', async () => {
      const store = await connect();
      const version = await publishEntry(store, 'teams', { waitAt: Infinity });
      const { result } = await replace(store, version, { activeIn: -LONG, isUnchanged: true });
      expect(result.state).toBe('published');
    });
  });

  describe('a removed source', () => {
    it('is gone with all its entries, and every instance sees that it changed', async () => {
      const [a, b] = [await connect(), await connect()];
      await publishEntry(a, 'one.teams');
      await publishEntry(a, 'two.teams');
      const report = { instance: 'b', configuration: 'one', notice: NOTICE };
      const known = await b.synchronize({ ...report, known: undefined });
      const number = await a.remove('one');
      expect(await b.read('one.teams')).toBe(undefined);
      expect((await claim(b, 'one.news')).state).toBe('granted');
      expect((await b.read('two.teams'))?.head.toString()).toBe('head');
      const { changed } = await b.synchronize({ ...report, known });
      expect(changed).toEqual(['one']);
      expect(await b.lastChange('one')).toBe(number);
      expect(await b.lastChange('three')).toBe(0);
    });

    it('is replaced when all instances know of the removal', async () => {
      const store = await connect();
      await store.remove('one');
      const lease = await claimGranted(store, 'one.teams');
      const late = await publish(store, lease, { activeAt: lease.time });
      expect(late.state === 'late' && late.required > lease.time).toBe(true);
      const required = late.state === 'late' ? late.required : 0;
      expect((await publish(store, lease, { activeAt: required })).state).toBe('published');
    });

    it('ends the leases and the rejected results: who fetches a list already may not publish', async () => {
      const [a, b] = [await connect(), await connect()];
      const first = await claimGranted(a, 'one.teams');
      await a.publishRejected(first, { result: Buffer.from('failed'), until: first.time + LONG });
      const lease = await claimGranted(a, 'one.teams', { ignoresRejected: true });
      await b.remove('one');
      expect(await publish(a, lease)).toEqual({ state: 'lost' });
      expect(await a.renew(lease, LONG)).toBe(false);
      expect(await b.readRejected('one.teams')).toBe(undefined);
      const next = await claimGranted(b, 'one.teams');
      expect(next.token).toBeGreaterThan(lease.token);
      expect((await publish(b, next, { activeAt: next.time + NOTICE + 1 })).state).toBe('published');
      expect((await a.read('one.teams'))?.head.toString()).toBe('head');
    });
  });
}
