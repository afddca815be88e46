import { expect } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import type { ListBehaviour, RawRecord } from '../support/upstream/paged-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type {
  GatewayResponse,
  TestGateway,
  GatewaySetup,
  GatewayDependencies,
} from '../support/gateway/test-gateway.js';
import { isConditional } from '../support/upstream/conditional-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';
import type { InvalidBody } from './conformance/invalid-bodies.js';

/** Number of records that make up a list of several pages, where a dialect has such lists. */
export const MANY = 250;

/** Default of `ttl`, in milliseconds (operation 2.7.1). */
export const TTL = 60_000;

/** What the suites need to know of a dialect: how an upstream serves it, and how Rollcall shows its records. */
export interface DialectFixture extends DialectParts {
  readonly name: string;
  /** Path of the list on Rollcall. */
  readonly list: string;
  /** Accept of every request. */
  readonly accept: string;
  /** The given number of different records, sorted by name. */
  records(count: number): readonly RawRecord[];
  /** A handler that serves these records. */
  serve(records: readonly unknown[], behaviour?: ListBehaviour): RequestHandler;
  /** The registration of an upstream at an address. */
  source(address: string): object;
  /** Name of a record as sent by an upstream or by Rollcall. */
  nameOf(record: RawRecord): string;
  /** Bodies that are not of the format of the dialect. */
  readonly invalidBodies: readonly InvalidBody[];
  /**
   * What a record is that is sent twice. Two teams may be equal; of two records with one integer id the second could never
   * be requested; the items of feeds have versions.
   */
  readonly twins: 'two-records' | 'one-record' | 'two-versions';
  /** Why a list without records fails. Absent: it is read. */
  readonly emptyListReason?: string;
  /** Lengthens a body to a number of bytes without changing its records; by default with line feeds. */
  readonly pad?: (body: Buffer, length: number) => Buffer;
}

/** The responses of which a list is made; of one with pages, a list of `MANY` records. */
export interface DialectParts {
  /** Number of the part that a request is for, from 0, in the order in which they are read. */
  readonly partOf: (request: UpstreamRequest) => number;
  /** Number of the last part with records. 0: one response has the whole list. */
  readonly lastPart: number;
  /** Whether the parts are pages. False: a record is made of several parts. */
  readonly isPaged: boolean;
}

/** A list in one response. */
export const ONE_PART: DialectParts = { partOf: () => 0, lastPart: 0, isPaged: false };

/** The parts of Rollcall's response that the suite checks. */
export interface ListResponse {
  readonly status: number;
  readonly names: readonly string[];
  readonly total: unknown;
  readonly sources: unknown;
  readonly sourceStatus: string;
  readonly text: string;
}

/** A gateway over one upstream. */
export interface ContractScene {
  readonly upstream: UpstreamServer;
  readonly clock: FakeClock;
  readonly fetchList: () => Promise<ListResponse>;
}

/** Starts upstreams and gateways, and closes them after each test. */
export class ContractFixture<Dialect extends DialectFixture = DialectFixture> {
  private readonly open: (UpstreamServer | TestGateway)[] = [];

  constructor(readonly dialect: Dialect) {}

  /** Matches requests for the first part of a list. */
  readonly isFirstPart = (request: UpstreamRequest): boolean => this.dialect.partOf(request) === 0;

  /** Matches requests for the last part of a list of `many` records. */
  readonly isLastPart = (request: UpstreamRequest): boolean => this.dialect.partOf(request) === this.dialect.lastPart;

  /** Number of records of a list with all its parts. */
  get many(): number {
    return this.dialect.isPaged ? MANY : 30;
  }

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

  /** Starts a gateway named `own-gateway` over one upstream. */
  async start(
    handler: RequestHandler,
    defaults: object = {},
    dependencies: GatewayDependencies = {},
  ): Promise<ContractScene> {
    const clock = fakeClock();
    const upstream = await this.upstream(handler);
    const sources = { one: this.dialect.source(upstream.address) };
    const server = { name: 'own-gateway' };
    const gateway = await this.gateway({ server, defaults, sources }, { clock, ...dependencies });
    return { upstream, clock, fetchList: async () => this.readList(await this.fetchAll(gateway)) };
  }

  /** Starts a gateway, reads the list, forgets the requests for it, and lets its time to live pass. */
  async startDrained(handler: RequestHandler, defaults: object = {}): Promise<ContractScene> {
    const scene = await this.start(handler, { 'stale-while-revalidate': '0s', ...defaults });
    await scene.fetchList();
    expect(scene.upstream.requests.filter(isConditional)).toEqual([]);
    scene.upstream.forget();
    scene.clock.advance(TTL);
    return scene;
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

  /** Number of requests that one reading of these records takes. */
  async countRequests(records: readonly unknown[]): Promise<number> {
    const { upstream } = await this.drain(this.dialect.serve(records));
    return upstream.requests.length;
  }

  /** Requests the whole list, with an envelope. */
  fetchAll(gateway: TestGateway, headers?: Readonly<Record<string, string>>): Promise<GatewayResponse> {
    return gateway.get(`${this.dialect.list}?envelope=true&limit=10000`, headers);
  }

  readList({ status, headers, text, json }: GatewayResponse): ListResponse {
    const { data, total, sources } = asObject(json);
    const records = Array.isArray(data) ? data.map(asObject) : [];
    const names = records.map((record) => this.dialect.nameOf(record));
    return { status, names, total, sources, sourceStatus: headers.get('source-status') ?? '', text };
  }

  names(count: number): readonly string[] {
    return this.dialect.records(count).map((record) => this.dialect.nameOf(record));
  }

  /** What a fresh response with this number of records contains. */
  fresh(count: number): object {
    return { status: 200, names: this.names(count), sourceStatus: `one;state=fresh;records=${count};age=0` };
  }
}

/** The value as a JSON object; throws if it is none. */
export function asObject(value: unknown): RawRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
