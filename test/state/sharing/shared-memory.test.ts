import { expect, test } from 'vitest';
import { EntrySealer } from '../../../src/lists/store/redis/entry-sealer.js';
import { NOTICE_MS } from '../../../src/state/sharing/instance-agreement.js';
import { SharedMemory } from '../../../src/state/sharing/shared-memory.js';
import { claimGranted } from './store-contract/store-fixture.js';
import { fakeClock } from '../../support/fake-clock.js';
import { MemoryStore } from '../../support/gateway/sharing/memory-store.js';
import { joinMemory } from '../../support/gateway/sharing/shared-instances.js';

test('a shared memory reports the beginning of an agreement whose end was seen only by an answer', async () => {
  const clock = fakeClock();
  const instance = await joinMemory(new MemoryStore(clock), { clock });
  const { memory } = instance;
  clock.advance(NOTICE_MS);
  await memory.synchronize();
  expect(memory.agreedSince()).toBeDefined();
  let changes = 0;
  memory.onAgreementChange(() => (changes += 1));
  // The last report does not count any more, and an answer gets no dates.
  clock.advance(NOTICE_MS);
  expect(memory.agreedSince()).toBeUndefined();
  await memory.synchronize();
  expect(changes).toBe(2);
  expect(memory.agreedSince()).toBeDefined();
  await instance.close();
});

test('a hint wakes the waits for its entry, and causes a report only where a list follows the entry', async () => {
  const clock = fakeClock();
  const store = new MemoryStore(clock);
  const other = store.connect();
  const connection = store.connect();
  const never = new Promise<void>(() => undefined);
  const memory = new SharedMemory({
    ...{
      store: connection,
      sealer: new EntrySealer(undefined),
      clock,
      publish: () => undefined,
      configuration: 'same',
    },
    ...{ monotonic: () => clock.now(), pause: () => never },
  });
  await memory.synchronize();
  memory.observe('one.teams', { noteChange: () => undefined, noteReport: () => undefined });
  let reports = 0;
  connection.beforeCommand = (command) => {
    if (command === 'synchronize') reports += 1;
    return Promise.resolve();
  };
  const ended: string[] = [];
  for (const name of ['one.teams', 'one.pushed-down', 'one.news'])
    void memory.nextChange(name).then(() => ended.push(name));
  await other.release(await claimGranted(other, 'one.pushed-down'));
  await expect.poll(() => [ended, reports]).toEqual([['one.pushed-down'], 0]);
  await other.release(await claimGranted(other, 'one.teams'));
  await expect.poll(() => [ended, reports]).toEqual([['one.pushed-down', 'one.teams'], 1]);
  await memory.close();
});

test('a report whose reply takes long does not count, but fetches are claimed', async () => {
  const clock = fakeClock();
  const connection = new MemoryStore(clock).connect();
  const never = new Promise<void>(() => undefined);
  const memory = new SharedMemory({
    ...{
      store: connection,
      sealer: new EntrySealer(undefined),
      clock,
      publish: () => undefined,
      configuration: 'same',
    },
    ...{ monotonic: () => clock.now(), pause: () => never },
  });
  await memory.synchronize();
  clock.advance(NOTICE_MS);
  await memory.synchronize();
  expect(memory.disagreement).toBeUndefined();
  connection.beforeReply = () => {
    clock.advance(600);
    return Promise.resolve();
  };
  await memory.synchronize();
  expect(memory.disagreement).toBeUndefined();
  await memory.synchronize();
  expect([memory.disagreement, memory.mayPublish]).toEqual(['clock', true]);
  await memory.close();
});
