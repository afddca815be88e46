import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { freePort } from '../support/free-port.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import { cleanUp, serve } from '../cli/rollcall-process.js';

const MEMORY = 64 * 2 ** 20;

/**
 * Bytes that the process may use in addition to `cache.memory`: 173 MB were measured, of which Node.js and the program take
 * about 55 MB before the first request, and the threads that index the records for searches about 50 MB. Each of the 4,800 responses has some megabytes.
 */
const OVERHEAD = 200e6;

/** Timeout of the test, which builds the program, in milliseconds. */
const TEST_TIMEOUT = 300_000;

const CONNECTIONS = 6;
const REQUESTS = 800;

afterEach(cleanUp);

/** Peak resident memory of a process in bytes. */
function peakResident(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** Opens a connection that pipelines requests for the same large response under different targets, and reads nothing. */
async function flood(port: number, first: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).pause();
  const targets = Array.from({ length: REQUESTS }, (_, at) => `/data/v1/teams.xml?limit=10000&_=${first + at}`);
  socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  return socket;
}

it(
  'bounds the memory of pipelined requests whose large responses the client does not read',
  async () => {
    const records = Array.from({ length: 10_000 }, (_, at) => ({
      'short-team-name': `Team ${at}`,
      'official-team-name': `Emergency Response Team Number ${at}`,
      'country-code': 'NO',
      email: `team-${at}@example.org`,
      host: `Institute ${at % 100}`,
      website: [`https://team-${at}.example.org/`],
      'constituency-description': 'Everybody who is connected. '.repeat(5),
    }));
    const upstream = await startUpstream(directoryUpstream(records));
    const [port, adminPort] = [await freePort(), await freePort()];
    const program = await serve({
      server: { port, log: 'none' },
      admin: { port: adminPort },
      cache: { memory: MEMORY },
      sources: { first: { number: 1, directory: upstream.address } },
    });
    const { pid = 0 } = program;
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => flood(port, at * REQUESTS)));
    // Long enough for Rollcall to respond to all of them if it did not wait for the client to read.
    await sleep(5_000);
    const peak = peakResident(pid);
    const response = await fetch(`http://127.0.0.1:${port}/directory/v1/teams?limit=1`);
    for (const socket of sockets) socket.destroy();
    await upstream.close();
    expect(response.status).toBe(200);
    expect(peak - MEMORY).toBeLessThan(OVERHEAD);
  },
  TEST_TIMEOUT,
);
