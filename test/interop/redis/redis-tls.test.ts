import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOpensslAuthority } from '../openssl-authority.js';
import type { OpensslAuthority } from '../openssl-authority.js';
import { run } from '../programs.js';
import type { StartedProgram } from '../started-program.js';
import { startRedis } from './redis-server.js';

const node = { command: process.execPath, debian: 'nodejs', version: ['--version'] };
/** Compiled by test/interop/build-scripts.ts. */
const client = fileURLToPath(new URL('../../../var/scripts/test/interop/redis/tls-client.js', import.meta.url));

describe('a shared memory in Redis with TLS and a password', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-redis-tls-'));
  const at = (file: string): string => join(folder, file);
  let authority: OpensslAuthority;
  let redis: StartedProgram;

  beforeAll(async () => {
    authority = createOpensslAuthority('Authority of this test');
    const { cert, key } = authority.issue('localhost');
    for (const [file, text] of Object.entries({ 'ca.pem': authority.cert, 'cert.pem': cert, 'key.pem': key })) {
      writeFileSync(at(file), text);
    }
    const tls = [
      '--tls-cert-file',
      at('cert.pem'),
      '--tls-key-file',
      at('key.pem'),
      '--tls-ca-cert-file',
      at('ca.pem'),
    ];
    redis = await startRedis(['--requirepass', 'right secret', '--tls-auth-clients', 'no', ...tls], { isTls: true });
  });
  afterAll(async () => {
    await redis.close();
    authority.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a process that uses the memory, and returns what it printed. */
  function useMemory(url: string, env: Readonly<Record<string, string>>): string {
    const { stdout, stderr } = run(node, [client, url], { env });
    return `${stdout}${stderr}`.trim();
  }

  it('is used where the authority is in NODE_EXTRA_CA_CERTS', () => {
    const url = `rediss://:right%20secret@localhost:${redis.port}/2`;
    expect(useMemory(url, { NODE_EXTRA_CA_CERTS: at('ca.pem') })).toBe('5000 records');
  });

  it('is not used where the authority is unknown, or the certificate is that of another host', () => {
    expect(useMemory(`rediss://:right%20secret@localhost:${redis.port}`, {})).toMatch(/certificate/i);
    const other = `rediss://:right%20secret@127.0.0.1:${redis.port}`;
    expect(useMemory(other, { NODE_EXTRA_CA_CERTS: at('ca.pem') })).toMatch(/does not match certificate/);
  });

  it('is not used with a wrong password', () => {
    const result = useMemory(`rediss://:wrong@localhost:${redis.port}`, { NODE_EXTRA_CA_CERTS: at('ca.pem') });
    expect(result).toContain('WRONGPASS');
  });
});
