import { fakeClock } from '../fake-clock.js';
import type { WatchedClock } from '../fake-clock.js';
import { dataUpstream } from '../upstream/data-upstream.js';
import type { DataBehaviour, DataRecords } from '../upstream/data-upstream.js';
import { startGateway } from './test-gateway.js';
import type { GatewayResponse, TestGateway, GatewaySetup, GatewayDependencies } from './test-gateway.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../upstream/upstream-server.js';

/** A source of a test: its records, its behaviour and its registration. */
export interface DataSourceSetup {
  readonly records: DataRecords;
  readonly behaviour?: DataBehaviour;
  /** Handles requests instead of serving `records`. */
  readonly handler?: RequestHandler;
  /** Further settings of the source in the configuration. */
  readonly registration?: object;
}

/** A gateway over data sources, and these sources. */
export interface DataGateway {
  readonly gateway: TestGateway;
  /** By code. */
  readonly upstreams: Readonly<Record<string, UpstreamServer>>;
  /** Requests a target below `/data/v1` and parses the envelope of the response. */
  readonly ask: (target: string) => Promise<DataResponse>;
  readonly clock: WatchedClock;
}

/** A response of the data interface with its parsed envelope. */
export interface DataResponse extends GatewayResponse {
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The records of a list; empty if `data` is not a list. */
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly sourceStatus: string;
}

const open: (UpstreamServer | TestGateway)[] = [];

/** Closes all gateways and upstreams that `startDataGateway` has started. */
export async function closeDataGateways(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}

/** Starts the sources, numbered from 1 in this order, and a gateway over them. */
export async function startDataGateway(
  setups: Readonly<Record<string, DataSourceSetup>>,
  setup: object = {},
  dependencies: Pick<GatewayDependencies, 'keys' | 'searchThreads' | 'suspension'> = {},
): Promise<DataGateway> {
  const upstreams: Record<string, UpstreamServer> = {};
  const sources: Record<string, object> = {};
  for (const [code, { records, behaviour, handler, registration }] of Object.entries(setups)) {
    const upstream = await startUpstream(handler ?? dataUpstream(records, behaviour));
    open.push(upstream);
    upstreams[code] = upstream;
    sources[code] = { data: upstream.address, ...registration };
  }
  const clock = fakeClock();
  const gateway = await startGateway({ ...setup, sources } satisfies GatewaySetup, { clock, ...dependencies });
  open.push(gateway);
  return { gateway, upstreams, clock, ask: async (target) => readEnvelope(await gateway.get(`/data/v1${target}`)) };
}

function readEnvelope({ status, headers, text, json }: GatewayResponse): DataResponse {
  const envelope = fieldsOf(json);
  const { data } = envelope;
  const list = Array.isArray(data) ? data.map(fieldsOf) : [];
  return { status, headers, text, json, envelope, data: list, sourceStatus: headers.get('source-status') ?? '' };
}

/** The fields of a JSON object; empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
