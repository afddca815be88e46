import { readFileSync } from 'node:fs';
import { timeOf } from './harness/measure.js';
import { withFleet } from './harness/source-fleet.js';
import type { Upstreams } from './harness/source-fleet.js';
import { exchange } from './serving/http-exchange.js';
import { CLIENT_CORE, startGateway } from './serving/server-processes.js';
import type { ServerProcess } from './serving/server-processes.js';
import { requestsTo } from './serving/wrk.js';

/** Teams of each source. */
const RECORDS = 100;

/** Value of `cache.memory`. */
const MEMORY = '1GiB';

const TEAMS = '/directory/v1/teams';

/** Searches that are measured, each for another number, after one that prepares the records. */
const SEARCHES = 20;

/** Clock ticks in a second of /proc/PID/stat. */
const TICKS = 100;

/** Seconds of CPU time of a process so far, of all its threads. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** A size of /proc/PID/status, in MiB. */
function mebibytes(pid: number, name: string): number {
  const [, kibibytes] =
    new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

function print(name: string, value: number, unit: string): void {
  console.log(`  ${name.padEnd(64)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}`);
}

/** Prints what one process over a number of sources takes (docs/deployment.md, "What to expect"). */
async function measure(sources: number): Promise<void> {
  console.log(`\n${sources} sources of ${RECORDS} teams, cache.memory ${MEMORY}`);
  await withFleet({ subject: 'directory', sources, records: RECORDS, core: CLIENT_CORE }, async (upstreams) => {
    const started: ServerProcess[] = [];
    const time = await timeOf(async () => {
      started.push(await startGateway(upstreams.ports, { sections: [`cache: { memory: ${MEMORY} }`] }));
    });
    for (const gateway of started) {
      print('from the start until ready', time / 1_000, 's');
      await measureGateway(gateway, upstreams);
      await gateway.close();
    }
  });
}

async function measureGateway(gateway: ServerProcess, upstreams: Upstreams): Promise<void> {
  const { origin, pid } = gateway;
  print('CPU time until ready', cpuSeconds(pid), 's');
  print('requests to sources until ready', await upstreams.requests(), '');
  print('resident memory when ready', mebibytes(pid, 'VmRSS'), 'MiB');
  const { headers } = await exchange(`${origin}${TEAMS}?limit=0`);
  print('teams', Number(headers[headers.indexOf('X-Total-Count') + 1]), '');
  const cached = await cpuPerRequest(gateway, () => requestsTo(gateway, { target: TEAMS, kind: 'header' }, 0));
  print('CPU time of the first 100 teams, from the response cache', cached, 'ms');
  await search(gateway, 0);
  const searched = await cpuPerRequest(gateway, async () => {
    for (let number = 1; number <= SEARCHES; number += 1) await search(gateway, number);
    return SEARCHES;
  });
  print('CPU time of 20 teams of a search for the first time', searched, 'ms');
  print('resident memory afterwards, at most', mebibytes(pid, 'VmHWM'), 'MiB');
  print('requests to sources, all', await upstreams.requests(), '');
}

/** Milliseconds of CPU time of a gateway for each of the requests whose number is returned. */
async function cpuPerRequest({ pid }: ServerProcess, sendRequests: () => Promise<number>): Promise<number> {
  const before = cpuSeconds(pid);
  const requests = await sendRequests();
  return ((cpuSeconds(pid) - before) * 1_000) / requests;
}

async function search({ origin }: ServerProcess, number: number): Promise<void> {
  const { status } = await exchange(`${origin}${TEAMS}?limit=20&q=${100 + number}`);
  if (status !== 200) throw new Error(`status ${status}`);
}

for (const argument of process.argv.slice(2)) await measure(Number(argument));
