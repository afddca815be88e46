import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { sendPlainRequest } from '../../support/http/plain-request.js';
import { readShippedFile } from '../../support/deploy/shipped-file.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { neverResponds, startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { HOST, PROOF, PROOF_TARGET, httpsProxies, sendOverHttp2 } from './https-proxies.js';
import type { Http2Reply, StartedHttpsProxy } from './https-proxies.js';

/** Requests that one address may send in a minute. */
const RATE = 200;

/** Some 3 MB of JSON: more than the buffers of the proxies. */
const TEAMS = Array.from({ length: 10_000 }, (_, at) => ({ 'short-team-name': `team ${at}`, host: 'x'.repeat(200) }));

const ALL = '/directory/v1/teams?limit=10000&source-name=good';

describe.each(httpsProxies)('$name with $file', (program) => {
  const upstreams: UpstreamServer[] = [];
  let gateway: TestGateway;
  let proxy: StartedHttpsProxy;

  const get = (target: string, headers?: Readonly<Record<string, string>>): Promise<Http2Reply> =>
    sendOverHttp2(proxy, target, headers);

  beforeAll(async () => {
    upstreams.push(await startUpstream(directoryUpstream(TEAMS)), await startUpstream(neverResponds));
    const [good, silent] = upstreams.map(({ address }) => address);
    gateway = await startGateway({
      server: { 'trust-proxy': ['loopback'], limits: { rate: `${RATE}/1m` }, 'public-url': `https://${HOST}` },
      access: ACCESS,
      sources: {
        good: { directory: good, 'drain-threshold': 20_000, 'page-size': 5000, ttl: '10m' },
        // Longer than the deadline of the gateway.
        silent: { directory: silent, timeout: '30s' },
      },
    });
    proxy = await program.start([Number(new URL(gateway.origin).port)]);
    // Caddy issues its certificate after it has opened its port.
    await vi.waitFor(() => get('/nowhere'), { timeout: 20_000 });
    return async () => {
      await proxy.close();
      await Promise.all([gateway.close(), ...upstreams.splice(0).map((upstream) => upstream.close())]);
    };
  }, 30_000);

  it('serves long responses over TLS and HTTP/2 as Rollcall sends them, in each coding', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const { port } = new URL(gateway.origin);
      const direct = await sendPlainRequest(Number(port), { method: 'GET', target: ALL, headers });
      const reply = await get(ALL, headers);
      const names = ['content-type', 'content-encoding', 'etag', 'cache-control', 'vary', 'link', 'x-total-count'];
      expect(reply.status).toBe(200);
      expect(reply.body.equals(direct.body), coding).toBe(true);
      for (const name of names) expect(reply.headers[name], name).toEqual(direct.headers[name]);
      expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  it('passes on conditional requests and credentials', async () => {
    const { headers } = await get(ALL);
    expect((await get(ALL, { 'if-none-match': headers.etag ?? '' })).status).toBe(304);
    const members = await get('/directory/v1/teams?source-name=good&limit=1', AS_MEMBER);
    expect([members.status, gateway.log.findLast(({ message }) => message === 'request')?.facts]).toMatchObject([
      200,
      { client: 'csirt-north' },
    ]);
    expect((await get('/directory/v1/teams', { authorization: 'Bearer unknown' })).status).toBe(401);
  });

  it('passes on long addresses and the longest header fields', async () => {
    const query = '/directory/v1/teams?source-name=good&limit=1&q=';
    const listed = await get(query + 'team%20'.repeat(300));
    expect(listed.status).toBe(200);
    // Rollcall sends no Link over 8 KiB.
    expect(String(listed.headers['link']).length).toBeGreaterThan(6_000);
    expect((await get(query + 'team%20'.repeat(1_100))).status).toBe(200);
    const tooLong = await get(query + 'x'.repeat(9_000));
    expect([tooLong.status, String(tooLong.headers['content-type'])]).toEqual([414, expect.stringContaining('json')]);
  });

  it('waits for a response that takes until the deadline', async () => {
    const reply = await get('/directory/v1/teams?source-name=silent&limit=1');
    expect(reply.status).toBe(504);
    expect(reply.headers['source-status']).toContain('silent;state=failed;reason=timeout');
  });

  it('waits longer than server.deadline by default', () => {
    const parsed = parseConfig('sources: { one: { number: 1, directory: "https://irt.example.org/v1" } }', {});
    const deadline = 'config' in parsed ? parsed.config.server.deadline : NaN;
    const [, seconds] =
      /(?:proxy_read_timeout|response_header_timeout) (\d+)s/.exec(readShippedFile(program.timeouts)) ?? [];
    expect(Number(seconds) * 1_000).toBeGreaterThan(deadline);
  });

  it('redirects plain HTTP to HTTPS', async () => {
    const reply = await sendPlainRequest(proxy.plainPort, {
      method: 'GET',
      target: '/data/v1/teams?limit=1',
      headers: { host: HOST },
    });
    expect([301, 308]).toContain(reply.status);
    expect(reply.headers.location).toMatch(/^https:\/\/rollcall\.example\.org(?::\d+)?\/data\/v1\/teams\?limit=1$/);
  });

  // Caddy gets its certificates itself, and writes no log of requests by default.
  if (program.name === 'nginx') {
    it('serves the files of an ACME authority over plain HTTP', async () => {
      const request = { method: 'GET', target: PROOF_TARGET, headers: { host: HOST } };
      const { status, body } = await sendPlainRequest(proxy.plainPort, request);
      expect([status, String(body)]).toEqual([200, PROOF]);
    });

    it('writes no log of requests, which would contain addresses of clients', () => {
      expect(readFileSync(proxy.accessLog ?? '', 'utf8')).toBe('');
    });
  }

  it.each(['/healthz', '/readyz', '/metrics', '/sources', '/explain', '/config'])(
    'does not expose %s of the admin port',
    async (target) => {
      const { status, headers } = await get(target);
      expect([status, headers['x-version'] === undefined]).toEqual([404, false]);
    },
  );

  // The last test, because it uses up the limit.
  it('gives no client the address that it writes into X-Forwarded-For', async () => {
    const statuses = [];
    for (let at = 0; at <= RATE; at += 1) {
      const forged = { 'x-forwarded-for': `192.0.2.${at}` };
      statuses.push((await get('/directory/v1/teams?source-name=good&limit=1', forged)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
