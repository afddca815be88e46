import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import { GATEWAY_NAME, Origin, registerDocument } from './origin.js';
import type { Fact, SourceState } from './origin.js';
import { MemoryStore } from '../support/gateway/sharing/memory-store.js';
import type { MemoryState } from '../support/gateway/sharing/memory-state.js';
import { joinMemory } from '../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../support/gateway/sharing/shared-instances.js';
import { silentLog } from '../support/silent-log.js';

/** A change of one record of a source, or of all. */
export type RecordChange = 'add' | 'edit' | 'delete' | 'restore' | 'reverse' | 'shrink';

/** A date that a source declares, in seconds from now; undefined: no date. */
export type DeclaredDate = number | undefined;

const CODES = ['one', 'two', 'three', 'four'] as const;

/** Real milliseconds after which a request waits for another instance. */
const SLOW_REQUEST_MS = 150;

/** Real milliseconds in which changes become active at all instances. */
const CATCH_UP_MS = 10;

/** A configuration of the world: the usual one, or what it differs in. */
export type Configuration = 'usual' | 'other times' | 'other limit' | 'a credential' | 'fewer sources';

/** Number of records of the first source: enough for the shrink guard to act when most of them disappear. */
const MANY = 24;

/** The options with which a history starts. */
export interface InitialState {
  /** Whether sources send entity tags. */
  readonly tagging: boolean;
  /** Whether stale responses are served while a refresh is in progress (`stale-while-revalidate`). */
  readonly revalidating: boolean;
  /** Number of instances that share a memory; absent: one, without a memory. */
  readonly instances?: number;
}

/** What happens between one instance and the shared memory, or in the memory. */
export type MemoryEvent =
  | 'cut off'
  | 'reconnect'
  | 'restart empty'
  | 'remember'
  | 'lose writes'
  | 'lose replies'
  | 'miss hints'
  | 'forge heads'
  | 'forge records'
  | 'evict heads';

const forge = (content: Buffer): Buffer => Buffer.concat([content, Buffer.from('forged')]);

function forgeHeads({ entries }: MemoryState): void {
  for (const [name, entry] of entries) entries.set(name, { ...entry, head: forge(entry.head) });
}

function evictHeads({ entries }: MemoryState): void {
  entries.clear();
}

function forgeRecords({ records }: MemoryState): void {
  for (const [id, stored] of records) records.set(id, { ...stored, chunks: stored.chunks.map(forge) });
}

/** One gateway, with its part in the shared memory if there is one. */
interface Instance {
  readonly gateway: TestGateway;
  readonly shared: SharedInstance | undefined;
}

/** Sources, one or several gateways over them that can be restarted, and their clock. */
export class SimulatedWorld {
  private current = 0;
  private configuration: Configuration = 'usual';
  private remembered: ReturnType<MemoryStore['takeSnapshot']>;

  private constructor(
    private readonly parts: Parts,
    private readonly instances: Instance[],
  ) {
    this.remembered = parts.memory.takeSnapshot();
  }

  get clock(): FakeClock {
    return this.parts.clock;
  }

  static async open(beginning: InitialState): Promise<SimulatedWorld> {
    const clock = fakeClock();
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-freshness-'));
    const upstreams = await Promise.all(CODES.map(() => startUpstream(faulty.status(500))));
    const origins = upstreams.map((upstream) => new Origin(upstream, beginning.tagging));
    const parts = { clock, folder, origins, beginning, memory: new MemoryStore(clock) };
    const instances: Instance[] = [];
    for (let at = 0; at < (beginning.instances ?? 1); at += 1) instances.push(await start(parts));
    const world = new SimulatedWorld(parts, instances);
    origins.forEach((origin, at) => {
      const count = at === 0 ? MANY : 3;
      origin.facts = Array.from({ length: count }, (_, id) => ({
        id: id + 1,
        version: 0,
        date: clock.now() - (id + 1) * 86_400_000,
      }));
    });
    return world;
  }

  /** The instance that the next requests meet. */
  get rollcall(): TestGateway {
    return this.instance.gateway;
  }

  /** All instances. */
  get gateways(): readonly TestGateway[] {
    return this.instances.map(({ gateway }) => gateway);
  }

  /** Lets the instance that the next requests meet report another configuration. Its sources are the same. */
  async reconfigure(configuration: string): Promise<void> {
    await this.instance.shared?.memory.reconfigure(configuration);
  }

  /** Lets the next requests meet an instance; by default another one. */
  meet(instance = this.current + 1): void {
    this.current = instance % this.instances.length;
  }

  /** Restarts the instance that the next requests meet. */
  async restart(): Promise<void> {
    await close(this.instance);
    this.instances[this.current] = await start(this.parts, this.configuration);
  }

  /** Replaces the configuration of a lone instance, which has read its new sources when `meanwhile` is called. */
  async reload(configuration: Configuration, meanwhile: () => Promise<void>): Promise<void> {
    await this.rollcall.replace(createSetup(this.parts, configuration), meanwhile);
    this.configuration = configuration;
  }

  /** Waits until all instances that reach the shared memory have followed it. */
  async catchUp(): Promise<void> {
    for (const { shared } of this.instances) await shared?.memory.synchronize();
    if (this.instances.length > 1) await sleep(CATCH_UP_MS);
  }

  /** Lets time pass while a request waits for another instance: the lease of one that lost its reply must end. */
  async whileTimePasses<T>(request: Promise<T>): Promise<T> {
    if (this.instances.length === 1) return request;
    const timer = setInterval(() => {
      this.clock.advance(500);
    }, SLOW_REQUEST_MS);
    return request.finally(() => {
      clearInterval(timer);
    });
  }

  affectMemory(event: MemoryEvent): void {
    const { memory } = this.parts;
    const connection = this.instance.shared?.connection;
    if (connection === undefined) return;
    if (event === 'cut off') connection.isAvailable = false;
    else if (event === 'lose replies') connection.losesReplies = true;
    else if (event === 'miss hints') connection.receivesHints = false;
    else if (event === 'forge heads') memory.tamper(forgeHeads);
    else if (event === 'forge records') memory.tamper(forgeRecords);
    else if (event === 'evict heads') memory.tamper(evictHeads);
    else if (event === 'restart empty') memory.restartEmpty();
    else if (event === 'remember') this.remembered = memory.takeSnapshot();
    else if (event === 'lose writes') memory.rollBack(this.remembered);
    else this.reconnect();
  }

  /** Lets every instance reach the shared memory. */
  reconnect(): void {
    for (const { shared } of this.instances) {
      if (shared === undefined) continue;
      shared.connection.isAvailable = true;
      shared.connection.losesReplies = false;
      shared.connection.receivesHints = true;
    }
  }

  /** Ends all faults between the instances and the shared memory. */
  async recover(): Promise<void> {
    this.reconnect();
    for (const { shared } of this.instances) await shared?.memory.reconfigure('same');
  }

  async close(): Promise<void> {
    for (const instance of this.instances) await close(instance);
    await Promise.all(this.parts.origins.map(({ upstream }) => upstream.close()));
    await rm(this.parts.folder, { recursive: true });
  }

  setState(source: number, state: SourceState): void {
    this.origin(source).state = state;
  }

  declareDate(source: number, dating: DeclaredDate): void {
    this.origin(source).lastModified = this.date(dating);
  }

  /** Changes the records of a source. `which` selects the record of a change to one record, modulo the number of records. */
  changeRecords(
    source: number,
    change: RecordChange,
    { which, dating }: { readonly which: number; readonly dating: DeclaredDate },
  ): void {
    const origin = this.origin(source);
    const { facts } = origin;
    const at = facts.length === 0 ? 0 : which % facts.length;
    const date = this.date(dating);
    const next = Math.max(0, ...facts.map(({ id }) => id)) + 1;
    const changes: Record<RecordChange, () => readonly Fact[]> = {
      add: () => [...facts, { id: next, version: 0, date }],
      edit: () => facts.map((fact, place) => (place === at ? { ...fact, version: fact.version + 1, date } : fact)),
      delete: () => facts.filter((_, place) => place !== at),
      restore: () => facts.map((fact) => ({ ...fact, version: 0 })),
      reverse: () => facts.toReversed(),
      shrink: () => facts.slice(0, 2),
    };
    origin.facts = changes[change]();
  }

  private get instance(): Instance {
    const instance = this.instances[this.current];
    if (instance === undefined) throw new Error('no instance');
    return instance;
  }

  private date(dating: DeclaredDate): number | undefined {
    return dating === undefined ? undefined : this.clock.now() + dating * 1_000;
  }

  private origin(source: number): Origin {
    const origin = this.parts.origins[source % this.parts.origins.length];
    if (origin === undefined) throw new Error('no source');
    return origin;
  }
}

interface Parts {
  readonly clock: FakeClock;
  readonly folder: string;
  readonly origins: readonly Origin[];
  readonly beginning: InitialState;
  readonly memory: MemoryStore;
}

async function close({ gateway, shared }: Instance): Promise<void> {
  await gateway.close();
  await shared?.close();
}

function createSetup({ folder, origins, beginning }: Parts, configuration: Configuration): GatewaySetup {
  const sources: Record<string, object> = {};
  origins.forEach(({ upstream: { address } }, at) => {
    const data = { data: `${address}/data`, site: 'https://three.example.org' };
    const others = [data, { document: registerDocument(address) }];
    sources[CODES[at] ?? ''] = others[at - 2] ?? { directory: `${address}/directory` };
  });
  if (configuration === 'a credential')
    sources['one'] = { ...sources['one'], credentials: { public: { bearer: 'one' } } };
  if (configuration === 'fewer sources') delete sources['four'];
  return {
    server: {
      name: GATEWAY_NAME,
      ...(configuration === 'other limit' && { limit: { default: 1 } }),
    },
    ...(isAlone(beginning) && { cache: { state: join(folder, 'state.json') } }),
    defaults: {
      ttl: configuration === 'other times' ? '8s' : '10s',
      'stale-while-revalidate': beginning.revalidating ? '30s' : '0s',
      'stale-if-error': '5m',
      'confirm-shrink': '20s',
      retries: 0,
    },
    sources,
  };
}

function isAlone({ instances = 1 }: InitialState): boolean {
  return instances === 1;
}

async function start(parts: Parts, configuration: Configuration = 'usual'): Promise<Instance> {
  const { clock, memory, beginning } = parts;
  const shared = isAlone(beginning)
    ? undefined
    : await joinMemory(memory, { clock, secret: 'secret of the gateways in a simulated world' });
  const gateway = await startGateway(createSetup(parts, configuration), {
    clock,
    log: QUIET,
    suspension: { failures: 1000, cooldown: 30_000 },
    ...(shared && { sharedMemory: shared.view }),
  });
  return { gateway, shared };
}

const QUIET = silentLog;
