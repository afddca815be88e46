import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlainReply } from '../support/http/plain-request.js';
import { programs } from './programs.js';
import { nginxWithCache } from './deploy/https-proxies.js';
import { startProgram } from './started-program.js';
import type { StartedProgram } from './started-program.js';

/** A program that is a shared cache. */
export interface CacheProgram {
  readonly name: string;
  /** Starts it in front of the gateway on this port, with the configuration of deploy/nginx/ or docs/operating.md. */
  start(gateway: number): Promise<StartedProgram>;
  /** Whether the response came from the cache, according to its header fields. */
  isHit(reply: PlainReply): boolean;
}

const DOCUMENT = new URL('../../docs/operating.md', import.meta.url);

/** Returns an example configuration of docs/operating.md with texts replaced. Throws if a text to replace is missing. */
function exampleConfig(language: string, changes: readonly (readonly [from: string, to: string])[]): string {
  const page = readFileSync(DOCUMENT, 'utf8');
  const block = new RegExp(`\\n\`\`\`${language}\\n([^]*?)\\n\`\`\`\\n`).exec(page)?.[1] ?? '';
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the ${language} of docs/operating.md has no ${from}`);
    return text.replaceAll(from, to);
  }, block);
}

/** nginx with proxy_cache. X-Cache reports hits. */
export const nginx: CacheProgram = {
  name: 'nginx',
  isHit: ({ headers }) => headers['x-cache'] === 'HIT',
  start: (gateway) =>
    startProgram(programs.nginx, async (folder, port) => {
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, await nginxWithCache(folder, port, gateway));
      return ['-p', folder, '-e', 'stderr', '-c', file];
    }),
};

/** Varnish with a cache in memory. X-Varnish has two numbers for a hit. */
export const varnish: CacheProgram = {
  name: 'Varnish',
  isHit: ({ headers }) => /^\d+ \d+$/.test([headers['x-varnish'] ?? ''].flat().join()),
  start: (gateway) =>
    startProgram(programs.varnish, (folder, port) => {
      const file = join(folder, 'rollcall.vcl');
      writeFileSync(file, exampleConfig('vcl', [['"8080"', `"${gateway}"`]]));
      const work = join(folder, 'work');
      mkdirSync(work);
      const listening = ['-a', `127.0.0.1:${port}`, '-T', 'none'];
      return ['-F', '-j', 'none', '-n', work, ...listening, '-s', 'malloc,32m', '-f', file];
    }),
};
