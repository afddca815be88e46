import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findManifest, valueAt } from '../../support/deploy/deployment-documents.js';
import { adaptShippedFile, readShippedFile } from '../../support/deploy/shipped-file.js';
import { programs, run } from '../programs.js';
import type { StartedProgram } from '../started-program.js';
import { createSecrets, startValkey } from './balanced-instances.js';

const ROOT = new URL('../../../', import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), 'rollcall-kit-'));
const secrets = join(folder, 'secrets');

beforeAll(() => {
  createSecrets(secrets);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('deploy/create-secrets.sh', () => {
  it('creates secrets of 256 bits that only the owner of the folder can reach', () => {
    for (const name of ['redis-key', 'redis-password', 'grafana-password'])
      expect(readFileSync(join(secrets, name), 'latin1')).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(secrets, 'valkey.acl'), 'utf8')).not.toContain(
      readFileSync(join(secrets, 'redis-password'), 'latin1'),
    );
  });

  it('keeps the secrets that exist', () => {
    const before = readFileSync(join(secrets, 'redis-key'), 'latin1');
    createSecrets(secrets);
    expect(readFileSync(join(secrets, 'redis-key'), 'latin1')).toBe(before);
  });
});

describe('deploy/compose.yaml', () => {
  it('is valid for Docker Compose', () => {
    const file = join(folder, 'compose.yaml');
    // Docker Compose 1.29, which Debian has, does not know the name of the project. Version 2 does.
    const changes = [['\nname: rollcall\n', '\n']] as const;
    writeFileSync(file, adaptShippedFile('deploy/compose.yaml', changes));
    const { status, stderr } = run(programs.dockerCompose, ['-f', file, 'config', '--quiet']);
    expect(status, stderr).toBe(0);
  });

  it('is safe according to compose-lint, except what its operator decides: digests, processors and public ports', () => {
    const words = ['--fail-on', 'low', '--format', 'json', 'deploy/compose.yaml'];
    const { stdout, stderr } = run(programs.composeLint, words);
    const found = [...stdout.matchAll(/"rule_id": *"(CL-\d+)"/g)].map(([, rule]) => rule);
    expect([...new Set(found)].sort(), stdout + stderr).toEqual(['CL-0005', 'CL-0019', 'CL-0026']);
  });
});

describe('deploy/kubernetes.yaml', () => {
  it.each(['1.30', '1.37'])('is valid for Kubernetes %s, and has no unknown property', (version) => {
    const words = ['--strict', '-k', version, 'deploy/kubernetes.yaml'];
    const { status, stdout, stderr } = run(programs.kubernetesValidate, words);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout + stderr).toContain('networkpolicy/valkey');
  });
});

describe('the configurations of the kits', () => {
  it.each([
    ['deploy/container/rollcall.yaml', readShippedFile('deploy/container/rollcall.yaml')],
    ['deploy/kubernetes.yaml', String(valueAt(findManifest('ConfigMap', 'rollcall'), 'data', 'rollcall.yaml'))],
  ])('pass rollcall check: %s', async (_, text) => {
    const file = join(folder, 'rollcall.yaml');
    writeFileSync(join(secrets, 'harbour-token'), 'token');
    writeFileSync(file, text.replaceAll(/\/run\/secrets(?:\/rollcall)?/g, secrets));
    const words = ['dist/rollcall.js', 'check', '--config', file];
    await expect(promisify(execFile)(process.execPath, words, { cwd: ROOT })).resolves.toBeDefined();
  });
});

describe('deploy/valkey/', () => {
  let valkey: StartedProgram;

  beforeAll(async () => {
    valkey = await startValkey(secrets);
    return () => valkey.close();
  });

  /** Sends a command as a user, or without a user. Returns the reply. */
  function send(command: readonly string[], user?: string): string {
    const password = readFileSync(join(secrets, 'redis-password'), 'latin1');
    const login = user === undefined ? [] : ['--user', user, '--pass', password, '--no-auth-warning'];
    return spawnSync('redis-cli', ['-p', String(valkey.port), ...login, ...command], { encoding: 'utf8' }).stdout;
  }

  it('refuses whoever has no password', () => {
    expect(send(['PING'])).toContain('NOAUTH');
    expect(send(['PING'], 'default')).toContain('NOAUTH');
  });

  it('lets Rollcall read and write its own keys only', () => {
    const own = '{rollcall:2:rollcall.example.org}:copy:one';
    expect(send(['EVAL', "return redis.call('HSET', KEYS[1], 'head', '1')", '1', own], 'rollcall')).toBe('1\n');
    expect(send(['SET', 'other', '1'], 'rollcall')).toContain('NOPERM');
    for (const command of [
      ['FLUSHALL'],
      ['INFO'],
      ['CONFIG', 'GET', 'maxmemory'],
      ['KEYS', '*'],
      ['ACL', 'LIST'],
      ['SAVE'],
    ])
      expect(send(command, 'rollcall'), command[0]).toContain('NOPERM');
  });
});
