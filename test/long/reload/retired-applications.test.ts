import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ServerProcess } from '../../../src/cli/serve/server-process.js';
import type { RunningApp } from '../../../src/cli/serve/running-app.js';
import type { Config } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import { createMetrics } from '../../../src/events/metrics.js';

const RELOADS = 50;

setFlagsFromString('--expose-gc');
const collectGarbage = readCollector(runInNewContext('gc'));

function readCollector(gc: unknown): () => void {
  if (typeof gc !== 'function') throw new Error('no garbage collection');
  return () => {
    Reflect.apply(gc, undefined, []);
  };
}

function configure(round: number, address: string): Config {
  const parsed = parseConfig(
    JSON.stringify({
      server: { port: 0, 'trust-proxy': round % 2 === 0 ? [] : ['loopback'], limits: { rate: '1000/1s' } },
      admin: { port: 0 },
      access: { clients: [{ name: 'one', 'key-sha256': 'a'.repeat(64), access: 'members' }] },
      sources: {
        alpha: { number: 1, directory: address, ttl: `${1 + (round % 7)}m` },
        ...(round % 2 === 0 && { beta: { number: 2, directory: `${address}/other` } }),
      },
    }),
    {},
  );
  if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

it('fifty reloads leave nothing of the earlier applications in memory', async () => {
  const records = Array.from({ length: 200 }, (_, at) => ({ 'short-team-name': `Team ${at}` }));
  const upstream = await startUpstream(directoryUpstream(records));
  const metrics = createMetrics({ ofProcess: false });
  const server = new ServerProcess({
    file: 'rollcall.yaml',
    program: { version: '0.0.0', build: 'a' },
    log: { setLevel: () => undefined },
    publish: metrics.note,
    metrics,
  });
  await server.open(configure(0, upstream.address));
  await server.warmUp();
  const applications: WeakRef<RunningApp>[] = [];
  const listeners = process.listenerCount('SIGTERM');
  for (let round = 1; round <= RELOADS; round += 1) {
    applications.push(new WeakRef(server.current));
    await server.replace(configure(round, upstream.address));
    for (const path of ['/directory/v1/teams', '/data/v1/teams', '/']) {
      const response = await fetch(server.urls.public + path);
      await response.text();
      expect(response.status).toBe(200);
    }
  }
  // An abort signal with a deadline keeps what waits for it until the deadline has passed.
  await sleep(12_000);
  for (let time = 0; time < 5; time += 1) {
    collectGarbage();
    await sleep(10);
  }
  expect(applications.filter((application) => application.deref() !== undefined).length).toBeLessThanOrEqual(1);
  expect(process.listenerCount('SIGTERM')).toBe(listeners);
  await server.stop();
  await upstream.close();
});
