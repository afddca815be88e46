import { fakeClock } from '../../support/clock.js';
import type { Manners, Raw } from '../../support/paging.js';
import { startRollcall } from '../../support/rollcall.js';
import type { Got, Rollcall, Setup, Surroundings } from '../../support/rollcall.js';
import { openUpstream } from '../../support/upstream.js';
import type { Answering, Upstream } from '../../support/upstream.js';

/** What the suite must know of a dialect: how upstreams speak it, and what Rollcall makes of their records. */
export interface Dialect {
  readonly name: string;
  /** Path of its list on Rollcall. */
  readonly list: string;
  /** So many different records; sorted by their names they are in this order. */
  records(count: number): readonly Raw[];
  /** Answers as an upstream with these records and manners. */
  serve(records: readonly unknown[], manners?: Manners): Answering;
  /** The registration of an upstream at this address. */
  source(address: string): object;
  /** State and reason of a source that counts more than it gives. */
  readonly short: readonly [state: string, reason: string];
  /** Name of a record, of an upstream or of Rollcall. */
  nameOf(record: Raw): string;
}

/** An answer of Rollcall as the suite looks at it. */
export interface Seen {
  readonly status: number;
  readonly names: readonly string[];
  readonly total: unknown;
  readonly sources: unknown;
  readonly sourceStatus: string;
}

/** Opens upstreams and Rollcalls, and closes them after each test. */
export class Bench {
  private readonly open: (Upstream | Rollcall)[] = [];

  constructor(readonly dialect: Dialect) {}

  async clear(): Promise<void> {
    await Promise.all(this.open.splice(0).map((one) => one.close()));
  }

  async upstream(answering: Answering): Promise<Upstream> {
    const upstream = await openUpstream(answering);
    this.open.push(upstream);
    return upstream;
  }

  async rollcall(setup: Setup, surroundings: Surroundings = { clock: fakeClock() }): Promise<Rollcall> {
    const rollcall = await startRollcall(setup, surroundings);
    this.open.push(rollcall);
    return rollcall;
  }

  /** One Rollcall over one upstream, which is asked for everything once. */
  async drain(answering: Answering, defaults: object = {}): Promise<{ upstream: Upstream; seen: Seen; got: Got }> {
    const upstream = await this.upstream(answering);
    const rollcall = await this.rollcall({ defaults, sources: { one: this.dialect.source(upstream.address) } });
    const got = await this.all(rollcall);
    return { upstream, got, seen: this.seen(got) };
  }

  /** Everything that Rollcall has. */
  all(rollcall: Rollcall, headers?: Readonly<Record<string, string>>): Promise<Got> {
    return rollcall.get(`${this.dialect.list}?envelope=true&limit=10000`, headers);
  }

  seen({ status, headers, json }: Got): Seen {
    const { data, total, sources } = recordOf(json);
    const records = Array.isArray(data) ? data.map(recordOf) : [];
    const names = records.map((record) => this.dialect.nameOf(record));
    return { status, names, total, sources, sourceStatus: headers.get('source-status') ?? '' };
  }

  names(count: number): readonly string[] {
    return this.dialect.records(count).map((record) => this.dialect.nameOf(record));
  }
}

/** A JSON object, or an error. */
export function recordOf(value: unknown): Raw {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
