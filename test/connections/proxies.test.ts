import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startForwardProxy } from '../support/http/forward-proxy.js';
import type { ForwardProxy, ForwardProxyOptions } from '../support/http/forward-proxy.js';
import { createCertificateAuthority } from '../support/tls/certificate-authority.js';
import type { GatewayDependencies } from '../support/gateway/test-gateway.js';
import { startUpstream, unusedAddress } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { RECEIVED, requestTeams, servesTeams } from './connected-gateway.js';
import type { ConnectedResult } from './connected-gateway.js';

const USER_PASSWORD = 'gateway:p@ss/word';
/** As written in a URL. */
const ENCODED = 'gateway:p%40ss%2Fword';

/** Addresses that only the proxy can reach: it leads every host to the upstream. */
const PLAIN = 'http://directory.example.invalid/v1';
const SECURE = 'https://directory.example.invalid/v1';

/** Source-Status of such an address without a proxy. */
const UNREACHABLE = 'one;state=failed;reason=dns';

const authority = createCertificateAuthority();
const server = authority.issue('directory.example.invalid', { hostNames: ['directory.example.invalid'] });
const files = { 'ca.pem': authority.cert };
const tls = { ca: 'ca.pem' };

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function startBehindProxy({
  secure = false,
  ...options
}: Partial<ForwardProxyOptions> & { secure?: boolean } = {}): Promise<{
  readonly upstream: UpstreamServer;
  readonly proxy: ForwardProxy;
}> {
  const upstream = await startUpstream(servesTeams, secure ? server : undefined);
  const proxy = await startForwardProxy({ targetPort: Number(new URL(upstream.address).port), ...options });
  open.push(upstream, proxy);
  return { upstream, proxy };
}

async function requestFrom(source: object, dependencies: GatewayDependencies = {}): Promise<ConnectedResult> {
  const result = await requestTeams(source, { files, ...dependencies });
  open.push(result.gateway);
  return result;
}

const withCredentials = ({ port }: ForwardProxy, userPassword = ENCODED): string =>
  `http://${userPassword}@127.0.0.1:${port}`;

describe('sources.<code>.proxy', () => {
  it('is sent the requests to an http address themselves', async () => {
    const { proxy, upstream } = await startBehindProxy();
    const { sourceStatus } = await requestFrom({ directory: PLAIN, proxy: proxy.origin });
    expect(sourceStatus).toBe(RECEIVED);
    expect(new Set(proxy.requests.map((line) => line.replace(/\?.*/, '')))).toEqual(new Set([`GET ${PLAIN}/teams`]));
    expect(upstream.requests[0]?.headers.host).toBe('directory.example.invalid');
  });

  it('opens a tunnel to an https address, whose certificate is checked as without it', async () => {
    const { proxy, upstream } = await startBehindProxy({ secure: true });
    const { sourceStatus } = await requestFrom({ directory: SECURE, proxy: proxy.origin, tls });
    expect(sourceStatus).toBe(RECEIVED);
    expect(proxy.requests).toContain('CONNECT directory.example.invalid:443');
    expect(upstream.requests.length).toBeGreaterThan(0);
    const untrusted = await requestFrom({ directory: SECURE, proxy: proxy.origin });
    expect(untrusted.sourceStatus).toBe('one;state=failed;reason=tls');
    const other = await requestFrom({ directory: 'https://other.example.invalid/v1', proxy: proxy.origin, tls });
    expect(other.failure).toContain('for another host name');
  });

  it.each([
    ['http', PLAIN],
    ['https', SECURE],
  ])('is authenticated with user and password for an %s address', async (scheme, directory) => {
    const { proxy, upstream } = await startBehindProxy({ secure: scheme === 'https', userPassword: USER_PASSWORD });
    const source = { directory, ...(scheme === 'https' && { tls }) };
    const { sourceStatus } = await requestFrom({ ...source, proxy: withCredentials(proxy) });
    expect(sourceStatus).toBe(RECEIVED);
    expect(upstream.requests.some(({ headers }) => 'proxy-authorization' in headers)).toBe(false);
    expect(proxy.refused).toBe(0);
  });

  it.each([
    ['http', PLAIN],
    ['https', SECURE],
  ])('that refuses the credentials is named in the failure, for an %s address', async (scheme, directory) => {
    const { proxy, upstream } = await startBehindProxy({ secure: scheme === 'https', userPassword: 'other:secret' });
    const result = await requestFrom({ directory, proxy: withCredentials(proxy) });
    expect(result.sourceStatus).toBe('one;state=failed;reason=connect');
    expect(result.failure).toBe(
      'the proxy of the source requires credentials, or refuses those configured (HTTP status 407)',
    );
    expect(upstream.requests).toEqual([]);
    const shown = JSON.stringify([result.gateway.log, result.response.text, await result.gateway.metrics()]);
    expect(shown).not.toMatch(/p@ss|p%40ss|Z2F0ZXdheT/);
  });

  it('that opens no connection is named in the failure, with its status', async () => {
    const { proxy } = await startBehindProxy({ secure: true });
    proxy.tunnelStatus = 503;
    const { sourceStatus, failure } = await requestFrom({ directory: SECURE, proxy: proxy.origin, tls });
    expect(sourceStatus).toBe('one;state=failed;reason=connect');
    expect(failure).toBe('the proxy of the source opens no connection to the source (HTTP status 503)');
  });

  it.each([PLAIN, SECURE])('that cannot be reached is named in the failure, for %s', async (directory) => {
    const { port } = new URL(await unusedAddress());
    const result = await requestFrom({ directory, proxy: `http://${ENCODED}@127.0.0.1:${port}` });
    expect(result.sourceStatus).toBe('one;state=failed;reason=connect');
    expect(result.failure).toContain('the proxy of the source cannot be reached: ECONNREFUSED');
    expect(result.failure).not.toContain('p%40ss');
  });

  it('that waits for the source is a timeout', async () => {
    const { proxy, upstream } = await startBehindProxy();
    upstream.handler = () => undefined;
    const { sourceStatus } = await requestFrom({ directory: PLAIN, proxy: proxy.origin, timeout: '200ms' });
    expect(sourceStatus).toBe('one;state=failed;reason=timeout');
  });

  it.each([PLAIN, SECURE])('that accepts the connection and is silent is a timeout, for %s', async (directory) => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const source = { directory, proxy: `http://127.0.0.1:${port}`, timeout: '200ms' };
    const { gateway, sourceStatus } = await requestTeams(source);
    expect(sourceStatus).toBe('one;state=failed;reason=timeout');
    await gateway.close();
    silent.close();
  });

  it('applies to its own source only', async () => {
    const { proxy, upstream } = await startBehindProxy();
    const result = await requestFrom({ directory: upstream.address });
    expect(result.sourceStatus).toBe(RECEIVED);
    expect(proxy.requests).toEqual([]);
  });
});

describe('the proxies of the environment', () => {
  const port = ({ origin }: ForwardProxy): string => new URL(origin).port;

  it.each([
    ['HTTP_PROXY', PLAIN],
    ['http_proxy', PLAIN],
    ['HTTPS_PROXY', SECURE],
    ['https_proxy', SECURE],
    ['HTTP_PROXY', SECURE],
  ])('are used for a source without a setting: %s for %s', async (name, directory) => {
    const secure = directory === SECURE;
    const { proxy } = await startBehindProxy({ secure, userPassword: USER_PASSWORD });
    const source = { directory, ...(secure && { tls }) };
    const { sourceStatus } = await requestFrom(source, { environment: { [name]: withCredentials(proxy) } });
    expect(sourceStatus).toBe(RECEIVED);
    expect(proxy.requests.length).toBeGreaterThan(0);
  });

  it('may be a host with a port, as other programs accept it', async () => {
    const { proxy } = await startBehindProxy();
    const environment = { HTTP_PROXY: `127.0.0.1:${port(proxy)}` };
    expect((await requestFrom({ directory: PLAIN }, { environment })).sourceStatus).toBe(RECEIVED);
  });

  it('are read in lower case first, and an empty one means none', async () => {
    const { proxy } = await startBehindProxy();
    const environment = { HTTP_PROXY: proxy.origin, http_proxy: '' };
    expect((await requestFrom({ directory: PLAIN }, { environment })).sourceStatus).toBe(UNREACHABLE);
    expect(proxy.requests).toEqual([]);
  });

  it.each([
    'directory.example.invalid',
    'example.invalid',
    '.example.invalid',
    '*.example.invalid',
    'directory.example.invalid:80',
    '*',
  ])('are not used for a host in NO_PROXY: %s', async (noProxy) => {
    const { proxy } = await startBehindProxy();
    const environment = { HTTP_PROXY: proxy.origin, NO_PROXY: noProxy };
    expect((await requestFrom({ directory: PLAIN }, { environment })).sourceStatus).toBe(UNREACHABLE);
    expect(proxy.requests).toEqual([]);
  });

  it.each(['other.example.invalid', 'directory.example.invalid:8080', 'ample.org'])(
    'are used for a host that NO_PROXY does not name: %s',
    async (noProxy) => {
      const { proxy } = await startBehindProxy();
      const environment = { HTTP_PROXY: proxy.origin, no_proxy: noProxy };
      expect((await requestFrom({ directory: PLAIN }, { environment })).sourceStatus).toBe(RECEIVED);
    },
  );

  it.each(['127.0.0.1', 'localhost'])('are never used for the loopback host %s', async (host) => {
    const { proxy, upstream } = await startBehindProxy();
    const directory = upstream.address.replace('127.0.0.1', host);
    const result = await requestFrom({ directory }, { environment: { HTTP_PROXY: proxy.origin } });
    expect(result.sourceStatus).toBe(RECEIVED);
    expect(proxy.requests).toEqual([]);
  });

  it('are not used for a source with `proxy: none`, or with a proxy of its own', async () => {
    const [first, second] = [await startBehindProxy(), await startBehindProxy()];
    const environment = { HTTP_PROXY: first.proxy.origin, NO_PROXY: 'directory.example.invalid' };
    const own = await requestFrom({ directory: PLAIN, proxy: second.proxy.origin }, { environment });
    expect(own.sourceStatus).toBe(RECEIVED);
    const none = await requestFrom(
      { directory: PLAIN, proxy: 'none' },
      { environment: { HTTP_PROXY: first.proxy.origin } },
    );
    expect(none.sourceStatus).toBe(UNREACHABLE);
    expect(first.proxy.requests).toEqual([]);
  });
});
