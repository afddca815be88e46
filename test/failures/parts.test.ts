import { afterEach, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const requestsKeys = ({ query }: UpstreamRequest): boolean => query.get('scope') === 'pgp';

it('a response built from two snapshots of a source has the worse of their states', async () => {
  const clock = fakeClock();
  const teams = directoryUpstream([{ id: 'a', team: 'A' }]);
  const keys = directoryUpstream([{ id: 'a', team: 'A', 'pgp-id': '0123456789ABCDEF' }]);
  const upstream = await startUpstream(faulty.when(requestsKeys, keys, teams));
  const gateway = await startGateway(
    { defaults: { 'stale-while-revalidate': '0s' }, sources: { one: { data: upstream.address } } },
    { clock },
  );
  open.push(upstream, gateway);
  const fetchKeys = async (): Promise<[status: string | null, key: string]> => {
    const { headers, text } = await gateway.get('/data/v1/teams?scope=pgp&pretty=0');
    return [headers.get('source-status'), /"pgp-id":"(\w+)"/.exec(text)?.[1] ?? 'no key'];
  };
  expect(await fetchKeys()).toEqual(['one;state=fresh;records=1;age=0', '0123456789ABCDEF']);
  upstream.handler = faulty.when(requestsKeys, faulty.status(500), teams);
  clock.advance(60_000);
  expect(await fetchKeys()).toEqual(['one;state=stale;reason=status;status=500;records=1;age=60', '0123456789ABCDEF']);
});
