import { request as startRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { readByNode } from '../support/formats/format-readers.js';
import type { RenderedDocument } from '../support/formats/format-readers.js';
import { readWorkbook } from '../support/formats/workbook-reader.js';
import { closeDataGateways, fieldsOf, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway, DataSourceSetup } from '../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER } from '../support/gateway/members-gateway.js';
import type { LogLine, TestGateway } from '../support/gateway/test-gateway.js';
import { holdResponses, status } from '../support/upstream/faulty-responses.js';
import { membersUpstream } from '../support/upstream/members-upstream.js';

const SOURCE_TOKEN = 'token-of-this-gateway';

const PUBLIC_TEAMS = [{ id: 'alpha', team: 'ALPHA', country: 'BR', email: 'alpha@example.org' }];

const ARMOURED = 'ARMOURED, "quoted" & <folded>';

const MEMBERS_TEAMS = [
  {
    ...PUBLIC_TEAMS[0],
    phone: ['+1 555 0100', '+1 555 0101'],
    'duty-officer': 'Robin Example',
    '-first-rank': 3,
    'pgp-id': '0x1111111111111111',
    'pgp-fingerprint': '00112233445566778899AABB1111111111111111',
    'pgp-key': ARMOURED,
    'last-modified': '2025-06-01 00:00:00+00:00',
  },
  { id: 'gamma', team: 'GAMMA', country: 'PT', 'duty-officer': 'Özgür Example' },
];

const handler = membersUpstream(
  { teams: PUBLIC_TEAMS },
  { authorization: `Bearer ${SOURCE_TOKEN}`, teams: MEMBERS_TEAMS },
  { keys: 'pgp' },
);

const SOURCES: Readonly<Record<'first' | 'second', DataSourceSetup>> = {
  first: { records: {}, handler, registration: { credentials: { members: { bearer: SOURCE_TOKEN } } } },
  second: {
    records: { teams: [{ id: 'beta', team: 'BETA', 'pgp-id': '0x2222222222222222' }] },
    behaviour: { keys: 'pgp' },
  },
};

function start(): Promise<DataGateway> {
  return startDataGateway(SOURCES, { access: ACCESS, defaults: { retries: 0 } });
}

afterEach(closeDataGateways);

const TARGET = '/data/v1/teams?scope=members';

interface Download {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

async function download({ origin }: TestGateway, target: string, headers: object = {}): Promise<Download> {
  const response = await fetch(`${origin}${target}`, { headers: { ...AS_MEMBER, ...headers } });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

/** The records of the JSON response. */
async function jsonRecords(gateway: TestGateway): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { data } = fieldsOf((await gateway.get(TARGET, AS_MEMBER)).json);
  return Array.isArray(data) ? data.map(fieldsOf) : [];
}

function read(format: RenderedDocument['format'], { body }: Download): unknown {
  return readByNode([{ format, body }])[0];
}

/** Turns `{ map: [[name, value]] }` into objects. */
function toObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toObjects);
  const { map } = fieldsOf(value);
  if (!Array.isArray(map)) return value;
  const pairs: readonly unknown[] = map;
  return Object.fromEntries(
    pairs.map((pair) => (Array.isArray(pair) ? [String(pair[0]), toObjects(pair[1])] : ['', pair])),
  );
}

/** All values as text: XML has no numbers. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asTexts(inner)]));
}

/** The records of a table; empty cells are left out. */
function recordsOf([columns = [], ...rows]: readonly (readonly (string | null)[])[]): unknown[] {
  return rows.map((row) =>
    Object.fromEntries(
      row.flatMap((cell, at) => (cell === null || cell === '' ? [] : [[String(columns[at]), cell] as const])),
    ),
  );
}

/** Records as the cells of a table: lists are joined. */
function asCells(records: readonly Readonly<Record<string, unknown>>[], separator: string): unknown[] {
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(separator) : String(value),
      ]),
    ),
  );
}

function rowsOf(value: unknown): readonly string[][] {
  return Array.isArray(value) ? value.map((row) => (Array.isArray(row) ? row.map(String) : [])) : [];
}

function auditLines(log: readonly LogLine[]): readonly object[] {
  return log.filter(({ message }) => message === 'members data sent').map(({ facts }) => facts);
}

describe('an export of members data', () => {
  it.each(['ndjson', 'vcf', 'geojson'])(
    'as %s is named for its level, stored by no cache, and recorded',
    async (name) => {
      const { gateway } = await start();
      const { status: code, headers } = await download(gateway, `/data/v1/teams.${name}?scope=members`);
      expect([code, headers.get('content-disposition'), headers.get('cache-control')]).toEqual([
        200,
        `attachment; filename="teams-2026-01-01.members.${name}"`,
        'private, no-store',
      ]);
      expect(auditLines(gateway.log)).toHaveLength(1);
    },
  );
});

describe('members data in each format', () => {
  it('has the members of the JSON response that other tests check', async () => {
    const { gateway } = await start();
    expect(await jsonRecords(gateway)).toMatchObject([
      { id: 'first.alpha', 'duty-officer': 'Robin Example', 'pgp-key': ARMOURED },
      { id: 'second.beta', 'pgp-id': '0x2222222222222222' },
      { id: 'first.gamma', 'duty-officer': 'Özgür Example' },
    ]);
  });

  it('is the same in YAML', async () => {
    const { gateway } = await start();
    const response = await download(gateway, '/data/v1/teams.yaml?scope=members');
    expect(toObjects(read('yaml', response))).toMatchObject({
      total: 3,
      access: 'members',
      data: await jsonRecords(gateway),
    });
    expect(response.headers.get('content-disposition')).toBeNull();
  });

  it('is the same in XML', async () => {
    const { gateway } = await start();
    const response = await download(gateway, '/data/v1/teams.xml?scope=members');
    expect(toObjects(fieldsOf(read('xml', response))['value'])).toMatchObject({
      access: 'members',
      data: asTexts(await jsonRecords(gateway)),
    });
  });

  it('is the same in CSV, in a file whose name says that it is members data', async () => {
    const { gateway } = await start();
    const response = await download(gateway, '/data/v1/teams.csv?scope=members');
    const rows = rowsOf(read('csv', response));
    // CSV guards cells that a spreadsheet would take for a formula (decisions 3.8).
    const cells = asCells(await jsonRecords(gateway), '; ');
    const [first] = recordsOf(rows);
    expect(fieldsOf(first)['pgp-key']).toBe(ARMOURED);
    expect(recordsOf(rows).map((record) => ({ ...fieldsOf(record), phone: '' }))).toEqual(
      cells.map((record) => ({ ...fieldsOf(record), phone: '' })),
    );
    expect(fieldsOf(first)['phone']).toContain('555 0101');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="teams-2026-01-01.members.csv"');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is the same in XLSX, whose sheet About has the access level', async () => {
    const { gateway } = await start();
    const response = await download(gateway, '/data/v1/teams.xlsx?scope=members');
    const [teams, about] = readWorkbook(response.body);
    const withoutPhone = (records: readonly unknown[]): unknown[] =>
      records.map((record) => ({ ...fieldsOf(record), phone: '' }));
    expect(withoutPhone(recordsOf(teams?.rows ?? []))).toEqual(withoutPhone(asCells(await jsonRecords(gateway), '; ')));
    expect(about?.name).toBe('About');
    expect(about?.rows).toContainEqual(expect.arrayContaining(['access', 'members']));
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="teams-2026-01-01.members.xlsx"');
  });

  it('has no access level in the sheet About of public data', async () => {
    const { gateway } = await start();
    const [, about] = readWorkbook((await download(gateway, '/data/v1/teams.xlsx')).body);
    expect(about?.name).toBe('About');
    expect(JSON.stringify(about?.rows)).not.toContain('members');
  });

  it('has columns for PGP keys, which public tables do not have', async () => {
    const { gateway } = await start();
    const columns = async (target: string): Promise<readonly string[]> =>
      rowsOf(read('csv', await download(gateway, target)))[0] ?? [];
    const keys = ['pgp-id', 'pgp-fingerprint', 'pgp-key'];
    const members = await columns('/data/v1/teams.csv?scope=members');
    expect(members).toEqual(expect.arrayContaining([...keys, 'duty-officer', '-first-rank']));
    const open = await columns('/data/v1/teams.csv');
    expect(open).toEqual(members.filter((name) => ![...keys, 'duty-officer', '-first-rank'].includes(name)));
    expect(await columns('/data/v1/teams.csv?scope=members&limit=0')).toEqual(expect.arrayContaining(keys));
  });

  it('has a file name that says partial where a source is missing, and stale where one is stale', async () => {
    const { gateway, upstreams, clock } = await start();
    const { first } = upstreams;
    if (first === undefined) throw new Error('no upstream');
    const names = async (): Promise<unknown[]> =>
      Promise.all(
        ['csv', 'xlsx'].map(async (extension) =>
          (await download(gateway, `/data/v1/teams.${extension}?scope=members`)).headers.get('content-disposition'),
        ),
      );
    const fileNames = (name: string): string[] => [
      `attachment; filename="${name}.csv"`,
      `attachment; filename="${name}.xlsx"`,
    ];
    first.handler = status(503);
    expect(await names()).toEqual(fileNames('teams-2026-01-01.members.partial'));
    first.handler = handler;
    clock.advance(10_000);
    expect(await names()).toEqual(fileNames('teams-2026-01-01.members'));
    first.handler = status(503);
    clock.advance(400_000);
    expect(await names()).toEqual(fileNames('teams-2026-01-01.members.stale'));
  });

  it('is negotiated by Accept, and compressed', async () => {
    const { gateway } = await start();
    const accept = 'text/csv';
    const response = await download(gateway, TARGET, { accept });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.body.toString()).toContain('Robin Example');
    const large = await download(gateway, TARGET, { 'accept-encoding': 'gzip' });
    expect([large.headers.get('content-encoding'), large.headers.get('cache-control')]).toEqual([
      'gzip',
      'private, no-store',
    ]);
    expect(large.body.toString()).toContain('Robin Example');
  });
});

/** Fields that differ between two responses without a meaning for their content. */
const OF_CONNECTION = ['date', 'cache-status', 'connection', 'keep-alive', 'x-request-id'];

describe('a HEAD of members data', () => {
  it.each(['teams', 'teams.csv', 'teams.xlsx'])('of %s has the header fields of GET and no body', async (path) => {
    const { gateway } = await start();
    const target = `/data/v1/${path}?scope=members`;
    const response = await download(gateway, target);
    const head = await fetch(`${gateway.origin}${target}`, { method: 'HEAD', headers: AS_MEMBER });
    const fields = ({ headers }: { headers: Headers }): object =>
      Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.includes(name)));
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(fields(head)).toEqual(fields(response));
    expect(auditLines(gateway.log)).toMatchObject([
      { client: 'csirt-north', records: 3 },
      { client: 'csirt-north', records: 3 },
    ]);
  });
});

describe('a conditional request for members data', () => {
  it('is a 304 with the entity tag, and is written to the audit log', async () => {
    const { gateway } = await start();
    const { headers } = await gateway.get(TARGET, AS_MEMBER);
    const tag = headers.get('etag') ?? '';
    const response = await gateway.get(TARGET, { ...AS_MEMBER, 'if-none-match': tag });
    expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', tag]);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding, Prefer, Authorization');
    const line = {
      client: 'csirt-north',
      credential: 'key',
      query: 'data-teams?scope=members&sort=team&offset=0&limit=100',
      records: 3,
    };
    expect(auditLines(gateway.log)).toMatchObject([line, line]);
  });

  it('is a 304 with Last-Modified', async () => {
    const { gateway, clock } = await start();
    await gateway.get(TARGET, AS_MEMBER);
    clock.advance(2_000);
    const lastModified = (await gateway.get(TARGET, AS_MEMBER)).headers.get('last-modified') ?? '';
    expect(lastModified).not.toBe('');
    const response = await gateway.get(TARGET, { ...AS_MEMBER, 'if-modified-since': lastModified });
    expect(response.status).toBe(304);
  });

  it('with the tag of the public list is a 200, and a public one with the tag of members data too', async () => {
    const { gateway } = await start();
    const tagOf = async (target: string): Promise<string> =>
      (await gateway.get(target, AS_MEMBER)).headers.get('etag') ?? '';
    const [members, open] = [await tagOf(TARGET), await tagOf('/data/v1/teams')];
    expect(members).not.toBe(open);
    expect((await gateway.get(TARGET, { ...AS_MEMBER, 'if-none-match': open })).status).toBe(200);
    expect((await gateway.get('/data/v1/teams', { 'if-none-match': members })).status).toBe(200);
    const refused = await gateway.get(TARGET, { 'if-none-match': members });
    expect([refused.status, refused.headers.get('etag')]).toEqual([401, null]);
    expect((await gateway.get(TARGET, { 'if-match': members })).status).toBe(401);
  });

  it('is a 412 where If-Match is false, which is no members data', async () => {
    const { gateway } = await start();
    await gateway.get(TARGET, AS_MEMBER);
    const response = await gateway.get(TARGET, { ...AS_MEMBER, 'if-match': '"other"' });
    expect(response.status).toBe(412);
    expect(response.text).not.toContain('Robin');
  });

  it('has another entity tag where the members data changes and the public data does not', async () => {
    const { gateway, upstreams, clock } = await start();
    const tags = async (): Promise<readonly (string | null)[]> => [
      (await gateway.get(TARGET, AS_MEMBER)).headers.get('etag'),
      (await gateway.get('/data/v1/teams')).headers.get('etag'),
    ];
    const before = await tags();
    if (upstreams['first'])
      upstreams['first'].handler = membersUpstream(
        { teams: PUBLIC_TEAMS },
        { authorization: `Bearer ${SOURCE_TOKEN}`, teams: MEMBERS_TEAMS.slice(0, 1) },
        { keys: 'pgp' },
      );
    clock.advance(400_000);
    const after = await tags();
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });
});

describe('a client that disconnects', () => {
  it('before its response gets no data and leaves no audit line, and the next member gets the data without another drain', async () => {
    const { gateway, upstreams } = await start();
    const { first } = upstreams;
    if (first === undefined) throw new Error('no upstream');
    const gate = holdResponses(handler);
    first.handler = gate.handler;
    const leaving = startRequest(`${gateway.origin}${TARGET}`, { headers: AS_MEMBER }).on('error', () => undefined);
    leaving.end();
    await expect.poll(() => first.requests.length).toBe(1);
    const left = new Promise((resolve) => leaving.once('close', resolve));
    leaving.destroy();
    await left;
    gate.release();
    await expect.poll(() => gateway.log.some(({ facts }) => 'aborted' in facts)).toBe(true);
    expect(auditLines(gateway.log)).toEqual([]);
    const next = await gateway.get(TARGET, AS_MEMBER);
    expect([next.status, next.text.includes('Robin Example')]).toEqual([200, true]);
    expect(first.requests.filter(({ query }) => query.get('offset') === '0')).toHaveLength(1);
    expect((await gateway.get('/data/v1/teams')).text).not.toContain('Robin Example');
  });
});
