import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { freePort } from './gateway.js';
import type { Served } from './gateway.js';
import { SERVING, end, startOn } from './process.js';

/** Whether a program of Debian is there. */
export async function isInstalled(program: string): Promise<boolean> {
  return promisify(execFile)('which', [program]).then(
    () => true,
    () => false,
  );
}

/** One worker of nginx as a cache before a server; it keeps what it got for an hour, whatever that says of itself. */
export async function startNginx({ folder }: Workshop, upstream: string): Promise<Served> {
  const port = await freePort();
  const home = mkdtempSync(join(folder, 'nginx-'));
  const file = join(home, 'nginx.conf');
  writeFileSync(file, configuration(home, port, upstream));
  const child = startOn(SERVING, ['nginx', '-p', home, '-c', file]);
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 50 && !(await answers(origin)); tries += 1) await sleep(100);
  return { origin, pid: child.pid ?? 0, close: () => end(child) };
}

function answers(origin: string): Promise<boolean> {
  return exchange(`${origin}/-`).then(
    () => true,
    () => false,
  );
}

/** What Debian's own configuration sets for speed, and connections as long as node:http lets them be: without an end. */
function configuration(home: string, port: number, upstream: string): string {
  return `
daemon off;
user ${userInfo().username};
worker_processes 1;
pid ${home}/pid;
error_log ${home}/error.log;
events { worker_connections 768; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  server_tokens off;
  keepalive_requests 1000000000;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/temp;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  proxy_cache_path ${home}/cache keys_zone=answers:10m;
  server {
    listen 127.0.0.1:${port};
    location /- { return 204; }
    location / {
      proxy_pass ${upstream};
      proxy_cache answers;
      proxy_cache_valid 200 1h;
      proxy_ignore_headers Cache-Control Expires;
    }
  }
}
`;
}
