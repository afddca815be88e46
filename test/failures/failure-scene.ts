import { vi } from 'vitest';
import { bodyParser } from '../support/threads/body-parser.js';
import type { FakeClock } from '../support/fake-clock.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { createUndiciTransport } from '../../src/source/client/transport.js';
import type { ClosableTransport } from '../../src/source/client/transport.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { startPlainTextServer, startUntrustedServer } from '../support/tls/untrusted-servers.js';
import type { UntrustedServer } from '../support/tls/untrusted-servers.js';

/** What befalls a source: it answers badly, or requests to it end at another origin. */
export type SourceFault = RequestHandler | string;

/** An answer, as far as failures show in it. */
export interface ObservedResponse {
  readonly got: GatewayResponse;
  readonly status: number;
  /** Names of the records of the source that is well, and of the one that may not be. */
  readonly well: readonly string[];
  readonly troubled: readonly string[];
  /** State and reason of the troubled source in Source-Status, separated by a space. */
  readonly state: string;
  /** `sources` of the envelope. */
  readonly sources: unknown;
}

/** Starts its thread with the first large body. */
const bodies = bodyParser();

/** Records of the source that is well. */
export const HEALTHY_TEAMS = numberedTeams('Well', 3);

/** Records of the troubled source while it is well: several pages of `PAGE`, and enough to be missed. */
export const FAULTY_TEAMS = numberedTeams('Troubled', 30);

/** Records that the sources are asked for in one request. */
export const PAGE = 10;

/** Milliseconds of `ttl`, of `stale-if-error`, of `confirm-shrink`, of the breaker's `cooldown`: their defaults. */
export const TTL = 60_000;
export const STALE_IF_ERROR = 24 * 3_600_000;
export const CONFIRM = 600_000;
export const COOLDOWN = 30_000;

const LIST = '/directory/v1/teams?envelope=true&limit=10000';

/** Two sources, one of which gets into trouble, behind one Rollcall; all of it lives by a clock that stands still until it is told. */
export class FailureScene {
  /** Requests that were sent to the troubled source, wherever they ended. */
  sent = 0;
  private detour: string | undefined;

  private constructor(
    readonly gateway: TestGateway,
    readonly clock: FakeClock,
    private readonly parts: Parts,
  ) {}

  /** Opens it; `troubled` are further keys of that source, `server` of the gateway. */
  static async open(troubled: object = {}, server: object = {}): Promise<FailureScene> {
    const clock = wholeClock();
    const wire = createUndiciTransport();
    const [well, source] = [
      await startUpstream(directoryUpstream(HEALTHY_TEAMS)),
      await startUpstream(directoryUpstream(FAULTY_TEAMS)),
    ];
    const secured = { tlsless: await startPlainTextServer(), untrusted: await startUntrustedServer() };
    const parts = { wire, well, source, ...secured, deserted: new URL(await unusedAddress()).origin };
    const sources = { well: { directory: well.address }, troubled: { directory: source.address, ...troubled } };
    // Past the time to live, who asks waits for the drain, so that what came of it shows in the answer.
    const defaults = { 'page-size': PAGE, 'max-body': '64KiB', 'stale-while-revalidate': '0s' };
    const { origin } = new URL(source.address);
    const gateway = await startGateway(
      { server, defaults, sources },
      {
        clock,
        bodies,
        transport: ({ url, headers }, signal) => wire.transport({ headers, url: scene.way(url, origin) }, signal),
      },
    );
    const scene = new FailureScene(gateway, clock, parts);
    return scene;
  }

  /** An origin at which nobody listens. */
  get deserted(): string {
    return this.parts.deserted;
  }

  /** An origin that speaks no TLS. */
  get tlsless(): string {
    return this.parts.tlsless.origin;
  }

  /** An origin whose certificate nobody trusts. */
  get untrusted(): string {
    return this.parts.untrusted.origin;
  }

  /** From here on the troubled source is in this trouble; without any, it is well. */
  begin(trouble: SourceFault = directoryUpstream(FAULTY_TEAMS)): void {
    this.detour = typeof trouble === 'string' ? trouble : undefined;
    if (typeof trouble !== 'string') this.parts.source.handler = trouble;
  }

  /** Asks for everything, or for what `more` leaves of it. */
  async ask(more = '', headers: Readonly<Record<string, string>> = {}): Promise<ObservedResponse> {
    const got = await this.gateway.get(LIST + more, headers);
    const { data, sources } = object(got.json);
    const records = Array.isArray(data) ? data.map(object) : [];
    const of = (source: string): string[] =>
      records.filter((record) => record['source-name'] === source).map((record) => String(record['short-team-name']));
    const states = got.headers.get('source-status') ?? '';
    const [, state = '', reason = ''] = /troubled;state=([a-z]+)(?:;reason=([a-z-]+))?/.exec(states) ?? [];
    const { status } = got;
    return { got, status, sources, well: of('well'), troubled: of('troubled'), state: `${state} ${reason}`.trim() };
  }

  async close(): Promise<void> {
    const { wire, well, source, tlsless, untrusted } = this.parts;
    await this.gateway.close();
    await Promise.all([wire.close(), well.close(), source.close(), tlsless.close(), untrusted.close()]);
    vi.useRealTimers();
  }

  private way(url: URL, origin: string): URL {
    if (url.origin !== origin) return url;
    this.sent += 1;
    return this.detour === undefined ? url : new URL(url.pathname + url.search, this.detour);
  }
}

interface Parts {
  readonly wire: ClosableTransport;
  readonly well: UpstreamServer;
  readonly source: UpstreamServer;
  readonly tlsless: UntrustedServer;
  readonly untrusted: UntrustedServer;
  readonly deserted: string;
}

/** So many teams, in the order of their names. */
export function numberedTeams(name: string, count: number): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    'short-team-name': `${name} ${String(at).padStart(2, '0')}`,
    'last-modified': '2025-06-01T00:00:00+00:00',
  }));
}

/** Names of such teams. */
export function teamNames(records: readonly RawRecord[]): readonly string[] {
  return records.map((record) => String(record['short-team-name']));
}

/** A clock that `Date` keeps to as well, for the breaker's library reads that one. Timers go on. */
function wholeClock(): FakeClock {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  return {
    now: () => Date.now(),
    advance: (milliseconds) => {
      vi.setSystemTime(Date.now() + milliseconds);
    },
  };
}

function object(value: unknown): RawRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('not a JSON object');
  return Object.fromEntries(Object.entries(value));
}
