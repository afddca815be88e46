import { afterEach, describe, expect, it, vi } from 'vitest';
import { IssuerDiscovery } from '../../src/access/issuer-discovery.js';
import { IssuerUnavailable } from '../../src/access/issuer-endpoint.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startUpstream, unusedAddress } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { silentLog } from '../support/silent-log.js';
import { createLogSubscriber } from '../../src/events/log-lines.js';

const open: UpstreamServer[] = [];
const logged: unknown[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of open.splice(0)) await server.close();
  logged.length = 0;
});

async function start(handler: RequestHandler): Promise<UpstreamServer> {
  const server = await startUpstream(handler);
  open.push(server);
  return server;
}

function discover(issuer: string, clock: FakeClock = fakeClock()): IssuerDiscovery {
  const log = { ...silentLog, warn: (facts: object) => void logged.push(facts) };
  return new IssuerDiscovery(issuer, { clock, publish: createLogSubscriber(log) });
}

/** Starts an issuer whose document has the properties that `build` returns. */
async function startIssuerWith(build: (issuer: string) => unknown): Promise<UpstreamServer> {
  return start((_, response) => response.end(JSON.stringify(build(server.address))));
}

let server: UpstreamServer;

describe('IssuerDiscovery', () => {
  it('requests the document below the path of the issuer', async () => {
    server = await startIssuerWith((issuer) => ({ issuer, jwks_uri: 'http://keys.example.org/jwks?tenant=1' }));
    expect((await discover(server.address).findKeySetUrl()).href).toBe('http://keys.example.org/jwks?tenant=1');
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/.well-known/openid-configuration']);
  });

  it('removes a slash from the end of the issuer for the request, but not for the comparison', async () => {
    server = await startIssuerWith((issuer) => ({ issuer: `${issuer}/`, jwks_uri: 'https://keys.example.org/' }));
    expect((await discover(`${server.address}/`).findKeySetUrl()).href).toBe('https://keys.example.org/');
    expect(server.requests[0]?.path).toBe('/v1/.well-known/openid-configuration');
    await expect(discover(server.address).findKeySetUrl()).rejects.toThrow('issuer is not the configured url');
  });

  it.each<[string, (issuer: string) => unknown]>([
    ['no object', () => 'text'],
    ['null', () => null],
    ['a list', (issuer) => [issuer]],
    ['another issuer', () => ({ issuer: 'https://id.example.net', jwks_uri: 'https://id.example.net/jwks' })],
    ['no issuer', () => ({ jwks_uri: 'https://id.example.net/jwks' })],
    ['no jwks_uri', (issuer) => ({ issuer })],
    ['a jwks_uri that is relative', (issuer) => ({ issuer, jwks_uri: '/jwks' })],
    ['a jwks_uri of a file', (issuer) => ({ issuer, jwks_uri: 'file:///etc/passwd' })],
    ['a jwks_uri that is a list', (issuer) => ({ issuer, jwks_uri: ['https://id.example.net/jwks'] })],
  ])('is unavailable with a document with %s', async (_, build) => {
    server = await startIssuerWith(build);
    await expect(discover(server.address).findKeySetUrl()).rejects.toThrow(IssuerUnavailable);
    expect(logged).toHaveLength(1);
  });

  it.each<[string, RequestHandler, RegExp]>([
    ['another status', (_, response) => response.writeHead(500).end('{}'), /status 500/],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/v1/other' }).end(), /status 302/],
    ['an empty body', (_, response) => response.end(), /not JSON/],
    ['a body that is no JSON', (_, response) => response.end('<p>secret</p>'), /not JSON/],
    ['an endless body', (_, response) => sendForever(response), /more than 1048576 bytes/],
    ['a body that is cut off', (_, response) => void response.write('{"a":', () => response.destroy()), /./],
    ['no response', (_, response) => response.destroy(), /SOCKET|ECONNRESET/],
  ])('is unavailable with %s', async (_, handler, reason) => {
    server = await start(handler);
    await expect(discover(server.address).findKeySetUrl()).rejects.toThrow(reason);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  it.each([
    [0, 'found'],
    [1, 'more than 1048576 bytes'],
  ])('reads a document of 1 MiB and %d bytes: %s', async (excess, result) => {
    server = await start((_, response) => {
      const document = JSON.stringify({ issuer: server.address, jwks_uri: 'https://keys.example.org/' });
      response.end(document.padEnd(1024 * 1024 + excess));
    });
    const found = discover(server.address).findKeySetUrl();
    expect(await found.then(() => 'found', String)).toContain(result);
  });

  it.each([
    ['http://id.example.org/jwks', 'jwks_uri is not a URL with https:'],
    ['https://keys.example.net/jwks', 'found'],
  ])('reads the jwks_uri %s of an issuer with https: %s', async (jwksUri, result) => {
    const issuer = 'https://id.example.org';
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ issuer, jwks_uri: jwksUri }));
    const found = discover(issuer).findKeySetUrl();
    expect(await found.then(() => 'found', String)).toContain(result);
  });

  it('is unavailable where no server listens', async () => {
    await expect(discover(await unusedAddress()).findKeySetUrl()).rejects.toThrow('ECONNREFUSED');
  });

  it('requests again after ten minutes, and also when the clock was set back', async () => {
    server = await startIssuerWith((issuer) => ({ issuer, jwks_uri: 'https://keys.example.org/' }));
    const clock = fakeClock();
    const discovery = discover(server.address, clock);
    for (const wait of [0, 599_999, 1, -1]) {
      clock.advance(wait);
      await discovery.findKeySetUrl();
    }
    expect(server.requests).toHaveLength(3);
  });

  it('is unavailable when the document cannot be fetched again', async () => {
    server = await startIssuerWith((issuer) => ({ issuer, jwks_uri: 'https://keys.example.org/' }));
    const clock = fakeClock();
    const discovery = discover(server.address, clock);
    await discovery.findKeySetUrl();
    server.handler = (_, response) => response.writeHead(503).end();
    clock.advance(600_000);
    await expect(discovery.findKeySetUrl()).rejects.toThrow(IssuerUnavailable);
    await expect(discovery.findKeySetUrl()).rejects.toThrow('failed recently');
    expect(server.requests).toHaveLength(2);
  });
});

function sendForever(response: Parameters<RequestHandler>[1]): void {
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const send = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', send).on('error', () => undefined);
  send();
}
