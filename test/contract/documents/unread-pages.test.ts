import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { send, startDocument } from './document-scene.js';
import type { DocumentScene } from './document-scene.js';

const MAP = { 'short-team-name': 'name' };
const TEAMS = '/directory/v1/teams?fields=short-team-name&pretty=0';

/** Entries whose names are the letters of a text. */
const teams = (names: string): readonly object[] => Array.from(names, (name) => ({ name }));

/** Registers the list at an address. */
const registered =
  (settings: object = {}) =>
  (address: string): object => ({ url: `${address}/teams`, map: MAP, ...settings });

async function namesOf({ gateway }: DocumentScene): Promise<string> {
  const { json } = await gateway.get(TEAMS);
  const records: readonly Record<string, unknown>[] = Array.isArray(json) ? json : [];
  return records.map((record) => String(record['short-team-name'])).join('');
}

async function stateOf({ gateway }: DocumentScene): Promise<string> {
  return (await gateway.get(TEAMS)).headers.get('source-status') ?? '';
}

/** Findings about paging in the last line of the log about the list. */
function findingsOf({ gateway }: DocumentScene): unknown {
  const line = gateway.log.findLast(({ message }) => message === 'source drained');
  return line && 'findings' in line.facts && line.facts.findings;
}

/** Responses by `page`, each with the Link field that it is given. */
function sendLinked(pages: readonly (readonly [names: string, link?: string])[]): RequestHandler {
  return (request, response) => {
    const [names, link] = pages[Number(request.query.get('page') ?? 1) - 1] ?? [''];
    response.writeHead(200, link === undefined ? {} : { Link: link }).end(JSON.stringify(teams(names)));
  };
}

describe('pages that the Link field links', () => {
  it('are read to the last one', async () => {
    const scene = await startDocument(
      sendLinked([
        ['AB', '</v1/teams?page=1>; rel="first", </v1/teams?page=2>; rel=next'],
        ['CD', '<?page=3>; title="a, <b>; rel=no"; rel="last next"'],
        ['E', '</v1/teams?page=1>; rel=first'],
      ]),
      registered(),
    );
    expect(await namesOf(scene)).toBe('ABCDE');
    expect(await stateOf(scene)).toContain('state=fresh;records=5');
    expect(scene.targets()).toEqual(['/teams', '/teams?page=2', '/teams?page=3']);
  });

  it('are read whatever the format of the pages is', async () => {
    const scene = await startDocument((request, response) => {
      const isFirst = !request.query.has('page');
      const headers = { 'Content-Type': 'text/csv', ...(isFirst && { Link: '<?page=2>; rel="next"' }) };
      response.writeHead(200, headers).end(isFirst ? 'name,mail\nA,a@example.org' : 'name,mail\nB,b@example.org');
    }, registered());
    expect(await namesOf(scene)).toBe('AB');
  });

  it('are not requested from another origin: the list is partial', async () => {
    const other = await startDocument(send(teams('Z')), registered());
    const link = `<${other.upstream.address}/teams>; rel="next"`;
    const scene = await startDocument(sendLinked([['AB', link]]), registered());
    expect(await stateOf(scene)).toContain('state=partial;reason=paging;records=2');
    expect(await namesOf(scene)).toBe('AB');
    expect(findingsOf(scene)).toEqual({ 'unread-pages (link)': 1 });
    expect(other.targets()).toEqual([]);
  });

  it.each([
    ['records', 'AB', 'state=partial;reason=offset;records=2'],
    ['no records', '', 'state=partial;reason=offset'],
  ])('are read once where they form a circle of pages with %s', async (_what, names, state) => {
    const scene = await startDocument(sendLinked([[names, '<teams>; rel="next"']]), registered());
    expect(await stateOf(scene)).toContain(state);
    expect(scene.targets()).toEqual(['/teams']);
  });

  it('are read after those that an expression names', async () => {
    const scene = await startDocument(
      sendLinked([['A', '<?page=2>; rel="next"'], ['B']]),
      registered({ next: 'wrong.path' }),
    );
    expect(await namesOf(scene)).toBe('AB');
  });

  it('do not replace the pages that are counted', async () => {
    const scene = await startDocument(
      sendLinked([['A', '<?page=9>; rel="next"'], ['B', '<?page=9>; rel="next"'], ['']]),
      registered({ page: { parameter: 'page' } }),
    );
    expect(await namesOf(scene)).toBe('AB');
    expect(await stateOf(scene)).toContain('state=fresh');
  });

  it.each([
    ['the Link field of a page with a 304', 'AB', 1],
    ['a further page behind pages that are unchanged', 'ABC', 2],
  ])('are read again when %s names a new one', async (_what, before, pages) => {
    let names = before;
    const scene = await startDocument((request, response) => {
      const page = Number(request.query.get('page') ?? 1);
      const own = page < pages ? names.slice(0, 2) : names.slice((page - 1) * 2, page * 2);
      const headers = { ETag: `"${own}"`, ...(names.length > page * 2 && { Link: `<?page=${page + 1}>; rel="next"` }) };
      const isKnown = request.headers['if-none-match'] === headers.ETag;
      response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : JSON.stringify(teams(own)));
    }, registered());
    expect(await namesOf(scene)).toBe(before);
    names = 'ABCDE';
    scene.clock.advance(3_000_000);
    expect(await namesOf(scene)).toBe('ABCDE');
  });
});

describe('a document that states more than one page, of which nothing reads the others', () => {
  const stated: readonly (readonly [place: string, body: object])[] = [
    ['total', { total: 47 }],
    ['count', { count: '47' }],
    ['total_count', { total_count: 47 }],
    ['totalResults', { totalResults: 47 }],
    ['"@odata.count"', { '@odata.count': 47 }],
    ['meta.total', { meta: { total: 47 } }],
    ['meta.pagination.total', { meta: { pagination: { total: 47 } } }],
    ['page.totalElements', { page: { size: 2, totalElements: 47, number: 0 } }],
    ['total_pages', { page: 1, total_pages: 3 }],
    ['next', { next: 'https://lists.example.org/teams?page=2' }],
    ['links.next', { links: { self: '/teams', next: '/teams?page=2' } }],
    ['links.next.href', { links: { next: { href: '/teams?page=2' } } }],
    ['_links.next.href', { _links: { next: { href: '/teams?page=2' } } }],
    ['"@odata.nextLink"', { '@odata.nextLink': 'https://lists.example.org/teams?$skip=2' }],
    ['next_page_url', { next_page: 2, next_page_url: '/teams?page=2' }],
    ['paging.next', { paging: { next: { after: 'b7' } } }],
    ['nextPageToken', { nextPageToken: 'b7' }],
    ['has_more', { has_more: true }],
    ['more', { more: '/teams?from=2' }],
    ['total.value', { total: { value: 47, relation: 'eq' } }],
    ['last', { last: false }],
    ['isLastPage', { isLastPage: false }],
    ['"hydra:view"."hydra:next"', { 'hydra:view': { 'hydra:next': '/teams?page=2' } }],
    [
      "link[?rel == 'next'].href | [0]",
      {
        link: [
          { rel: 'self', href: '/1' },
          { rel: 'next', href: '/2' },
        ],
      },
    ],
    ['pageInfo.hasNextPage', { pageInfo: { hasNextPage: true, endCursor: 'b7' } }],
  ];

  it.each(stated)('is partial, and the finding names the property: %s', async (place, body) => {
    const scene = await startDocument(send({ ...body, data: teams('AB') }), registered({ records: 'data' }));
    expect(await stateOf(scene)).toContain('state=partial;reason=paging;records=2');
    expect(findingsOf(scene)).toEqual({ [`unread-pages ${place}`]: 1 });
  });

  it('does not answer that a team of the other pages does not exist', async () => {
    const scene = await startDocument(
      send({ meta: { total: 47 }, data: teams('AB') }),
      registered({ records: 'data' }),
    );
    expect((await scene.gateway.get('/directory/v1/teams?short-team-name=Z')).status).toBe(502);
  });

  it.each([
    ['beside the list of entries', { result: { count: 47, results: teams('AB') } }, 'result.results', 'result.count'],
    [
      'beside a list of wrapped entries',
      { d: { n: { totalCount: 47, e: [{ node: { name: 'A' } }] } } },
      'd.n.e[].node',
      'd.n.totalCount',
    ],
    ['in an attribute of XML', '<list total="47"><team><name>A</name></team></list>', 'list.team', 'list."@total"'],
    ['in YAML', 'total: 47\nteams:\n  - name: A\n', 'teams', 'total'],
  ])('is partial where it says so %s', async (_where, body, records, place) => {
    const format = typeof body === 'string' ? { format: body.startsWith('<') ? 'xml' : 'yaml' } : {};
    const scene = await startDocument(send(body), registered({ records, ...format }));
    expect(await stateOf(scene)).toContain('state=partial;reason=paging');
    expect(findingsOf(scene)).toEqual({ [`unread-pages ${place}`]: 1 });
  });

  it('is partial although it is a file', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'rollcall-')), 'teams.json');
    await writeFile(file, JSON.stringify({ next: '/teams?page=2', data: teams('AB') }));
    const scene = await startDocument(send({}), () => ({ file, records: 'data', map: MAP }));
    expect(await stateOf(scene)).toContain('state=partial;reason=paging;records=2');
  });

  it('is partial where the second document is the one', async () => {
    const scene = await startDocument(
      (request, response) => {
        const isSecond = request.path.endsWith('/keys');
        response.end(JSON.stringify(isSecond ? { total: 47, keys: teams('A') } : teams('AB')));
      },
      (address) => ({
        ...registered()(address),
        join: { url: `${address}/keys`, records: 'keys', on: ['name', 'name'], as: 'keys' },
      }),
    );
    expect(await stateOf(scene)).toContain('state=partial;reason=paging;records=2');
  });

  it('is not fresh with a wrong total where only unread pages are tolerated', async () => {
    const handler: RequestHandler = (_, response) =>
      response.writeHead(200, { 'X-Total-Count': '47' }).end(JSON.stringify({ total: 47, data: teams('AB') }));
    const scene = await startDocument(handler, registered({ records: 'data' }), { tolerates: ['paging'] });
    expect(await stateOf(scene)).toContain('state=inconsistent;reason=total');
  });

  it.each([
    ['error', { error: { code: 429 } }],
    ['errors', { errors: ['rate limit'] }],
    ['success', { success: false }],
  ])('has failed where a page is empty beside an error: %s', async (_property, error) => {
    const scene = await startDocument(
      (request, response) =>
        response.end(
          JSON.stringify(request.query.get('page') === '1' ? { data: teams('AB') } : { ...error, data: [] }),
        ),
      registered({ records: 'data', page: { parameter: 'page' } }),
    );
    expect(await stateOf(scene)).toContain('state=failed;reason=schema');
  });

  it('is fresh with `tolerates`', async () => {
    const scene = await startDocument(send({ total: 47, data: teams('AB') }), registered({ records: 'data' }), {
      tolerates: ['paging'],
    });
    expect(await stateOf(scene)).toContain('state=fresh;records=2');
    expect(findingsOf(scene)).toEqual({ 'unread-pages total': 1 });
  });

  it('is fresh once its pages are read as the finding says', async () => {
    const scene = await startDocument(
      (request, response) => {
        const isFirst = !request.query.has('page');
        const next = { next: isFirst ? '/v1/teams?page=2' : '/v1/teams?page=3', has_more: isFirst };
        response.end(JSON.stringify({ total: 3, ...next, data: teams(isFirst ? 'AB' : 'C') }));
      },
      registered({ records: 'data', next: 'has_more && next || null' }),
    );
    expect(await namesOf(scene)).toBe('ABC');
    expect(await stateOf(scene)).toContain('state=fresh;records=3');
  });
});

describe('a document that states nothing of further pages', () => {
  it.each<[string, object, object?]>([
    ['its count is that of the page', { count: 2, total: '2', total_pages: 1 }],
    ['its count is smaller than what was read', { total: 1 }],
    ['it names no next page', { next: null, links: { next: '' }, _links: { next: { href: null } }, has_more: false }],
    [
      'the next page is none in words',
      { next: 'false', nextPage: 'null', next_page: 0, hasMore: 'false', more: 'none' },
    ],
    ['a token is stated beside the flag that nothing follows', { next_cursor: 'b7', has_more: false }],
    ['it says that it is the last page', { last: true, next: '/teams?page=2' }],
    ['it counts what `only` leaves out', { total: 2 }, { only: "name != 'B'" }],
    ['properties of other names are large', { version: 47, updated: 1999, next_update: '2030-01-01', counter: 47 }],
    ['a count is of something else', { statistics: { total: 47 }, members: [{ total: 47, next: 'x' }] }],
  ])('is fresh where %s', async (_what, body, settings = {}) => {
    const scene = await startDocument(
      send({ ...body, data: teams('AB') }),
      registered({ records: 'data', ...settings }),
    );
    expect(await stateOf(scene)).toContain('state=fresh');
  });

  it.each([
    ['data', { data: [{ name: 'A', count: 47, total: 47, next: '/x', meta: { total: 47 } }] }],
    ['values(@)', { links: { name: 'A', total: 47 }, next: { name: 'B', count: 47 } }],
    ['teams.*', { teams: { page: { name: 'A', total: 47 }, next: { name: 'B' } } }],
    ['[@]', { name: 'A', total: 47, next: '/x' }],
  ])('is fresh where the properties are those of entries: %s', async (records, body) => {
    const scene = await startDocument(send(body), registered({ records }));
    expect(await stateOf(scene)).toContain('state=fresh');
  });
});
