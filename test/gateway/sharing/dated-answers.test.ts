import { afterEach, expect, it } from 'vitest';
import { closeInstances, servesTeams, startInstances } from '../../support/gateway/sharing/operated-instances.js';

afterEach(closeInstances);

it('shows a date as soon as it has passed, although a response without it was cached', async () => {
  const { instances, clock, pass } = await startInstances(servesTeams(3));
  const [{ gateway }] = instances;
  await gateway.get('/data/v1/teams');
  await pass(2_000);
  const readDate = async (): Promise<string | null> =>
    (await gateway.get('/data/v1/teams')).headers.get('last-modified');
  expect(await readDate()).not.toBeNull();
  // A new epoch counts every set as changed, from the second on after it began.
  const begin = Math.ceil(clock.now() / 1_000) * 1_000 + 100;
  await pass(begin - clock.now());
  for (const { shared } of instances) await shared.memory.reconfigure('another');
  await pass(1_100);
  for (let times = 0; times < 3; times += 1) expect(await readDate()).toBeNull();
  await pass(900);
  expect(await readDate()).not.toBeNull();
});
