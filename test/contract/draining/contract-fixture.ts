import { fakeClock } from '../../support/fake-clock.js';
import type { PagingBehaviour, RawRecord } from '../../support/upstream/paged-responses.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type {
  GatewayResponse,
  TestGateway,
  GatewaySetup,
  GatewayDependencies,
} from '../../support/gateway/test-gateway.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

/** What the suite must know of a dialect: how upstreams speak it, and what Rollcall makes of their records. */
export interface DialectFixture {
  readonly name: string;
  /** Path of its list on Rollcall. */
  readonly list: string;
  /** So many different records; sorted by their names they are in this order. */
  records(count: number): readonly RawRecord[];
  /** Answers as an upstream with these records and manners. */
  serve(records: readonly unknown[], paging?: PagingBehaviour): RequestHandler;
  /** The registration of an upstream at this address. */
  source(address: string): object;
  /** State and reason of a source that counts more than it gives. */
  readonly short: readonly [state: string, reason: string];
  /** Name of a record, of an upstream or of Rollcall. */
  nameOf(record: RawRecord): string;
}

/** An answer of Rollcall as the suite looks at it. */
export interface ListResponse {
  readonly status: number;
  readonly names: readonly string[];
  readonly total: unknown;
  readonly sources: unknown;
  readonly sourceStatus: string;
}

/** Opens upstreams and Rollcalls, and closes them after each test. */
export class ContractFixture {
  private readonly open: (UpstreamServer | TestGateway)[] = [];

  constructor(readonly dialect: DialectFixture) {}

  async clear(): Promise<void> {
    await Promise.all(this.open.splice(0).map((one) => one.close()));
  }

  async upstream(handler: RequestHandler): Promise<UpstreamServer> {
    const upstream = await startUpstream(handler);
    this.open.push(upstream);
    return upstream;
  }

  async gateway(setup: GatewaySetup, surroundings: GatewayDependencies = { clock: fakeClock() }): Promise<TestGateway> {
    const gateway = await startGateway(setup, surroundings);
    this.open.push(gateway);
    return gateway;
  }

  /** One Rollcall over one upstream, which is asked for everything once. */
  async drain(
    handler: RequestHandler,
    defaults: object = {},
  ): Promise<{ upstream: UpstreamServer; seen: ListResponse; got: GatewayResponse }> {
    const upstream = await this.upstream(handler);
    const gateway = await this.gateway({ defaults, sources: { one: this.dialect.source(upstream.address) } });
    const got = await this.all(gateway);
    return { upstream, got, seen: this.seen(got) };
  }

  /** Everything that Rollcall has. */
  all(gateway: TestGateway, headers?: Readonly<Record<string, string>>): Promise<GatewayResponse> {
    return gateway.get(`${this.dialect.list}?envelope=true&limit=10000`, headers);
  }

  seen({ status, headers, json }: GatewayResponse): ListResponse {
    const { data, total, sources } = numberedRecord(json);
    const records = Array.isArray(data) ? data.map(numberedRecord) : [];
    const names = records.map((record) => this.dialect.nameOf(record));
    return { status, names, total, sources, sourceStatus: headers.get('source-status') ?? '' };
  }

  names(count: number): readonly string[] {
    return this.dialect.records(count).map((record) => this.dialect.nameOf(record));
  }
}

/** A JSON object, or an error. */
export function numberedRecord(value: unknown): RawRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
