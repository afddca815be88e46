import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { adaptShippedFile, readShippedFile } from '../../support/deploy/shipped-file.js';
import { createOpensslAuthority } from '../openssl-authority.js';
import { programs, run } from '../programs.js';
import { nginxAround, startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';
import { adaptBlock, documentedBlock } from './documented-block.js';

/** Host name in the files of `deploy/`. */
export const HOST = 'rollcall.example.org';

/** A reverse proxy with the configuration of `deploy/`. */
export interface HttpsProxy {
  readonly name: string;
  /** File of `deploy/` with its configuration. */
  readonly file: string;
  /** File of `deploy/` with the times that it waits. */
  readonly timeouts: string;
  /** Starts it in front of one gateway, or of the instances of one, on these ports. */
  start(gateways: readonly number[]): Promise<StartedHttpsProxy>;
}

/** A reverse proxy that serves HTTPS on `port`. */
export interface StartedHttpsProxy extends StartedProgram {
  /** Port of plain HTTP. */
  readonly plainPort: number;
  /** Certificate authority of its certificate, in PEM. */
  readonly authority: () => string;
  /** File to which it writes its requests, unless its configuration forbids that. Only of nginx. */
  readonly accessLog?: string;
}

/** A response over HTTP/2. The body is not decoded. */
export interface Http2Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const NGINX_FILE = 'deploy/nginx/rollcall.conf';
const NGINX_SERVER_FILE = 'deploy/nginx/rollcall-server.conf';

/** Where the files of `deploy/nginx/` name the one with the settings of the server, and the file itself. */
export const SERVER_INCLUDE = [
  '/etc/nginx/rollcall-server.conf',
  new URL(`../../../${NGINX_SERVER_FILE}`, import.meta.url).pathname,
] as const;

/** The content of nginx's http section for plain HTTP with the cache of `deploy/nginx/`, which a comment sign switches off there. */
export async function nginxWithCache(folder: string, port: number, gateway: number): Promise<string> {
  const cache = join(folder, 'rollcall-cache.conf');
  writeFileSync(cache, adaptShippedFile('deploy/nginx/rollcall-cache.conf', []));
  const server = adaptShippedFile(NGINX_FILE, [
    ['#proxy_cache_path /var/cache/nginx/rollcall', `proxy_cache_path ${join(folder, 'cache')}`],
    ['#include /etc/nginx/rollcall-cache.conf', `include ${cache}`],
    ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
    ['listen 80', `listen 127.0.0.1:${await freePort()}`],
    ['listen [::]:80', `listen [::1]:${await freePort()}`],
    ['listen 443 ssl http2', `listen 127.0.0.1:${port}`],
    ['listen [::]:443 ssl http2', `listen [::1]:${port}`],
    ['    ssl_certificate', '    #ssl_certificate'],
    SERVER_INCLUDE,
  ]);
  return nginxAround(server, folder);
}

/** The content of the file that {@link proveHost} creates. */
export const PROOF = 'proof of the host name';

/** Address of that file. */
export const PROOF_TARGET = '/.well-known/acme-challenge/token';

/** Creates a folder with a file that an ACME authority requests, in a folder. Returns its path. */
export function proveHost(folder: string): string {
  mkdirSync(join(folder, 'acme/.well-known/acme-challenge'), { recursive: true });
  writeFileSync(join(folder, 'acme', PROOF_TARGET), PROOF);
  return join(folder, 'acme');
}

/** The block of `deploy/nginx/rollcall.conf` for one instance. */
const ONE_INSTANCE = /^upstream rollcall \{[^]*?^\}\n/m.exec(readShippedFile(NGINX_FILE))?.[0] ?? '';

/** The block that replaces it for three instances, as documented, with other ports. */
function severalInstances(ports: readonly number[]): string {
  const changes = ports.map((port, at) => [`10.0.0.${11 + at}:8080`, `127.0.0.1:${port}`] as const);
  return adaptBlock(documentedBlock('nginx', 'upstream rollcall'), changes);
}

const nginx: HttpsProxy = {
  name: 'nginx',
  file: NGINX_FILE,
  timeouts: NGINX_SERVER_FILE,
  start: async (gateways) => {
    const authority = createOpensslAuthority('Authority of nginx');
    const { cert, key } = authority.issue(HOST);
    authority.close();
    const plainPort = await freePort();
    let accessLog = '';
    const started = await startProgram(programs.nginx, (folder, port) => {
      accessLog = join(folder, 'access.log');
      writeFileSync(join(folder, 'rollcall.pem'), cert);
      writeFileSync(join(folder, 'rollcall.key'), key);
      const server = adaptShippedFile(NGINX_FILE, [
        ...(gateways.length > 1 ? [[ONE_INSTANCE, severalInstances(gateways)] as const] : []),
        ...(gateways.length === 1 ? [['127.0.0.1:8080', `127.0.0.1:${gateways[0] ?? 0}`] as const] : []),
        ['listen 80', `listen 127.0.0.1:${plainPort}`],
        ['listen [::]:80', `listen [::1]:${plainPort}`],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['listen [::]:443', `listen [::1]:${port}`],
        ['/etc/nginx/tls', folder],
        ['/var/www/acme', proveHost(folder)],
        SERVER_INCLUDE,
      ]);
      const file = join(folder, 'nginx.conf');
      // The log that nginx has by default, unless the configuration of the server says something else.
      writeFileSync(file, nginxAround(server, folder).replace('access_log off;', `access_log ${accessLog};`));
      const words = ['-p', folder, '-e', 'stderr', '-c', file];
      const checked = run(programs.nginx, ['-t', ...words]);
      if (checked.status !== 0) throw new Error(checked.stderr);
      return words;
    });
    return { ...started, plainPort, accessLog, authority: () => authority.cert };
  },
};

const caddy: HttpsProxy = {
  name: 'Caddy',
  file: 'deploy/caddy/Caddyfile',
  timeouts: 'deploy/caddy/Caddyfile',
  start: async (gateways) => {
    const plainPort = await freePort();
    let storage = '';
    const started = await startProgram(programs.caddy, (folder, port) => {
      storage = folder;
      // Certificates of an authority of its own instead of a public one, and all files in the folder of the test.
      const local = ['local_certs', 'skip_install_trust', 'admin off', `storage file_system ${folder}`];
      const options = [...local, `http_port ${plainPort}`, `https_port ${port}`, 'default_bind 127.0.0.1'];
      const file = join(folder, 'Caddyfile');
      const text = adaptShippedFile('deploy/caddy/Caddyfile', [
        ['\temail admin@example.org', options.map((option) => `\t${option}`).join('\n')],
        ['127.0.0.1:8080', gateways.map((gateway) => `127.0.0.1:${gateway}`).join(' ')],
      ]);
      writeFileSync(file, text);
      return ['run', '--config', file, '--adapter', 'caddyfile'];
    });
    const root = join(storage, 'pki/authorities/local/root.crt');
    return { ...started, plainPort, authority: () => (existsSync(root) ? readFileSync(root, 'utf8') : '') };
  },
};

/** The proxies with a configuration in `deploy/`. */
export const httpsProxies: readonly HttpsProxy[] = [nginx, caddy];

/** Sends a request over TLS and HTTP/2. Rejects if the certificate is not that of {@link HOST}, or HTTP/2 is not spoken. */
export async function sendOverHttp2(
  { port, authority }: StartedHttpsProxy,
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Http2Reply> {
  const session = connect(`https://127.0.0.1:${port}`, { ca: authority(), servername: HOST });
  try {
    return await send(session, { ...headers, ':path': target, ':authority': HOST });
  } finally {
    session.close();
  }
}

function send(session: ClientHttp2Session, head: Readonly<Record<string, string>>): Promise<Http2Reply> {
  return new Promise((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request(head);
    const chunks: Buffer[] = [];
    let headers: IncomingHttpHeaders = {};
    stream.once('response', (received) => {
      headers = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('error', reject);
    stream.once('end', () => {
      resolve({ status: Number(headers[':status']), headers, body: Buffer.concat(chunks) });
    });
  });
}
