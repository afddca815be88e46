import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

const FINGERPRINT = '0123456789ABCDEF0123456789ABCDEF01234567';
const ACORN = {
  'short-team-name': 'Acorn CERT',
  'country-code': 'NO',
  email: 'cert@acorn.example.org',
  enckeys: [`0x${FINGERPRINT}`],
  'phone-numbers': ['+47 1'],
};
const BIRCH = { 'short-team-name': 'Birch CERT', 'country-code': 'SE', email: 'cert@birch.example.org' };
const KEYED = {
  id: 'acorn-7',
  team: 'Acorn',
  country: 'NO',
  phone: ['+47 2'],
  'pgp-fingerprint': FINGERPRINT,
  'last-modified': '2026-04-02 21:28:40+00:00',
};

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startScene(third: RequestHandler = directoryUpstream([])): Promise<TestGateway> {
  const two = await startUpstream(dataUpstream({ teams: [KEYED], news: [], channels: [] }, { keys: 'public' }));
  open.push(two);
  return startDirectories({ one: directoryUpstream([ACORN, BIRCH]), three: third }, { two: { data: two.address } });
}

/** Over repositories by code, with further sources. */
async function startDirectories(
  repositories: Readonly<Record<string, RequestHandler>>,
  further: Readonly<Record<string, object>> = {},
): Promise<TestGateway> {
  const sources: Record<string, object> = { ...further };
  for (const [code, handler] of Object.entries(repositories)) {
    const upstream = await startUpstream(handler);
    open.push(upstream);
    sources[code] = { directory: upstream.address };
  }
  const gateway = await startGateway({ sources });
  open.push(gateway);
  return gateway;
}

const LINK = {
  '-rollcall-id': 'two.acorn-7',
  'short-team-name': 'Acorn',
  'country-code': 'NO',
  'source-name': 'two',
  'last-modified': '2026-04-02T21:28:40+00:00',
  reasons: [{ kind: 'key', fingerprint: FINGERPRINT }],
  disagreements: [
    { property: 'short-team-name', here: ['Acorn CERT'], there: ['Acorn'] },
    { property: 'phone-numbers', here: ['+47 1'], there: ['+47 2'] },
  ],
};

describe('the same team elsewhere', () => {
  it('is a list of records with reasons and disagreements, and the state of every source', async () => {
    const gateway = await startScene();
    const { status, json, headers } = await gateway.get('/directory/v1/teams/one.acorn-cert/same');
    expect([status, json]).toEqual([200, [LINK]]);
    expect(headers.get('source-status')).toMatch(/^two;state=fresh.*one;state=fresh.*three;state=fresh/);
    expect(headers.get('last-modified')).not.toBeNull();
    const reverse = await gateway.get('/directory/v1/teams/two.acorn-7/same?envelope=1');
    expect(reverse.json).toMatchObject({ status: 'OK', total: 1, data: [{ '-rollcall-id': 'one.acorn-cert' }] });
    expect(reverse.json).not.toHaveProperty('limit');
  });

  it('is given in every format', async () => {
    const gateway = await startScene();
    const get = (extension: string): ReturnType<TestGateway['get']> =>
      gateway.get(`/directory/v1/teams/one.acorn-cert/same${extension}`);
    const csv = await get('.csv');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="same-one.acorn-cert.csv"');
    expect(csv.text).toContain(`"{""kind"":""key"",""fingerprint"":""${FINGERPRINT}""}"`);
    expect((await get('.yml')).text).toContain('reasons:\n    - kind: key\n');
    expect((await get('.xml')).text).toContain('<kind>key</kind>');
    expect((await get('.xlsx')).status).toBe(200);
    expect((await get('.json?callback=f')).text).toMatch(/^\/\*\*\/f\(/);
  });

  it('is an empty list if every source could be asked, and an error otherwise', async () => {
    const complete = await startScene();
    const none = await complete.get('/directory/v1/teams/one.birch-cert/same');
    expect([none.status, none.json]).toEqual([200, []]);
    const incomplete = await startScene(faulty.status(500));
    expect((await incomplete.get('/directory/v1/teams/one.birch-cert/same')).status).toBe(502);
    const some = await incomplete.get('/directory/v1/teams/one.acorn-cert/same');
    expect([some.status, some.json]).toEqual([200, [LINK]]);
    expect(some.headers.get('source-status')).toMatch(/three;state=failed/);
    expect((await incomplete.get('/directory/v1/teams/three.any/same')).status).toBe(502);
  });

  it('is not searched in a list that is known to lack records, where a fact may not be unique, but for its records', async () => {
    const incomplete = directoryUpstream([ACORN], { total: 2 });
    const gateway = await startScene(incomplete);
    const { status, json, headers } = await gateway.get('/directory/v1/teams/one.acorn-cert/same');
    expect(headers.get('source-status')).toMatch(/three;state=(?:inconsistent|partial)/);
    expect([status, json]).toEqual([200, [LINK]]);
    const own = await gateway.get('/directory/v1/teams/three.acorn-cert/same');
    expect([own.status, own.json]).toMatchObject([200, [{ '-rollcall-id': 'one.acorn-cert' }, LINK]]);
  });

  it('is listed with what differs, and how many records have a fact, where a source copies a team 300 times', async () => {
    const spoofed = [`0x${'F'.repeat(39)}0`, `0x${FINGERPRINT}`];
    const copies = Array.from({ length: 300 }, (_, at) => ({ ...ACORN, enckeys: spoofed, host: `Acorn ${at}` }));
    const gateway = await startScene(directoryUpstream(copies));
    const same = async (id: string): Promise<unknown> => (await gateway.get(`/directory/v1/teams/${id}/same`)).json;
    const byKey = { ...LINK.reasons[0], holders: 302 };
    expect(await same('one.acorn-cert')).toEqual([{ ...LINK, reasons: [byKey] }]);
    const list = await gateway.get('/directory/v1/teams?source-name=three&limit=1&fields=-rollcall-id');
    const [, id = ''] = /"-rollcall-id": ?"(three\.[^"]*)"/.exec(list.text) ?? [];
    expect(await same(encodeURIComponent(id))).toMatchObject([
      {
        '-rollcall-id': 'one.acorn-cert',
        reasons: [byKey, { kind: 'e-mail', address: ACORN.email, holders: 301 }, { holders: 301 }],
        disagreements: [{ property: 'enckeys', here: spoofed, there: ACORN.enckeys }],
      },
      { '-rollcall-id': 'two.acorn-7', reasons: [byKey] },
    ]);
  });

  it('answers an id without a record like the address of the team', async () => {
    const gateway = await startScene(directoryUpstream([ACORN, { ...ACORN, email: 'other@acorn.example.org' }]));
    expect((await gateway.get('/directory/v1/teams/one.never/same')).status).toBe(404);
    expect((await gateway.get('/directory/v1/teams/attic.never/same')).status).toBe(404);
    const choice = await gateway.get('/directory/v1/teams/three.acorn-cert/same');
    expect([choice.status, choice.json]).toMatchObject([300, { candidates: [{}, {}] }]);
    expect((await gateway.get('/directory/v1/teams/one.acorn-cert/same?fields=email')).status).toBe(400);
    expect((await gateway.get('/data/v1/teams/one.acorn-cert/same')).status).toBe(404);
  });
});

/** A fingerprint in both forms in which programs print it, and another one with the same short id. */
const PLAIN = 'E437A7260123456789ABCDEF0123456789ABCDEF';
const GROUPED = 'E437 A726 0123 4567 89AB  CDEF 0123 4567 89AB CDEF';
const COLLIDING = `${'1'.repeat(32)}89ABCDEF`;

/** A property of two records that other facts link, and whether its values state different facts. */
const COMPARED: readonly (readonly [property: string, one: unknown, other: unknown, isDifferent: boolean])[] = [
  ['enckeys', [`0x${PLAIN}`], [GROUPED], false],
  ['enckeys', [`0x${PLAIN.toLowerCase()}`], [`Key fingerprint = ${GROUPED}`], false],
  ['enckeys', [GROUPED], ['0x0123456789ABCDEF'], false],
  ['enckeys', [GROUPED], ['89abcdef'], false],
  ['enckeys', [GROUPED, '0x89ABCDEF'], [`0x${PLAIN}`], false],
  ['enckeys', [`0x${PLAIN}, 0x${FINGERPRINT}`], [`0x${FINGERPRINT}`, GROUPED], false],
  ['enckeys', [GROUPED], [`0x${COLLIDING}`], true],
  ['enckeys', [GROUPED, `0x${COLLIDING}`], ['0x89ABCDEF'], true],
  ['enckeys', [GROUPED], ['0xE437A7260123ABCD'], true],
  ['enckeys', ['on request'], ['On Request'], false],
  ['enckeys', ['on request'], ['request'], true],
  ['phone-numbers', ['+49 (0)228 9582-1'], ['+49 228 95821'], false],
  ['phone-numbers', ['0049 (0) 228 95821'], ['+49-228-9582-1'], false],
  ['phone-numbers', ['(0)228 95821'], ['0228 95821'], false],
  ['phone-numbers', ['0228 95821'], ['+228 95821'], true],
  ['phone-numbers', ['+49 228 95821'], ['+49 228 95821 (fax)'], true],
  ['operating-hours', '24x7', '24/7', false],
  ['operating-hours', '24 x 7 (duty officer)', '24/7, duty officer', false],
  ['operating-hours', '24x7', '8x5', true],
];

describe('the values of two records of one team', () => {
  /** The records of one repository, each with its value of a row. */
  const recordsOf = (side: 1 | 2): readonly object[] =>
    COMPARED.map((row, at) => ({
      'short-team-name': `Acorn ${at}`,
      'country-code': 'NO',
      email: `cert${at}@acorn.example.org`,
      [row[0]]: row[side],
    }));

  it('differ only where they state different facts, not where one is another spelling or the id of the same key', async () => {
    const gateway = await startDirectories({
      one: directoryUpstream(recordsOf(1)),
      two: directoryUpstream(recordsOf(2)),
    });
    for (const [at, [property, here, there, isDifferent]] of COMPARED.entries()) {
      const { json } = await gateway.get(`/directory/v1/teams/one.acorn-${at}/same`);
      const disagreements = isDifferent ? [{ property, here: [here].flat(), there: [there].flat() }] : [];
      expect([at, json]).toMatchObject([at, [{ '-rollcall-id': `two.acorn-${at}`, disagreements }]]);
    }
  });

  it('link by a complete fingerprint in groups, and not by a key id that is the end of it', async () => {
    const team = { 'short-team-name': 'Acorn', 'country-code': 'NO' };
    const gateway = await startDirectories({
      one: directoryUpstream([{ ...team, enckeys: [GROUPED] }]),
      two: directoryUpstream([{ ...team, enckeys: [`0x${PLAIN}`] }]),
      three: directoryUpstream([{ ...team, enckeys: ['0x0123456789ABCDEF'] }]),
    });
    expect((await gateway.get('/directory/v1/teams/one.acorn/same')).json).toMatchObject([
      { '-rollcall-id': 'two.acorn', reasons: [{ kind: 'key', fingerprint: PLAIN }] },
    ]);
    expect((await gateway.get('/directory/v1/teams/three.acorn/same')).json).toEqual([]);
  });
});
