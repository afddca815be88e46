import { afterEach, expect, it } from 'vitest';
import { closeAdminPorts } from '../support/gateway/admin-port.js';
import { closeInstances, servesTeams, startInstances } from '../support/gateway/sharing/operated-instances.js';

afterEach(async () => {
  closeAdminPorts();
  await closeInstances();
});

it('a search has no date where several instances serve it, whose indexes may differ, although the list has one', async () => {
  const { instances, pass, whileTimePasses } = await startInstances(servesTeams(2));
  const [{ gateway }] = instances;
  const read = async (path: string): Promise<readonly [number, string | null]> => {
    const { status, headers } = await whileTimePasses(gateway.get(path));
    return [status, headers.get('last-modified')];
  };
  await read('/data/v1/teams');
  await pass(5_000);
  expect(await read('/data/v1/teams')).toEqual([200, expect.any(String)]);
  expect(await read('/data/v1/search?q=team')).toEqual([200, null]);
});
