import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listNumbers } from '../src/config/source-number-changes.js';
import { systemClock } from '../src/model/clock.js';
import { ListFolder } from '../src/lists/store/disk/list-folder.js';
import type { Figure } from './bounds.js';
import { configOf, openGateway } from './harness/in-process-gateway.js';
import type { InProcessGateway } from './harness/in-process-gateway.js';
import { longestBlock, median, timeOf } from './harness/measure.js';
import { withFleet } from './harness/source-fleet.js';
import { exchange } from './serving/http-exchange.js';
import { startGateway } from './serving/server-processes.js';
import type { ServerProcess } from './serving/server-processes.js';
import { directory } from './subjects/directory.js';

const FLEET = { subject: directory.name, sources: 20, records: 5_000 };

/** Starts of the program, of which the median counts. */
const STARTS = 3;

/**
 * Milliseconds from the start of the built program until it has answered a query over 100,000 records of 20 sources from
 * snapshots on disk, while all sources are down; and the longest turn of the event loop while snapshots are saved and
 * restored.
 */
export async function restart(): Promise<Figure[]> {
  const path = mkdtempSync(join(tmpdir(), 'rollcall-restart-'));
  try {
    const { ports, save } = await withFleet(FLEET, async (upstreams) => ({
      ports: upstreams.ports,
      save: await longestBlock(() => withFolder(path, upstreams.ports, (app) => app.warmUp())),
    }));
    const load = await longestBlock(() => withFolder(path, ports, (app) => app.restore()));
    const times: number[] = [];
    for (let start = 0; start < STARTS; start += 1) times.push(await timeUntilAnswer(path, ports));
    return [
      { name: 'restart, until the first answer, sources down', value: median(times), bound: 'restart' },
      { name: 'longest turn while snapshots are saved, drain included', value: save, bound: 'block' },
      { name: 'longest turn while snapshots are restored', value: load, bound: 'block' },
    ];
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** Does some work with a gateway that keeps its snapshots in a folder, and closes both. */
async function withFolder(
  path: string,
  ports: readonly number[],
  work: (app: InProcessGateway['app']) => Promise<void>,
): Promise<void> {
  const config = configOf(FLEET.subject, ports);
  const shown = { configuration: '', numbers: listNumbers(config) };
  const listFolder = await ListFolder.open({ path, ...shown, clock: systemClock, publish: () => undefined });
  const gateway = await openGateway(config, { listFolder });
  await work(gateway.app);
  await gateway.close();
  await listFolder.close();
}

async function timeUntilAnswer(path: string, ports: readonly number[]): Promise<number> {
  const started: ServerProcess[] = [];
  const time = await timeOf(async () => {
    const sections = [`cache: { memory: 1GiB, disk: ${path} }`];
    const gateway = await startGateway(ports, { sections, until: 'listening' });
    started.push(gateway);
    const { status, headers } = await exchange(`${gateway.origin}/directory/v1/teams?q=health&limit=1`);
    const states = headers[headers.indexOf('Source-Status') + 1] ?? '';
    if (status !== 200 || states.split('records=5000').length !== FLEET.sources + 1)
      throw new Error(`not an answer from all snapshots: ${status} ${states}`);
  });
  await Promise.all(started.map((gateway) => gateway.close()));
  return time;
}
