import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import { GATEWAY_NAME, Origin, registerDocument } from './origin.js';
import type { Fact, SourceState } from './origin.js';
import { silentLog } from '../support/silent-log.js';

/** A change of one record of a source, or of all. */
export type RecordChange = 'add' | 'edit' | 'delete' | 'restore' | 'reverse' | 'shrink';

/** A date that a source declares, in seconds from now; undefined: no date. */
export type DeclaredDate = number | undefined;

/** What an operator does with a source. */
export type OperatorAction = 'forget' | 'refresh' | 'confirm';

const CODES = ['one', 'two', 'three', 'four', 'five'] as const;

/** A configuration of the world: the usual one, or what it differs in. */
export type Configuration = 'usual' | 'other times' | 'other limit' | 'a credential' | 'fewer sources';

/** What the large source evaluates. */
const SUPPORTED = { filters: ['country'], sort: ['short-team-name', '-short-team-name'], total: true, exact: true };

/** Number of records of the first source: enough for the shrink guard to act when most of them disappear. */
const MANY = 24;

/** The options with which a history starts. */
export interface InitialState {
  /** Whether sources send entity tags. */
  readonly tagging: boolean;
  /** Whether stale responses are served while a refresh is in progress (`stale-while-revalidate`). */
  readonly revalidating: boolean;
  /** Lists are kept on disk across restarts. */
  readonly persistent: boolean;
  /** Of `cache.memory`: room for few lists, or for all. */
  readonly memory: string;
  /** The second source evaluates filters and orders, and has sometimes more records than its drain-threshold. */
  readonly large: boolean;
}

/** Sources, a gateway over them that can be restarted, and their clock. */
export class SimulatedWorld {
  private configuration: Configuration = 'usual';

  private constructor(
    private readonly parts: Parts,
    public rollcall: TestGateway,
  ) {}

  get clock(): FakeClock {
    return this.parts.clock;
  }

  get isPersistent(): boolean {
    return this.parts.beginning.persistent;
  }

  static async open(beginning: InitialState): Promise<SimulatedWorld> {
    const clock = fakeClock();
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-freshness-'));
    const upstreams = await Promise.all(CODES.map(() => startUpstream(faulty.status(500))));
    const origins = upstreams.map((upstream) => new Origin(upstream, beginning.tagging));
    const parts = { clock, folder, origins, beginning };
    const world = new SimulatedWorld(parts, await start(parts));
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

  async restart(): Promise<void> {
    await this.rollcall.close();
    this.rollcall = await start(this.parts, this.configuration);
  }

  /** The process ends without a stop: the next one has the files of the disk as they are now. */
  async kill(): Promise<void> {
    const [lists, copy] = [listsFolder(this.parts), join(this.parts.folder, 'copy')];
    if (this.isPersistent) await copyFiles(lists, copy);
    await this.rollcall.close();
    if (this.isPersistent) {
      await rm(lists, { recursive: true });
      await rename(copy, lists);
    }
    this.rollcall = await start(this.parts, this.configuration);
  }

  /** What an operator does with a source. */
  async operate(source: number, action: OperatorAction): Promise<void> {
    const { sources = [] } = this.rollcall.app.levels.public ?? {};
    const operations = sources[source % sources.length]?.operations;
    if (action === 'forget') await operations?.forget();
    else if (action === 'confirm') operations?.confirmShrink();
    else await operations?.refreshNow(new AbortController().signal);
  }

  /** The next configuration has read its new sources when `meanwhile` is called. */
  async reload(configuration: Configuration, meanwhile: () => Promise<void>): Promise<void> {
    await this.rollcall.replace(createSetup(this.parts, configuration), meanwhile);
    this.configuration = configuration;
  }

  async close(): Promise<void> {
    await this.rollcall.close();
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
}

function createSetup({ folder, origins, beginning }: Parts, configuration: Configuration): GatewaySetup {
  const sources: Record<string, object> = {};
  origins.forEach(({ upstream: { address } }, at) => {
    const data = { data: `${address}/data`, site: 'https://three.example.org' };
    const large = {
      directory: `${address}/large/directory`,
      'drain-threshold': 4,
      supports: { teams: SUPPORTED },
    };
    const directory = beginning.large && at === 1 ? large : { directory: `${address}/directory` };
    const others = [data, { document: registerDocument(address) }, { feed: `${address}/feed` }];
    sources[CODES[at] ?? ''] = others[at - 2] ?? directory;
  });
  if (configuration === 'a credential')
    sources['one'] = { ...sources['one'], credentials: { public: { bearer: 'one' } } };
  if (configuration === 'fewer sources') delete sources['four'];
  return {
    server: {
      name: GATEWAY_NAME,
      ...(configuration === 'other limit' && { limit: { default: 1 } }),
    },
    cache: {
      ...(beginning.persistent && { disk: listsFolder({ folder }) }),
      memory: beginning.memory,
    },
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

/** While files are written and deleted. A rename makes each complete. */
async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const file of await readdir(from))
    if (/\.(?:list|json)$/.test(file)) await copyFile(join(from, file), join(to, file)).catch(() => undefined);
}

function listsFolder({ folder }: Pick<Parts, 'folder'>): string {
  return join(folder, 'lists');
}

function start(parts: Parts, configuration: Configuration = 'usual'): Promise<TestGateway> {
  return startGateway(createSetup(parts, configuration), {
    clock: parts.clock,
    log: silentLog,
    suspension: { failures: 1000, cooldown: 30_000 },
  });
}
