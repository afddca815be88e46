import { expect, test } from 'vitest';
import { NOTICE_MS } from '../../../src/state/sharing/instance-agreement.js';
import { fakeClock } from '../../support/fake-clock.js';
import { MemoryStore } from '../../support/sharing/memory-store.js';
import { joinMemory } from '../../support/sharing/shared-instances.js';

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
