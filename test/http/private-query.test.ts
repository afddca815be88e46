import { afterEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { waitUntilStable } from '../support/wait-until-stable.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';

/** Defaults of `ttl` and `stale-while-revalidate`, in milliseconds (operation 2.7.1, 2.7.2). */
const TTL = 60_000;
const STALE_WHILE_REVALIDATE = 300_000;

const PRIVATE = { prefer: 'private' };

const RECORDS = {
  teams: [
    { id: 'ziegelhof', team: 'Ziegelhof CERT', country: 'AT', host: 'Kaltenbrunn' },
    { id: 'x', team: 'Xanadu', country: 'NO', 'pgp-id': '0x0123456789ABCDEF' },
  ],
  channels: [
    { id: 1, title: 'Quince Letters' },
    { id: 2, title: 'Other' },
  ],
  news: [
    { id: 77_123, title: 'Ziegelhof moves', published: '2025-06-02', channels: ['Quince Letters'], content: '…' },
    { id: 2, title: 'Another', published: '2025-06-01', channels: ['Other'], content: '…' },
  ],
};

const CHANNEL = '/data/v1/news?channel=quince+letters';
const ITEM = '/data/v1/news/77123001';

/** A gateway over two sources with the data interface and one with the directory interface. */
interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly upstreams: readonly [one: UpstreamServer, two: UpstreamServer, directory: UpstreamServer];
}

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startScene(handler: RequestHandler = dataUpstream(RECORDS)): Promise<Scene> {
  const one = await startUpstream(handler);
  const two = await startUpstream(dataUpstream(RECORDS));
  const three = await startUpstream(
    directoryUpstream([{ 'short-team-name': 'Ziegelhof Abroad', 'country-code': 'AT' }]),
  );
  const clock = fakeClock();
  const sources = {
    one: { data: one.address, 'source-name': 'Mispelheim Register' },
    two: { data: two.address },
    three: { directory: three.address },
  };
  const gateway = await startGateway({ sources }, { clock });
  open.push(one, two, three, gateway);
  return { gateway, clock, upstreams: [one, two, three] };
}

/** The sources of a scene, or some of them. */
interface Sources {
  readonly upstreams: readonly UpstreamServer[];
}

const requests = ({ upstreams }: Sources): UpstreamRequest[] => upstreams.flatMap((upstream) => upstream.requests);

/**
 * Paths, queries and header fields of all requests to the sources, without the sources' own ports and the digits of the
 * gateway's name.
 */
function sentToSources(sources: Sources): string[] {
  return requests(sources).map(({ path, query, headers: { host, ...headers } }) =>
    JSON.stringify([path, [...query], headers, host?.replace(/\d+$/, '')])
      .toLowerCase()
      .replace(/rollcall-[0-9a-f]{8}/g, 'rollcall'),
  );
}

/** Requests that reveal a query: for a channel by its title, or for an item by its id. */
function revealingRequests(scene: Scene): UpstreamRequest[] {
  return requests(scene).filter(({ path, query }) => query.has('channel') || /\/\d+$/.test(path));
}

const statusOf = ({ headers }: GatewayResponse): string => headers.get('source-status') ?? '';

/** Waits until no source has received a request for a while. */
function waitUntilQuiet(scene: Scene): Promise<void> {
  return waitUntilStable(() => requests(scene).length);
}

/** Prefer: private (decisions 8.7). */
describe('a private query', () => {
  it.each([
    ['/directory/v1/teams', 'q=ziegelhof', ['ziegelhof']],
    ['/directory/v1/teams', 'team=ziegelhof+cert&country=at&region=europe', ['ziegelhof', 'europe', '"at"']],
    ['/directory/v1/teams', 'host=kaltenbrunn&sort=-host&fields=host', ['kaltenbrunn', '"sort"', '"fields"']],
    ['/directory/v1/teams.csv', 'short-team-name=Ziegelhof+CERT&limit=1&offset=0', ['ziegelhof', 'csv']],
    ['/data/v1/teams', 'q=ziegelhof&scope=minimal', ['ziegelhof', 'minimal']],
    ['/data/v1/teams', 'scope=pgp&country=no&q=xanadu', ['xanadu', '"no"']],
    ['/data/v1/news', 'q=ziegelhof&after=2025-06-01&before=2025-06-03', ['ziegelhof', '2025', 'before']],
    ['/data/v1/channels', 'q=quince&rsslink=%2Ffeed', ['quince', 'feed']],
  ])('of %s with %s sends the same requests to the sources as a query for everything', async (path, query, words) => {
    const [whole, scene] = [await startScene(), await startScene()];
    const scope = /scope=pgp/.exec(query)?.[0] ?? '';
    await whole.gateway.get(`${path}?${scope}`);
    const { status, headers } = await scene.gateway.get(`${path}?${query}`, PRIVATE);
    expect([status, headers.get('preference-applied')]).toEqual([200, 'private']);
    await Promise.all([waitUntilQuiet(whole), waitUntilQuiet(scene)]);
    // The sources receive what they receive for a query without parameters: the filters do not change that.
    expect(sentToSources(scene).sort()).toEqual(sentToSources(whole).sort());
    for (const word of words) expect(sentToSources(scene).filter((text) => text.includes(word))).toEqual([]);
  });

  it.each([
    ['/directory/v1/teams', 'source-name=mispelheim+register', ['mispelheim', 'source-name']],
    ['/data/v1/teams', 'team=ziegelhof+cert&source-name=mispelheim+register', ['ziegelhof', 'mispelheim']],
  ])('of %s with %s sends these requests to the named source only', async (path, query, words) => {
    const [whole, scene] = [await startScene(), await startScene()];
    await whole.gateway.get(path);
    const { status, headers } = await scene.gateway.get(`${path}?${query}`, PRIVATE);
    expect([status, headers.get('source-status')]).toEqual([
      200,
      expect.stringMatching(/^one;state=fresh;.*two;state=excluded;reason=source-name/),
    ]);
    await Promise.all([waitUntilQuiet(whole), waitUntilQuiet(scene)]);
    const toFirst = ({ upstreams: [first] }: Scene): string[] => sentToSources({ upstreams: [first] });
    expect(sentToSources(scene)).toEqual(toFirst(scene));
    expect(toFirst(scene).sort()).toEqual(toFirst(whole).sort());
    for (const word of words) expect(toFirst(scene).filter((text) => text.includes(word))).toEqual([]);
  });

  it('sends no channel title to a source, although the same query without Prefer does', async () => {
    const scene = await startScene();
    const refused = await scene.gateway.get(CHANNEL, PRIVATE);
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({
      sources: [
        { 'source-name': 'Mispelheim Register', state: 'failed', reason: 'private' },
        { 'source-name': 'two', state: 'failed', reason: 'private' },
      ],
    });
    expect(requests(scene).length).toBeGreaterThan(0);
    expect(sentToSources(scene).filter((text) => /quince|channel"/.test(text))).toEqual([]);
    expect((await scene.gateway.get(CHANNEL)).status).toBe(200);
    expect(revealingRequests(scene).map(({ query }) => query.get('channel'))).toEqual([
      'Quince Letters',
      'Quince Letters',
    ]);
  });

  it('sends no id of an item to a source, although the same query without Prefer does', async () => {
    const scene = await startScene();
    expect((await scene.gateway.get(ITEM, PRIVATE)).status).toBe(503);
    expect(requests(scene)).toEqual([]);
    expect((await scene.gateway.get(ITEM)).status).toBe(200);
    expect(requests(scene).map(({ path }) => path)).toEqual(['/v1/news/77123']);
  });

  it('is answered from cached snapshots, also past their time to live, and refreshes none', async () => {
    const scene = await startScene();
    const { gateway, clock } = scene;
    for (const target of [CHANNEL, ITEM]) await gateway.get(target);
    const sent = revealingRequests(scene).length;
    clock.advance(TTL + 1_000);
    for (const target of [CHANNEL, ITEM]) {
      const { status, headers } = await gateway.get(target, PRIVATE);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=0, stale-while-revalidate=0']);
    }
    await waitUntilQuiet(scene);
    expect(revealingRequests(scene)).toHaveLength(sent);
  });

  it('is answered with stale snapshots, reason private, past stale-while-revalidate', async () => {
    const scene = await startScene();
    const { gateway, clock } = scene;
    for (const target of [CHANNEL, ITEM]) await gateway.get(target);
    const sent = revealingRequests(scene).length;
    clock.advance(TTL + STALE_WHILE_REVALIDATE);
    const channel = await gateway.get(CHANNEL, PRIVATE);
    expect([channel.status, channel.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(statusOf(channel)).toMatch(
      /^one;state=stale;reason=private;records=1;age=360, two;state=stale;reason=private/,
    );
    expect(statusOf(await gateway.get(ITEM, PRIVATE))).toBe('one;state=stale;reason=private;records=1;age=360');
    const strict = await gateway.get(CHANNEL, { prefer: 'private, handling=strict' });
    expect([strict.status, strict.headers.get('preference-applied')]).toEqual([503, 'handling=strict, private']);
    expect(revealingRequests(scene)).toHaveLength(sent);
    // Other clients do not get such a snapshot: the next query without Prefer fetches it.
    expect(statusOf(await gateway.get(CHANNEL))).toMatch(/^one;state=fresh;records=1;age=0, two;state=fresh/);
  });

  it('is a 503 with reason private also after a failure of the same fetch', async () => {
    const handler = faulty.when(({ query }) => query.has('channel'), faulty.status(500), dataUpstream(RECORDS));
    const scene = await startScene(handler);
    expect(statusOf(await scene.gateway.get(CHANNEL))).toMatch(
      /^one;state=failed;reason=status;status=500, two;state=fresh/,
    );
    const { status, headers } = await scene.gateway.get(CHANNEL, PRIVATE);
    expect([status, headers.get('source-status')]).toEqual([
      503,
      expect.stringMatching(/^one;state=failed;reason=private/),
    ]);
  });

  it('is partial like any other query when a source fails', async () => {
    const { gateway } = await startScene(faulty.status(500));
    const response = await gateway.get('/data/v1/teams?q=xanadu', PRIVATE);
    expect([response.status, statusOf(response)]).toEqual([
      200,
      expect.stringMatching(/^one;state=failed;reason=status;status=500, two;state=fresh/),
    ]);
  });
});
