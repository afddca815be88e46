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

/** Milliseconds: the time to live, and what is given beyond it while it is refreshed, both as configured by default. */
const TTL = 60_000;
const WHILE_REVALIDATE = 300_000;

const PRIVATE = { prefer: 'private' };

const HAS = {
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

/** A Rollcall over two sources with the data interface and one with the directory interface. */
interface Scene {
  readonly gateway: TestGateway;
  readonly clock: FakeClock;
  readonly upstreams: readonly [one: UpstreamServer, two: UpstreamServer, directory: UpstreamServer];
}

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function scene(answers: RequestHandler = dataUpstream(HAS)): Promise<Scene> {
  const one = await startUpstream(answers);
  const two = await startUpstream(dataUpstream(HAS));
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

const requests = ({ upstreams }: Scene): UpstreamRequest[] => upstreams.flatMap((upstream) => upstream.requests);

/** Everything that the sources were told: paths, queries and headers, but for their own addresses. */
function told(here: Scene): string[] {
  return requests(here).map(({ path, query, headers: { host, ...headers } }) =>
    JSON.stringify([path, [...query], headers, host?.replace(/\d+$/, '')]).toLowerCase(),
  );
}

/** Whatever is asked only when somebody wants just that: by a channel's title, or by an id. */
function narrowed(here: Scene): UpstreamRequest[] {
  return requests(here).filter(({ path, query }) => query.has('channel') || /\/\d+$/.test(path));
}

const statusOf = ({ headers }: GatewayResponse): string => headers.get('source-status') ?? '';

/** Until nothing has been asked of any source for a while. */
function quiet(here: Scene): Promise<void> {
  return waitUntilStable(() => requests(here).length);
}

describe('a private query', () => {
  it.each([
    ['/directory/v1/teams', 'q=ziegelhof', ['ziegelhof']],
    ['/directory/v1/teams', 'team=ziegelhof+cert&country=at&region=europe', ['ziegelhof', 'europe', '"at"']],
    ['/directory/v1/teams', 'host=kaltenbrunn&sort=-host&fields=host', ['kaltenbrunn', '"sort"', '"fields"']],
    ['/directory/v1/teams.csv', 'short-team-name=Ziegelhof+CERT&limit=1&offset=0', ['ziegelhof', 'csv']],
    ['/directory/v1/teams', 'source-name=mispelheim+register', ['mispelheim', 'source-name']],
    ['/data/v1/teams', 'q=ziegelhof&scope=minimal', ['ziegelhof', 'minimal']],
    ['/data/v1/teams', 'team=ziegelhof+cert&source-name=mispelheim+register', ['ziegelhof', 'mispelheim']],
    ['/data/v1/teams', 'scope=pgp&country=no&q=xanadu', ['xanadu', '"no"']],
    ['/data/v1/news', 'q=ziegelhof&after=2025-06-01&before=2025-06-03', ['ziegelhof', '2025', 'before']],
    ['/data/v1/channels', 'q=quince&rsslink=%2Ffeed', ['quince', 'feed']],
  ])('of %s tells no source a word of %s, nor whom it is about', async (path, query, words) => {
    const [whole, here] = [await scene(), await scene()];
    const scope = /scope=pgp/.exec(query)?.[0] ?? '';
    await whole.gateway.get(`${path}?${scope}`);
    const { status, headers } = await here.gateway.get(`${path}?${query}`, PRIVATE);
    expect([status, headers.get('preference-applied')]).toEqual([200, 'private']);
    await Promise.all([quiet(whole), quiet(here)]);
    // What is asked is what is asked of everybody for everything: the query, its source-name too, changes nothing of it.
    const names = (text: string): string => text.replace(/rollcall-[0-9a-f]{8}/g, 'rollcall');
    expect(told(here).map(names).sort()).toEqual(told(whole).map(names).sort());
    for (const word of words) expect(told(here).filter((text) => text.includes(word))).toEqual([]);
  });

  it('asks nobody for a channel by its title, although the same query asked openly does', async () => {
    const here = await scene();
    const refused = await here.gateway.get(CHANNEL, PRIVATE);
    expect(refused.status).toBe(503);
    expect(refused.json).toMatchObject({
      sources: [
        { 'source-name': 'Mispelheim Register', state: 'failed', reason: 'private' },
        { 'source-name': 'two', state: 'failed', reason: 'private' },
      ],
    });
    expect(requests(here).length).toBeGreaterThan(0);
    expect(told(here).filter((text) => /quince|channel"/.test(text))).toEqual([]);
    expect((await here.gateway.get(CHANNEL)).status).toBe(200);
    expect(narrowed(here).map(({ query }) => query.get('channel'))).toEqual(['Quince Letters', 'Quince Letters']);
  });

  it('asks nobody for an item by its id, although the same query asked openly does', async () => {
    const here = await scene();
    expect((await here.gateway.get(ITEM, PRIVATE)).status).toBe(503);
    expect(requests(here)).toEqual([]);
    expect((await here.gateway.get(ITEM)).status).toBe(200);
    expect(requests(here).map(({ path }) => path)).toEqual(['/v1/news/77123']);
  });

  it('is answered from what is held, while it is past its time too, and has none of it refreshed', async () => {
    const here = await scene();
    const { gateway, clock } = here;
    for (const target of [CHANNEL, ITEM]) await gateway.get(target);
    const sent = narrowed(here).length;
    clock.advance(TTL + 1_000);
    for (const target of [CHANNEL, ITEM]) {
      const { status, headers } = await gateway.get(target, PRIVATE);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=0, stale-while-revalidate=0']);
    }
    await quiet(here);
    expect(narrowed(here)).toHaveLength(sent);
  });

  it('rests on last good copies where what is held would have to be asked for again, and says so', async () => {
    const here = await scene();
    const { gateway, clock } = here;
    for (const target of [CHANNEL, ITEM]) await gateway.get(target);
    const sent = narrowed(here).length;
    clock.advance(TTL + WHILE_REVALIDATE);
    const channel = await gateway.get(CHANNEL, PRIVATE);
    expect([channel.status, channel.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(statusOf(channel)).toMatch(
      /^one;state=stale;reason=private;records=1;age=360, two;state=stale;reason=private/,
    );
    expect(statusOf(await gateway.get(ITEM, PRIVATE))).toBe('one;state=stale;reason=private;records=1;age=360');
    const strict = await gateway.get(CHANNEL, { prefer: 'private, handling=strict' });
    expect([strict.status, strict.headers.get('preference-applied')]).toEqual([503, 'handling=strict, private']);
    expect(narrowed(here)).toHaveLength(sent);
    // Nobody else is given such a copy: the next open query has it fetched.
    expect(statusOf(await gateway.get(CHANNEL))).toMatch(/^one;state=fresh;records=1;age=0, two;state=fresh/);
  });

  it('is no partial answer where a source just failed to give what it is not asked for now', async () => {
    const trouble = faulty.when(({ query }) => query.has('channel'), faulty.status(500), dataUpstream(HAS));
    const here = await scene(trouble);
    expect(statusOf(await here.gateway.get(CHANNEL))).toMatch(
      /^one;state=failed;reason=status;status=500, two;state=fresh/,
    );
    const { status, headers } = await here.gateway.get(CHANNEL, PRIVATE);
    expect([status, headers.get('source-status')]).toEqual([
      503,
      expect.stringMatching(/^one;state=failed;reason=private/),
    ]);
  });

  it('is as partial as any other where a source fails that was told nothing', async () => {
    const { gateway } = await scene(faulty.status(500));
    const got = await gateway.get('/data/v1/teams?q=xanadu', PRIVATE);
    expect([got.status, statusOf(got)]).toEqual([
      200,
      expect.stringMatching(/^one;state=failed;reason=status;status=500, two;state=fresh/),
    ]);
  });

  it('does not wait for the sources that it is not about', async () => {
    const gate = faulty.holdResponses(dataUpstream(HAS));
    const here = await scene(gate.handler);
    const { status, headers } = await here.gateway.get('/data/v1/teams?source-name=two', PRIVATE);
    expect([status, headers.get('source-status')]).toEqual([
      200,
      expect.stringMatching(/^one;state=excluded;reason=source-name, two;state=fresh/),
    ]);
    gate.release();
  });
});
