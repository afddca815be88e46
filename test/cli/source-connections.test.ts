import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { startForwardProxy } from '../support/http/forward-proxy.js';
import type { ForwardProxy } from '../support/http/forward-proxy.js';
import { distinctiveTeams } from '../support/gateway/run-probe.js';
import { simulatedRepository } from '../support/repository/simulated-repository.js';
import { createCertificateAuthority } from '../support/tls/certificate-authority.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

const SECRET = 'hunter2';

let folder: string;
let file: string;
let upstream: UpstreamServer;
let proxy: ForwardProxy;
let refusing: UpstreamServer;
const printed = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-connections-'));
  file = join(folder, 'rollcall.yaml');
  const authority = createCertificateAuthority();
  const certificate = authority.issue('directory.example.invalid', { hostNames: ['directory.example.invalid'] });
  upstream = await startUpstream(simulatedRepository({ directory: distinctiveTeams(9, 'directory') }), certificate);
  proxy = await startForwardProxy({
    targetPort: Number(new URL(upstream.address).port),
    userPassword: `gateway:${SECRET}`,
  });
  refusing = await startUpstream(({ path }, response) => response.writeHead(Number(path.split('/')[2])).end());
  await writeFile(join(folder, 'authority.pem'), authority.cert);
  const address = 'https://directory.example.invalid/directory';
  const lines = [
    'sources:',
    '  good:',
    '    number: 1',
    `    directory: ${address}`,
    '    tls: { ca: authority.pem }',
    `    proxy: http://gateway:${SECRET}@127.0.0.1:${proxy.port}`,
    '    headers: { X-Tenant: north }',
    `  wrong: { number: 2, directory: ${address}, proxy: "http://gateway:x${SECRET}@127.0.0.1:${proxy.port}" }`,
    `  unauthorized: { number: 3, directory: ${refusing.address}/401 }`,
    `  forbidden: { number: 4, directory: ${refusing.address}/403 }`,
  ];
  await writeFile(file, lines.join('\n'));
});

afterAll(async () => {
  await Promise.all([upstream.close(), proxy.close(), refusing.close()]);
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  upstream.forget();
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('the commands that send requests', () => {
  test.each([
    ['probe', ['probe', 'good']],
    ['preview', ['preview', 'good']],
    ['explain', ['explain', '/directory/v1/teams?source-name=good', '--run']],
  ])('use the TLS settings, the proxy and the header fields of a source: %s', async (_, words) => {
    expect(await main([...words, '--config', file])).toBe(0);
    expect(proxy.requests).toContain('CONNECT directory.example.invalid:443');
    expect(upstream.requests.length).toBeGreaterThan(0);
    for (const { headers } of upstream.requests) expect(headers).toMatchObject({ 'x-tenant': 'north' });
    expect(printed.out + printed.err).not.toContain(SECRET);
  });

  test.each([
    ['wrong', 'the proxy of the source requires credentials, or refuses those configured (HTTP status 407)'],
    ['unauthorized', 'requires credentials, or refuses those configured (HTTP status 401)'],
    ['forbidden', 'refuses access (HTTP status 403)'],
  ])('name the refusal of the source %s', async (code, words) => {
    expect(await main(['explain', `/directory/v1/teams?source-name=${code}`, '--run', '--config', file])).toBe(2);
    expect(printed.out.replace(/\s+/g, ' ')).toContain(words);
    expect(await main(['probe', code, '--config', file])).toBe(2);
    expect(await main(['preview', code, '--config', file])).toBe(2);
    expect(printed.out.replace(/\s+/g, ' ').split(words).length).toBeGreaterThan(3);
    expect(printed.out + printed.err).not.toContain(SECRET);
  });

  test.each([['check'], ['probe', 'own'], ['preview', 'own'], ['explain', '/directory/v1/teams'], ['serve']])(
    'report an invalid proxy of the environment: %s',
    async (...words) => {
      const own = join(folder, 'own.yaml');
      await writeFile(own, 'sources:\n  own: { number: 1, directory: http://directory.example.invalid/v1 }\n');
      vi.stubEnv('http_proxy', `socks5://gateway:${SECRET}@proxy.example.org`);
      expect(await main([...words, '--config', own])).toBe(1);
      expect(printed.err).toMatch(
        /own\.yaml:2:3: sources\.own: the environment variable http_proxy must be an http or/,
      );
      expect(printed.err).not.toContain(SECRET);
    },
  );
});
