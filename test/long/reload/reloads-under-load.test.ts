import { rename, writeFile } from 'node:fs/promises';
import { Agent, request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../../cli/rollcall-process.js';
import type { Program } from '../../cli/rollcall-process.js';

const RELOADS = 50;
const CLIENTS = 8;
const TEST_TIMEOUT = 300_000;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** Starts a repository with some teams, of which each response takes a few milliseconds. */
async function startRepository(name: string): Promise<string> {
  const records = Array.from({ length: 50 }, (_, at) => ({ 'short-team-name': `${name} ${at}` }));
  const handler: RequestHandler = (query, response) => {
    setTimeout(() => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(query.query.get('offset') === '0' ? records : []));
    }, 20);
  };
  const upstream = await startUpstream(handler);
  closers.push(() => upstream.close());
  return upstream.address;
}

/** The configuration of one reload: a source comes and goes, another changes its credentials, and times change. */
function configure(round: number, [alpha, beta, gamma]: readonly string[], ports: object): object {
  return {
    ...ports,
    defaults: { ttl: `${1 + (round % 3)}s`, 'stale-while-revalidate': '0s' },
    sources: {
      alpha: { number: 1, directory: alpha },
      beta: { number: 2, directory: beta, credentials: { public: { bearer: `secret-${round % 4}` } } },
      ...(round % 2 === 1 && { gamma: { number: 3, directory: gamma } }),
    },
  };
}

async function replaceFile({ file }: Program, content: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(content));
  await rename(`${file}.new`, file);
}

/** Sends requests one after the other on a persistent connection until `isDone`, and returns what was wrong with responses. */
async function sendRequests(url: string, isDone: () => boolean): Promise<{ sent: number; faults: readonly string[] }> {
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const faults: string[] = [];
  let sent = 0;
  for (; !isDone(); sent += 1) {
    const query = sent % 3 === 0 ? `&q=${sent}` : '';
    try {
      const { statusCode, headers, body } = await request(`${url}?limit=5${query}`, { dispatcher });
      await body.text();
      const states = String(headers['source-status']);
      if (statusCode !== 200 || /state=(?!fresh|stale|excluded)/.test(states)) faults.push(`${statusCode} ${states}`);
    } catch (error) {
      faults.push(String(error));
    }
  }
  await dispatcher.close();
  return { sent, faults };
}

/** The value of a metric without labels. */
async function metric(admin: string, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`, { headers: { Connection: 'close' } })).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

it(
  'fifty reloads under load lose no request, and leave no file open',
  async () => {
    const addresses = await Promise.all(['ALPHA', 'BETA', 'GAMMA'].map(startRepository));
    const ports = { server: { port: 0, log: 'errors' }, admin: { port: 0 } };
    const program = await serve(configure(0, addresses, ports));
    const listening = await program.line('listening');
    await program.line('ready');
    const admin = String(listening['admin']);
    const url = `${String(listening['public'])}/directory/v1/teams`;
    let isDone = false;
    const clients = Array.from({ length: CLIENTS }, () => sendRequests(url, () => isDone));
    let openFiles = 0;
    for (let round = 1; round <= RELOADS; round += 1) {
      await replaceFile(program, configure(round, addresses, ports));
      if (round % 5 === 0) program.kill('SIGHUP');
      await program.line('configuration reloaded', round - 1);
      if (round === 5) openFiles = await metric(admin, 'process_open_fds');
    }
    isDone = true;
    const results = await Promise.all(clients);
    expect(results.flatMap(({ faults }) => faults)).toEqual([]);
    expect(results.every(({ sent }) => sent > RELOADS)).toBe(true);
    expect(await metric(admin, 'process_open_fds')).toBeLessThanOrEqual(openFiles + 10);
    // The threads of searches need the compiled program.
    const isWarning = ({ level, msg }: Readonly<Record<string, unknown>>): boolean =>
      Number(level) >= 40 && msg !== 'source not indexed';
    expect(program.lines.filter(isWarning)).toEqual([]);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  },
  TEST_TIMEOUT,
);
