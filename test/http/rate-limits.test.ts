import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ACCESS, AS_MEMBER, EXPIRED_KEY, MEMBERS_KEY, PUBLIC_KEY, bearer } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { AUDIENCE, startIssuer } from '../support/issuer/issuer.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { status } from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const TARGET = '/data/v1/teams?pretty=0';

let upstream: UpstreamServer;
let gateway: TestGateway;

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
});

afterAll(() => {
  vi.useRealTimers();
});

beforeEach(async () => {
  upstream = await startUpstream(dataUpstream({ teams: [{ id: 'alpha', team: 'ALPHA' }] }));
});

afterEach(async () => {
  await Promise.all([gateway.close(), upstream.close()]);
});

/** Moves the time of this process, which the limits and the gateway read. */
function advance(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

interface Setup {
  /** Limit of each address. */
  readonly rate?: string;
  readonly trustProxy?: readonly string[];
  readonly access?: object;
}

async function start({ rate, trustProxy = [], access }: Setup): Promise<void> {
  gateway = await startGateway({
    server: { ...(rate !== undefined && { limits: { rate } }), 'trust-proxy': trustProxy },
    ...(access !== undefined && { access }),
    defaults: { retries: 0 },
    sources: { first: { data: upstream.address } },
  });
}

/** The clients of other tests; the one with members access has this limit. */
function limitMember(rate: string): object {
  const [member, ...others] = ACCESS.clients;
  return { clients: [{ ...member, rate }, ...others] };
}

async function statuses(
  number: number,
  headers: Readonly<Record<string, string>> = {},
  target = TARGET,
): Promise<number[]> {
  const found: number[] = [];
  for (let at = 0; at < number; at += 1) found.push((await gateway.get(target, headers)).status);
  return found;
}

function limitsOf({ headers }: Pick<GatewayResponse, 'headers'>): readonly (string | null)[] {
  return ['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name));
}

const NO_LIMITS = [null, null, null];

describe('the limit of an address', () => {
  it('refuses a request over it with a 429, for which no source is queried', async () => {
    await start({ rate: '2/1m' });
    const policy = '"address";q=2;w=60';
    await gateway.get(TARGET);
    advance(19_500);
    await gateway.get(TARGET);
    upstream.forget();
    const refused = await gateway.get(TARGET);
    expect([refused.status, ...limitsOf(refused)]).toEqual([429, policy, '"address";r=0;t=41', '41']);
    expect(refused.json).toEqual({
      status: 'Too Many Requests',
      'status-code': 429,
      version: '1',
      message: 'too many requests; try again later',
    });
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('source-status')).toBeNull();
    expect(upstream.requests).toEqual([]);
  });

  it('is not stated in other responses to requests without credentials, which shared caches store', async () => {
    await start({ rate: '4/1m' });
    expect(limitsOf(await gateway.get(TARGET))).toEqual(NO_LIMITS);
    advance(2 * SECOND);
    expect(limitsOf(await gateway.get(TARGET))).toEqual(NO_LIMITS);
    const cached = await gateway.get(TARGET);
    expect([cached.status, ...limitsOf(cached)]).toEqual([200, ...NO_LIMITS]);
    expect(limitsOf(await gateway.get('/nothing'))).toEqual(NO_LIMITS);
    expect((await gateway.get(TARGET)).status).toBe(429);
  });

  it('is not stated in other responses to requests without credentials', async () => {
    await start({ rate: '2/1m', access: ACCESS });
    const response = await gateway.get('/data/v1/teams?scope=members');
    expect([response.status, ...limitsOf(response)]).toEqual([401, null, null, null]);
  });

  it('refuses in the shape of the interface and in the requested format', async () => {
    await start({ rate: '1/1m' });
    await gateway.get(TARGET);
    expect((await gateway.get('/directory/v1/teams')).json).toMatchObject({ status_code: 429, version: '1.0' });
    expect((await gateway.get('/data/v1/teams.csv')).text).toBe(
      'status,status-code,message\r\nToo Many Requests,429,too many requests; try again later\r\n',
    );
    const jsonp = await gateway.get('/data/v1/teams?callback=cb&pretty=0');
    expect([jsonp.status, jsonp.text.startsWith('/**/cb({"status":"Too Many Requests"')]).toEqual([200, true]);
    expect(jsonp.headers.get('retry-after')).toBe('60');
    const head = await fetch(`${gateway.origin}${TARGET}`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([429, '']);
    expect(await statuses(1, { 'if-none-match': '*' })).toEqual([429]);
  });

  it('begins anew after its period, which refused requests do not make longer', async () => {
    await start({ rate: '2/1m' });
    expect(await statuses(3)).toEqual([200, 200, 429]);
    advance(MINUTE - 1);
    const last = await gateway.get(TARGET);
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1']);
    advance(1);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });

  it('counts every request, whatever its response is', async () => {
    await start({ rate: '9/1m', access: ACCESS });
    const tag = (await gateway.get(TARGET)).headers.get('etag') ?? '';
    const codeOf = async (response: Promise<Pick<GatewayResponse, 'status'>>): Promise<number> =>
      (await response).status;
    const send = (method: string): Promise<Response> => fetch(`${gateway.origin}${TARGET}`, { method });
    expect(await codeOf(gateway.get(TARGET, { 'if-none-match': tag }))).toBe(304);
    expect(await codeOf(gateway.get('/nothing'))).toBe(404);
    expect(await codeOf(gateway.get('/data/v1/teams?limit=x'))).toBe(400);
    expect(await codeOf(gateway.get('/data/v1/teams?scope=members'))).toBe(401);
    expect(await codeOf(send('OPTIONS'))).toBe(204);
    expect(await codeOf(send('POST'))).toBe(405);
    expect(await codeOf(send('HEAD'))).toBe(200);
    upstream.handler = status(500);
    expect(await codeOf(gateway.get('/data/v1/channels'))).toBe(502);
    expect(await codeOf(gateway.get(TARGET))).toBe(429);
    expect(await codeOf(send('OPTIONS'))).toBe(429);
  });

  it('counts responses from the response cache, and refuses what is in it', async () => {
    await start({ rate: '4/1m' });
    await gateway.get(TARGET);
    advance(2 * SECOND);
    await gateway.get(TARGET);
    const number = upstream.requests.length;
    expect(await statuses(2)).toEqual([200, 200]);
    const metrics = await gateway.metrics();
    // Responses from the response cache count as requests, but not in the durations.
    expect(metrics).toMatch(/^rollcall_requests_total\{.*status="200".*\} 4$/m);
    expect(metrics).toMatch(/^rollcall_request_duration_seconds_count\{.*\} 2$/m);
    const refused = await gateway.get(TARGET);
    expect([refused.status, refused.text.includes('ALPHA')]).toEqual([429, false]);
    expect(upstream.requests).toHaveLength(number);
  });

  it('admits exactly as many of the requests that arrive at the same time', async () => {
    await start({ rate: '5/1m' });
    const all = await Promise.all(Array.from({ length: 20 }, () => gateway.get(TARGET)));
    const codes = all.map((response) => response.status).sort();
    expect(codes).toEqual([...Array.from({ length: 5 }, () => 200), ...Array.from({ length: 15 }, () => 429)]);
  });

  it('counts refused requests in the metrics', async () => {
    await start({ rate: '1/1m' });
    await statuses(3);
    expect(await gateway.metrics()).toContain('rollcall_rate_limited_requests_total{limit="address"} 2');
  });
});

describe('refused credentials', () => {
  it('count against the address, and are a 429 over its limit', async () => {
    await start({ rate: '3/1m', access: ACCESS });
    const guesses = ['guess-1', 'guess-2', EXPIRED_KEY, 'guess-4'];
    const responses = await Promise.all(guesses.map((key) => gateway.get(TARGET, bearer(key))));
    expect(responses.map((response) => response.status).sort()).toEqual([401, 401, 401, 429]);
    const refused = await gateway.get(TARGET, bearer('guess-5'));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([429, null]);
    expect(await statuses(1)).toEqual([429]);
    expect(await statuses(1, { authorization: 'Basic dTpw' })).toEqual([429]);
  });

  it('do not lock out a client with a valid credential, whose requests do not count against the address', async () => {
    await start({ rate: '2/1m', access: ACCESS });
    expect(await statuses(5, AS_MEMBER)).toEqual([200, 200, 200, 200, 200]);
    expect(await statuses(3)).toEqual([200, 200, 429]);
    const member = await gateway.get(TARGET, AS_MEMBER);
    expect([member.status, ...limitsOf(member)]).toEqual([200, ...NO_LIMITS]);
    expect(await statuses(1, bearer(PUBLIC_KEY))).toEqual([200]);
  });

  it('state the limit of the address', async () => {
    await start({ rate: '3/1m', access: ACCESS });
    const { headers } = await gateway.get(TARGET, bearer('guess'));
    expect([headers.get('ratelimit'), headers.get('www-authenticate')]).toEqual([
      '"address";r=2;t=60',
      'Bearer error="invalid_token"',
    ]);
  });
});

describe('the limit of a client', () => {
  it('is stated in its responses, and a request over it is a 429 without members data', async () => {
    await start({ access: limitMember('2/1h') });
    const target = '/data/v1/teams?scope=members&pretty=0';
    const policy = '"client";q=2;w=3600';
    expect(limitsOf(await gateway.get(target, AS_MEMBER))).toEqual([policy, '"client";r=1;t=3600', null]);
    expect(limitsOf(await gateway.get(TARGET, AS_MEMBER))).toEqual([policy, '"client";r=0;t=3600', null]);
    const refused = await gateway.get(target, AS_MEMBER);
    expect([refused.status, ...limitsOf(refused)]).toEqual([429, policy, '"client";r=0;t=3600', '3600']);
    expect(refused.text).not.toContain('ALPHA');
    expect(gateway.log.filter(({ message }) => message === 'members data sent')).toHaveLength(1);
    expect(await gateway.metrics()).toContain('rollcall_rate_limited_requests_total{limit="client"} 1');
  });

  it('applies to a public response that is in the response cache', async () => {
    await start({ access: limitMember('2/1m') });
    await statuses(1);
    advance(2 * SECOND);
    await statuses(2);
    expect(await statuses(3, AS_MEMBER)).toEqual([200, 200, 429]);
  });

  it('is no limit of others: of other clients, and of requests without credentials', async () => {
    await start({ access: limitMember('1/1m') });
    expect(await statuses(2, AS_MEMBER)).toEqual([200, 429]);
    for (const headers of [{}, bearer(PUBLIC_KEY)]) {
      const response = await gateway.get(TARGET, headers);
      expect([response.status, ...limitsOf(response)]).toEqual([200, ...NO_LIMITS]);
    }
  });

  it('counts its 403, and a limit of addresses does not apply in addition', async () => {
    const [member, monitor] = ACCESS.clients;
    await start({ rate: '1/1m', access: { clients: [member, { ...monitor, rate: '3/1m' }] } });
    const members = '/data/v1/teams?scope=members';
    expect(await statuses(4, bearer(PUBLIC_KEY), members)).toEqual([403, 403, 403, 429]);
    expect(await statuses(2)).toEqual([200, 429]);
  });

  it('is one for both keys of a name, while a key is replaced', async () => {
    const [member, other] = ACCESS.clients;
    const entry = { name: 'csirt-north', access: 'members', rate: '3/1m' };
    const clients = [member, other].map((key) => ({ ...entry, 'key-sha256': key?.['key-sha256'] }));
    await start({ access: { clients } });
    expect(await statuses(2, bearer(MEMBERS_KEY))).toEqual([200, 200]);
    expect(await statuses(2, bearer(PUBLIC_KEY))).toEqual([200, 429]);
    expect(await statuses(1, bearer(MEMBERS_KEY))).toEqual([429]);
  });

  it('is counted for each subject of a token', async () => {
    const issuer = await startIssuer();
    const settings = { url: issuer.url, audience: AUDIENCE, 'members-claim': { groups: 'csirt' }, rate: '2/1m' };
    await start({ rate: '1/1m', access: { issuer: settings } });
    const asSubject = async (subject: string): Promise<{ readonly authorization: string }> =>
      bearer(await issuer.issueToken({ subject }));
    expect(await statuses(2, await asSubject('one'))).toEqual([200, 200]);
    expect(await statuses(1, await asSubject('one'))).toEqual([429]);
    expect(await statuses(1, await asSubject('two'))).toEqual([200]);
    expect(await statuses(2)).toEqual([200, 429]);
    await issuer.close();
  });
});

describe('X-Forwarded-For', () => {
  const from = (addresses: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': addresses });

  it('is ignored from an address that is no trusted proxy', async () => {
    await start({ rate: '2/1m', trustProxy: ['192.0.2.10'] });
    const codes = [];
    for (const address of ['198.51.100.1', '198.51.100.2', '192.0.2.10'])
      codes.push(...(await statuses(1, from(address))));
    expect(codes).toEqual([200, 200, 429]);
    expect(await statuses(1)).toEqual([429]);
  });

  it('is ignored where no proxy is configured', async () => {
    await start({ rate: '1/1m' });
    expect(await statuses(1, from('198.51.100.1'))).toEqual([200]);
    expect(await statuses(1, from('198.51.100.2'))).toEqual([429]);
  });

  it('from a trusted proxy names the client, by its rightmost address that is no proxy', async () => {
    await start({ rate: '2/1m', trustProxy: ['loopback', '192.0.2.0/24'] });
    expect(await statuses(2, from('198.51.100.1'))).toEqual([200, 200]);
    expect(await statuses(1, from('198.51.100.2'))).toEqual([200]);
    // A client that sends the field itself stays what its proxy has seen.
    expect(await statuses(1, from('203.0.113.7, 198.51.100.1'))).toEqual([429]);
    expect(await statuses(1, from('198.51.100.1, 192.0.2.10, 192.0.2.11'))).toEqual([429]);
    expect(await statuses(1, from('198.51.100.1, 203.0.113.7'))).toEqual([200]);
    expect(await statuses(1, from('::ffff:198.51.100.1'))).toEqual([429]);
  });

  it('without the field counts the proxy, which does not share the limit of its clients', async () => {
    await start({ rate: '1/1m', trustProxy: ['127.0.0.1'] });
    expect(await statuses(2, from('198.51.100.1'))).toEqual([200, 429]);
    expect(await statuses(2)).toEqual([200, 429]);
    expect(await statuses(1, from('unknown'))).toEqual([429]);
  });

  it('with addresses of IPv6 counts their /64 network', async () => {
    await start({ rate: '2/1m', trustProxy: ['loopback'] });
    expect(await statuses(1, from('2001:db8:1:2::1'))).toEqual([200]);
    expect(await statuses(1, from('2001:DB8:1:2:ffff::9'))).toEqual([200]);
    expect(await statuses(1, from('2001:db8:1:2:3:4:5:6'))).toEqual([429]);
    expect(await statuses(1, from('2001:db8:1:3::1'))).toEqual([200]);
  });

  it('applies to refused credentials too', async () => {
    await start({ rate: '1/1m', trustProxy: ['loopback'], access: ACCESS });
    expect(await statuses(2, { ...bearer('guess'), ...from('198.51.100.1') })).toEqual([401, 429]);
    expect(await statuses(1, { ...bearer('guess'), ...from('198.51.100.2') })).toEqual([401]);
  });
});

describe('without a limit', () => {
  it.each<[string, Setup]>([
    ['nothing is configured', {}],
    ['only access is configured', { access: ACCESS }],
  ])('no response has a field of one, where %s', async (_, setup) => {
    await start(setup);
    for (const headers of [{}, AS_MEMBER, bearer('unknown')]) {
      const response = await gateway.get(TARGET, headers);
      expect(limitsOf(response)).toEqual(NO_LIMITS);
      expect(response.status).not.toBe(429);
    }
    expect(new Set(await statuses(50))).toEqual(new Set([200]));
  });
});
