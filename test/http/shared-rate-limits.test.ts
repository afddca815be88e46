import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RateLimitStore } from '../../src/access/request-counters.js';
import { ACCESS, AS_MEMBER } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { MemoryRateLimitClient } from '../support/gateway/sharing/memory-rate-limit-client.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const TARGET = '/data/v1/teams?pretty=0';

let upstream: UpstreamServer;
let gateways: readonly TestGateway[];
let client: MemoryRateLimitClient;
/** Failures that the gateways reported. */
let failures: number;

beforeEach(async () => {
  client = new MemoryRateLimitClient();
  failures = 0;
  const rateLimitStore: RateLimitStore = {
    client,
    keyPrefix: 'rates',
    hashName: (name) => Buffer.from(name).toString('hex'),
    describeError: String,
    publish: ({ type }) => {
      if (type === 'this instance counts requests by itself') failures += 1;
    },
  };
  upstream = await startUpstream(dataUpstream({ teams: [{ id: 'alpha', team: 'ALPHA' }] }));
  const [member, ...others] = ACCESS.clients;
  const setup = {
    server: { limits: { rate: '3/1m' } },
    access: { clients: [{ ...member, rate: '3/1h' }, ...others] },
    sources: { first: { data: upstream.address } },
  };
  gateways = [await startGateway(setup, { rateLimitStore }), await startGateway(setup, { rateLimitStore })];
});

afterEach(async () => {
  await Promise.all([...gateways.map((gateway) => gateway.close()), upstream.close()]);
});

/** Requests each gateway in turn. Returns the status of each response, and how many requests the limit still admits. */
async function alternate(times: number, headers: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const results: string[] = [];
  for (let at = 0; at < times; at += 1) {
    const response = await gateways[at % 2]?.get(TARGET, headers);
    const remaining = /r=\d+/.exec(response?.headers.get('ratelimit') ?? '')?.[0];
    results.push([response?.status, remaining].join(' ').trim());
  }
  return results;
}

describe('a rate limit that several instances count together', () => {
  it('admits a client as often as one instance does, and states what is left of it', async () => {
    expect(await alternate(5, AS_MEMBER)).toEqual(['200 r=2', '200 r=1', '200 r=0', '429 r=0', '429 r=0']);
  });

  it('admits an address as often as one instance does', async () => {
    expect(await alternate(5)).toEqual(['200', '200', '200', '429 r=0', '429 r=0']);
  });

  it('refuses no request because the store fails: each instance then counts by itself', async () => {
    client.behaviour = 'fails';
    const admitted = ['200 r=2', '200 r=2', '200 r=1', '200 r=1', '200 r=0', '200 r=0'];
    expect(await alternate(8, AS_MEMBER)).toEqual([...admitted, '429 r=0', '429 r=0']);
    expect(failures).toBe(2);
  });

  it('is answered while the store does not answer', async () => {
    client.behaviour = 'hangs';
    expect(await alternate(4, AS_MEMBER)).toEqual(['200 r=2', '200 r=2', '200 r=1', '200 r=1']);
    expect(client.sent).toBe(2);
  });

  it('does not store the names and addresses of clients in clear text', async () => {
    await Promise.all([alternate(1), alternate(1, AS_MEMBER)]);
    const keys = [...client.counters.keys()].join();
    expect(client.counters.size).toBe(2);
    expect(keys).not.toMatch(/csirt-north|127\.0\.0\.1/);
  });
});
