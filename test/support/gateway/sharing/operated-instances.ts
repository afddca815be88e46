import { openAdminPortOf } from '../admin-port.js';
import { ADMIN_SETTINGS } from '../../admin/sources-report.js';
import { fakeClock } from '../../fake-clock.js';
import type { FakeClock } from '../../fake-clock.js';
import { startGateway } from '../test-gateway.js';
import type { TestGateway } from '../test-gateway.js';
import { dataUpstream } from '../../upstream/data-upstream.js';
import { startUpstream } from '../../upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../upstream/upstream-server.js';
import { MemoryRedis } from './memory-redis.js';
import { joinMemory } from './shared-instances.js';
import type { SharedInstance } from './shared-instances.js';

/** One of several instances of a gateway, with its admin port. */
export interface OperatedInstance {
  readonly gateway: TestGateway;
  readonly shared: SharedInstance;
  /** Origin of the admin port. */
  readonly admin: string;
  /** Value of Source-Status of the list of teams. */
  readonly ask: () => Promise<string>;
}

/** Several instances of a gateway over the source `one`, which has a list of teams, in one shared memory. */
export interface OperatedInstances {
  readonly instances: readonly [OperatedInstance, OperatedInstance, OperatedInstance];
  readonly one: UpstreamServer;
  readonly clock: FakeClock;
}

const open: { close(): Promise<void> }[] = [];

/** Closes all instances that `startInstances` has started, and their source. */
export async function closeInstances(): Promise<void> {
  for (const one of open.splice(0).reverse()) await one.close();
}

/** A list of teams with this number of records. */
export function servesTeams(count: number): RequestHandler {
  return dataUpstream({ teams: Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${at}` })) });
}

/** Starts three instances. `defaults` and `registration` are settings of all sources and of the source. */
export async function startInstances(
  handler: RequestHandler,
  { defaults = {}, registration = {}, access }: { defaults?: object; registration?: object; access?: object } = {},
): Promise<OperatedInstances> {
  const clock = fakeClock();
  const memory = new MemoryRedis(clock);
  const one = await startUpstream(handler);
  open.push(one);
  const source = { data: one.address, resources: ['teams'], 'all-keys-public': true, ...registration };
  const start = async (): Promise<OperatedInstance> => {
    const shared = await joinMemory(memory, { clock, secret: 'a secret of at least 32 characters' });
    open.push(shared);
    const setup = {
      server: { name: 'several.example.org' },
      admin: ADMIN_SETTINGS,
      defaults: { retries: 0, ...defaults },
      ...(access && { access }),
      sources: { one: source },
    };
    const gateway = await startGateway(setup, { clock, sharedStore: shared.store });
    open.push(gateway);
    const admin = await openAdminPortOf(gateway, { clock, sharing: () => shared.store.status });
    const ask = async (): Promise<string> =>
      (await gateway.get('/data/v1/teams')).headers.get('source-status') ?? 'none';
    return { gateway, shared, admin, ask };
  };
  return { instances: [await start(), await start(), await start()], one, clock };
}
