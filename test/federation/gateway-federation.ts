import { setTimeout as sleep } from 'node:timers/promises';
import { createUndiciTransport } from '../../src/source/client/transport.js';
import type { Transport } from '../../src/source/client/fetch.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway, GatewaySetup } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** A request from one gateway to another. */
export interface GatewayRequest {
  readonly from: string;
  readonly to: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer, as far as these tests look at it. */
export interface FederationResponse {
  readonly status: number;
  /** Of its records, in order. */
  readonly names: readonly string[];
  readonly total: number | undefined;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  /** State and reason by source. */
  readonly sources: Readonly<Record<string, string>>;
  readonly via: string | null;
  readonly headers: Headers;
}

/** Time after which whatever is in doubt, or leads back, is looked at again, in milliseconds. */
export const RECHECK_INTERVAL = 5_000;

/** Time to live, in milliseconds. */
export const TTL = 60_000;

/**
 * Whole gateways and repositories on loopback. A gateway is reached at `http://<key>.example.org`, from before it is started and after it was started anew: the transport
 * knows at which port it listens. All live by one clock that stands still.
 */
export class GatewayFederation {
  readonly clock: FakeClock = fakeClock();
  /** What gateways asked each other. */
  readonly sent: GatewayRequest[] = [];
  private readonly gateways = new Map<string, TestGateway>();
  private readonly upstreams: UpstreamServer[] = [];
  private readonly origins = new Map<string, string>();
  private readonly wire = createUndiciTransport();
  /** Requests of gateways that were begun, to whomever, and of these the ones under way. */
  private begun = 0;
  private underWay = 0;

  /** The base address of a gateway's interface. */
  static base(key: string, apiInterface: 'directory' | 'data' = 'directory'): string {
    return `http://${key}.example.org/${apiInterface}/v1`;
  }

  /** Opens a repository, at an address of its own or, with a key, where a gateway of that key would be reached. */
  async upstream(handler: RequestHandler, key?: string): Promise<UpstreamServer> {
    const upstream = await startUpstream(handler);
    if (key !== undefined) this.origins.set(key, new URL(upstream.address).origin);
    this.upstreams.push(upstream);
    return upstream;
  }

  /**
   * Starts a gateway in place of the one that the key stood for. Its name in Via is the key, where the setup has no other. It answers another one in a quarter of its deadline,
   * which is long enough for the first answers of a process on a busy machine.
   */
  async start(key: string, { server, ...setup }: GatewaySetup): Promise<TestGateway> {
    await this.stop(key);
    const named = { server: { name: key, deadline: '20s', ...server }, ...setup };
    const gateway = await startGateway(named, { clock: this.clock, transport: this.transport(key) });
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

  async ask(
    key: string,
    target = '/directory/v1/teams',
    headers?: Readonly<Record<string, string>>,
  ): Promise<FederationResponse> {
    const mark = target.includes('?') ? '&' : '?';
    return seen(await this.gateway(key).get(`${target}${mark}envelope=1&limit=10000`, headers));
  }

  /** Requests between gateways since this was asked last. */
  took(): readonly GatewayRequest[] {
    return this.sent.splice(0);
  }

  /** Resolves when no gateway has asked anybody for a while: what went on in the background is over. */
  async quiet(): Promise<void> {
    for (let before = NaN; before !== this.begun || this.underWay > 0;) {
      before = this.begun;
      await sleep(25);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.gateways.values(), ...this.upstreams].map((one) => one.close()));
    await this.wire.close();
  }

  private transport(from: string): Transport {
    return async ({ url, headers }, signal) => {
      this.begun += 1;
      this.underWay += 1;
      try {
        return await this.wire.transport({ url: this.addressed(url, { from, headers }), headers }, signal);
      } finally {
        this.underWay -= 1;
      }
    };
  }

  /** The URL with the port at which a gateway listens, and a note that it was asked. */
  private addressed(url: URL, sent: Pick<GatewayRequest, 'from' | 'headers'>): URL {
    const to = /^([a-z0-9-]+)\.example\.org$/.exec(url.host)?.[1];
    if (to === undefined) return url;
    const target = url.pathname + url.search;
    this.sent.push({ ...sent, to, target });
    return new URL(target, this.origins.get(to));
  }
}

function seen({ status, headers, text }: GatewayResponse): FederationResponse {
  const { data = [], total } = bodyOf(text);
  const sources = (headers.get('source-status') ?? '').split(', ').map((member) => {
    const [code = '', ...parameters] = member.split(';');
    const told = new Map(parameters.map((one) => [one.split('=')[0], one.split('=')[1]]));
    return [code, [told.get('state'), told.get('reason')].filter((one) => one !== undefined).join(' ')] as const;
  });
  const names = data.map((record) => String(record['short-team-name'] ?? record['team'] ?? record['title']));
  return { status, names, total, data, sources: Object.fromEntries(sources), via: headers.get('via'), headers };
}

function bodyOf(text: string): { readonly data?: FederationResponse['data']; readonly total?: number } {
  return JSON.parse(text) as ReturnType<typeof bodyOf>;
}
