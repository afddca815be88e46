import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { programs } from './programs.js';
import { nginxAround, startProgram } from './started-program.js';
import type { StartedProgram } from './started-program.js';

/** A program that is a shared cache, and how it is set up. */
export interface CacheProgram {
  readonly name: string;
  /** Starts it before the Rollcall that listens on this port, with the configuration of docs/operating.md. */
  start(gateway: number): Promise<StartedProgram>;
  /** Whether it had the answer, by its own word. */
  isHit(reply: PlainReply): boolean;
}

/** An answer as it came, its body in the coding that it came in. */
export interface PlainReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks on a connection of its own, decoding nothing. */
export function askPlainly(
  port: number,
  { method, target, headers }: { method: string; target: string; headers: Readonly<Record<string, string>> },
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    asked.once('error', reject).end();
  });
}

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url);

/** The configuration that operators are shown, with these texts in place of others, each of which must be there. */
function documented(language: string, changes: readonly (readonly [from: string, to: string])[]): string {
  const page = readFileSync(DOCUMENT, 'utf8');
  const block = new RegExp(`\\n\`\`\`${language}\\n([^]*?)\\n\`\`\`\\n`).exec(page)?.[1] ?? '';
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the ${language} of docs/operating.md has no ${from}`);
    return text.replaceAll(from, to);
  }, block);
}

/** nginx with proxy_cache; X-Cache tells what it did. */
export const nginx: CacheProgram = {
  name: 'nginx',
  isHit: ({ headers }) => headers['x-cache'] === 'HIT',
  start: (gateway) =>
    startProgram(programs.nginx, (folder, port) => {
      const server = documented('nginx', [
        ['/var/cache/nginx/rollcall', join(folder, 'cache')],
        ['listen 80;', `listen 127.0.0.1:${port};`],
        ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
      ]);
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxAround(server, folder));
      return ['-p', folder, '-e', 'stderr', '-c', file];
    }),
};

/** Varnish, its cache in memory; X-Varnish has two numbers where it had the answer. */
export const varnish: CacheProgram = {
  name: 'Varnish',
  isHit: ({ headers }) => /^\d+ \d+$/.test([headers['x-varnish'] ?? ''].flat().join()),
  start: (gateway) =>
    startProgram(programs.varnish, (folder, port) => {
      const file = join(folder, 'rollcall.vcl');
      writeFileSync(file, documented('vcl', [['"8080"', `"${gateway}"`]]));
      const work = join(folder, 'work');
      mkdirSync(work);
      const listening = ['-a', `127.0.0.1:${port}`, '-T', 'none'];
      return ['-F', '-j', 'none', '-n', work, ...listening, '-s', 'malloc,32m', '-f', file];
    }),
};
