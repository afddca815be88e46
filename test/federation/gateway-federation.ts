import { setTimeout as sleep } from 'node:timers/promises';
import { createUndiciTransport } from '../support/gateway/program.js';
import type { Transport } from '../support/gateway/program.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type {
  GatewayDependencies,
  GatewayResponse,
  TestGateway,
  GatewaySetup,
} from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** A request from one gateway to another. */
export interface GatewayRequest {
  readonly from: string;
  readonly to: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parts of a response that these tests check. */
export interface FederationResponse {
  readonly status: number;
  /** Names of the records, in order. */
  readonly names: readonly string[];
  readonly total: number | undefined;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  /** State and reason by source. */
  readonly sources: Readonly<Record<string, string>>;
  readonly via: string | null;
  readonly headers: Headers;
}

/** Milliseconds after which an excluded, failed or partial source is requested again. */
export const RECHECK_INTERVAL = 5_000;

/** Default time to live of a source, in milliseconds. */
export const TTL = 60_000;

/**
 * Complete gateways and repositories on loopback. The address of a gateway is `http://<key>.example.org`, before its first start and
 * after a restart; the transport replaces it by the address at which the gateway listens. All gateways share one fake clock.
 */
export class GatewayFederation {
  readonly clock: FakeClock = fakeClock();
  /** Requests between gateways. */
  readonly sent: GatewayRequest[] = [];
  private readonly gateways = new Map<string, TestGateway>();
  private readonly upstreams: UpstreamServer[] = [];
  private readonly origins = new Map<string, string>();
  private readonly wire = createUndiciTransport('rollcall');
  /** Number of requests that gateways have sent to any upstream, and of those that are active. */
  private begun = 0;
  private active = 0;

  /** The base address of an interface of a gateway. */
  static base(key: string, apiInterface: 'directory' | 'data' = 'directory'): string {
    return `http://${key}.example.org/${apiInterface}/v1`;
  }

  /** Starts a repository. With a key it is also reached at the address of the gateway with that key. */
  async upstream(handler: RequestHandler, key?: string): Promise<UpstreamServer> {
    const upstream = await startUpstream(handler);
    if (key !== undefined) this.origins.set(key, new URL(upstream.address).origin);
    this.upstreams.push(upstream);
    return upstream;
  }

  /**
   * Starts a gateway and replaces the one with the same key. Its name in Via is the key, unless the setup names another one. A gateway
   * responds to another gateway within a quarter of its deadline (decisions 5.23), which is long enough for the first responses of a
   * process on a busy machine.
   */
  async start(
    key: string,
    { server, ...setup }: GatewaySetup,
    dependencies: Pick<GatewayDependencies, 'suspension'> = {},
  ): Promise<TestGateway> {
    await this.stop(key);
    const named = { server: { name: key, deadline: '20s', ...server }, ...setup };
    const gateway = await startGateway(named, {
      clock: this.clock,
      transport: this.transport(key),
      ...dependencies,
    });
    this.gateways.set(key, gateway);
    this.origins.set(key, gateway.origin);
    return gateway;
  }

  async stop(key: string): Promise<void> {
    await this.gateways.get(key)?.close();
  }

  gateway(key: string): TestGateway {
    const gateway = this.gateways.get(key);
    if (gateway === undefined) throw new Error(`no gateway ${key}`);
    return gateway;
  }

  async request(
    key: string,
    target = '/directory/v1/teams',
    headers?: Readonly<Record<string, string>>,
  ): Promise<FederationResponse> {
    const mark = target.includes('?') ? '&' : '?';
    return readResponse(await this.gateway(key).get(`${target}${mark}envelope=1&limit=10000`, headers));
  }

  /** Removes and returns the requests between gateways since the last call. */
  takeRequests(): readonly GatewayRequest[] {
    return this.sent.splice(0);
  }

  /** Resolves when no request is active and no gateway has sent a request for 10 ms, so that background work is complete. */
  async waitUntilIdle(): Promise<void> {
    for (let before = NaN; before !== this.begun || this.active > 0;) {
      before = this.begun;
      await sleep(10);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.gateways.values(), ...this.upstreams].map((server) => server.close()));
    await this.wire.close();
  }

  private transport(from: string): Transport {
    return async ({ url, headers }, signal) => {
      this.begun += 1;
      this.active += 1;
      try {
        return await this.wire.transport({ url: this.resolveAddress(url, { from, headers }), headers }, signal);
      } finally {
        this.active -= 1;
      }
    };
  }

  /** Replaces the address of a gateway by the one at which it listens, and records the request. */
  private resolveAddress(url: URL, sent: Pick<GatewayRequest, 'from' | 'headers'>): URL {
    const to = /^([a-z0-9-]+)\.example\.org$/.exec(url.host)?.[1];
    if (to === undefined) return url;
    const target = url.pathname + url.search;
    this.sent.push({ ...sent, to, target });
    return new URL(target, this.origins.get(to));
  }
}

function readResponse({ status, headers, text }: GatewayResponse): FederationResponse {
  const { data = [], total } = bodyOf(text);
  const sources = (headers.get('source-status') ?? '').split(', ').map((member) => {
    const [code = '', ...parameters] = member.split(';');
    const values = new Map(parameters.map((parameter) => [parameter.split('=')[0], parameter.split('=')[1]]));
    const outcome = [values.get('state'), values.get('reason')].filter((value) => value !== undefined).join(' ');
    return [code, outcome] as const;
  });
  const names = data.map((record) => String(record['short-team-name'] ?? record['team'] ?? record['title']));
  return { status, names, total, data, sources: Object.fromEntries(sources), via: headers.get('via'), headers };
}

function bodyOf(text: string): { readonly data?: FederationResponse['data']; readonly total?: number } {
  return JSON.parse(text) as ReturnType<typeof bodyOf>;
}
