import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { waitFor } from '../../support/wait-for.js';

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** The log field `sources` of two requests for all teams, of which the sources `broken…` have none. */
async function getLoggedSources(numbers: Readonly<Record<'good' | 'broken', number>>): Promise<readonly unknown[]> {
  const upstream = await startUpstream(({ path }, response) => {
    if (path.includes('broken')) response.statusCode = 404;
    response.end(JSON.stringify([{ 'short-team-name': 'Meadow CERT' }]));
  });
  const codes = (['good', 'broken'] as const).flatMap((kind) =>
    Array.from({ length: numbers[kind] }, (_, at) => `${kind}${at}`),
  );
  const sources = Object.fromEntries(codes.map((code) => [code, { directory: `${upstream.address}/${code}` }]));
  const gateway = await startGateway({ sources }, { clock: fakeClock() });
  open.push(gateway, upstream);
  for (let times = 0; times < 2; times += 1) await gateway.get('/directory/v1/teams');
  const findLines = (): typeof gateway.log => gateway.log.filter(({ message }) => message === 'request');
  await waitFor(() => expect(findLines()).toHaveLength(2));
  return findLines().map(({ facts }) => ('sources' in facts ? facts.sources : undefined));
}

const FRESH = { state: 'fresh', milliseconds: 0 };
const BROKEN = { state: 'failed', reason: 'status', status: 404, milliseconds: 0 };

/** The log field `sources` (operation 5.2). */
describe('the line of a request', () => {
  it('names each of 20 sources', async () => {
    const [first, second] = await getLoggedSources({ good: 19, broken: 1 });
    expect(first).toMatchObject({ good0: FRESH, good18: FRESH, broken0: BROKEN });
    expect(second).toEqual(first);
  });

  it('states the sources with all of their records together when there are more', async () => {
    const logged = { '*': [{ ...FRESH, sources: 40 }], broken0: BROKEN, broken1: BROKEN };
    expect(await getLoggedSources({ good: 40, broken: 2 })).toEqual([logged, logged]);
  });

  it('states those that failed for one reason together when more than 20 have failed', async () => {
    const { reason } = BROKEN;
    const together = [
      { ...FRESH, sources: 2 },
      { state: 'failed', reason, sources: 21, milliseconds: 0 },
    ];
    expect(await getLoggedSources({ good: 2, broken: 21 })).toEqual([{ '*': together }, { '*': together }]);
  });
});
