import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway, DataSourceSetup } from '../support/gateway/data-gateway.js';
import { readWorkbook } from '../support/formats/workbook-reader.js';
import { rawRequest } from '../support/http/raw-http.js';
import type { RawResponse } from '../support/http/raw-http.js';
import { waitFor } from '../support/wait-for.js';

afterEach(closeDataGateways);

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const harbour: DataSourceSetup = {
  records: {
    teams: [
      { id: 'a', team: 'A', 'team-full': 'Team A', country: 'NO', website: ['https://a.example', 'https://b.example'] },
      { id: 'b', team: 'B', country: 'SE', zeal: 'much', motto: 'Steady', 'pgp-id': '0x0123' },
      { id: 'c', team: 'C', country: 'SE', '-harbour-rank': 3 },
    ],
    news: [{ id: 1, title: 'One', content: '<p>One</p>', published: '2026-01-01' }],
    channels: [{ id: 1, title: 'Letters' }],
  },
  behaviour: { keys: 'public' },
};

let gateway: DataGateway;
/** Sends a request for a path below `/data/v1`, each header a whole line. */
let ask: (method: string, target: string, ...headers: string[]) => Promise<RawResponse>;

async function open(members: Readonly<Record<string, DataSourceSetup>>, setup: object = {}): Promise<void> {
  gateway = await startDataGateway(members, setup);
  const port = Number(new URL(gateway.gateway.origin).port);
  ask = (method, target, ...headers) => rawRequest(port, { method, target: `/data/v1${target}`, headers });
}

const get = (target: string, ...headers: string[]): Promise<RawResponse> => ask('GET', target, ...headers);

/** Formats (decisions 2.4, 2.5, 3.1). */
describe('the format of a response', () => {
  beforeEach(() => open({ harbour }));

  it.each([
    ['.json', 'application/json; charset=utf-8', '{"status"'],
    ['.yml', 'application/yaml; charset=utf-8', 'status: '],
    ['.yaml', 'application/yaml; charset=utf-8', 'status: '],
    ['.xml', 'application/xml; charset=utf-8', '<?xml '],
    ['.csv', 'application/csv; charset=utf-8', 'id,'],
    ['.xlsx', XLSX, 'PK'],
  ])('follows the extension %s on every path, whatever Accept is', async (extension, type, begin) => {
    for (const path of ['/teams', '/channels', '/news', '/news/1001']) {
      if (path.startsWith('/news') && extension === '.xlsx') continue;
      const { status, headers, body } = await get(`${path}${extension}?pretty=0`, 'Accept: image/png');
      expect([status, headers.get('content-type'), body.toString().startsWith(begin)], path).toEqual([200, type, true]);
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Prefer');
    }
  });

  it.each(['text/csv', 'text/xml', 'text/yaml', 'application/x-yaml', 'application/yaml'])(
    'has the media type %s when Accept names it',
    async (type) => {
      const { headers } = await get('/teams', `Accept: ${type}, */*;q=0.1`);
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect(headers.get('vary')).toBe('Accept, Accept-Encoding, Prefer');
    },
  );

  it('is a 406 with the list of types where none is acceptable', async () => {
    const { status, headers, body } = await get('/teams?pretty=0', 'Accept: image/png');
    expect([status, headers.get('content-type')]).toEqual([406, 'application/json; charset=utf-8']);
    expect(body.toString()).toContain(
      `"message":"supported formats are application/json, application/yaml, application/xml, application/csv, ${XLSX}, `,
    );
  });

  it.each([
    ['/news.xlsx', []],
    ['/news/1001.xlsx', []],
    ['/news', [`Accept: ${XLSX}`]],
  ])('is never a spreadsheet for %s %j, and the error states that', async (path, headers) => {
    const { status, body } = await get(`${path}?pretty=0`, ...headers);
    expect(status).toBe(406);
    expect(body.toString()).toMatch(
      /news are never served as xlsx; supported formats are application\/json, [a-z/+, ]*"/,
    );
  });

  it('is the next acceptable one for news when Accept prefers a spreadsheet', async () => {
    const { status, headers } = await get('/news', `Accept: ${XLSX}, text/csv;q=0.5`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  });

  it('is kept by the pages in Link', async () => {
    const { headers } = await get('/teams.csv?limit=1');
    expect(headers.get('link')).toContain('</data/v1/teams.csv?limit=1&offset=1>; rel="next"');
    expect(headers.get('x-total-count')).toBe('3');
  });
});

/** JSONP (decisions 2.15). */
describe('a callback', () => {
  beforeEach(() => open({ harbour }));

  it.each(['.yml', '.xml', '.csv'])('is refused with %s, in that format and with status 400', async (extension) => {
    const { status, headers, body } = await get(`/teams${extension}?callback=cb&limit=x`);
    expect(status).toBe(400);
    expect(headers.get('content-type')).not.toContain('javascript');
    const name = extension.slice(1).replace('yml', 'yaml');
    // YAML folds lines.
    expect(body.toString().replaceAll(/\s+/g, ' ')).toContain(
      `limit must be a whole number of at least 0; callback requires JSON, but ${name} was requested`,
    );
  });

  it('is refused where another format than JSON is negotiated', async () => {
    const { status, headers } = await get('/teams?callback=cb', 'Accept: application/xml');
    expect([status, headers.get('content-type')]).toEqual([400, 'application/xml; charset=utf-8']);
    expect((await get('/teams.xlsx?callback=cb')).status).toBe(400);
  });

  it.each(['*/*', 'application/json', 'text/javascript', 'text/javascript, */*;q=0.1'])(
    'is used where Accept is %s',
    async (accept) => {
      const { status, headers, body } = await get('/teams?callback=cb&limit=0&pretty=0', `Accept: ${accept}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
      expect(body.toString()).toMatch(/^\/\*\*\/cb\(\{"status":"OK",.*\}\);$/);
    },
  );

  it('is required for Accept: text/javascript', async () => {
    expect((await get('/teams', 'Accept: text/javascript')).status).toBe(406);
  });
});

/** Formats of errors (decisions 3.12). */
describe('an error', () => {
  beforeEach(() => open({ harbour }));

  const faultyRequests: [about: string, method: string, target: string, status: number][] = [
    ['a parameter', 'GET', '/teams.EXT?limit=x', 400],
    ['an item that does not exist', 'GET', '/news/9001.EXT', 404],
    ['a path', 'GET', '/nothing.EXT', 404],
    ['a method', 'DELETE', '/teams.EXT', 405],
    ['a target', 'GET', `/teams.EXT?q=${'a'.repeat(9_000)}`, 414],
    ['credentials', 'GET', '/teams.EXT?scope=members', 401],
  ];

  it.each(faultyRequests)('about %s has the format of the extension', async (_, method, target, status) => {
    for (const [extension, type, begin] of [
      ['json', 'application/json', '{"status"'],
      ['yml', 'application/yaml', 'status: '],
      ['xml', 'application/xml', '<?xml '],
      ['csv', 'application/csv', 'status,status-code,message\r\n'],
    ] as const) {
      // Also applies the extension to a target that is too long.
      const [path = '', query = ''] = target.replace('EXT', extension).split('?');
      const reply = await ask(method, `${path}?${query === '' ? '' : `${query}&`}pretty=0`);
      expect([reply.status, reply.headers.get('content-type')]).toEqual([status, `${type}; charset=utf-8`]);
      // Of a target that is too long only the extension is parsed, so `pretty` is ignored.
      const text = status === 414 ? reply.body.toString().replaceAll(/\n {4}| (?=")/g, '') : reply.body.toString();
      expect(text.startsWith(begin), text).toBe(true);
      expect(reply.headers.has('content-disposition')).toBe(false);
    }
  });

  it.each(faultyRequests)('about %s has the format that Accept names', async (_, method, target, status) => {
    const reply = await ask(method, target.replace('.EXT', ''), 'Accept: text/xml');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/xml; charset=utf-8']);
  });

  it('is JSON where a spreadsheet or no known format is requested', async () => {
    for (const reply of [
      await get('/teams.xlsx?limit=x'),
      await get('/teams?limit=x', 'Accept: image/png'),
      await get('/nothing', 'Accept: image/png'),
    ]) {
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('is one row of status and message as CSV', async () => {
    const { body } = await get('/nothing.csv');
    expect(body.toString()).toBe(
      'status,status-code,message\r\nNot Found,404,"no resource at this path; resources are at /data/v1/teams, /data/v1/teams/ID, /data/v1/search, /data/v1/news, /data/v1/news/ID, /data/v1/channels, /data/v1/countries"\r\n',
    );
  });

  it('is logged with its real status when JSONP sends it as a 200', async () => {
    await open({ harbour }, { server: { log: 'errors' } });
    expect((await get('/teams?callback=cb&limit=x')).status).toBe(200);
    expect((await get('/teams?callback=cb')).status).toBe(200);
    const logged = (): object[] => gateway.gateway.log.filter(({ message }) => message === 'request');
    await waitFor(() => expect(logged()).toHaveLength(1));
    expect(logged()).toMatchObject([{ facts: { status: 400 } }]);
  });
});

/** File names and the sheet About (decisions 3.3, 3.9). */
describe('a saved file', () => {
  const name = async (target: string): Promise<string | undefined> =>
    (await get(target)).headers.get('content-disposition');

  it('is named after the resource, the query, the day of the request and its completeness', async () => {
    await open({
      harbour,
      lantern: { records: { teams: [{ team: 'L' }] }, registration: { ttl: '10s', 'stale-if-error': '1h' } },
    });
    const { lantern } = gateway.upstreams;
    if (lantern === undefined) throw new Error('no source');
    expect(await name('/teams.csv')).toBe('attachment; filename="teams-2026-01-01.csv"');
    expect(await name('/teams.xlsx')).toBe('attachment; filename="teams-2026-01-01.xlsx"');
    const parameters = ['country=NO', 'q=%C3%9E%C3%B3rsv%C3%ADk+x%22%2F..y', 'sort=team', 'limit=5'];
    for (const query of [parameters.join('&'), parameters.reverse().join('&')])
      expect(await name(`/teams.csv?${query}`)).toBe('attachment; filename="teams-no-thorsvik-x-y-2026-01-01.csv"');
    expect(await name('/news.csv?after=2025-12-01T10:00:00Z')).toBe(
      'attachment; filename="news-after-2025-12-01-2026-01-01.csv"',
    );
    expect(await name('/teams.csv?q=%E6%97%A5%E6%9C%AC')).toBe('attachment; filename="teams-selection-2026-01-01.csv"');
    expect(await name('/news/1001.csv')).toBe('attachment; filename="news-1001.csv"');
    expect(await name('/teams.xml')).toBeUndefined();
    gateway.clock.advance(86_400_000);
    await waitFor(async () => expect(await name('/teams.csv')).toBe('attachment; filename="teams-2026-01-02.csv"'));
    lantern.handler = (_, response) => response.writeHead(500).end();
    gateway.clock.advance(60_000);
    await waitFor(async () =>
      expect(await name('/teams.csv')).toBe('attachment; filename="teams-2026-01-02.stale.csv"'),
    );
    gateway.clock.advance(7_200_000);
    await waitFor(async () =>
      expect(await name('/teams.xlsx')).toBe('attachment; filename="teams-2026-01-02.partial.xlsx"'),
    );
  });

  it('contains the query, the total and the sources', async () => {
    await open({ harbour: { ...harbour, registration: { 'source-name': 'Harbour Register' } } });
    const { body } = await get('/teams.xlsx?country=se&limit=1&fields=id');
    const { name: sheet, rows } = readWorkbook(body).at(-1) ?? {};
    expect([sheet, rows]).toEqual([
      'About',
      [
        ['query', '/data/v1/teams.xlsx?country=se&fields=id&limit=1&offset=0', null, null],
        ['total', '2', null, null],
        ['sources', 'source-name', 'state', 'records'],
        [null, 'Harbour Register', 'fresh', '3'],
      ],
    ]);
  });
});

/** Columns of CSV and XLSX (decisions 3.6). */
describe('the columns of a table', () => {
  beforeEach(() => open({ harbour }));
  const columns = async (target: string): Promise<string[]> =>
    ((await get(target)).body.toString().split('\r\n')[0] ?? '').split(',');

  const KNOWN =
    'id,team,team-full,host,establishment,address,country,website,email,phone,fax,phone-emergency,timezone,' +
    'timezone-dst,other-communication,operating-hours,constituency,constituency-description,source-name,' +
    'membership,team-type,country-other,member-since,last-modified';

  it('are the requested fields, in that order', async () => {
    const { body } = await get('/teams.csv?fields=country,id&limit=1');
    expect(body.toString()).toBe('country,id\r\nNO,harbour.a\r\n');
  });

  it('are the known properties, then further properties of any match by name, and no PGP keys', async () => {
    expect(await columns('/teams.csv')).toEqual([...KNOWN.split(','), '-harbour-rank', 'motto', 'zeal']);
  });

  it('are the same on every page, including empty pages', async () => {
    const all = await columns('/teams.csv');
    for (const page of ['limit=1', 'limit=1&offset=1', 'limit=1&offset=2', 'limit=0', 'offset=9']) {
      expect(await columns(`/teams.csv?${page}`), page).toEqual(all);
    }
  });

  it('omit further properties that no match has', async () => {
    expect(await columns('/teams.csv?country=se&limit=1')).toEqual([
      ...KNOWN.split(','),
      '-harbour-rank',
      'motto',
      'zeal',
    ]);
    expect(await columns('/teams.csv?q=C')).toEqual([...KNOWN.split(','), '-harbour-rank']);
    expect(await columns('/teams.csv?q=A')).toEqual(KNOWN.split(','));
  });

  it('are those of the scope', async () => {
    expect(await columns('/teams.csv?scope=minimal')).toEqual(['u', 's', 't', 'c', 'o', 'r', 'source-name']);
    expect(await columns('/teams.csv?scope=minimal&fields=c,s')).toEqual(['c', 's']);
  });

  it('are those of the detail form for a single item', async () => {
    const { body } = await get('/news/1001.csv');
    expect(body.toString()).toBe(
      'id,title,summary,link,published,content,channels,source-name\r\n' +
        '1001,One,,,"Thu, 01 Jan 2026 00:00:00 GMT",<p>One</p>,,harbour\r\n',
    );
  });
});

/** Compression (decisions 3.13). */
describe('the content coding of a response', () => {
  const many = Array.from({ length: 200 }, (_, at) => ({ id: `t${at}`, team: `Team ${at}` }));
  beforeEach(() => open({ harbour: { records: { teams: many } } }));

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is %s when the client accepts it, with the length of the encoded body', async (coding, decode) => {
    const plain = await get('/teams.xml?pretty=0');
    const coded = await get('/teams.xml?pretty=0', `Accept-Encoding: ${coding}`);
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(coded.headers.get('content-encoding')).toBe(coding);
    expect(coded.headers.get('vary')).toContain('Accept-Encoding');
    expect(coded.headers.get('content-length')).toBe(String(coded.body.length));
    expect(decode(coded.body)).toEqual(plain.body);
  });

  it.each([
    '/teams',
    '/teams.csv',
    '/teams.xlsx',
    '/teams?limit=0',
    '/teams?limit=x',
    '/teams?callback=cb',
    '/nothing',
  ])('and the length are the same for HEAD and GET of %s', async (target) => {
    for (const field of ['gzip', 'br', 'identity', 'gzip, identity;q=0']) {
      const [whole, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => ask(method, target, `Accept-Encoding: ${field}`)),
      );
      for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'content-disposition']) {
        expect(head?.headers.get(name), name).toBe(whole?.headers.get(name));
      }
      expect([head?.status, head?.body.length]).toEqual([whole?.status, 0]);
      expect(whole?.headers.get('content-length')).toBe(String(whole?.body.length));
    }
  });

  it('is identity for less than 1 KiB, unless the client refuses identity', async () => {
    expect((await get('/teams?limit=1', 'Accept-Encoding: gzip')).headers.has('content-encoding')).toBe(false);
    const insisted = await get('/teams?limit=1', 'Accept-Encoding: gzip, identity;q=0');
    expect(insisted.headers.get('content-encoding')).toBe('gzip');
  });

  it('is identity for a format that is compressed already', async () => {
    const { headers, body } = await get('/teams.xlsx', 'Accept-Encoding: gzip');
    expect(body.length).toBeGreaterThan(1024);
    expect(headers.has('content-encoding')).toBe(false);
  });
});

/** Size of a response (decisions 3.14). */
describe('a long response', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ id: `t${at}`, team: `Team ${at}`, host: 'x'.repeat(200) }));

  it('yields to the event loop while it is rendered', async () => {
    await open({ harbour: { records: { teams: many }, registration: { 'drain-threshold': 20_000 } } });
    await get('/teams.csv?limit=0');
    let turns = 0;
    const count = (): void => void ((turns += 1), (turning = setImmediate(count)));
    let turning = setImmediate(count);
    await get('/teams?limit=10000');
    clearImmediate(turning);
    expect(turns).toBeGreaterThan(10);
  });

  it.each(['/teams?limit=10000', '/teams.csv?limit=10000', '/teams.xlsx?limit=10000'])(
    'is logged as aborted, not as an error, when the client of %s disconnects before it',
    async (target) => {
      await open({ harbour: { records: { teams: many }, registration: { 'drain-threshold': 20_000 } } });
      await get('/teams?limit=0');
      const { origin, log } = gateway.gateway;
      const lines = (level: string): object[] => log.filter((line) => line.level === level);
      const before = lines('info').length;
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write(`GET /data/v1${target} HTTP/1.1\r\nHost: a\r\n\r\n`, () => socket.destroy());
      await waitFor(() => expect(lines('info')).toHaveLength(before + 1));
      expect(lines('info').at(-1)).toMatchObject({ facts: { aborted: true } });
      expect((await get('/teams?limit=1')).status).toBe(200);
      expect(lines('error')).toEqual([]);
    },
  );
});
