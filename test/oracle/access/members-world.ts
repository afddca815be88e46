import { fakeClock } from '../../support/fake-clock.js';
import type { WatchedClock } from '../../support/fake-clock.js';
import { ACCESS } from '../../support/gateway/members-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { simulatedRepository } from '../../support/repository/simulated-repository.js';
import { status } from '../../support/upstream/faulty-responses.js';
import { membersUpstream } from '../../support/upstream/members-upstream.js';
import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

/** Every value that only members may see contains this text. */
export const MARK = 'MEMBERS-ONLY';

const SOURCE_TOKEN = 'token-of-a-generated-history';

/** The sources: small with a members area; large, with push-down and a members area; small without one. */
export const CODES = ['small', 'large', 'open'] as const;
export type SourceCode = (typeof CODES)[number];

/** Which requests a source answers with a 503. */
export type Failures = Readonly<Record<'public' | 'members', boolean>>;

/** Settings that differ between generated histories. */
export interface WorldSettings {
  readonly keysNeedMembers: boolean;
  readonly staleWhileRevalidate: number;
  readonly memory: string;
  /** Whether the members' list of a source has teams that its public list lacks. */
  readonly hasHiddenTeams: boolean;
}

/** A source whose records change and whose areas fail. */
class ChangingSource {
  version = 0;
  failures: Failures = { public: false, members: false };

  constructor(
    private readonly code: SourceCode,
    readonly upstream: UpstreamServer,
    private readonly settings: WorldSettings,
  ) {
    upstream.handler = (request, response) => {
      const area = request.query.get('scope') === 'members' ? 'members' : 'public';
      const handle = this.failures[area] ? status(503) : this.handler();
      handle(request, response);
    };
  }

  private handler(): RequestHandler {
    const teams = this.publicTeams();
    if (this.code === 'open') return simulatedRepository({ teams, news: NEWS, channels: CHANNELS });
    const authorization = `Bearer ${SOURCE_TOKEN}`;
    const area = { authorization, teams: this.membersTeams(teams) };
    const members = membersUpstream({}, area);
    const open = simulatedRepository({ teams, news: NEWS, channels: CHANNELS });
    return (request, response) => {
      (request.query.get('scope') === 'members' ? members : open)(request, response);
    };
  }

  private publicTeams(): readonly RawRecord[] {
    const count = this.code === 'large' ? 12 : 4;
    return Array.from({ length: count }, (_, at) => ({
      id: `${this.code}-${at}`,
      team: `${this.code.toUpperCase()}${String(at).padStart(2, '0')}`,
      country: at % 2 === 0 ? 'BR' : 'PT',
      host: `v${this.version}`,
      ...(at % 3 === 0 && { 'pgp-id': `0x${String(at).padStart(16, '0')}` }),
      'last-modified': `2025-06-${String(1 + (this.version % 28)).padStart(2, '0')} 00:00:00+00:00`,
    }));
  }

  private membersTeams(teams: readonly RawRecord[]): readonly RawRecord[] {
    const hidden = { id: `${this.code}-hidden`, team: `AAA ${MARK}`, country: 'PT', host: MARK };
    const shown = teams.map((team, at) => ({
      ...team,
      email: `${MARK}-${at}@example.org`,
      'pgp-key': `${MARK} key`,
      [`-${this.code}-note`]: MARK,
      'last-modified': '2025-12-31 00:00:00+00:00',
    }));
    return this.settings.hasHiddenTeams ? [...shown, hidden] : shown;
  }
}

const NEWS = [{ id: 1, title: 'One', link: 'https://news.example.org/1', published: 'Mon, 01 Dec 2025 00:00:00 GMT' }];
const CHANNELS = [{ id: 1, title: 'All', link: 'https://news.example.org/' }];

/** One gateway that gets public and members requests, one that has never had members data, and their sources. */
export interface MembersWorld {
  readonly gateway: TestGateway;
  readonly reference: TestGateway;
  readonly sources: Readonly<Record<SourceCode, ChangingSource>>;
  advance(milliseconds: number): void;
  /** Resolves when both gateways are idle. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the world. Both gateways query the same sources. `disk` is the folder of the gateway with members data. */
export async function startMembersWorld(settings: WorldSettings, disk?: string): Promise<MembersWorld> {
  const upstreams = await Promise.all(CODES.map(() => startUpstream(status(503))));
  const created = CODES.map((code, at) => {
    const upstream = upstreams[at];
    if (upstream === undefined) throw new Error('no upstream');
    return [code, new ChangingSource(code, upstream, settings)] as const;
  });
  const sources = Object.fromEntries(created) as Record<SourceCode, ChangingSource>;
  const clocks = [fakeClock(), fakeClock()] as const;
  const start = (clock: WatchedClock, hasMembers: boolean): Promise<TestGateway> =>
    startGateway(
      {
        server: { name: 'rollcall-test' },
        cache: { memory: settings.memory, ...(hasMembers && disk !== undefined && { disk }) },
        access: { ...ACCESS, ...(settings.keysNeedMembers && { scopes: { pgp: 'members' } }) },
        defaults: { 'stale-while-revalidate': `${settings.staleWhileRevalidate}s`, retries: '0' },
        sources: Object.fromEntries(
          created.map(([code, { upstream }]) => [code, register(code, upstream, hasMembers)]),
        ),
      },
      { clock },
    );
  const [gateway, reference] = [await start(clocks[0], true), await start(clocks[1], false)];
  const looks = (): number => clocks[0].looks + clocks[1].looks;
  return {
    gateway,
    reference,
    sources,
    advance: (milliseconds) => {
      for (const clock of clocks) clock.advance(milliseconds);
    },
    settle: async () => {
      for (let before = NaN, now = looks(); before !== now; [before, now] = [now, looks()])
        await new Promise((resolve) => setTimeout(resolve, 25));
    },
    close: async () => {
      await Promise.all([gateway, reference, ...upstreams].map((server) => server.close()));
    },
  };
}

function register(code: SourceCode, { address }: UpstreamServer, hasMembers: boolean): object {
  const hasArea = hasMembers && code !== 'open';
  return {
    data: `${address}/data`,
    ...(hasArea && { credentials: { members: { bearer: SOURCE_TOKEN } } }),
    ...(code === 'large' && {
      'drain-threshold': '5',
      supports: { teams: { filters: ['country', 'team'], sort: ['team'], total: true, exact: true } },
    }),
  };
}
