import type { ServerOptions } from 'node:https';
import { afterEach, describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../support/tls/certificate-authority.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { RECEIVED, requestTeams, servesTeams } from './connected-gateway.js';
import type { ConnectedResult } from './connected-gateway.js';

const DAY = 86_400_000;

const authority = createCertificateAuthority();
const otherAuthority = createCertificateAuthority('Another Authority');
const server = authority.issue('directory.example.org');
const client = authority.issue('rollcall.example.net');
const stranger = otherAuthority.issue('stranger.example.net');

const files = {
  'ca.pem': authority.cert,
  'other-ca.pem': otherAuthority.cert,
  'client.pem': client.cert,
  'client.key': client.key,
  'stranger.pem': stranger.cert,
  'stranger.key': stranger.key,
};

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(tls: ServerOptions): Promise<UpstreamServer> {
  const upstream = await startUpstream(servesTeams, tls);
  open.push(upstream);
  return upstream;
}

async function requestWith(upstream: UpstreamServer, settings: object): Promise<ConnectedResult> {
  const result = await requestTeams({ directory: upstream.address, ...settings }, { files });
  open.push(result.gateway);
  return result;
}

const FAILED = 'one;state=failed;reason=tls';

describe('sources.<code>.tls.ca', () => {
  it('trusts a source with a certificate of a private authority', async () => {
    const upstream = await serve(server);
    expect(await requestWith(upstream, { tls: { ca: 'ca.pem' } })).toMatchObject({ sourceStatus: RECEIVED });
  });

  it('is necessary for a private authority, and the log says so', async () => {
    const upstream = await serve(server);
    const { sourceStatus, failure } = await requestWith(upstream, {});
    expect(sourceStatus).toBe(FAILED);
    expect(failure).toContain('tls.ca names the authorities of a source');
    expect(upstream.requests).toEqual([]);
  });

  it('trusts no other authority', async () => {
    const upstream = await serve(server);
    const { sourceStatus, failure } = await requestWith(upstream, { tls: { ca: 'other-ca.pem' } });
    expect(sourceStatus).toBe(FAILED);
    expect(failure).toContain('another authority than those in tls.ca');
  });

  it('applies to its own source only', async () => {
    const upstream = await serve(server);
    const { gateway } = await requestWith(upstream, { tls: { ca: 'ca.pem' } });
    const { sourceStatus } = await requestWith(upstream, {});
    expect(sourceStatus).toBe(FAILED);
    expect((await gateway.get('/directory/v1/teams?limit=1')).headers.get('source-status')).toBe(RECEIVED);
  });

  it('does not accept a certificate that has expired', async () => {
    const expired = authority.issue('directory.example.org', {
      notBefore: Date.now() - 2 * DAY,
      notAfter: Date.now() - DAY,
    });
    const { sourceStatus, failure } = await requestWith(await serve(expired), { tls: { ca: 'ca.pem' } });
    expect(sourceStatus).toBe(FAILED);
    expect(failure).toBe('CERT_HAS_EXPIRED: a certificate of the source, or of its authority, has expired');
  });

  it('applies to a published document', async () => {
    const upstream = await startUpstream((_, response) => response.end('[{"name":"ACORN"}]'), server);
    open.push(upstream);
    const document = { url: `${upstream.address}/teams.json`, map: { 'short-team-name': 'name' } };
    const result = await requestTeams({ document, tls: { ca: 'ca.pem' } }, { files });
    open.push(result.gateway);
    expect(result.sourceStatus).toBe('one;state=fresh;records=1;age=0');
  });
});

describe('the host name of a source', () => {
  it('is compared with the certificate', async () => {
    const hostNames = ['directory.example.org'];
    const upstream = await serve(authority.issue('directory.example.org', { hostNames, addresses: [] }));
    const { sourceStatus, failure } = await requestWith(upstream, { tls: { ca: 'ca.pem' } });
    expect(sourceStatus).toBe(FAILED);
    expect(failure).toContain('the certificate of the source is for another host name');
    expect(upstream.requests).toEqual([]);
  });
});

describe('sources.<code>.tls.cert and key', () => {
  const requiring = { ...server, ca: authority.cert, requestCert: true };

  it('authenticate this gateway at a source that requires a client certificate', async () => {
    const upstream = await serve(requiring);
    const tls = { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' };
    expect(await requestWith(upstream, { tls })).toMatchObject({ sourceStatus: RECEIVED });
  });

  it.each([
    ['TLSv1.2', 'it may require a client certificate (tls.cert)'],
    ['TLSv1.3', 'the source requires a client certificate; tls.cert and tls.key set it'],
  ] as const)('are named in the log where the source requires them, with %s', async (version, words) => {
    const upstream = await serve({ ...requiring, minVersion: version, maxVersion: version });
    const { sourceStatus, failure } = await requestWith(upstream, { tls: { ca: 'ca.pem' } });
    expect(sourceStatus).toBe(FAILED);
    expect(failure).toContain(words);
    expect(upstream.requests).toEqual([]);
  });

  // Node.js closes the connection without an alert.
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('may be refused by the source, with %s', async (version) => {
    const upstream = await serve({ ...requiring, minVersion: version, maxVersion: version });
    const tls = { ca: 'ca.pem', cert: 'stranger.pem', key: 'stranger.key' };
    const { sourceStatus, gateway } = await requestWith(upstream, { tls });
    expect(sourceStatus).toBe('one;state=failed;reason=connect');
    expect(upstream.requests).toEqual([]);
    expect(JSON.stringify(gateway.log)).not.toContain('PRIVATE KEY');
  });
});
