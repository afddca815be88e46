import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { PagingBehaviour } from '../support/upstream/paged-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { withValidators } from '../support/upstream/conditional-responses.js';

/** State of a source: correct, responding with 500, with a total 3 too large, or with this gateway in Via. */
export type SourceState = 'available' | 'failing' | 'incomplete' | 'loop';

/** A change of one record of a source, or of all. */
export type RecordChange = 'add' | 'edit' | 'delete' | 'restore' | 'reverse' | 'shrink';

/** A date that a source declares, in seconds from now; undefined: no date. */
export type DeclaredDate = number | undefined;

/** One record, from which the records of all resources are built. */
interface Fact {
  readonly id: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly date: number | undefined;
}

const CODES = ['one', 'two', 'three'] as const;

/** Number of records of the first source: enough for the shrink guard to act when most of them disappear. */
const MANY = 24;

const GATEWAY = 'rollcall-freshness';

/** A source with its records and its state. Each response is built from the current ones. */
class Origin {
  facts: readonly Fact[] = [];
  state: SourceState = 'available';
  /** Last-Modified in milliseconds since 1970, if the source sends one. */
  lastModified: number | undefined;

  constructor(
    readonly upstream: UpstreamServer,
    private readonly tagging: boolean,
  ) {
    upstream.handler = (request, response) => this.handlerFor(request.path)(request, response);
  }

  private handlerFor(path: string): RequestHandler {
    if (this.state === 'failing') return faulty.status(500);
    const baseHandler = path.includes('/directory/') ? this.directory() : this.data();
    if (!this.tagging || this.state !== 'available') return baseHandler;
    const version = createHash('sha256').update(JSON.stringify([this.facts, this.lastModified]));
    const etag = `"${version.digest('hex')}"`;
    return withValidators(baseHandler, () => ({ etag }));
  }

  private get behaviour(): PagingBehaviour {
    const date = this.lastModified;
    return {
      ...(date !== undefined && { lastModified: () => new Date(date).toUTCString() }),
      ...(this.state === 'incomplete' && { total: 3 }),
      ...(this.state === 'loop' && { headers: { Via: `1.1 ${GATEWAY}` } }),
    };
  }

  private directory(): RequestHandler {
    const teams = this.facts.map(({ id, version, date }) => ({
      'short-team-name': `T${id}`,
      host: `v${version}`,
      'country-code': id % 2 === 0 ? 'BR' : 'PT',
      ...(date !== undefined && { 'last-modified': new Date(date).toISOString() }),
    }));
    return directoryUpstream(teams, this.behaviour);
  }

  private data(): RequestHandler {
    const teams = this.facts.map(({ id, version, date }) => ({
      id: `t${id}`,
      team: `T${id}`,
      host: `v${version}`,
      country: id % 2 === 0 ? 'BR' : 'PT',
      'pgp-id': `0x0000000${(id + version) % 10}`,
      ...(date !== undefined && { 'last-modified': new Date(date).toISOString() }),
    }));
    const news = this.facts.map(({ id, version, date }) => ({
      id,
      title: `N${id} v${version}`,
      channels: id % 2 === 0 ? ['alerts'] : ['other'],
      ...(date !== undefined && { published: new Date(date).toUTCString() }),
    }));
    const channels = ['alerts', 'other'].map((title, id) => ({ id: id + 1, title }));
    return dataUpstream({ teams, news, channels }, { ...this.behaviour, keys: 'pgp' });
  }
}

/** The options with which a history starts. */
export interface InitialState {
  /** Whether sources send entity tags. */
  readonly tagging: boolean;
  /** Whether stale responses are served while a refresh is in progress (`stale-while-revalidate`). */
  readonly revalidating: boolean;
}

/** Sources, a gateway over them that can be restarted, and their clock. */
export class SimulatedWorld {
  private constructor(
    private readonly parts: Parts,
    private gateway: TestGateway,
  ) {}

  get clock(): FakeClock {
    return this.parts.clock;
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

  get rollcall(): TestGateway {
    return this.gateway;
  }

  async restart(): Promise<void> {
    await this.gateway.close();
    this.gateway = await start(this.parts);
  }

  async close(): Promise<void> {
    await this.gateway.close();
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

function start({ clock, folder, origins, beginning }: Parts): Promise<TestGateway> {
  const sources: Record<string, object> = {};
  origins.forEach(({ upstream: { address } }, at) => {
    const data = { data: `${address}/data`, site: 'https://three.example.org' };
    sources[CODES[at] ?? ''] = at === 2 ? data : { directory: `${address}/directory` };
  });
  const setup = {
    server: { name: GATEWAY },
    cache: { state: join(folder, 'state.json') },
    defaults: {
      ttl: '10s',
      'stale-while-revalidate': beginning.revalidating ? '30s' : '0s',
      'stale-if-error': '5m',
      'confirm-shrink': '20s',
      'max-unverified': '1m',
      retries: 0,
      breaker: { failures: 1000 },
    },
    sources,
  };
  return startGateway(setup, { clock, log: QUIET });
}

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
