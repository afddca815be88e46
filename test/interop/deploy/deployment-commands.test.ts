import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cleanUp, serve } from '../../cli/rollcall-process.js';
import { deploymentText } from '../../support/deploy/deployment-pages.js';
import { commandsOf } from '../../support/deploy/markdown.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import { programs } from '../programs.js';
import { startRedis } from '../redis/redis-server.js';

const ROOT = join(import.meta.dirname, '../../..');

const commands = commandsOf(deploymentText);

/** Commands of the pages that begin with a program. */
const commandsWith = (program: string): string[] => commands.filter((command) => command.startsWith(`${program} `));

/** Runs a command of the pages in a shell, in the folder of the repository. Rejects if it fails. */
async function runCommand(command: string): Promise<string> {
  return (await promisify(execFile)('/bin/sh', ['-c', command], { cwd: ROOT })).stdout;
}

describe('the commands of the pages about deployment', () => {
  it.each([programs.promtool, programs.caddy])(
    'that check a file of deploy/ with $command succeed',
    async ({ command }) => {
      const found = commandsWith(command);
      expect(found).not.toEqual([]);
      for (const each of found) await runCommand(each);
    },
  );

  it('are valid in a shell', async () => {
    expect(commands.length).toBeGreaterThan(20);
    for (const command of commands) await promisify(execFile)('/bin/sh', ['-n', '-c', command]);
  });
});

describe('the curl commands of the pages about deployment', () => {
  const addresses: [documented: string, actual: string][] = [];
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const upstream = await startUpstream(directoryUpstream([{ 'short-team-name': 'ONE' }]));
    const redis = await startRedis();
    const program = await serve({
      cache: { redis: `redis://127.0.0.1:${redis.port}` },
      server: { port: 0 },
      admin: { port: 0 },
      sources: { harbour: { number: 1, directory: upstream.address } },
    });
    const { public: address, admin } = await program.line('listening');
    const listed = ['http://127.0.0.1:8080', 'https://rollcall.example.org'];
    addresses.push(...listed.map((documented) => [documented, String(address)] satisfies [string, string]));
    addresses.push(['http://127.0.0.1:9090', String(admin)]);
    await program.line('ready');
    const readMetrics = async (): Promise<string> => (await fetch(`${String(admin)}/metrics`)).text();
    await vi.waitUntil(async () => (await readMetrics()).includes('rollcall_shared_memory_up 1'), { timeout: 20_000 });
    stop = async () => {
      await cleanUp();
      await redis.close();
      await upstream.close();
    };
  });

  afterAll(() => stop());

  it('print that the process is ready, the states of its sources, and whether it shares its snapshots', async () => {
    const outputs = [];
    for (const command of commandsWith(programs.curl.command))
      outputs.push(await runCommand(addresses.reduce((text, [from, to]) => text.replace(from, to), command)));
    const isFresh: unknown = expect.stringMatching(/^Source-Status: harbour;state=fresh;records=1/m);
    const isShared: unknown = expect.stringMatching(/^rollcall_shared_memory_up 1$/m);
    expect(outputs).toEqual(['ready\n', isFresh, isShared, isFresh]);
  });
});
