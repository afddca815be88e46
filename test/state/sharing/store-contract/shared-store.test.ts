import { beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../support/fake-clock.js';
import { LEASE_MARGIN_MS } from '../../../../src/state/sharing/shared-store.js';
import { MemoryStore } from '../../../support/gateway/sharing/memory-store.js';
import { testSharedStore } from './store-contract.js';
import { LONG, NOTICE, claim, claimGranted, publish, publishEntry } from './store-fixture.js';

describe('the shared memory of the tests', () => {
  let clock = fakeClock();
  let memory = new MemoryStore(clock);
  beforeEach(() => {
    clock = fakeClock();
    memory = new MemoryStore(clock);
  });

  testSharedStore({
    connect: () => Promise.resolve(memory.connect()),
    evictChanges: () => {
      memory.tamper(({ changes }) => {
        changes.clear();
      });
      return Promise.resolve();
    },
    wait: (milliseconds) => {
      clock.advance(milliseconds);
      return Promise.resolve();
    },
  });

  it('begins another epoch after it was emptied or lost writes, and refuses the leases of before', async () => {
    const store = memory.connect();
    const report = { instance: 'a', configuration: 'one', known: undefined, notice: NOTICE };
    const first = await store.synchronize(report);
    const snapshot = memory.takeSnapshot();
    const lease = await claimGranted(store, 'teams');
    await publishEntry(store, 'news');
    memory.rollBack(snapshot);
    const second = await store.synchronize({ ...report, known: first });
    expect(second.epoch.id).not.toBe(first.epoch.id);
    expect(second.changed).toEqual([]);
    expect(await publish(store, lease)).toEqual({ state: 'lost' });
    memory.restartEmpty();
    expect((await store.synchronize({ ...report, known: second })).epoch.id).not.toBe(second.epoch.id);
  });

  it('grants and publishes nothing after it lost writes, before an instance has reported', async () => {
    const store = memory.connect();
    const lease = await claimGranted(store, 'teams');
    const { epoch } = lease;
    memory.rollBack(memory.takeSnapshot());
    expect(await publish(store, lease)).toEqual({ state: 'lost' });
    expect(await claim(store, 'news', { epoch })).toEqual({ state: 'new-epoch' });
    await expect(store.read('teams', epoch)).rejects.toThrow('epoch');
  });

  it('forgets a lease some minutes after its end, and refuses it then', async () => {
    const store = memory.connect();
    const lease = await claimGranted(store, 'teams', { duration: LONG });
    clock.advance(LONG + LEASE_MARGIN_MS - 1);
    expect(await store.renew(lease, LONG)).toBe(true);
    clock.advance(LONG + LEASE_MARGIN_MS);
    expect(await store.renew(lease, LONG)).toBe(false);
    expect(await publish(store, lease)).toEqual({ state: 'lost' });
    expect((await claimGranted(store, 'teams')).token).toBeGreaterThan(lease.token);
  });

  it('forgets records after a minute unless an entry names them', async () => {
    const store = memory.connect();
    await store.writeRecords('spare', [Buffer.from('records')]);
    await store.writeRecords('used', [Buffer.from('records')]);
    await publish(store, await claimGranted(store, 'teams'), { records: { id: 'used', duration: 2 * LONG } });
    clock.advance(LONG);
    await expect(store.readRecords('spare')[Symbol.asyncIterator]().next()).rejects.toThrow('do not exist');
    expect((await store.readRecords('used')[Symbol.asyncIterator]().next()).done).toBe(false);
  });

  it('rejects while it is unavailable, executes commands whose replies are lost, and sends no hints to who is cut off', async () => {
    const [a, b] = [memory.connect(), memory.connect()];
    let hints = 0;
    b.onChange(() => (hints += 1));
    a.isAvailable = false;
    await expect(a.remove('teams')).rejects.toThrow('does not answer');
    [a.isAvailable, a.losesReplies] = [true, true];
    await expect(a.remove('teams')).rejects.toThrow('is lost');
    b.receivesHints = false;
    await expect(a.remove('teams')).rejects.toThrow('is lost');
    expect(hints).toBe(1);
  });
});
