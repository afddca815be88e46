import { fakeClock } from '../fake-clock.js';
import type { WatchedClock } from '../fake-clock.js';
import { dataUpstream } from '../upstream/data-upstream.js';
import type { DataBehaviour, DataRecords } from '../upstream/data-upstream.js';
import { startGateway } from './test-gateway.js';
import type { GatewayResponse, TestGateway, GatewaySetup, GatewayDependencies } from './test-gateway.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../upstream/upstream-server.js';

/** A source of a test: what it has, how it behaves, and what else is registered of it. */
export interface DataSourceSetup {
  readonly records: DataRecords;
  readonly behaviour?: DataBehaviour;
  /** How it answers, where that is not what it has. */
  readonly handler?: RequestHandler;
  readonly registration?: object;
}

/** A Rollcall over data sources, and the sources. */
export interface DataGateway {
  readonly gateway: TestGateway;
  /** By code. */
  readonly upstreams: Readonly<Record<string, UpstreamServer>>;
  /** An answer below `/data/v1`, its envelope taken apart. */
  readonly ask: (target: string) => Promise<DataResponse>;
  readonly clock: WatchedClock;
}

/** An answer of the data interface as tests look at it. */
export interface DataResponse extends GatewayResponse {
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The records of a list; of anything else, none. */
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly sourceStatus: string;
}

const open: (UpstreamServer | TestGateway)[] = [];

/** Closes all that was opened. */
export async function closeDataGateways(): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.close()));
}

/** Starts the sources, numbered in this order from 1, and a Rollcall over them. */
export async function startDataGateway(
  members: Readonly<Record<string, DataSourceSetup>>,
  setup: object = {},
  surroundings: Pick<GatewayDependencies, 'keys'> = {},
): Promise<DataGateway> {
  const upstreams: Record<string, UpstreamServer> = {};
  const sources: Record<string, object> = {};
  for (const [code, { records: has, behaviour: paging, handler: answers, registration: registered }] of Object.entries(
    members,
  )) {
    const upstream = await startUpstream(answers ?? dataUpstream(has, paging));
    open.push(upstream);
    upstreams[code] = upstream;
    sources[code] = { data: upstream.address, ...registered };
  }
  const clock = fakeClock();
  const gateway = await startGateway({ ...setup, sources } satisfies GatewaySetup, { clock, ...surroundings });
  open.push(gateway);
  return { gateway, upstreams, clock, ask: async (target) => seen(await gateway.get(`/data/v1${target}`)) };
}

function seen(got: GatewayResponse): DataResponse {
  const { status, headers, text, json } = got;
  const envelope = fieldsOf(json);
  const { data } = envelope;
  const list = Array.isArray(data) ? data.map(fieldsOf) : [];
  return { status, headers, text, json, envelope, data: list, sourceStatus: headers.get('source-status') ?? '' };
}

/** A JSON object's fields; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
