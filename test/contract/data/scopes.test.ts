import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { MAY_HANG, isHanging, passTimeoutsWhile } from '../../support/upstream/hanging-sources.js';
import { neverResponds, startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

afterEach(async () => {
  await closeDataGateways();
  vi.unstubAllGlobals();
});

/** Replaces the handler of an upstream. */
function replaceHandler(upstream: UpstreamServer | undefined, handler: RequestHandler): void {
  if (upstream === undefined) throw new Error('there is no such source');
  upstream.handler = handler;
}

const SECRET = /pgp|0x?95ED49E4|PRIVATE|ARMOR|fingerprint/i;

const KEYED = {
  id: 'harbour',
  team: 'Harbour CERT',
  'team-full': 'Harbour Computer Emergency Response Team',
  country: 'NO',
  'country-other': ['SE', 'DK'],
  website: ['https://harbour.example.org/', 'https://www.example.net/'],
  email: 'cert@harbour.example.org',
  'pgp-id': '0x95ED49E4FB340B9D',
  'pgp-fingerprint': 'CB2C563AE4D614152198E11195ED49E4FB340B9D',
  'pgp-key': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nARMOR\n-----END PGP PUBLIC KEY BLOCK-----',
};
const PLAIN = { id: 'inland', team: 'Inland CERT', country: 'XX', email: 'cert@inland.example.org' };

const KEYS = {
  id: 'one.harbour',
  team: 'Harbour CERT',
  'source-name': 'one',
  'pgp-id': KEYED['pgp-id'],
  'pgp-fingerprint': KEYED['pgp-fingerprint'],
  'pgp-key': KEYED['pgp-key'],
};

/** Keys of data teams in scopes and in `enckeys` (decisions 4.16, 4.20, 4.22, 4.23, 4.25). */
describe('PGP keys', () => {
  it.each([
    ['in the public records', {}],
    [
      'under other property names',
      { 'PGP-Key': 'ARMOR', pgp_key: 'ARMOR', pgpKeys: ['ARMOR'], 'x-pgp': 'ARMOR', enckeys: ['0x95ED49E4'] },
    ],
    ['as lists and objects', { 'pgp-id': ['0x95ED49E4'], 'pgp-key': { 'pgp-armor': 'ARMOR' } }],
    ['under the name of the source', { '-one-pgp-key': 'ARMOR' }],
  ])('are in no public response when the source sends them %s', async (_form, more) => {
    const teams = [{ ...KEYED, ...more }, PLAIN];
    const registered = { properties: ['PGP-Key', 'x-pgp', 'enckeys'] };
    const { ask, gateway } = await startDataGateway({
      one: { records: { teams }, behaviour: { keys: 'public' }, registration: registered },
    });
    for (const query of ['', '?scope=public', '?scope=minimal', '?scope=country', '?envelope=0', '?callback=f']) {
      const { status, text } = await gateway.get(`/data/v1/teams${query}`);
      expect(status).toBe(200);
      expect(text).not.toMatch(SECRET);
      expect(text).toContain('Harbour CERT');
    }
    expect((await ask('/teams?q=95ED49E4')).envelope).toMatchObject({ total: 0 });
    expect((await ask('/teams?q=armor')).envelope).toMatchObject({ total: 0 });
  });

  it.each(['pgp-id', 'pgp-fingerprint', 'pgp-key', 'PGP-Key', 'enckeys', '-one-pgp-key'])(
    'cannot be selected, sorted by or filtered by name: %s',
    async (name) => {
      const registered = { properties: ['PGP-Key', 'enckeys'] };
      const { ask } = await startDataGateway({
        one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' }, registration: registered },
      });
      for (const query of [`fields=${name}`, `sort=${name}`, `sort=-${name}`, `${name}=ARMOR`]) {
        const response = await ask(`/teams?${query}`);
        expect(response.status).toBe(400);
        expect(response.text).not.toContain('did you mean \\"pgp');
      }
      expect((await ask(`/teams?scope=pgp&${name}=ARMOR`)).status).toBe(400);
    },
  );

  it('of a directory source are in no public response of the data interface either', async () => {
    const upstream = await startUpstream(
      directoryUpstream([{ 'short-team-name': 'Harbour CERT', enckeys: [KEYED['pgp-id']], 'pgp-key': 'ARMOR' }]),
    );
    const { ask } = await startDataGateway({
      one: { records: {}, registration: { directory: upstream.address, data: undefined } },
    });
    const { text } = await ask('/teams');
    expect(text).toContain('Harbour CERT');
    expect(text).not.toMatch(SECRET);
    expect((await ask('/teams?scope=pgp')).data).toMatchObject([{ team: 'Harbour CERT', 'pgp-id': KEYED['pgp-id'] }]);
    await upstream.close();
  });

  it('are shown with scope=pgp, which lists only the teams that have one', async () => {
    const { ask } = await startDataGateway({
      one: { records: { teams: [PLAIN, KEYED] }, behaviour: { keys: 'public' } },
    });
    const response = await ask('/teams?scope=pgp');
    expect(response.envelope).toMatchObject({ total: 1, access: 'public' });
    expect(JSON.stringify(response.data)).toBe(JSON.stringify([KEYS]));
  });

  it('are requested with scope=pgp, except from a source with all-keys-public', async () => {
    const { ask, upstreams } = await startDataGateway({
      one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' }, registration: { 'all-keys-public': true } },
      two: { records: { teams: [KEYED] }, behaviour: { keys: 'public' } },
      three: { records: { teams: [KEYED] }, behaviour: { keys: 'pgp' } },
    });
    await ask('/teams');
    const codes = ['one', 'two', 'three'];
    const requestedWithPgp = (): unknown[] =>
      codes.filter((code) => upstreams[code]?.requests.some(({ query }) => query.get('scope') === 'pgp'));
    expect(requestedWithPgp()).toEqual([]);
    const response = await ask('/teams?scope=pgp');
    expect(response.data.map(({ id }) => id)).toEqual(['one.harbour', 'two.harbour', 'three.harbour']);
    expect(response.data.map((team) => team['pgp-key'])).toEqual(codes.map(() => KEYED['pgp-key']));
    expect(requestedWithPgp()).toEqual(['two', 'three']);
  });

  const MANY = Array.from({ length: 10 }, (_, at) => ({
    id: `t${at}`,
    team: `Team ${at}`,
    'pgp-fingerprint': `${at}`.repeat(40),
  }));
  /** Shows the key of its first team publicly, and all keys with `scope=pgp`. */
  const oneKeyPublic = faulty.when(
    ({ query }) => query.get('scope') === 'pgp',
    dataUpstream({ teams: MANY }),
    dataUpstream(
      { teams: MANY.map((team, at) => (at === 0 ? team : { id: team.id, team: team.team })) },
      { keys: 'public' },
    ),
  );

  it('are all shown when only one of them is public', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records: {}, handler: oneKeyPublic } });
    expect((await ask('/teams?scope=pgp')).data.map((team) => team['pgp-fingerprint'])).toEqual(
      MANY.map((team) => team['pgp-fingerprint']),
    );
    const { json } = await gateway.get('/directory/v1/teams?fields=enckeys');
    expect(json).toEqual(MANY.map((team) => ({ enckeys: [`0x${team['pgp-fingerprint']}`] })));
  });

  it('that are public are shown, with reason keys, when the request with scope=pgp fails', async () => {
    const fails = faulty.when(({ query }) => query.get('scope') === 'pgp', faulty.status(500), oneKeyPublic);
    const { ask } = await startDataGateway({ one: { records: {}, handler: fails } });
    const response = await ask('/teams?scope=pgp');
    expect(response.data.map(({ team }) => team)).toEqual(['Team 0']);
    expect(response.sourceStatus).toBe('one;state=partial;reason=keys;records=10;age=0');
  });

  const armor = (data: string): string => KEYED['pgp-key'].replace('ARMOR', data);
  it.each([
    [
      'in another notation',
      { 'pgp-id': '95ed49e4fb340b9d', 'pgp-key': `${KEYED['pgp-key'].replaceAll('\n', '\r\n')}\r\n` },
      {},
    ],
    [
      'as one of several ids',
      { 'pgp-id': `0xAAAAAAAA, ${KEYED['pgp-id']}` },
      { 'pgp-id': `${KEYED['pgp-id']}, 0xAAAAAAAA` },
    ],
    ['with another id', { 'pgp-id': '0xAAAAAAAA' }, { 'pgp-id': `${KEYED['pgp-id']}, 0xAAAAAAAA` }],
    [
      'with another armored text',
      { 'pgp-key': armor('OTHER') },
      { 'pgp-key': `${KEYED['pgp-key']}\n${armor('OTHER')}` },
    ],
  ])(
    'of the public list and of scope=pgp are shown once each: a key %s in scope=pgp',
    async (_title, other, expected) => {
      const keys = faulty.body(JSON.stringify({ total: 1, data: [{ ...KEYED, ...other }] }));
      const own = dataUpstream({ teams: [KEYED] }, { keys: 'public' });
      const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', keys, own);
      const { ask } = await startDataGateway({ one: { records: {}, handler } });
      expect((await ask('/teams?scope=pgp')).data).toEqual([{ ...KEYS, ...expected }]);
    },
  );

  it.each([400, 401, 403, 404, 422])(
    'are empty, with a finding, for a source that refuses scope=pgp with %i',
    async (code) => {
      const refuses = faulty.when(
        ({ query }) => query.get('scope') === 'pgp',
        faulty.status(code),
        dataUpstream({ teams: [KEYED] }),
      );
      const { ask, gateway } = await startDataGateway({ one: { records: {}, handler: refuses } });
      expect(await ask('/teams?scope=pgp')).toMatchObject({
        data: [],
        sourceStatus: 'one;state=fresh;records=1;age=0',
      });
      const { headers } = await gateway.get('/directory/v1/teams?fields=enckeys');
      expect(headers.get('source-status')).toBe('one;state=fresh;records=1;age=0');
      const line = gateway.log.find(({ facts }) => 'scope' in facts);
      expect(line).toMatchObject({ level: 'info', facts: { findings: { 'no-public-keys (scope)': 1 } } });
      expect(await gateway.metrics()).toContain(
        'rollcall_source_findings{source="one",resource="team-keys",rule="no-public-keys",field="(scope)"} 1',
      );
    },
  );

  it('are served stale when the source begins to refuse scope=pgp', async () => {
    const teams = Array.from({ length: 30 }, (_, at) => ({ ...KEYED, id: `t${at}`, team: `Team ${at}` }));
    const { ask, upstreams, clock } = await startDataGateway({ one: { records: { teams } } });
    expect((await ask('/teams?scope=pgp')).data).toHaveLength(30);
    replaceHandler(
      upstreams['one'],
      faulty.when(({ query }) => query.get('scope') === 'pgp', faulty.status(403), dataUpstream({ teams })),
    );
    clock.advance(3_600_000);
    const response = await ask('/teams?scope=pgp');
    expect([response.data.length, response.sourceStatus]).toEqual([
      30,
      expect.stringContaining('state=stale;reason=shrunk'),
    ]);
  });

  it.each([
    ['', 'fresh'],
    ['?fields=short-team-name', 'fresh'],
    ['?q=harbour', 'fresh'],
    ['?q=cert+2026', 'fresh'],
    ['?fields=short-team-name,enckeys', 'partial;reason=keys'],
    ['?sort=enckeys', 'partial;reason=keys'],
    ['?sort=-short-team-name,-enckeys', 'partial;reason=keys'],
    ['?q=95ED49E4', 'partial;reason=keys'],
    ['?q=0x95ed', 'partial;reason=keys'],
    ['?q=CB2C+563A+E4D6+1415', 'partial;reason=keys'],
  ])(
    'that cannot be fetched make only responses partial that read them: /directory/v1/teams%s',
    async (query, state) => {
      const handler = faulty.when(
        ({ query }) => query.get('scope') === 'pgp',
        faulty.status(500),
        dataUpstream({ teams: [KEYED] }),
      );
      const { gateway } = await startDataGateway({ one: { records: {}, handler } });
      const { headers } = await gateway.get(`/directory/v1/teams${query}`);
      expect(headers.get('source-status')).toBe(`one;state=${state};records=1;age=0`);
    },
  );

  it('that cannot be fetched make only the pages of a list partial that read them', async () => {
    const handler = faulty.when(
      ({ query }) => query.get('scope') === 'pgp',
      faulty.status(500),
      dataUpstream({ teams: MANY }),
    );
    const { gateway } = await startDataGateway({ one: { records: {}, handler } });
    const statusOf = async (query: string): Promise<unknown> =>
      (await gateway.get(`/directory/v1/teams?${query}`)).headers.get('source-status');
    expect(await statusOf('limit=2')).toContain('state=fresh');
    expect(await statusOf('limit=2&offset=2')).toContain('state=fresh');
    expect(await statusOf('limit=2&offset=2&fields=enckeys')).toContain('state=partial;reason=keys');
    expect(await statusOf('limit=2&offset=4')).toContain('state=fresh');
  });

  it('that arrive later change the list for a conditional request', async () => {
    const teams = [{ ...KEYED, 'last-modified': '2025-06-01 00:00:00+00:00' }];
    const handler = faulty.when(
      ({ query }) => query.get('scope') === 'pgp',
      faulty.status(500),
      dataUpstream({ teams }),
    );
    const { gateway, upstreams, clock } = await startDataGateway({ one: { records: {}, handler } });
    const before = await gateway.get('/directory/v1/teams');
    expect(before.headers.get('source-status')).toContain('state=fresh');
    expect(before.headers.get('last-modified')).toBeNull();
    const since = new Date(clock.now()).toUTCString();
    replaceHandler(upstreams['one'], dataUpstream({ teams }));
    clock.advance(5_000);
    const after = await gateway.get('/directory/v1/teams', { 'if-modified-since': since });
    expect([after.status, after.text.includes('enckeys')]).toEqual([200, true]);
    clock.advance(1_000);
    const dated = await gateway.get('/directory/v1/teams');
    expect(Date.parse(dated.headers.get('last-modified') ?? '')).toBeGreaterThan(Date.parse(since));
  });

  it('are assigned to their teams by id alone where the source sends no name', async () => {
    const { id, 'pgp-id': key } = KEYED;
    const short = faulty.body(JSON.stringify({ total: 1, data: [{ id, 'pgp-id': key }] }));
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', short, dataUpstream({ teams: [KEYED] }));
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    expect((await ask('/teams?scope=pgp')).data).toEqual([
      { id: KEYS.id, team: KEYS.team, 'source-name': 'one', 'pgp-id': key },
    ]);
  });

  const ALPHA = { team: 'CERT', 'team-full': 'CERT of Alpha Bank', country: 'BR', email: 'cert@alpha.example.org' };
  const BETA = { team: 'CERT', 'team-full': 'CERT of Beta Grid', country: 'PT', email: 'cert@beta.example.org' };
  const A = { 'pgp-id': '0xA1A1A1A1' };
  const B = { 'pgp-id': '0xBEBEBEBE' };
  const id = { id: 'cert' };
  it.each([
    ['one has a key, which comes with the short name only', [ALPHA, BETA], [{ team: 'CERT', ...B }], {}],
    [
      'both have a key, which comes with the short name only',
      [ALPHA, BETA],
      [A, B].map((key) => ({ team: 'CERT', ...key })),
      {},
    ],
    [
      'both have the same id',
      [
        { ...id, ...ALPHA },
        { ...id, ...BETA },
      ],
      [{ ...id, ...B }],
      {},
    ],
    ['only one of the teams is public', [ALPHA], [A, B].map((key) => ({ team: 'CERT', ...key })), {}],
    ['both have equal names, country and e-mail', [ALPHA, { ...ALPHA, host: 'Alpha' }], [{ ...ALPHA, ...A }], {}],
    [
      'two keys come with all properties of one team',
      [ALPHA, BETA],
      [
        { ...ALPHA, ...A },
        { ...ALPHA, ...B },
      ],
      {},
    ],
    [
      'one key comes with all properties of its team',
      [ALPHA, BETA],
      [{ ...BETA, ...B }],
      { 'CERT of Beta Grid': '0xBEBEBEBE' },
    ],
    [
      'each key comes with all properties of its team, in another order',
      [ALPHA, BETA],
      [
        { ...BETA, ...B },
        { ...ALPHA, ...A },
      ],
      { 'CERT of Alpha Bank': '0xA1A1A1A1', 'CERT of Beta Grid': '0xBEBEBEBE' },
    ],
  ])(
    'are never assigned to the wrong one of two teams with the same name: %s',
    async (_title, teams, keyed, expected) => {
      const keys = faulty.body(JSON.stringify({ total: keyed.length, data: keyed }));
      const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', keys, dataUpstream({ teams }));
      const { gateway, ask } = await startDataGateway({ one: { records: {}, handler } });
      const { json, headers } = await gateway.get('/directory/v1/teams?fields=official-team-name,enckeys');
      const shown = z
        .array(z.object({ 'official-team-name': z.string(), enckeys: z.array(z.string()).optional() }))
        .parse(json);
      const found = shown.flatMap(({ 'official-team-name': name, enckeys = [] }) => enckeys.map((key) => [name, key]));
      expect(Object.fromEntries(found)).toEqual(expected);
      const response = await ask('/teams?scope=pgp');
      expect(response.data.map((team) => team['pgp-id']).sort()).toEqual(Object.values(expected));
      // A key that was assigned to no team makes the source partial.
      const state = found.length === keyed.length ? 'fresh' : 'partial;reason=keys';
      for (const { sourceStatus } of [response, { sourceStatus: headers.get('source-status') }])
        expect(sourceStatus).toBe(`one;state=${state};records=${teams.length};age=0`);
    },
  );

  it.each([
    ['of a team that is not public', { id: 'hidden', team: 'Hidden CERT' }, 'fresh'],
    ['with another id than its team', { id: '4711', team: PLAIN.team }, 'partial;reason=keys'],
    ['with the id of a team of another name', { id: PLAIN.id, team: 'Upland CERT' }, 'partial;reason=keys'],
  ])('are assigned to no team by a guess: a key %s', async (_title, more, state) => {
    const keyed = [KEYED, { ...more, 'pgp-id': '0xBEBEBEBE' }];
    const keys = faulty.body(JSON.stringify({ total: 2, data: keyed }));
    const teams = [KEYED, PLAIN];
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', keys, dataUpstream({ teams }));
    const { gateway } = await startDataGateway({ one: { records: {}, handler } });
    const { json, headers } = await gateway.get('/directory/v1/teams?fields=short-team-name,enckeys');
    expect(json).toEqual([
      { 'short-team-name': 'Harbour CERT', enckeys: [`0x${KEYED['pgp-fingerprint']}`] },
      { 'short-team-name': 'Inland CERT' },
    ]);
    expect(headers.get('source-status')).toBe(`one;state=${state};records=2;age=0`);
  });

  it('are filtered by the public profile', async () => {
    const { ask } = await startDataGateway({ one: { records: { teams: [KEYED, PLAIN] } } });
    expect((await ask('/teams?scope=pgp&country=se')).data).toEqual([KEYS]);
    expect((await ask('/teams?scope=pgp&country=br')).data).toEqual([]);
    expect((await ask('/teams?scope=pgp&email=cert@harbour.example.org&fields=pgp-id')).data).toEqual([
      { 'pgp-id': KEYED['pgp-id'] },
    ]);
  });

  it.each([
    ['fails', faulty.status(500), 'one;state=failed;reason=status;status=500', 502],
    ['is late', neverResponds, 'one;state=failed;reason=timeout', 504],
    [
      'returns fewer records than its total',
      dataUpstream({ teams: [KEYED] }, { total: 4 }),
      'one;state=inconsistent;reason=total;records=1;age=0',
      200,
    ],
  ])('have the state of a source that %s with scope=pgp, in that scope only', async (_title, bad, status, code) => {
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', bad, dataUpstream({ teams: [KEYED] }));
    const { ask } = await startDataGateway({ one: { records: {}, handler } }, { defaults: MAY_HANG });
    expect((await ask('/teams')).sourceStatus).toBe('one;state=fresh;records=1;age=0');
    passTimeoutsWhile(() => isHanging(bad));
    const response = await ask('/teams?scope=pgp');
    expect(response.sourceStatus).toBe(status);
    expect(response.status).toBe(code);
  });

  it('are failed, not empty, when the source refuses a later page of them', async () => {
    const teams = Array.from({ length: 30 }, (_, at) => ({ ...KEYED, id: `t${at}`, team: `Team ${at}` }));
    for (const status of [400, 404, 422]) {
      const refused = faulty.when(
        ({ query }) => query.get('scope') === 'pgp' && query.get('offset') !== '0',
        faulty.status(status),
        dataUpstream({ teams }, { keys: 'pgp', cap: 20 }),
      );
      const { ask, gateway } = await startDataGateway({ one: { records: {}, handler: refused } });
      expect(await ask('/teams?scope=pgp')).toMatchObject({
        status: 502,
        sourceStatus: `one;state=failed;reason=status;status=${status}`,
      });
      const { headers } = await gateway.get('/directory/v1/teams?fields=enckeys');
      expect(headers.get('source-status')).toBe('one;state=partial;reason=keys;records=30;age=0');
    }
  });

  it('are on the directory interface too, in whichever scope the source shows them', async () => {
    const { gateway } = await startDataGateway({
      one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' } },
      two: { records: { teams: [KEYED] }, behaviour: { keys: 'pgp' } },
    });
    const { json } = await gateway.get('/directory/v1/teams?fields=enckeys');
    const enckeys = [`0x${KEYED['pgp-fingerprint']}`];
    expect(json).toEqual([{ enckeys }, { enckeys }]);
  });

  it.each([
    ['refuses scope=pgp and thus has no keys', faulty.status(400), 'one;state=fresh;records=1;age=0'],
    ['fails with scope=pgp and may have keys', faulty.status(500), 'one;state=partial;reason=keys;records=1;age=0'],
  ])('do not hide the teams of a source from the directory interface that %s', async (_title, bad, status) => {
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', bad, dataUpstream({ teams: [KEYED] }));
    const { gateway } = await startDataGateway({ one: { records: {}, handler } });
    const { json, headers } = await gateway.get('/directory/v1/teams?fields=short-team-name,enckeys');
    expect(json).toEqual([{ 'short-team-name': 'Harbour CERT' }]);
    expect(headers.get('source-status')).toBe(status);
  });

  it('are not assigned to another team with the same id', async () => {
    const teams = [
      { ...KEYED, id: 'same', team: 'A' },
      { id: 'same', team: 'B', email: 'b@example.org' },
    ];
    for (const order of [teams, [...teams].reverse()]) {
      const { ask } = await startDataGateway({ one: { records: { teams: order } } });
      expect((await ask('/teams?scope=pgp')).data.map(({ team }) => team)).not.toContain('B');
    }
  });
});

/** Scopes of data teams (decisions 4.20, 8.2). */
describe('scope', () => {
  const records = { teams: [KEYED, PLAIN] };

  it('minimal shows six abbreviated properties and source-name, in order', async () => {
    const { ask } = await startDataGateway({ one: { records } });
    const response = await ask('/teams?scope=minimal');
    expect(response.envelope).toMatchObject({ total: 2, access: 'public' });
    expect(JSON.stringify(response.data)).toBe(
      JSON.stringify([
        {
          u: 'https://harbour.example.org/',
          s: 'Harbour CERT',
          t: 'Harbour Computer Emergency Response Team',
          c: 'NO',
          o: ['SE', 'DK'],
          r: 'Europe',
          'source-name': 'one',
        },
        { s: 'Inland CERT', c: 'XX', 'source-name': 'one' },
      ]),
    );
  });

  it('country shows the same properties with full names, in order', async () => {
    const { ask } = await startDataGateway({ one: { records } });
    const [first] = (await ask('/teams?scope=country')).data;
    expect(JSON.stringify(first)).toBe(
      JSON.stringify({
        url: 'https://harbour.example.org/',
        team: 'Harbour CERT',
        'team-full': 'Harbour Computer Emergency Response Team',
        country: 'NO',
        'country-other': ['SE', 'DK'],
        region: 'Europe',
        'source-name': 'one',
      }),
    );
  });

  it('takes fields of the scope, and filters and sorts by the public profile', async () => {
    const { ask } = await startDataGateway({ one: { records } });
    expect((await ask('/teams?scope=minimal&fields=s,r&sort=-email')).data).toEqual([
      { s: 'Inland CERT' },
      { s: 'Harbour CERT', r: 'Europe' },
    ]);
    expect((await ask('/teams?scope=country&email=cert@inland.example.org&fields=team')).data).toEqual([
      { team: 'Inland CERT' },
    ]);
    for (const query of [
      'scope=minimal&fields=team',
      'scope=country&fields=email',
      'fields=u',
      'scope=minimal&sort=s',
      'scope=minimal&s=x',
    ])
      expect((await ask(`/teams?${query}`)).status).toBe(400);
  });

  it.each(['?scope=members', '?scope=members&fields=pgp-key', '?fields=id&scope=members'])(
    'members without credentials is a 401 and contacts no source: %s',
    async (query) => {
      const { ask, upstreams } = await startDataGateway({ one: { records } });
      const response = await ask(`/teams${query}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(response.envelope).toMatchObject({ status: 'Unauthorized', 'status-code': 401, version: '1' });
      expect(upstreams['one']?.requests).toHaveLength(0);
    },
  );

  it.each(['other', 'Public', 'PGP', 'members,pgp', 'public ', 'constructor'])(
    'with an unknown value is a 400: %s',
    async (name) => {
      const { ask } = await startDataGateway({ one: { records } });
      const response = await ask(`/teams?scope=${encodeURIComponent(name)}`);
      expect(response.status).toBe(400);
      expect(response.envelope['errors']).toMatchObject([{ parameter: 'scope' }]);
    },
  );

  it.each(['/news', '/channels', '/news/1001'])('is not a parameter of %s', async (path) => {
    const { ask } = await startDataGateway({ one: { records } });
    expect((await ask(`${path}?scope=public`)).status).toBe(400);
  });

  it('is part of the links to other pages', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records } });
    const link = (await ask('/teams?scope=minimal&limit=1')).headers.get('link') ?? '';
    const next = /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? '';
    expect(fieldsOf((await gateway.get(next)).json)['data']).toEqual([
      { s: 'Inland CERT', c: 'XX', 'source-name': 'one' },
    ]);
  });
});
