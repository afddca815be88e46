import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { cleanUp, serve } from '../../cli/rollcall-process.js';
import { ACCESS, AS_MEMBER, bearer } from '../../support/gateway/members-gateway.js';
import { createCertificateAuthority } from '../../support/tls/certificate-authority.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { membersUpstream } from '../../support/upstream/members-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { startRedis } from '../redis/redis-server.js';

/** A Rollcall process whose clients and sources cause events for every metric. */
export interface MonitoredGateway {
  /** Host and port of the admin port. */
  readonly adminAddress: string;
  close(): Promise<void>;
}

const TOKEN = 'token-of-this-gateway';

/** More than may wait on one connection, which is then closed. */
const PIPELINED = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000);

/** Pause between two rounds of requests, in milliseconds. */
const ROUND = 300;

/** Requests of one round, with their header fields. The target without a key is refused by the rate limit after some rounds. */
const REQUESTS: readonly (readonly [target: string, headers?: Readonly<Record<string, string>>])[] = [
  // This source ignores the filter that it is declared to have. Later its complete list is cached.
  ['/directory/v1/teams?source-name=liar&country-code=DK', AS_MEMBER],
  ['/data/v1/teams'],
  ['/data/v1/teams?scope=members', AS_MEMBER],
  ['/data/v1/teams?scope=members&source-name=Members', AS_MEMBER],
  ['/directory/v1/teams?contry=DK', AS_MEMBER],
  ['/directory/v1/teams?source-name=failing', AS_MEMBER],
  ['/directory/v1/teams', bearer('unknown')],
];

/** Starts a gateway over sources that work, fail, lie and have a certificate, and its clients. */
export async function startMonitoredGateway(): Promise<MonitoredGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-monitored-'));
  const upstreams = await startSources(folder);
  const redis = await startRedis();
  const program = await serve({
    cache: { redis: `redis://127.0.0.1:${redis.port}`, disk: join(folder, 'snapshots') },
    server: { port: 0, limits: { rate: '10/1m' } },
    admin: { port: 0 },
    access: ACCESS,
    defaults: { ttl: '1s', 'stale-while-revalidate': '0s' },
    sources: registrations(upstreams, join(folder, 'authority.pem')),
  });
  const listening = await program.line('listening');
  await program.line('ready');
  await damageLists(redis.port);
  const address = String(listening['public']);
  const stop = new AbortController();
  const clients = sendRequests(address, stop.signal);
  return {
    adminAddress: new URL(String(listening['admin'])).host,
    close: async () => {
      stop.abort();
      await clients;
      await cleanUp();
      await redis.close();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
      rmSync(folder, { recursive: true });
    },
  };
}

/** Overwrites the lists in the shared memory with newer ones, which the gateway refuses when its own are stale. */
async function damageLists(port: number): Promise<void> {
  const client = new Redis(port, '127.0.0.1');
  const later = String(Date.now() + 3_600_000);
  for (const key of await client.keys('*:copy:*'))
    await client.hset(key, { head: 'damaged', verifiedAt: later, staleAt: later });
  client.disconnect();
}

type Sources = Readonly<Record<'members' | 'failing' | 'liar' | 'secure', UpstreamServer>>;

async function startSources(folder: string): Promise<Sources> {
  const authority = createCertificateAuthority();
  writeFileSync(join(folder, 'authority.pem'), authority.cert);
  const teams = Array.from({ length: 50 }, (_, at) => ({
    'short-team-name': `team ${at}`,
    'country-code': at % 2 ? 'DK' : 'NO',
  }));
  const area = {
    authorization: `Bearer ${TOKEN}`,
    teams: [
      { id: 'a', team: 'ALPHA' },
      { id: 'b', team: 'BETA' },
    ],
  };
  // Without a country: a finding.
  const members = membersUpstream({ teams: [{ id: 'a', team: 'ALPHA', country: 7 }] }, area);
  return {
    members: await startUpstream(members),
    failing: await startUpstream(faulty.status(500)),
    liar: await startUpstream(directoryUpstream(teams)),
    secure: await startUpstream(directoryUpstream(teams), authority.issue('secure.example.org')),
  };
}

function registrations({ members, failing, liar, secure }: Sources, ca: string): object {
  const supports = { teams: { filters: ['country-code'], sort: ['short-team-name'], total: true } };
  return {
    members: {
      number: 1,
      'source-name': 'Members',
      data: members.address,
      resources: ['teams'],
      credentials: { members: { bearer: TOKEN } },
    },
    failing: { number: 2, directory: failing.address, retries: 4 },
    liar: { number: 3, directory: liar.address, 'drain-threshold': 10, supports },
    secure: { number: 4, directory: secure.address, tls: { ca } },
  };
}

/** Sends all requests again and again, and too many on one connection, until the signal. */
async function sendRequests(address: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(
      REQUESTS.map(async ([target, headers = {}]) => {
        await (await fetch(address + target, { headers })).text();
      }),
    );
    const socket = openConnection(address);
    socket.write(PIPELINED);
    await pause(ROUND);
    socket.destroy();
  }
}

function openConnection(address: string): Socket {
  const { hostname, port } = new URL(address);
  // The gateway closes it.
  return connect(Number(port), hostname).on('error', () => undefined);
}
