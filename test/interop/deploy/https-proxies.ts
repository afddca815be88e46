import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { adaptShippedFile } from '../../support/deploy/shipped-file.js';
import { createOpensslAuthority } from '../openssl-authority.js';
import { programs, run } from '../programs.js';
import { nginxAround, startProgram } from '../started-program.js';
import type { StartedProgram } from '../started-program.js';

/** Host name in the files of `deploy/`. */
export const HOST = 'rollcall.example.org';

/** A reverse proxy with the configuration of `deploy/`. */
export interface HttpsProxy {
  readonly name: string;
  /** File of `deploy/` with its configuration. */
  readonly file: string;
  /** File of `deploy/` with the times that it waits. */
  readonly timeouts: string;
  /** Starts it in front of the gateway on this port. */
  start(gateway: number): Promise<StartedHttpsProxy>;
}

/** A reverse proxy that serves HTTPS on `port`. */
export interface StartedHttpsProxy extends StartedProgram {
  /** Port of plain HTTP. */
  readonly plainPort: number;
  /** Certificate authority of its certificate, in PEM. */
  readonly authority: () => string;
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
    ['listen 443 ssl http2', `listen 127.0.0.1:${port}`],
    ['    ssl_certificate', '    #ssl_certificate'],
    SERVER_INCLUDE,
  ]);
  return nginxAround(server, folder);
}

const nginx: HttpsProxy = {
  name: 'nginx',
  file: NGINX_FILE,
  timeouts: NGINX_SERVER_FILE,
  start: async (gateway) => {
    const authority = createOpensslAuthority('Authority of nginx');
    const { cert, key } = authority.issue(HOST);
    authority.close();
    const plainPort = await freePort();
    const started = await startProgram(programs.nginx, (folder, port) => {
      writeFileSync(join(folder, 'rollcall.pem'), cert);
      writeFileSync(join(folder, 'rollcall.key'), key);
      const server = adaptShippedFile(NGINX_FILE, [
        ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
        ['listen 80', `listen 127.0.0.1:${plainPort}`],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['/etc/nginx/tls', folder],
        SERVER_INCLUDE,
      ]);
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxAround(server, folder));
      const words = ['-p', folder, '-e', 'stderr', '-c', file];
      const checked = run(programs.nginx, ['-t', ...words]);
      if (checked.status !== 0) throw new Error(checked.stderr);
      return words;
    });
    return { ...started, plainPort, authority: () => authority.cert };
  },
};

const caddy: HttpsProxy = {
  name: 'Caddy',
  file: 'deploy/caddy/Caddyfile',
  timeouts: 'deploy/caddy/Caddyfile',
  start: async (gateway) => {
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
        ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
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
