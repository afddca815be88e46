import { vi } from 'vitest';
import { bodyParser } from '../support/gateway/threads/body-parser.js';
import type { FakeClock } from '../support/fake-clock.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { createUndiciTransport } from '../support/gateway/program.js';
import type { ClosableTransport } from '../support/gateway/program.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { MAY_HANG, isHanging, passTimeoutsWhile } from '../support/upstream/hanging-sources.js';
import { startPlainTextServer, startUntrustedServer } from '../support/tls/untrusted-servers.js';
import type { UntrustedServer } from '../support/tls/untrusted-servers.js';

/** A fault of a source: a handler that replaces its own, or an origin to which requests are redirected. */
export type SourceFault = RequestHandler | string;

/** The parts of a response in which failures are visible. */
export interface ObservedResponse {
  readonly response: GatewayResponse;
  readonly status: number;
  /** Names of the records of the healthy source and of the faulty one. */
  readonly well: readonly string[];
  readonly troubled: readonly string[];
  /** State and reason of the faulty source in Source-Status, separated by a space. */
  readonly state: string;
  /** `sources` of the envelope. */
  readonly sources: unknown;
}

/** Starts its worker thread with the first large body. */
const bodies = bodyParser();

/** Records of the healthy source. */
export const HEALTHY_TEAMS = numberedTeams('Well', 3);

/** Records of the faulty source while it works: several pages of `PAGE`, and enough for the shrink guard. */
export const FAULTY_TEAMS = numberedTeams('Troubled', 30);

/** Page size of the sources, in records. */
export const PAGE = 10;

/** Defaults of `ttl`, `stale-if-error` and `confirm-shrink`, and the time of a suspension, in milliseconds (operation 2.7; decisions 6.13). */
export const TTL = 60_000;
export const STALE_IF_ERROR = 24 * 3_600_000;
export const CONFIRM = 600_000;
export const COOLDOWN = 30_000;

const LIST = '/directory/v1/teams?envelope=true&limit=10000';

/** A gateway over a healthy source `well` and a faulty source `troubled`, with a clock that advances only on command. */
export class FailureScene {
  /** Number of requests that were sent to the faulty source, redirected ones included. */
  sent = 0;
  private redirectOrigin: string | undefined;

  private constructor(
    readonly gateway: TestGateway,
    readonly clock: FakeClock,
    private readonly parts: Parts,
  ) {}

  /** Starts the servers; `troubled` has further settings of the faulty source, `server` of the gateway. */
  static async open(troubled: object = {}, server: object = {}): Promise<FailureScene> {
    const clock = clockWithDate();
    const wire = createUndiciTransport('rollcall');
    const [well, source] = [
      await startUpstream(directoryUpstream(HEALTHY_TEAMS)),
      await startUpstream(directoryUpstream(FAULTY_TEAMS)),
    ];
    const secured = { plainText: await startPlainTextServer(), untrusted: await startUntrustedServer() };
    const parts = { wire, well, source, ...secured, unusedOrigin: new URL(await unusedAddress()).origin };
    const sources = {
      well: { directory: well.address },
      troubled: { directory: source.address, ...MAY_HANG, ...troubled },
    };
    // Past the time to live, a request waits for the drain, so that its response shows the result.
    const defaults = { 'page-size': PAGE, 'max-body': '64KiB', 'stale-while-revalidate': '0s' };
    const { origin } = new URL(source.address);
    const gateway = await startGateway(
      { server, defaults, sources },
      {
        clock,
        bodies,
        transport: ({ url, headers }, signal) =>
          wire.transport({ headers, url: scene.resolveUrl(url, origin) }, signal),
      },
    );
    const scene = new FailureScene(gateway, clock, parts);
    passTimeoutsWhile(() => isHanging(source.handler));
    return scene;
  }

  /** An origin at which nothing listens. */
  get unusedOrigin(): string {
    return this.parts.unusedOrigin;
  }

  /** An https origin whose server does not speak TLS. */
  get plainTextOrigin(): string {
    return this.parts.plainText.origin;
  }

  /** An https origin with an untrusted certificate. */
  get untrustedOrigin(): string {
    return this.parts.untrusted.origin;
  }

  /** Sets the fault of the faulty source; without an argument, the source works. */
  setFault(fault: SourceFault = directoryUpstream(FAULTY_TEAMS)): void {
    this.redirectOrigin = typeof fault === 'string' ? fault : undefined;
    if (typeof fault !== 'string') this.parts.source.handler = fault;
  }

  /** Requests the whole list; `more` is appended to the query string. */
  async fetchList(more = '', headers: Readonly<Record<string, string>> = {}): Promise<ObservedResponse> {
    const response = await this.gateway.get(LIST + more, headers);
    const { data, sources } = asObject(response.json);
    const records = Array.isArray(data) ? data.map(asObject) : [];
    const of = (source: string): string[] =>
      records.filter((record) => record['source-name'] === source).map((record) => String(record['short-team-name']));
    const states = response.headers.get('source-status') ?? '';
    const [, state = '', reason = ''] = /troubled;state=([a-z]+)(?:;reason=([a-z-]+))?/.exec(states) ?? [];
    const { status } = response;
    return {
      response,
      status,
      sources,
      well: of('well'),
      troubled: of('troubled'),
      state: `${state} ${reason}`.trim(),
    };
  }

  async close(): Promise<void> {
    const { wire, well, source, plainText, untrusted } = this.parts;
    await this.gateway.close();
    await Promise.all([wire.close(), well.close(), source.close(), plainText.close(), untrusted.close()]);
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }

  private resolveUrl(url: URL, origin: string): URL {
    if (url.origin !== origin) return url;
    this.sent += 1;
    return this.redirectOrigin === undefined ? url : new URL(url.pathname + url.search, this.redirectOrigin);
  }
}

interface Parts {
  readonly wire: ClosableTransport;
  readonly well: UpstreamServer;
  readonly source: UpstreamServer;
  readonly plainText: UntrustedServer;
  readonly untrusted: UntrustedServer;
  readonly unusedOrigin: string;
}

/** The given number of teams, sorted by name. */
export function numberedTeams(name: string, count: number): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    'short-team-name': `${name} ${String(at).padStart(2, '0')}`,
    'last-modified': '2025-06-01T00:00:00+00:00',
  }));
}

/** The names of teams. */
export function teamNames(records: readonly RawRecord[]): readonly string[] {
  return records.map((record) => String(record['short-team-name']));
}

/** A clock that also controls `performance.now`, by which the circuit breaker measures. Timers keep running in real time. */
function clockWithDate(): FakeClock {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 0, 1) });
  return {
    now: () => Date.now(),
    advance: (milliseconds) => {
      vi.advanceTimersByTime(milliseconds);
    },
  };
}

function asObject(value: unknown): RawRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
