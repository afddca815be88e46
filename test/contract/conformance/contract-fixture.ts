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

/** What the suite needs to know of a dialect: how an upstream serves it, and how Rollcall shows its records. */
export interface DialectFixture {
  readonly name: string;
  /** Path of the list on Rollcall. */
  readonly list: string;
  /** The given number of different records, sorted by name. */
  records(count: number): readonly RawRecord[];
  /** A handler that serves these records with this paging behaviour. */
  serve(records: readonly unknown[], paging?: PagingBehaviour): RequestHandler;
  /** The registration of an upstream at an address. */
  source(address: string): object;
  /** State and reason of a source whose total exceeds the records that it returns. */
  readonly short: readonly [state: string, reason: string];
  /** Name of a record as sent by an upstream or by Rollcall. */
  nameOf(record: RawRecord): string;
}

/** The parts of Rollcall's response that the suite checks. */
export interface ListResponse {
  readonly status: number;
  readonly names: readonly string[];
  readonly total: unknown;
  readonly sources: unknown;
  readonly sourceStatus: string;
}

/** Starts upstreams and gateways, and closes them after each test. */
export class ContractFixture {
  private readonly open: (UpstreamServer | TestGateway)[] = [];

  constructor(readonly dialect: DialectFixture) {}

  async clear(): Promise<void> {
    await Promise.all(this.open.splice(0).map((server) => server.close()));
  }

  async upstream(handler: RequestHandler): Promise<UpstreamServer> {
    const upstream = await startUpstream(handler);
    this.open.push(upstream);
    return upstream;
  }

  async gateway(setup: GatewaySetup, dependencies: GatewayDependencies = { clock: fakeClock() }): Promise<TestGateway> {
    const gateway = await startGateway(setup, dependencies);
    this.open.push(gateway);
    return gateway;
  }

  /** Starts a gateway over one upstream, and requests the whole list once. */
  async drain(
    handler: RequestHandler,
    defaults: object = {},
  ): Promise<{ upstream: UpstreamServer; list: ListResponse; response: GatewayResponse }> {
    const upstream = await this.upstream(handler);
    const gateway = await this.gateway({ defaults, sources: { one: this.dialect.source(upstream.address) } });
    const response = await this.fetchAll(gateway);
    return { upstream, response, list: this.readList(response) };
  }

  /** Requests the whole list, with an envelope. */
  fetchAll(gateway: TestGateway, headers?: Readonly<Record<string, string>>): Promise<GatewayResponse> {
    return gateway.get(`${this.dialect.list}?envelope=true&limit=10000`, headers);
  }

  readList({ status, headers, json }: GatewayResponse): ListResponse {
    const { data, total, sources } = asObject(json);
    const records = Array.isArray(data) ? data.map(asObject) : [];
    const names = records.map((record) => this.dialect.nameOf(record));
    return { status, names, total, sources, sourceStatus: headers.get('source-status') ?? '' };
  }

  names(count: number): readonly string[] {
    return this.dialect.records(count).map((record) => this.dialect.nameOf(record));
  }
}

/** The value as a JSON object; throws if it is none. */
export function asObject(value: unknown): RawRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
