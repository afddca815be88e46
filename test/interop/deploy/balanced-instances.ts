import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../cli/rollcall-process.js';
import type { Program } from '../../cli/rollcall-process.js';
import { freePort } from '../../support/free-port.js';
import { adaptShippedFile } from '../../support/deploy/shipped-file.js';
import { createOpensslAuthority } from '../openssl-authority.js';
import { programs, run } from '../programs.js';
import { startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';
import { HOST, proveHost } from './https-proxies.js';
import type { StartedHttpsProxy } from './https-proxies.js';

const DEPLOY = new URL('../../../deploy/', import.meta.url).pathname;

/** Addresses of the instances in `deploy/nginx/balancer.conf`. */
const ADDRESSES = ['172.30.8.11:8080', '172.30.8.12:8080', '172.30.8.13:8080'];

/** The balancer of `deploy/compose.yaml`. */
export interface StartedBalancer extends StartedHttpsProxy {
  /** Folder of its cache. */
  readonly cache: string;
}

/** An instance of Rollcall in a process of its own. */
export interface Instance {
  readonly program: Program;
  /** Port that serves clients. */
  readonly port: number;
  /** Address of the admin port. */
  readonly admin: string;
}

/** Creates secrets in a folder with `deploy/create-secrets.sh`. Throws if it fails. */
export function createSecrets(folder: string): void {
  const { status, stderr } = spawnSync('sh', [`${DEPLOY}create-secrets.sh`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** Starts a Redis with the configuration of `deploy/valkey/` and the users of a folder with secrets. */
export function startValkey(secrets: string): Promise<StartedProgram> {
  return startProgram(programs.redis, (folder, port) => {
    const file = join(folder, 'valkey.conf');
    const text = adaptShippedFile('deploy/valkey/valkey.conf', [
      ['bind * -::*', 'bind 127.0.0.1'],
      ['port 6379', `port ${port}`],
      ['/run/secrets', secrets],
    ]);
    writeFileSync(file, `${text}dir ${folder}\n`);
    return [file];
  });
}

/** Starts instances with the configuration in turn, and waits until all are ready. */
export async function startInstances(count: number, config: object): Promise<readonly Instance[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const program = await serve(config);
      const listening = await program.line('listening');
      await program.line('ready');
      const [address, admin] = [String(listening['public']), String(listening['admin'])];
      return { program, port: Number(new URL(address).port), admin };
    }),
  );
}

/** Starts nginx with `deploy/nginx/balancer.conf` in front of three instances. */
export async function startBalancer(ports: readonly number[]): Promise<StartedBalancer> {
  const authority = createOpensslAuthority('Authority of the balancer');
  const { cert, key } = authority.issue(HOST);
  authority.close();
  const [plainPort, healthPort] = [await freePort(), await freePort()];
  const cache = mkdtempSync(join(tmpdir(), 'rollcall-balancer-'));
  const started = await startProgram(programs.nginx, (folder, port) => {
    mkdirSync(join(folder, 'tls'));
    writeFileSync(join(folder, 'tls/fullchain.pem'), cert);
    writeFileSync(join(folder, 'tls/privkey.pem'), key);
    const text = adaptShippedFile('deploy/nginx/balancer.conf', [
      ['/tmp/', `${folder}/`],
      ...ADDRESSES.map((address, at) => [address, `127.0.0.1:${ports[at] ?? 0}`] as const),
      ['listen 8080', `listen 127.0.0.1:${plainPort}`],
      ['listen 127.0.0.1:8081', `listen 127.0.0.1:${healthPort}`],
      // nginx before 1.25.1 has another way to switch on HTTP/2.
      ['listen 8443 ssl;\n        http2 on;', `listen 127.0.0.1:${port} ssl http2;`],
      ['/etc/nginx/tls', join(folder, 'tls')],
      ['/etc/nginx/rollcall/', `${DEPLOY}nginx/`],
      ['/var/www/acme', proveHost(folder)],
      ['/var/cache/nginx', cache],
    ]);
    const file = join(folder, 'nginx.conf');
    // The processes read and write files of the user who runs the tests.
    writeFileSync(file, `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;\n${text}`);
    const words = ['-p', folder, '-e', 'stderr', '-c', file];
    const checked = run(programs.nginx, ['-t', ...words]);
    if (checked.status !== 0) throw new Error(checked.stderr);
    return words;
  });
  const close = async (): Promise<void> => {
    await started.close();
    rmSync(cache, { recursive: true, force: true });
  };
  return { ...started, close, plainPort, cache, authority: () => authority.cert };
}

/** Address of the shared memory for `cache.redis`, with the credentials of a folder with secrets. */
export function redisAddress(valkey: StartedProgram, secrets: string): string {
  return `redis://rollcall:${readFileSync(join(secrets, 'redis-password'), 'latin1')}@127.0.0.1:${valkey.port}/0`;
}
