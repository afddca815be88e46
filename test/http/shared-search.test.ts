import { afterEach, expect, it } from 'vitest';
import { closeAdminPorts } from '../support/gateway/admin-port.js';
import { closeInstances, servesTeams, startInstances } from '../support/gateway/sharing/operated-instances.js';

afterEach(async () => {
  closeAdminPorts();
  await closeInstances();
});

it.each(['/data/v1/teams', '/data/v1/search?q=team'])(
  'no instance of several gives %s a date, which may mean something else to another one, and all give it one entity tag',
  async (target) => {
    const { instances, one, clock } = await startInstances(servesTeams(2));
    const tags: (string | null)[] = [];
    for (const teams of [2, 3]) {
      one.handler = servesTeams(teams);
      for (const { gateway } of instances) {
        const { status, headers } = await gateway.get(target);
        expect([status, headers.get('last-modified')]).toEqual([200, null]);
        tags.push(headers.get('etag'));
      }
      clock.advance(3_600_000);
    }
    const [first, , , changed] = tags;
    expect(first).not.toBe(changed);
    expect(tags).toEqual([first, first, first, changed, changed, changed]);
  },
);
