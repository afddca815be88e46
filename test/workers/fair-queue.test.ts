import { expect, it } from 'vitest';
import { FairQueue } from '../../src/workers/fair-queue.js';

it('forgets owners without work that have used no more time than the others', async () => {
  const queue = new FairQueue();
  const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const countOwners = (): unknown => {
    const owners: unknown = Reflect.get(queue, 'owners');
    return owners instanceof Map && owners.size;
  };
  const many = Array.from({ length: 100 }, (_, at) => queue.run(`client ${at}`, () => Promise.resolve()));
  const steady = [1, 2].map(() => queue.run('steady', () => wait(200)));
  const counted = queue.run('steady', () => Promise.resolve(countOwners()));
  await Promise.all([...many, ...steady]);
  expect(await counted).toBe(1);
});
