import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AS_MEMBER } from '../../support/gateway/members-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { CODES, MARK, startMembersWorld } from './members-world.js';
import type { Failures, MembersWorld, SourceCode, WorldSettings } from './members-world.js';

/** A public request. `conditional`: with the entity tag of the last response to the same target. */
interface PublicRequest {
  readonly target: string;
  readonly prefer: string;
  readonly conditional: boolean;
  /** Whether the client with members access sends it. */
  readonly asMember: boolean;
}

type Event =
  | { readonly kind: 'public'; readonly request: PublicRequest }
  | { readonly kind: 'members'; readonly target: string }
  | { readonly kind: 'both'; readonly request: PublicRequest; readonly target: string }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'change'; readonly code: SourceCode }
  | { readonly kind: 'failures'; readonly code: SourceCode; readonly failures: Failures };

const PATHS = ['/data/v1/teams', '/data/v1/teams.csv', '/data/v1/teams.xml', '/data/v1/teams.yaml'];
const PAGES = ['', '&limit=2', '&limit=2&offset=2', '&country=PT', '&q=0', '&team=LARGE03', '&sort=-team&limit=3'];
const PUBLIC_TARGETS = [
  ...PATHS.flatMap((path) => PAGES.map((page) => `${path}?_=${page}`)),
  '/data/v1/teams.xlsx',
  '/data/v1/teams?scope=minimal',
  '/data/v1/teams?scope=pgp',
  '/data/v1/teams?callback=cb',
  '/data/v1/teams?scope=members',
  '/data/v1/news',
  '/data/v1/news/1001',
  '/directory/v1/teams',
  '/directory/v1/teams?limit=2&fields=short-team-name,enckeys',
  '/directory/v1/teams?enckeys=0x0000000000000003',
  `/data/v1/teams?host=${MARK}`,
  // In lower case, because the log of the gateway states the query.
  ...[
    'LARGE',
    'smal00',
    'members-only',
    'example.org',
    'members-only-0@example.org',
    '0x0000000000000003',
    'membrs onyl',
  ].flatMap((q) => [`/data/v1/search?envelope=1&q=${q}`, `/directory/v1/search.csv?limit=2&q=${q}`]),
];
const MEMBERS_TARGETS = [
  ...PATHS.flatMap((path) => PAGES.map((page) => `${path}?scope=members${page}`)),
  '/data/v1/teams.xlsx?scope=members',
  ...['LARGE', 'members-only', 'membrs onyl'].map((q) => `/data/v1/search?scope=members&q=${q}`),
];

const publicRequest: fc.Arbitrary<PublicRequest> = fc.record({
  target: fc.constantFrom(...PUBLIC_TARGETS),
  prefer: fc.constantFrom('', '', 'handling=lenient', 'private'),
  conditional: fc.boolean(),
  asMember: fc.constantFrom(false, false, true),
});
const membersTarget = fc.constantFrom(...MEMBERS_TARGETS);
const failures = fc.record({ public: fc.boolean(), members: fc.boolean() });
const code = fc.constantFrom(...CODES);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('public' as const), request: publicRequest }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('members' as const), target: membersTarget }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('both' as const), request: publicRequest, target: membersTarget }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 20, 61, 1_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), code }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('failures' as const), code, failures }) },
);
const settings: fc.Arbitrary<WorldSettings> = fc.record({
  keysNeedMembers: fc.boolean(),
  staleWhileRevalidate: fc.constantFrom(0, 30),
  memory: fc.constantFrom('1MiB', '64MiB'),
  hasHiddenTeams: fc.boolean(),
});

/** Everything that a client sees of a response. */
interface SeenResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

async function see(
  gateway: TestGateway,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<SeenResponse> {
  const response = await gateway.get(target, { 'x-request-id': 'one', ...headers });
  return { status: response.status, headers: Object.fromEntries([...response.headers]), text: response.text };
}

class History {
  /** Entity tags by target. */
  private readonly tags = new Map<string, string>();

  constructor(
    private readonly world: MembersWorld,
    private readonly keysNeedMembers: boolean,
  ) {}

  async play(step: Event): Promise<void> {
    const { world } = this;
    if (step.kind === 'public') await this.comparePublic(step.request);
    if (step.kind === 'members') await this.requestAsMember(step.target);
    if (step.kind === 'both') await Promise.all([this.requestAsMember(step.target), this.comparePublic(step.request)]);
    if (step.kind === 'wait') world.advance(step.seconds * 1_000);
    if (step.kind === 'change') world.sources[step.code].version += 1;
    if (step.kind === 'failures') world.sources[step.code].failures = step.failures;
    await world.settle();
  }

  private async requestAsMember(target: string): Promise<void> {
    const response = await see(this.world.gateway, target, AS_MEMBER);
    expect([200, 502, 503, 504]).toContain(response.status);
    expect(response.headers['cache-control']).toMatch(/no-store/);
  }

  /** A member's request for something that needs no members access is public; the reference gets it without credentials. */
  private async comparePublic({ target, prefer, conditional, asMember }: PublicRequest): Promise<void> {
    const needsMembers = /scope=members|scope=pgp|q=0x|^\/directory/.test(target);
    const credentials =
      asMember && !(needsMembers && (this.keysNeedMembers || target.includes('members'))) ? AS_MEMBER : {};
    const tag = conditional ? this.tags.get(target) : undefined;
    const headers = { ...(prefer !== '' && { prefer }), ...(tag !== undefined && { 'if-none-match': tag }) };
    const [actual, expected] = await Promise.all([
      see(this.world.gateway, target, { ...headers, ...credentials }),
      see(this.world.reference, target, headers),
    ]);
    expect({ target, ...actual }).toEqual({ target, ...expected });
    if (!target.includes(MARK)) expect(JSON.stringify(actual)).not.toContain(MARK);
    const { etag } = expected.headers;
    if (etag !== undefined) this.tags.set(target, etag);
  }
}

it('responds to public requests byte for byte like a gateway that has never had members data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-access-'));
  let histories = 0;
  const property = fc.asyncProperty(
    settings,
    fc.array(event, { minLength: 5, maxLength: 25 }),
    async (chosen, events) => {
      histories += 1;
      const disk = join(folder, `lists-${histories}`);
      const world = await startMembersWorld(chosen, disk);
      try {
        const history = new History(world, chosen.keysNeedMembers);
        for (const step of events) await history.play(step);
        const traces = [JSON.stringify(world.gateway.log.map(({ facts }) => facts)), await world.gateway.metrics()];
        for (const trace of traces) expect(trace).not.toContain(MARK);
      } finally {
        await world.close();
      }
      for (const file of await readdir(disk)) expect(await readFile(join(disk, file), 'utf8')).not.toContain(MARK);
    },
  );
  try {
    await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 8, long: 120 }) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
