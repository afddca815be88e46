import { once } from 'node:events';
import { Agent, get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { startBalancer } from '../deploy/balanced-instances.js';
import type { StartedBalancer } from '../deploy/balanced-instances.js';
import { HOST } from '../deploy/https-proxies.js';
import { startRedis } from '../redis/redis-server.js';
import type { StartedProgram } from '../started-program.js';
import { configureSharing, startSharing } from './sharing-instances.js';
import type { SharingInstance } from './sharing-instances.js';
import { VersionedSource, readVersions } from './versioned-source.js';

/** Requests in a second, and seconds of requests at least. The variables are for a measurement (bench/README.md). */
const RATE = Number(process.env['ROLLING_RATE'] ?? 100);
const SECONDS = Number(process.env['ROLLING_SECONDS'] ?? 15);

/** Milliseconds of `ttl` and `stale-while-revalidate`, and those that a drain may take on a busy machine. */
const [TTL, REVALIDATION, MAX_DRAIN] = [2_000, 2_000, 1_000];

/** Milliseconds between two batches of requests. */
const BATCH_INTERVAL = 10;

let redis: StartedProgram;
let sources: readonly VersionedSource[];
let instances: SharingInstance[];
let balancer: StartedBalancer;
let agent: Agent;

const configure = (port: number): object => ({
  ...configureSharing(sources, {
    cache: { redis: `redis://127.0.0.1:${redis.port}` },
    defaults: { ttl: `${TTL}ms`, 'stale-while-revalidate': `${REVALIDATION}ms` },
  }),
  server: { name: HOST, port, log: 'none', 'public-url': `https://${HOST}`, 'trust-proxy': ['loopback'] },
});

beforeAll(async () => {
  redis = await startRedis();
  sources = await Promise.all(['A', 'B', 'C'].map((name) => VersionedSource.open(name)));
  instances = [...(await startSharing(3, configure(0)))];
  balancer = await startBalancer(instances.map(({ port }) => port));
  agent = new Agent({ keepAlive: true, maxSockets: 64, ca: balancer.authority(), servername: HOST });
}, 120_000);

afterAll(async () => {
  agent.destroy();
  await balancer.close();
  await cleanUp();
  await redis.close();
  await Promise.all(sources.map((source) => source.close()));
});

/** Sends requests at a steady rate until it is stopped, and checks the responses. */
class SteadyLoad {
  readonly failures: string[] = [];
  sent = 0;
  private readonly pending = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private readonly begin = performance.now();

  constructor(rate: number) {
    this.timer = setInterval(() => {
      for (const due = ((performance.now() - this.begin) * rate) / 1_000; this.sent < due; this.sent += 1) this.send();
    }, BATCH_INTERVAL);
  }

  /** Waits for the last responses. Returns how many requests were sent in a second. */
  async stop(): Promise<number> {
    clearInterval(this.timer);
    const rate = this.sent / ((performance.now() - this.begin) / 1_000);
    await Promise.all(this.pending);
    return rate;
  }

  private send(): void {
    const sending = this.exchange(this.sent)
      .catch((error: unknown) => void this.failures.push(String(error)))
      .finally(() => this.pending.delete(sending));
    this.pending.add(sending);
  }

  private async exchange(number: number): Promise<void> {
    const sentAt = Date.now();
    // Each target is another one, so that nginx requests an instance.
    const path = `/directory/v1/teams?_=${number}`;
    const request = get({ host: '127.0.0.1', port: balancer.port, path, agent, headers: { host: HOST } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode ?? 0}: ${text}`);
    const versions = readVersions(text);
    for (const source of sources) {
      const version = versions.get(source.name);
      if (version === undefined || !source.served(version, sentAt - TTL - REVALIDATION - MAX_DRAIN, Date.now()))
        throw new Error(`${source.name} has version ${source.version}, the answer ${version ?? 'none'}`);
    }
  }
}

/** Stops an instance in an orderly way, and starts one in its place. */
async function replace(at: number): Promise<void> {
  const instance = instances[at];
  if (instance === undefined) throw new Error('no instance');
  instance.program.kill('SIGTERM');
  expect(await instance.program.exit).toBe(0);
  const [started] = await startSharing(1, configure(instance.port));
  if (started === undefined) throw new Error('no instance was started');
  instances[at] = started;
  await pause(1_000);
}

describe('a rolling restart of three instances behind deploy/nginx/balancer.conf', () => {
  it(
    'fails no request, and no answer is older than the times of its sources allow',
    async () => {
      const load = new SteadyLoad(RATE);
      const end = performance.now() + SECONDS * 1_000;
      let turn = 0;
      const changes = setInterval(() => sources[(turn += 1) % sources.length]?.change(), 700);
      for (let restarts = 0; restarts < instances.length || performance.now() < end; restarts += 1)
        await replace(restarts % instances.length);
      const rate = await load.stop();
      clearInterval(changes);
      if (process.env['ROLLING_RATE'] !== undefined)
        console.log(`${load.sent} requests, ${rate.toFixed(0)} in a second`);
      expect(load.failures).toEqual([]);
      expect(load.sent).toBeGreaterThan(0);
    },
    (SECONDS + 120) * 1_000,
  );
});
