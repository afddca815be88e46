import { describe, expect, it } from 'vitest';
import { send, sendByTarget, startDocument } from './document-scene.js';
import type { DocumentScene } from './document-scene.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

const team = (name: string): object => ({ name });
const lettersOf = (names: string): readonly string[] => Array.from(names);
const TEAMS = '/directory/v1/teams?fields=short-team-name&pretty=0';

async function namesOf({ gateway }: DocumentScene): Promise<unknown> {
  const { json } = await gateway.get(TEAMS);
  return Array.isArray(json) ? json.map((record: Record<string, unknown>) => record['short-team-name']) : json;
}

async function stateOf({ gateway }: DocumentScene): Promise<string | null> {
  return (await gateway.get(TEAMS)).headers.get('source-status');
}

const MAP = { 'short-team-name': 'name' };

describe('pages that are linked', () => {
  const document = (address: string): object => ({
    url: `${address}/teams`,
    records: 'teams',
    next: 'links.next',
    map: MAP,
  });

  it('are read up to the page without a link, also where `only` leaves out all of a page', async () => {
    const scene = await startDocument(
      sendByTarget({
        '/teams': { teams: [team('A'), team('B')], links: { next: '/v1/teams?after=b' } },
        '/teams?after=b': { teams: [team('hidden')], links: { next: 'teams?after=c' } },
        '/teams?after=c': { teams: [team('C')], links: { next: null } },
      }),
      (address) => ({ ...document(address), only: "name != 'hidden'" }),
    );
    expect(await namesOf(scene)).toEqual(['A', 'B', 'C']);
    expect(scene.targets()).toEqual(['/teams', '/teams?after=b', '/teams?after=c']);
    expect(await stateOf(scene)).toContain('state=fresh');
  });

  it('fail where the next one is at another origin, to which nothing is sent', async () => {
    const other = await startDocument(send([]), document);
    const scene = await startDocument(
      send({ teams: [team('A')], links: { next: `${other.upstream.address}/teams` } }),
      document,
      { credentials: { public: { bearer: 'secret-of-a-test' } } },
    );
    expect((await scene.gateway.get(TEAMS)).status).toBe(502);
    expect(await stateOf(scene)).toContain('reason=redirect');
    expect(other.targets()).toEqual([]);
  });

  it('fail where the next one fails', async () => {
    const scene = await startDocument(
      sendByTarget({ '/teams': { teams: [team('A')], links: { next: 'teams?after=a' } } }),
      document,
    );
    expect((await scene.gateway.get(TEAMS)).status).toBe(502);
  });

  it('are partial where they form a circle', async () => {
    const scene = await startDocument(
      sendByTarget({
        '/teams': { teams: [team('A')], links: { next: 'teams?after=a' } },
        '/teams?after=a': { teams: [team('B')], links: { next: 'teams' } },
      }),
      document,
    );
    expect(await namesOf(scene)).toEqual(['A', 'B']);
    expect(await stateOf(scene)).toContain('state=partial;reason=offset;records=2');
  });

  it('are revalidated each, and read again where one has changed', async () => {
    let second = [team('B')];
    const scene = await startDocument((request, response) => {
      const isFirst = request.query.toString() === '';
      const tag = `"${isFirst ? 'first' : JSON.stringify(second).length}"`;
      const isKnown = request.headers['if-none-match'] === tag;
      const body = isFirst ? { teams: [team('A')], links: { next: 'teams?p=2' } } : { teams: second };
      response.writeHead(isKnown ? 304 : 200, { ETag: tag }).end(isKnown ? undefined : JSON.stringify(body));
    }, document);
    expect(await namesOf(scene)).toEqual(['A', 'B']);
    scene.clock.advance(3_000_000);
    expect(await namesOf(scene)).toEqual(['A', 'B']);
    expect(scene.targets()).toHaveLength(4);
    second = [team('B'), team('C')];
    scene.clock.advance(3_000_000);
    expect(await namesOf(scene)).toEqual(['A', 'B', 'C']);
  });
});

describe('pages that are counted', () => {
  const document = (address: string): object => ({
    url: `${address}/teams?limit=2`,
    page: { parameter: 'page', from: '1' },
    map: MAP,
  });

  it.each([
    ['an empty page', []],
    ['a 404', undefined],
  ])('are read up to %s', async (_what, last) => {
    const scene = await startDocument(
      sendByTarget({
        '/teams?limit=2&page=1': [team('A'), team('B')],
        '/teams?limit=2&page=2': [team('C')],
        '/teams?limit=2&page=3': last,
      }),
      document,
    );
    expect(await namesOf(scene)).toEqual(['A', 'B', 'C']);
    expect(scene.targets().at(-1)).toBe('/teams?limit=2&page=3');
    expect(await stateOf(scene)).toContain('state=fresh');
  });

  it('are partial where the source ignores the parameter', async () => {
    const scene = await startDocument(send([team('A'), team('B')]), document);
    expect(await namesOf(scene)).toEqual(['A', 'B']);
    expect(await stateOf(scene)).toContain('state=partial;reason=offset;records=2');
  });

  it('are complete where the source repeats its last page, which is shorter', async () => {
    const scene = await startDocument((request, response) => {
      const isFirst = request.query.get('page') === '1';
      response.end(JSON.stringify(isFirst ? [team('A'), team('B')] : [team('C')]));
    }, document);
    expect(await namesOf(scene)).toEqual(['A', 'B', 'C']);
    expect(await stateOf(scene)).toContain('state=fresh');
  });

  it('fail where the first page is refused', async () => {
    const scene = await startDocument(sendByTarget({}), document);
    expect((await scene.gateway.get(TEAMS)).status).toBe(502);
  });

  const offsets = (settings: object) => (address: string) => ({
    url: `${address}/teams?limit=4`,
    page: { parameter: 'offset', from: 0, ...settings },
    map: MAP,
  });

  const sendFrom =
    (names: string): RequestHandler =>
    (request, response) => {
      const from = Number(request.query.get('offset'));
      response.end(JSON.stringify(lettersOf(names.slice(from, from + 4)).map(team)));
    };

  it('are read by the number of entries before them, where `step` is the length of a page', async () => {
    const scene = await startDocument(sendFrom('ABCDEFGHIJ'), offsets({ step: 4 }));
    expect(await namesOf(scene)).toEqual(lettersOf('ABCDEFGHIJ'));
    expect(await stateOf(scene)).toContain('state=fresh;records=10');
    expect(scene.targets()).toEqual([0, 4, 8, 12].map((from) => `/teams?limit=4&offset=${from}`));
  });

  it.each([
    ['no step', {}, 'ABCDEFGHIJ', 'ABCD'],
    ['no step, and a single page', {}, 'AB', 'AB'],
    ['a smaller step', { step: 3 }, 'ABCDEFGHIJ', 'ABCD'],
  ])('are partial, and show no team twice, where they overlap: %s', async (_what, settings, names, shown) => {
    const scene = await startDocument(sendFrom(names), offsets(settings), { tolerates: ['drift', 'paging'] });
    expect(await namesOf(scene)).toEqual(lettersOf(shown));
    expect(await stateOf(scene)).toContain(`state=partial;reason=offset;records=${shown.length}`);
    expect(scene.targets()).toHaveLength(2);
    const line = scene.gateway.log.find(({ message }) => message === 'source drained');
    expect(line?.facts).toMatchObject({ findings: { 'overlapping-pages (paging)': 1 } });
    expect(JSON.stringify(line?.facts)).toContain(`write step: ${shown.length}`);
  });

  it('are partial where a step leaves entries out', async () => {
    const scene = await startDocument(sendFrom('ABCDEFGHIJ'), offsets({ step: 5 }));
    expect(await stateOf(scene)).toContain('state=partial;reason=paging;records=8');
    const line = scene.gateway.log.find(({ message }) => message === 'source drained');
    expect(JSON.stringify(line?.facts)).toContain('write step: 4');
  });

  it('are complete where the source repeats an entry', async () => {
    const pages = [['A', 'B', 'B', 'B'], ['B', 'C'], []];
    const scene = await startDocument((request, response) => {
      response.end(JSON.stringify((pages[Number(request.query.get('page')) - 1] ?? []).map(team)));
    }, document);
    expect(await namesOf(scene)).toEqual(['A', 'B', 'B', 'B', 'B', 'C']);
  });
});
