import { afterEach, describe, expect, it, vi } from 'vitest';
import { SearchEngine } from '../../src/search/search-engine.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { AS_MEMBER, ACCESS } from '../support/gateway/members-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type {
  GatewayDependencies,
  GatewayResponse,
  GatewaySetup,
  TestGateway,
} from '../support/gateway/test-gateway.js';
import { readByNode } from '../support/formats/format-readers.js';
import { silentLog } from '../support/silent-log.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';
import { waitUntilStable } from '../support/wait-until-stable.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { waitFor } from '../support/wait-for.js';

const FINGERPRINT = '0123456789ABCDEF0123456789ABCDEF01234567';
const TEAMS = [
  {
    'short-team-name': 'Acorn CERT',
    'official-team-name': 'Acorn Emergency Response',
    'country-code': 'NO',
    email: 'cert@acorn.example.org',
    enckeys: [`0x${FINGERPRINT}`],
    'phone-numbers': ['+47 22113344'],
    '-one-rank': 'gold',
    'last-modified': '2025-04-02T21:28:40+00:00',
  },
  { 'short-team-name': 'Acorns', 'country-code': 'SE', '-one-colour': 'green' },
  { 'short-team-name': 'Birch CERT', 'country-code': 'NO', website: ['https://birch.example.org/'] },
];
const DATA = [
  { id: 'cedar-1', team: 'Cedar', country: 'NO', 'pgp-fingerprint': FINGERPRINT, email: 'irt@cedar.example.org' },
];

interface Scene {
  readonly gateway: TestGateway;
  readonly one: UpstreamServer;
  readonly two: UpstreamServer;
  readonly clock: FakeClock;
}

const open: (UpstreamServer | TestGateway)[] = [];
const searching = vi.spyOn(SearchEngine.prototype, 'search');

afterEach(async () => {
  searching.mockClear();
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startScene(setup: Partial<GatewaySetup> = {}, dependencies: GatewayDependencies = {}): Promise<Scene> {
  const one = await startUpstream(directoryUpstream(TEAMS));
  const two = await startUpstream(dataUpstream({ teams: DATA, news: [], channels: [] }, { keys: 'pgp' }));
  const clock = fakeClock();
  const sources = { one: { directory: one.address }, two: { data: two.address } };
  const gateway = await startGateway({ sources, ...setup }, { clock, ...dependencies });
  open.push(gateway, one, two);
  return { gateway, one, two, clock };
}

const PATH = '/directory/v1/search';
const NAMES = 'fields=short-team-name';

function namesOf({ json, text }: GatewayResponse): readonly unknown[] {
  if (!Array.isArray(json)) throw new Error(text);
  return json.map((record: unknown) => (record as Record<string, unknown>)['short-team-name'] ?? record);
}

describe('a search', () => {
  it('shows the records of the interface with score and matches, the best first', async () => {
    const { gateway } = await startScene();
    const { status, json, headers } = await gateway.get(`${PATH}?q=acorn+cert&country=NO`);
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        ...TEAMS[0],
        'source-name': 'one',
        '-rollcall-score': 1,
        '-rollcall-matches': [{ kind: 'name', property: 'short-team-name', text: 'Acorn CERT' }],
      },
    ]);
    expect(headers.get('x-total-count')).toBe('1');
    expect(headers.get('source-status')).toMatch(/^one;state=fresh;records=3;age=0, two;state=fresh;records=1/);
    expect(headers.get('last-modified')).toBeNull();
  });

  it.each([
    ['acorn', ['Acorns', 'Acorn CERT']],
    ['ACORN norway', ['Acorn CERT']],
    ['birch.example.org', ['Birch CERT', 'Acorn CERT', 'Cedar']],
    ['hxxps://mail[.]acorn[.]example[.]org', ['Acorn CERT', 'Cedar', 'Birch CERT']],
    ['0047 (0) 22113344', ['Acorn CERT']],
    ['brich', ['Birch CERT']],
    ['nothing-like-this', []],
  ])('for %s finds %j', async (q, names) => {
    const { gateway } = await startScene();
    const found = await gateway.get(`${PATH}?${NAMES}&q=${encodeURIComponent(q)}`);
    expect(found.status).toBe(200);
    expect([...namesOf(found)].sort()).toEqual([...names].sort());
  });

  it.each([
    ['', 'q is required'],
    ['q=', 'q is required'],
    ['q=%E2%80%A6', 'q has no letters or digits'],
    [`q=${Array.from({ length: 21 }, (_, at) => `w${at}`).join('+')}`, 'q has more than 20 words'],
    [`q=${encodeURIComponent('日'.repeat(62))}`, 'q has more than 60 words'],
    ['q=a&q=b', 'q '],
    ['q=a&sort=email', 'sort is not a parameter'],
    ['q=a&colour=green', 'colour is not a parameter'],
    ['q=a&fields=-rollcall-scor', 'fields '],
    ['q=%FF', 'q '],
  ])('with ?%s is refused: %s', async (query, message) => {
    const { gateway } = await startScene();
    const { status, text } = await gateway.get(`${PATH}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    expect(searching).not.toHaveBeenCalled();
  });

  it('accepts 20 words, and 61 characters of a script without spaces', async () => {
    const { gateway } = await startScene();
    expect((await gateway.get(`${PATH}?q=${'acorn+'.repeat(20)}`)).status).toBe(200);
    expect((await gateway.get(`${PATH}?q=${encodeURIComponent('日'.repeat(61))}`)).status).toBe(200);
  });

  it('is made among the records that filters select, and suggests only their words', async () => {
    const { gateway } = await startScene();
    const get = (query: string): ReturnType<TestGateway['get']> => gateway.get(`${PATH}?${NAMES}&${query}`);
    expect(namesOf(await get('q=acorn&country=SE'))).toEqual(['Acorns']);
    expect(namesOf(await get('q=cert&email=cert@acorn.example.org'))).toEqual(['Acorn CERT']);
    const excluded = await get('q=acorn&source-name=two');
    expect([excluded.status, namesOf(excluded)]).toEqual([200, []]);
    expect(excluded.headers.get('source-status')).toMatch(/^one;state=excluded;reason=source-name, two;state=fresh/);
    expect((await get('q=birhc')).headers.get('did-you-mean')).toBe('%"birch"');
    expect((await get('q=birhc&country=SE')).headers.get('did-you-mean')).toBeNull();
    expect((await get('q=acorm&country=NO')).headers.get('did-you-mean')).toBe('%"acorn"');
    expect((await get('q=acorns&country=NO')).headers.get('did-you-mean')).toBeNull();
  });

  it('shows only the properties that fields names', async () => {
    const { gateway } = await startScene();
    const get = async (fields: string): Promise<unknown> =>
      (await gateway.get(`${PATH}?q=birch&fields=${fields}`)).json;
    expect(await get('-rollcall-score')).toEqual([{ '-rollcall-score': expect.any(Number) as number }]);
    expect(await get('country-code')).toEqual([{ 'country-code': 'NO' }]);
    const kind = { kind: 'word', property: 'short-team-name', text: 'birch' };
    expect(await get('-rollcall-matches,-rollcall-id')).toEqual([
      { '-rollcall-id': 'one.birch-cert', '-rollcall-matches': [kind] },
    ]);
  });

  it('suggests words in the envelope and in a header field', async () => {
    const { gateway } = await startScene();
    const { json, text, headers } = await gateway.get(`${PATH}?q=Acron+cret&envelope=1`);
    expect(json).toMatchObject({ status: 'OK', total: 1, 'did-you-mean': 'acorn cert' });
    expect(text.indexOf('"did-you-mean"')).toBeLessThan(text.indexOf('"data"'));
    expect(headers.get('did-you-mean')).toBe('%"acorn cert"');
    const known = await gateway.get(`${PATH}?q=acorn&envelope=1`);
    expect(known.json).not.toHaveProperty('did-you-mean');
    expect(known.headers.get('did-you-mean')).toBeNull();
  });

  it('pages through one list', async () => {
    const { gateway } = await startScene();
    const whole = namesOf(await gateway.get(`${PATH}?${NAMES}&q=cert`));
    const first = await gateway.get(`${PATH}?${NAMES}&q=cert&limit=1`);
    const second = await gateway.get(`${PATH}?${NAMES}&q=cert&limit=1&offset=1`);
    expect([...namesOf(first), ...namesOf(second)]).toEqual(whole);
    expect(first.headers.get('x-total-count')).toBe('2');
    expect(first.headers.get('link')).toContain(`${PATH}?fields=short-team-name&q=cert&limit=1&offset=1>; rel="next"`);
    expect(namesOf(await gateway.get(`${PATH}?q=cert&offset=2`))).toEqual([]);
    expect((await gateway.get(`${PATH}?q=cert&limit=0`)).headers.get('x-total-count')).toBe('2');
  });

  it.each([
    ['acorn cert', 'Acorn CERT', 1],
    ['acorn norway', 'Acorn Norway', 10],
    ['norway', 'Norway', 10],
    ['acorn emergency response', 'Acorn Emergency Response', 10],
  ])(
    'for %s has a team of one source behind at most ten of another one that lists %s 4,000 times',
    async (q, name, at) => {
      const copies = Array.from({ length: 4_000 }, (_, copy) => ({ 'short-team-name': name, host: `${copy}` }));
      const [hostile, honest] = [
        await startUpstream(directoryUpstream(copies)),
        await startUpstream(directoryUpstream(TEAMS)),
      ];
      const gateway = await startGateway({
        sources: { hostile: { directory: hostile.address }, one: { directory: honest.address } },
      });
      open.push(gateway, hostile, honest);
      const ids: unknown[] = [];
      let total = Infinity;
      for (let offset = 0; offset < total; offset += 1_500) {
        const page = `limit=1500&offset=${offset}&envelope=1&fields=-rollcall-id`;
        const { json } = await gateway.get(`${PATH}?q=${encodeURIComponent(q)}&${page}`);
        const { data, ...envelope } = json as { total: number; data: readonly Record<string, unknown>[] };
        total = envelope.total;
        ids.push(...data.map((record) => record['-rollcall-id']));
      }
      expect(ids.findIndex((id) => String(id).startsWith('one.'))).toBe(at);
      expect([ids.length, new Set(ids).size]).toEqual([total, total]);
    },
  );

  it('is given in every format, with the columns of the hits only', async () => {
    const { gateway } = await startScene();
    const get = (extension: string): ReturnType<TestGateway['get']> => gateway.get(`${PATH}${extension}?q=brich`);
    const csv = await get('.csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="search-brich-2026-01-01.csv"');
    const [[header = [], row = []] = []] = readByNode([{ format: 'csv', body: Buffer.from(csv.text) }]) as string[][][];
    expect(header.slice(-2)).toEqual(['-rollcall-score', '-rollcall-matches']);
    expect(header.filter((name) => name.startsWith('-one-'))).toEqual([]);
    expect(row.at(-1)).toBe('{"kind":"spelling","property":"short-team-name","text":"birch"}');
    expect((await get('.yaml')).text).toMatch(/-rollcall-matches:\n\s+- kind: spelling\n/);
    expect((await get('.xml')).text).toContain('<kind>spelling</kind>');
    expect(JSON.parse((await get('.ndjson')).text)).toMatchObject({ 'short-team-name': 'Birch CERT' });
    const xlsx = await fetch(`${gateway.origin}${PATH}.xlsx?q=brich`);
    const [workbook] = readByNode([{ format: 'xlsx', body: new Uint8Array(await xlsx.arrayBuffer()) }]);
    expect(JSON.stringify(workbook)).toContain('Birch CERT');
    const script = await gateway.get(`${PATH}?q=brich&callback=f`);
    expect(script.text).toMatch(/^\/\*\*\/f\(.*"did-you-mean": ?"birch"/s);
    expect((await get('.vcf')).text).toMatch(/^BEGIN:VCARD[^]*FN:Birch CERT/);
    for (const format of ['.asc', '.geojson']) expect([format, (await get(format)).status]).not.toEqual([format, 200]);
  });

  it('answers HEAD with the same header fields, and If-None-Match with 304', async () => {
    const { gateway } = await startScene();
    const url = `${gateway.origin}${PATH}?q=brich`;
    const head = await fetch(url, { method: 'HEAD' });
    const { headers } = await gateway.get(`${PATH}?q=brich`);
    for (const name of ['etag', 'x-total-count', 'did-you-mean', 'source-status', 'last-modified'])
      expect([name, head.headers.get(name)]).toEqual([name, headers.get(name)]);
    expect(headers.get('etag')).not.toBeNull();
    const unchanged = await gateway.get(`${PATH}?q=brich`, { 'if-none-match': headers.get('etag') ?? '' });
    expect([unchanged.status, unchanged.headers.get('did-you-mean')]).toEqual([304, '%"birch"']);
  });

  it('has another entity tag with another suggestion, although the records are the same', async () => {
    const { gateway, one, clock } = await startScene();
    const before = await gateway.get(`${PATH}?${NAMES}&q=zanzibr+brich`);
    one.handler = directoryUpstream([...TEAMS, { 'short-team-name': 'Zanzibar Brick', 'country-code': 'NO' }]);
    clock.advance(3_600_000);
    const after = await gateway.get(`${PATH}?${NAMES}&q=zanzibr+brich&country=NO&limit=0`);
    expect(before.headers.get('did-you-mean')).toBe('%"zanzibr birch"');
    expect(after.headers.get('did-you-mean')).toBe('%"zanzibar birch"');
    expect(before.headers.get('etag')).not.toBe(after.headers.get('etag'));
  });

  it('is not repeated for an equal request, until a source has changed', async () => {
    const { gateway, one, clock } = await startScene();
    const first = await gateway.get(`${PATH}?${NAMES}&q=birch`);
    // The records came with the first request, so that only the second response is kept.
    const second = await gateway.get(`${PATH}?${NAMES}&q=birch`);
    const calls = searching.mock.calls.length;
    const third = await gateway.get(`${PATH}?${NAMES}&q=birch`);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(searching).toHaveBeenCalledTimes(calls);
    one.handler = directoryUpstream([{ 'short-team-name': 'Birch Renamed', 'country-code': 'NO' }]);
    clock.advance(3_600_000);
    await waitFor(async () => {
      expect(namesOf(await gateway.get(`${PATH}?${NAMES}&q=birch`))).toEqual(['Birch Renamed']);
    });
  });
});

describe('a search for a key', () => {
  const KEY = `openpgp4fpr:${FINGERPRINT}`;
  const NEEDED = 'a search for a key needs credentials';

  it('finds the teams of both interfaces, and shows no more than the scope does', async () => {
    const { gateway } = await startScene();
    expect(namesOf(await gateway.get(`${PATH}?${NAMES}&q=${KEY}`))).toEqual(['Acorn CERT', 'Cedar']);
    for (const scope of ['public', 'minimal', 'pgp']) {
      const { json } = await gateway.get(`/data/v1/search?scope=${scope}&q=${FINGERPRINT.slice(-16)}`);
      const { data } = json as { readonly data: readonly Readonly<Record<string, unknown>>[] };
      expect([scope, data.length]).toEqual([scope, 2]);
      expect([scope, /0123456789ABCDEF01/i.test(JSON.stringify(data))]).toEqual([scope, scope === 'pgp']);
      expect(data[0]?.['-rollcall-matches']).toMatchObject([{ kind: 'key', text: '89abcdef01234567' }]);
    }
  });

  it('is refused to the public where keys need members access, and finds none of a data source', async () => {
    const { gateway } = await startScene({ access: { ...ACCESS, scopes: { pgp: 'members' } } });
    const texts = [
      `PGP: ${FINGERPRINT}`,
      `gpg: using RSA key ${FINGERPRINT}`,
      `our key 0x${FINGERPRINT.slice(-8)} expired`,
    ];
    for (const q of [KEY, FINGERPRINT.toLowerCase(), FINGERPRINT.slice(-16), ...texts]) {
      const data = await gateway.get(`/data/v1/search?q=${q}&envelope=1`);
      expect([data.status, data.json]).toMatchObject([401, { message: NEEDED }]);
      expect(JSON.stringify((await gateway.get(`${PATH}?${NAMES}&q=${q}`)).json)).not.toContain('Cedar');
      for (const scope of ['', '&scope=pgp']) {
        const member = await gateway.get(`/data/v1/search?q=${q}${scope}`, AS_MEMBER);
        expect([member.status, member.text]).toEqual([200, expect.stringContaining('Cedar')]);
      }
    }
  });

  it('is no part of a private search for words, which requests the keys and does not need them', async () => {
    const { gateway, two } = await startScene();
    const serve = two.handler;
    two.handler = (request, response) => {
      if (request.query.get('scope') === 'pgp') response.writeHead(500).end();
      else serve(request, response);
    };
    for (const headers of [{}, { Prefer: 'private' }]) {
      const { status, text } = await gateway.get('/data/v1/search?q=cedar', headers);
      expect([status, text]).toEqual([200, expect.stringContaining('Cedar')]);
    }
    expect(two.requests.some(({ query }) => query.get('scope') === 'pgp')).toBe(true);
  });

  it('that may be a telephone number is answered at public access, without keys', async () => {
    const { gateway } = await startScene({ access: { ...ACCESS, scopes: { pgp: 'members' } } });
    const data = await gateway.get('/data/v1/search?q=01234567&envelope=1');
    expect([data.status, data.json]).toMatchObject([200, { total: 0 }]);
    expect(data.headers.get('did-you-mean')).toBeNull();
  });
});

describe('members data', () => {
  const SECRET = { ...DATA[0], host: 'Zwiebelturm', email: 'secret@zwiebelturm.example.net', team: 'Cedar' };

  async function startMembersScene(): Promise<TestGateway> {
    const upstream = await startUpstream(
      membersUpstream({ teams: DATA }, { authorization: 'Bearer t', teams: [SECRET] }, { keys: 'pgp' }),
    );
    const sources = { one: { data: upstream.address, credentials: { members: { bearer: 't' } } } };
    const gateway = await startGateway({ sources, access: ACCESS });
    open.push(gateway, upstream);
    return gateway;
  }

  it('is found with members access only, and not suggested to others', async () => {
    const gateway = await startMembersScene();
    const path = '/data/v1/search?envelope=1';
    const member = await gateway.get(`${path}&scope=members&q=zwiebeltrum`, AS_MEMBER);
    expect([member.status, member.headers.get('did-you-mean')]).toEqual([200, '%"zwiebelturm"']);
    expect(member.json).toMatchObject({ total: 1, access: 'members' });
    expect(member.headers.get('cache-control')).toMatch(/no-store/);
    for (const q of [
      'zwiebelturm',
      'zwiebeltrum',
      'zwiebel',
      'secret@zwiebelturm.example.net',
      'zwiebelturm.example.net',
    ])
      for (const headers of [{}, AS_MEMBER]) {
        const found = await gateway.get(`${path}&q=${q}`, headers);
        expect([q, found.status, found.json]).toMatchObject([q, 200, { total: 0, data: [] }]);
        expect([q, found.headers.get('did-you-mean')]).toEqual([q, null]);
      }
    expect((await gateway.get(`${path}&scope=members&q=zwiebelturm`)).status).toBe(401);
  });
});

describe('Prefer', () => {
  it('private sends nothing of the text to a source, and the same requests whatever is searched, to the named sources only', async () => {
    const requestsOf = async (query: string, path = PATH): Promise<readonly string[]> => {
      const { gateway, one, two } = await startScene();
      const { status, headers } = await gateway.get(`${path}?${query}`, { prefer: 'private' });
      expect([status, headers.get('preference-applied')]).toEqual([200, 'private']);
      await waitUntilStable(() => one.requests.length + two.requests.length);
      return [one, two].flatMap(({ requests }, at) =>
        requests.map(({ path: requested, query: sent, headers: fields }) => {
          expect(JSON.stringify([requested, [...sent], fields])).not.toMatch(/acorn|birch|01234567/i);
          return `${at} ${requested}?${sent.toString()}`;
        }),
      );
    };
    const words = await requestsOf('q=acorn');
    expect((await requestsOf('q=birch+cert&country=NO')).toSorted()).toEqual(words.toSorted());
    const toFirst = (sent: readonly string[]): readonly string[] =>
      sent.filter((one) => one.startsWith('0 ')).toSorted();
    expect((await requestsOf('q=birch+cert&source-name=one')).toSorted()).toEqual(toFirst(words));
    for (const path of [PATH, '/data/v1/search']) {
      const key = await requestsOf(`q=${FINGERPRINT}`, path);
      expect((await requestsOf(`q=${FINGERPRINT}&source-name=one`, path)).toSorted()).toEqual(toFirst(key));
    }
  });

  it('handling decides whether an incomplete search is an answer', async () => {
    const { gateway, two } = await startScene({ defaults: { retries: 0 } });
    await two.close();
    const get = (prefer: string, q: string): ReturnType<TestGateway['get']> =>
      gateway.get(`${PATH}?${NAMES}&q=${q}`, prefer === '' ? {} : { prefer });
    expect((await get('', 'acorn')).status).toBe(200);
    expect((await get('handling=strict', 'acorn')).status).toBe(502);
    expect((await get('', 'nothing-like-this')).status).toBe(502);
    const lenient = await get('handling=lenient', 'nothing-like-this');
    expect([lenient.status, lenient.json]).toEqual([200, []]);
    expect(lenient.headers.get('source-status')).toMatch(/two;state=failed;reason=connect/);
  });
});

describe('the warm-up', () => {
  it('indexes the lists of both interfaces, so that no first search waits for an index', async () => {
    const indexed: object[] = [];
    const log = {
      ...silentLog,
      debug: (facts: object, message: string) => {
        if (message === 'source indexed') indexed.push(facts);
      },
    };
    const { gateway } = await startScene({ server: { deadline: '60s' } }, { log });
    await gateway.app.warmUp();
    expect(indexed).toHaveLength(4);
    for (const path of [PATH, '/data/v1/search']) {
      const { status, headers } = await gateway.get(`${path}?q=acorn`);
      expect([status, headers.get('source-status')]).toEqual([
        200,
        expect.stringMatching(/^one;state=fresh.*two;state=fresh/),
      ]);
    }
    expect(indexed).toHaveLength(4);
  });
});
