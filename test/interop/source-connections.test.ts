import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RECEIVED, requestTeams, servesTeams } from '../connections/connected-gateway.js';
import type { ConnectedResult } from '../connections/connected-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { createOpensslAuthority } from './openssl-authority.js';
import type { IssuedCertificate } from './openssl-authority.js';
import { programs } from './programs.js';
import { startProgram } from './started-program.js';
import type { StartedProgram } from './started-program.js';

const authority = createOpensslAuthority('Example Private Authority');
const otherAuthority = createOpensslAuthority('Another Authority');
const server = authority.issue('localhost');
const client = authority.issue('rollcall.example.net');
const stranger = otherAuthority.issue('stranger.example.net');

const files = {
  'ca.pem': authority.cert,
  'client.pem': client.cert,
  'client.key': client.key,
  'stranger.pem': stranger.cert,
  'stranger.key': stranger.key,
};

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

afterAll(() => {
  authority.close();
  otherAuthority.close();
});

async function requestFrom(source: object): Promise<ConnectedResult> {
  const result = await requestTeams(source, { files });
  open.push(result.gateway);
  return result;
}

/** Starts HAProxy with TLS in front of an upstream. It requires a client certificate of the authority. */
function startHaproxy(upstream: UpstreamServer, { cert, key }: IssuedCertificate): Promise<StartedProgram> {
  return startProgram(programs.haproxy, (folder, port) => {
    const [pem, ca, file] = ['server.pem', 'ca.pem', 'haproxy.cfg'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(pem, cert + key);
    writeFileSync(ca, authority.cert);
    const configuration = [
      'defaults',
      '  mode http',
      '  timeout connect 5s',
      '  timeout client 5s',
      '  timeout server 5s',
      'listen source',
      `  bind 127.0.0.1:${port} ssl crt ${pem} ca-file ${ca} verify required`,
      `  server upstream 127.0.0.1:${new URL(upstream.address).port}`,
      '',
    ];
    writeFileSync(file, configuration.join('\n'));
    return ['-f', file];
  });
}

describe('a source behind HAProxy, with certificates of openssl', () => {
  let upstream: UpstreamServer;
  let haproxy: StartedProgram;

  beforeAll(async () => {
    upstream = await startUpstream(servesTeams);
    haproxy = await startHaproxy(upstream, server);
  });

  afterAll(async () => {
    await haproxy.close();
    await upstream.close();
  });

  const source = (tls: object): object => ({
    directory: `https://localhost:${haproxy.port}/v1`,
    tls: { ca: 'ca.pem', ...tls },
  });

  it('is reached with a client certificate of its authority', async () => {
    const { sourceStatus } = await requestFrom(source({ cert: 'client.pem', key: 'client.key' }));
    expect(sourceStatus).toBe(RECEIVED);
  });

  it('states that a client certificate is missing', async () => {
    const { sourceStatus, failure } = await requestFrom(source({}));
    expect(sourceStatus).toBe('one;state=failed;reason=tls');
    expect(failure).toContain('the source requires a client certificate; tls.cert and tls.key set it');
  });

  it('states that it refuses the client certificate of another authority', async () => {
    const { sourceStatus, failure } = await requestFrom(source({ cert: 'stranger.pem', key: 'stranger.key' }));
    expect(sourceStatus).toBe('one;state=failed;reason=tls');
    expect(failure).toContain('the source refuses the client certificate of tls.cert');
  });
});

describe('a source behind tinyproxy', () => {
  let proxy: StartedProgram;

  beforeAll(async () => {
    proxy = await startProgram(programs.tinyproxy, (folder, port) => {
      const file = join(folder, 'tinyproxy.conf');
      writeFileSync(
        file,
        `Port ${port}\nListen 127.0.0.1\nLogFile "${join(folder, 'log')}"\nBasicAuth gateway secret\n`,
      );
      return ['-d', '-c', file];
    });
  });

  afterAll(() => proxy.close());

  const through = (userPassword: string): string => `http://${userPassword}127.0.0.1:${proxy.port}`;

  async function serve(secure: boolean): Promise<{ readonly upstream: UpstreamServer; readonly source: object }> {
    const upstream = await startUpstream(servesTeams, secure ? server : undefined);
    open.push(upstream);
    const directory = upstream.address.replace('127.0.0.1', 'localhost');
    return { upstream, source: { directory, ...(secure && { tls: { ca: 'ca.pem' } }) } };
  }

  it.each([false, true])('is reached with user and password; TLS: %s', async (secure) => {
    const { upstream, source } = await serve(secure);
    const { sourceStatus, failure } = await requestFrom({ ...source, proxy: through('gateway:secret@') });
    expect(sourceStatus, failure).toBe(RECEIVED);
    // tinyproxy adds itself to requests that it forwards, and cannot see those in a tunnel.
    expect(String(upstream.requests[0]?.headers.via).includes('tinyproxy')).toBe(!secure);
  });

  it.each(['', 'gateway:wrong@'])('is not reached with "%s" in a tunnel, and the log names the proxy', async (user) => {
    const { source } = await serve(true);
    const { sourceStatus, failure } = await requestFrom({ ...source, proxy: through(user) });
    expect(sourceStatus).toBe('one;state=failed;reason=connect');
    expect(failure).toMatch(
      /^the proxy of the source requires credentials, or refuses those configured \(HTTP status 40[17]\)$/,
    );
  });

  it('is not reached without credentials at an http address, and the log names the proxy', async () => {
    const { upstream, source } = await serve(false);
    const { sourceStatus, failure } = await requestFrom({ ...source, proxy: through('') });
    expect(sourceStatus).toBe('one;state=failed;reason=connect');
    expect(failure).toContain('the proxy of the source requires credentials');
    expect(upstream.requests).toEqual([]);
  });
});
