import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dump, load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp, serve } from '../../cli/rollcall-process.js';
import type { Program } from '../../cli/rollcall-process.js';
import { readShippedFile } from '../../support/deploy/shipped-file.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { createOpensslAuthority } from '../openssl-authority.js';
import type { OpensslAuthority } from '../openssl-authority.js';
import { programs } from '../programs.js';
import { startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';
import { createSecrets } from './balanced-instances.js';
import { adaptBlock, documentedBlock } from './documented-block.js';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** Host name in the documented `cache.redis`. */
const MEMORY_HOST = 'valkey.example.net';

type Sections = Readonly<Record<string, object>>;

const folder = mkdtempSync(join(tmpdir(), 'rollcall-machines-'));
const secrets = join(folder, 'secrets');
const authorityFile = join(folder, 'authority.pem');
let authority: OpensslAuthority;
let upstream: UpstreamServer;
let memory: StartedProgram;

/** The shipped configuration with the documented settings of an instance. */
function readDocumentedConfig(changes: readonly (readonly [from: string, to: string])[]): Sections {
  const shipped = load(readShippedFile('deploy/rollcall.yaml')) as Sections;
  const documented = load(adaptBlock(documentedBlock('yaml', 'rediss:'), changes)) as Sections;
  const sections = Object.entries(documented).map(([name, section]) => [name, { ...shipped[name], ...section }]);
  return { ...shipped, ...(Object.fromEntries(sections) as Sections) };
}

/** Starts a Redis with the documented lines, and a certificate for a host name. */
function startMemory(host: string): Promise<StartedProgram> {
  const { cert, key } = authority.issue(host);
  return startProgram(programs.redis, (inside, port) => {
    mkdirSync(join(inside, 'tls'));
    writeFileSync(join(inside, 'tls/server.pem'), cert);
    writeFileSync(join(inside, 'tls/server.key'), key);
    cpSync(join(ROOT, 'deploy/valkey/valkey.conf'), join(inside, 'rollcall.conf'));
    cpSync(join(secrets, 'valkey.acl'), join(inside, 'users.acl'));
    const file = join(inside, 'valkey.conf');
    const lines = adaptBlock(documentedBlock('conf', 'tls-port'), [
      ['/etc/valkey/', `${inside}/`],
      ['tls-port 6379', `tls-port ${port}`],
    ]);
    // What a distribution has before the appended lines.
    writeFileSync(file, `bind 127.0.0.1 -::1\nport 6379\ndir ${inside}\n${lines}bind 127.0.0.1\n`);
    return [file];
  });
}

beforeAll(async () => {
  createSecrets(secrets);
  writeFileSync(join(secrets, 'harbour-token'), 'token');
  authority = createOpensslAuthority('Authority of the machines');
  writeFileSync(authorityFile, authority.cert);
  upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'ONE' }]));
  memory = await startMemory('localhost');
});

afterAll(async () => {
  await cleanUp();
  await memory.close();
  await upstream.close();
  authority.close();
  rmSync(folder, { recursive: true });
});

/** Starts an instance whose `cache.redis` has another host. */
async function startInstance(host: string): Promise<Program> {
  const { server, admin, cache, sources } = readDocumentedConfig([
    ['10.0.0.11', '127.0.0.1'],
    ['secrets/', `${secrets}/`],
    [`${MEMORY_HOST}:6379`, `${host}:${memory.port}`],
  ]);
  const state = mkdtempSync(join(folder, 'state-'));
  return serve(
    {
      server: { ...server, port: 0 },
      admin: { ...admin, port: 0 },
      cache: { ...cache, disk: join(state, 'snapshots') },
      sources: {
        harbour: { ...(sources as { harbour: object }).harbour, directory: upstream.address, credentials: {} },
      },
    },
    undefined,
    { environment: { NODE_EXTRA_CA_CERTS: authorityFile } },
  );
}

describe('the steps "On machines of your own" of docs/deployment-instances.md', () => {
  it('have a configuration that passes rollcall check', async () => {
    const file = join(folder, 'rollcall.yaml');
    writeFileSync(file, dump(readDocumentedConfig([])));
    const words = ['dist/rollcall.js', 'check', '--config', file];
    await expect(promisify(execFile)(process.execPath, words, { cwd: ROOT })).resolves.toBeDefined();
  });

  it('connect two instances by TLS with a Redis that has the documented settings', async () => {
    const programs = await Promise.all([startInstance('localhost'), startInstance('localhost')]);
    for (const program of programs) {
      const { admin } = await program.line('listening');
      const readMetrics = async (): Promise<string> => (await fetch(`${String(admin)}/metrics`)).text();
      await expect.poll(readMetrics, { timeout: 20_000 }).toMatch(/^rollcall_shared_memory_up 1$/m);
    }
  }, 60_000);

  it('need a certificate that is valid for the host name in cache.redis', async () => {
    const program = await startInstance('127.0.0.1');
    expect((await program.line('shared memory failed'))['error']).toMatch(/does not match certificate/);
  }, 60_000);
});
