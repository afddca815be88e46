import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { cleanUp } from '../../cli/rollcall-process.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { sendPlainRequest } from '../../support/http/plain-request.js';
import type { PlainReply } from '../../support/http/plain-request.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { membersUpstream } from '../../support/upstream/members-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import type { StartedProgram } from '../started-program.js';
import { createSecrets, redisAddress, startBalancer, startInstances, startValkey } from './balanced-instances.js';
import type { Instance, StartedBalancer } from './balanced-instances.js';
import { HOST, PROOF, PROOF_TARGET, sendOverHttp2 } from './https-proxies.js';
import type { Http2Reply } from './https-proxies.js';

const TOKEN = 'token-of-this-gateway';

/** A team that members see only. */
const FOR_MEMBERS = 'TEAM FOR MEMBERS';

/** Requests while instances end, and how many are in progress at a time. */
const [REQUESTS, CONCURRENT] = [1_200, 8];

const teams = (name: string): RequestHandler => directoryUpstream([{ 'short-team-name': name }]);

let upstreams: Readonly<Record<'lasting' | 'brief' | 'members', UpstreamServer>>;
let valkey: StartedProgram;
let instances: readonly Instance[];
let balancer: StartedBalancer;

const get = (target: string, headers?: Readonly<Record<string, string>>): Promise<Http2Reply> =>
  sendOverHttp2(balancer, target, headers);

/** Whether nginx has stored a text in its cache. */
function isStored(text: string): boolean {
  const files = readdirSync(balancer.cache, { recursive: true }).map((file) => join(balancer.cache, String(file)));
  return files.some((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}

async function startUpstreams(): Promise<typeof upstreams> {
  const area = { authorization: `Bearer ${TOKEN}`, teams: [{ id: 'b', team: FOR_MEMBERS }] };
  return {
    lasting: await startUpstream(teams('LASTING')),
    brief: await startUpstream(teams('BEFORE')),
    members: await startUpstream(membersUpstream({ teams: [{ id: 'a', team: 'FOR ALL' }] }, area)),
  };
}

const configOf = (redis: string): object => ({
  server: { name: HOST, port: 0, 'public-url': `https://${HOST}`, 'trust-proxy': ['loopback'] },
  admin: { port: 0 },
  access: ACCESS,
  cache: { redis, 'redis-key': 'key of the entries in the shared memory' },
  sources: {
    lasting: { number: 1, directory: upstreams.lasting.address, ttl: '10m' },
    brief: { number: 2, directory: upstreams.brief.address, ttl: '2s' },
    members: {
      number: 3,
      'source-name': 'Members',
      data: upstreams.members.address,
      resources: ['teams'],
      credentials: { members: { bearer: TOKEN } },
    },
  },
});

beforeAll(async () => {
  const secrets = mkdtempSync(join(tmpdir(), 'rollcall-secrets-'));
  createSecrets(secrets);
  valkey = await startValkey(secrets);
  upstreams = await startUpstreams();
  instances = await startInstances(3, configOf(redisAddress(valkey, secrets)));
  balancer = await startBalancer(instances.map(({ port }) => port));
  return async () => {
    await balancer.close();
    await cleanUp();
    await valkey.close();
    await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
    rmSync(secrets, { recursive: true });
  };
}, 120_000);

describe('three instances behind deploy/nginx/balancer.conf, with the Valkey of deploy/valkey/', () => {
  it('reach their shared memory', async () => {
    const readMetric = async ({ admin }: Instance): Promise<string | undefined> =>
      /^rollcall_shared_memory_up .*$/m.exec(await (await fetch(`${admin}/metrics`)).text())?.[0];
    for (const instance of instances)
      await expect.poll(() => readMetric(instance), { timeout: 20_000 }).toBe('rollcall_shared_memory_up 1');
  });

  it('serve a cached response as long as its Cache-Control allows, and the changed records afterwards', async () => {
    const target = '/directory/v1/teams?source-name=brief';
    const fresh = await get(target);
    expect([fresh.headers['x-cache'], String(fresh.body)]).toEqual(['MISS', expect.stringContaining('BEFORE')]);
    // While a list is refreshed, its responses are not stored.
    await expect.poll(async () => (await get(target)).headers['x-cache'], { timeout: 30_000 }).toBe('HIT');
    const untilBody = (text: string): Promise<void> =>
      expect
        .poll(
          async () => {
            const { status, body } = await get(target);
            return [status, String(body).includes(text)];
          },
          { timeout: 30_000 },
        )
        .toEqual([200, true]);
    upstreams.brief.handler = teams('AFTER');
    await untilBody('AFTER');
    // Every instance has the changed list by now, or serves the one before no longer than its Cache-Control allows.
    await pause(5_000);
    for (let request = 0; request < 20; request += 1) expect(String((await get(target)).body)).toContain('AFTER');
  });

  it('let an ACME authority request its files over plain HTTP, and redirect other requests', async () => {
    const sendPlain = (target: string): Promise<PlainReply> =>
      sendPlainRequest(balancer.plainPort, { method: 'GET', target, headers: { host: HOST } });
    expect(String((await sendPlain(PROOF_TARGET)).body)).toBe(PROOF);
    expect((await sendPlain('/')).headers.location).toBe(`https://${HOST}/`);
  });

  it('share no response to members: nginx neither stores nor serves it', async () => {
    const target = '/data/v1/teams?scope=members&source-name=Members';
    for (let request = 0; request < 6; request += 1) {
      const { status, headers, body } = await get(target, AS_MEMBER);
      expect([status, headers['cache-control'], headers['x-cache']]).toEqual([200, 'private, no-store', 'BYPASS']);
      expect(String(body)).toContain(FOR_MEMBERS);
    }
    const refused = await get(target);
    expect([refused.status, String(refused.body)]).toEqual([401, expect.not.stringContaining(FOR_MEMBERS)]);
    await get('/directory/v1/teams?source-name=lasting');
    expect([isStored('LASTING'), isStored(FOR_MEMBERS)]).toEqual([true, false]);
  });

  // The last test, because it ends instances.
  it('answer every request while one of them is killed, and while another one stops', async () => {
    const [killed, stopped] = instances.map(({ program }) => program);
    const failed: unknown[] = [];
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent < REQUESTS) {
        sent += 1;
        if (sent === REQUESTS / 3) killed?.kill('SIGKILL');
        if (sent === (2 * REQUESTS) / 3) stopped?.kill('SIGTERM');
        // Each target is another one, so that nginx requests an instance.
        const { status, headers, body } = await get(`/directory/v1/teams?source-name=lasting&_=${sent}`);
        if (status !== 200 || !String(body).includes('LASTING')) failed.push([sent, status, headers, String(body)]);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, client));
    expect(failed).toEqual([]);
    expect([await killed?.exit, await stopped?.exit]).toEqual([null, 0]);
  });
});
