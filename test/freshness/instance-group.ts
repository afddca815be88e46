import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { MemoryStore } from '../support/gateway/sharing/memory-store.js';
import { joinMemory } from '../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../support/gateway/sharing/shared-instances.js';
import { silentLog } from '../support/silent-log.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { status } from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

/** How a group of instances starts. */
export interface GroupOptions {
  /** Milliseconds by which the clock of each instance is ahead of that of the shared memory. */
  readonly ahead?: readonly number[];
  /** Settings of the source. */
  readonly source?: object;
}

/** One instance of a group. */
export interface GroupMember {
  readonly gateway: TestGateway;
  readonly shared: SharedInstance;
  /** Requests all teams. */
  get(headers?: Readonly<Record<string, string>>): Promise<GatewayResponse>;
}

/** Several instances with one source and one shared memory, whose time passes only by `pass`. */
export interface InstanceGroup {
  readonly members: readonly [GroupMember, GroupMember];
  readonly memory: MemoryStore;
  readonly upstream: UpstreamServer;
  /** Lets time pass in steps, in which each instance reports and works in the background. */
  pass(milliseconds: number, step?: number): Promise<void>;
  /** Lets the source have a team with this name and no other. */
  setTeam(name: string): void;
  close(): Promise<void>;
}

/** Real milliseconds in which instances do what there is to do in the background. */
const BACKGROUND_MS = 6;

/** Starts two instances with a source whose records are fresh for 10 seconds, and are served for 5 minutes more. */
export async function openGroup({ ahead = [0, 0], source = {} }: GroupOptions = {}): Promise<InstanceGroup> {
  const clock = fakeClock();
  const memory = new MemoryStore(clock);
  const upstream = await startUpstream(status(500));
  const start = async (difference = 0): Promise<GroupMember> => {
    const ownClock = { now: () => clock.now() + difference };
    const shared = await joinMemory(memory, { clock: ownClock });
    const gateway = await startGateway(setupFor(upstream, source), {
      clock: ownClock,
      log: silentLog,
      sharedMemory: shared.view,
    });
    return { gateway, shared, get: (headers) => gateway.get('/directory/v1/teams', headers) };
  };
  const members = [await start(ahead[0]), await start(ahead[1])] as const;
  const group: InstanceGroup = {
    members,
    memory,
    upstream,
    pass: async (milliseconds, step = milliseconds) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        clock.advance(step);
        await sleep(BACKGROUND_MS);
      }
    },
    setTeam: (name) => {
      upstream.handler = directoryUpstream([{ 'short-team-name': name, host: 'h', 'country-code': 'PT' }]);
    },
    close: async () => {
      for (const { gateway, shared } of members) {
        await gateway.close();
        await shared.close();
      }
      await upstream.close();
    },
  };
  group.setTeam('First');
  await group.pass(1_500);
  return group;
}

function setupFor(upstream: UpstreamServer, source: object): Parameters<typeof startGateway>[0] {
  return {
    server: { name: 'rollcall-group' },
    defaults: { ttl: '10s', 'stale-while-revalidate': '30s', 'stale-if-error': '5m', retries: 0 },
    sources: { one: { directory: `${upstream.address}/directory`, ...source } },
  };
}

/** The name of the only team, and the date of a response in milliseconds since 1970 if it has one. */
export function read({ json, headers }: GatewayResponse): { readonly name: unknown; readonly date?: number } {
  const [team] = Array.isArray(json) ? (json as unknown[]) : [];
  const date = headers.get('last-modified');
  const name = typeof team === 'object' && team !== null && 'short-team-name' in team ? team['short-team-name'] : '';
  return { name, ...(date !== null && { date: Date.parse(date) }) };
}
