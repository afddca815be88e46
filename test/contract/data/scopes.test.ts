import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { closeDataGateways, fieldsOf, startDataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { neverResponds, startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

afterEach(closeDataGateways);

/** From here on a source answers so. */
function answersFrom(upstream: UpstreamServer | undefined, baseHandler: RequestHandler): void {
  if (upstream === undefined) throw new Error('there is no such source');
  upstream.handler = baseHandler;
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

describe('PGP keys', () => {
  it.each([
    ['in the public records', {}],
    [
      'under names of its own',
      { 'PGP-Key': 'ARMOR', pgp_key: 'ARMOR', pgpKeys: ['ARMOR'], 'x-pgp': 'ARMOR', enckeys: ['0x95ED49E4'] },
    ],
    ['as lists and objects', { 'pgp-id': ['0x95ED49E4'], 'pgp-key': { 'pgp-armor': 'ARMOR' } }],
    ['under the name of the source', { '-one-pgp-key': 'ARMOR' }],
  ])('are in no public answer, though the source sends them %s', async (_form, more) => {
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
    'cannot be asked about by name: %s',
    async (name) => {
      const registered = { properties: ['PGP-Key', 'enckeys'] };
      const { ask } = await startDataGateway({
        one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' }, registration: registered },
      });
      for (const query of [`fields=${name}`, `sort=${name}`, `sort=-${name}`, `${name}=ARMOR`]) {
        const seen = await ask(`/teams?${query}`);
        expect(seen.status).toBe(400);
        expect(seen.text).not.toContain('did you mean \\"pgp');
      }
      expect((await ask(`/teams?scope=pgp&${name}=ARMOR`)).status).toBe(400);
    },
  );

  it('of a directory source are in no public data answer either', async () => {
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

  it('are shown under scope=pgp, with the teams that have one', async () => {
    const { ask } = await startDataGateway({
      one: { records: { teams: [PLAIN, KEYED] }, behaviour: { keys: 'public' } },
    });
    const seen = await ask('/teams?scope=pgp');
    expect(seen.envelope).toMatchObject({ total: 1, access: 'public' });
    expect(JSON.stringify(seen.data)).toBe(JSON.stringify([KEYS]));
  });

  it('are asked for with scope=pgp, but of a source whose public records are declared to carry all of them', async () => {
    const { ask, upstreams } = await startDataGateway({
      one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' }, registration: { 'all-keys-public': true } },
      two: { records: { teams: [KEYED] }, behaviour: { keys: 'public' } },
      three: { records: { teams: [KEYED] }, behaviour: { keys: 'pgp' } },
    });
    await ask('/teams');
    const codes = ['one', 'two', 'three'];
    const asked = (): unknown[] =>
      codes.filter((code) => upstreams[code]?.requests.some(({ query }) => query.get('scope') === 'pgp'));
    expect(asked()).toEqual([]);
    const seen = await ask('/teams?scope=pgp');
    expect(seen.data.map(({ id }) => id)).toEqual(['one.harbour', 'two.harbour', 'three.harbour']);
    expect(seen.data.map((team) => team['pgp-key'])).toEqual(codes.map(() => KEYED['pgp-key']));
    expect(asked()).toEqual(['two', 'three']);
  });

  const MANY = Array.from({ length: 10 }, (_, at) => ({
    id: `t${at}`,
    team: `Team ${at}`,
    'pgp-fingerprint': `${at}`.repeat(40),
  }));
  /** Shows the key of its first team to everybody, and all keys under `scope=pgp`. */
  const oneKeyPublic = faulty.when(
    ({ query }) => query.get('scope') === 'pgp',
    dataUpstream({ teams: MANY }),
    dataUpstream(
      { teams: MANY.map((team, at) => (at === 0 ? team : { id: team.id, team: team.team })) },
      { keys: 'public' },
    ),
  );

  it('do not vanish because one team shows its key publicly', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records: {}, handler: oneKeyPublic } });
    expect((await ask('/teams?scope=pgp')).data.map((team) => team['pgp-fingerprint'])).toEqual(
      MANY.map((team) => team['pgp-fingerprint']),
    );
    const { json } = await gateway.get('/directory/v1/teams?fields=enckeys');
    expect(json).toEqual(MANY.map((team) => ({ enckeys: [`0x${team['pgp-fingerprint']}`] })));
  });

  it('that a team shows publicly are given when the others cannot be had, and that is told', async () => {
    const fails = faulty.when(({ query }) => query.get('scope') === 'pgp', faulty.status(500), oneKeyPublic);
    const { ask } = await startDataGateway({ one: { records: {}, handler: fails } });
    const seen = await ask('/teams?scope=pgp');
    expect(seen.data.map(({ team }) => team)).toEqual(['Team 0']);
    expect(seen.sourceStatus).toBe('one;state=partial;reason=keys;records=10;age=0');
  });

  const armor = (data: string): string => KEYED['pgp-key'].replace('ARMOR', data);
  it.each([
    [
      'written otherwise',
      { 'pgp-id': '95ed49e4fb340b9d', 'pgp-key': `${KEYED['pgp-key'].replaceAll('\n', '\r\n')}\r\n` },
      {},
    ],
    [
      'as one of several',
      { 'pgp-id': `0xAAAAAAAA, ${KEYED['pgp-id']}` },
      { 'pgp-id': `${KEYED['pgp-id']}, 0xAAAAAAAA` },
    ],
    ['of another value', { 'pgp-id': '0xAAAAAAAA' }, { 'pgp-id': `${KEYED['pgp-id']}, 0xAAAAAAAA` }],
    ['of other text', { 'pgp-key': armor('OTHER') }, { 'pgp-key': `${KEYED['pgp-key']}\n${armor('OTHER')}` }],
  ])('of both lists are shown, each once: one %s under scope=pgp', async (_title, other, expected) => {
    const keys = faulty.body(JSON.stringify({ total: 1, data: [{ ...KEYED, ...other }] }));
    const own = dataUpstream({ teams: [KEYED] }, { keys: 'public' });
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', keys, own);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    expect((await ask('/teams?scope=pgp')).data).toEqual([{ ...KEYS, ...expected }]);
  });

  it.each([400, 401, 403, 404, 422])(
    'are none of a source that refuses scope=pgp with %i, which is a finding',
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

  it('that were there are not gone because the source begins to refuse scope=pgp', async () => {
    const teams = Array.from({ length: 30 }, (_, at) => ({ ...KEYED, id: `t${at}`, team: `Team ${at}` }));
    const { ask, upstreams, clock } = await startDataGateway({ one: { records: { teams } } });
    expect((await ask('/teams?scope=pgp')).data).toHaveLength(30);
    answersFrom(
      upstreams['one'],
      faulty.when(({ query }) => query.get('scope') === 'pgp', faulty.status(403), dataUpstream({ teams })),
    );
    clock.advance(3_600_000);
    const seen = await ask('/teams?scope=pgp');
    expect([seen.data.length, seen.sourceStatus]).toEqual([30, expect.stringContaining('state=stale;reason=shrunk')]);
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
  ])('that cannot be had make only an answer partial that reads them: /directory/v1/teams%s', async (query, state) => {
    const handler = faulty.when(
      ({ query }) => query.get('scope') === 'pgp',
      faulty.status(500),
      dataUpstream({ teams: [KEYED] }),
    );
    const { gateway } = await startDataGateway({ one: { records: {}, handler } });
    const { headers } = await gateway.get(`/directory/v1/teams${query}`);
    expect(headers.get('source-status')).toBe(`one;state=${state};records=1;age=0`);
  });

  it('that cannot be had are missing in a page of a list that was complete without them', async () => {
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

  it('that a list lacks are seen to come by who has the list already', async () => {
    const teams = [{ ...KEYED, 'last-modified': '2025-06-01 00:00:00+00:00' }];
    const handler = faulty.when(
      ({ query }) => query.get('scope') === 'pgp',
      faulty.status(500),
      dataUpstream({ teams }),
    );
    const { gateway, upstreams, clock } = await startDataGateway({ one: { records: {}, handler } });
    const before = await gateway.get('/directory/v1/teams');
    expect(before.headers.get('source-status')).toContain('state=fresh');
    const since = before.headers.get('last-modified') ?? '';
    answersFrom(upstreams['one'], dataUpstream({ teams }));
    clock.advance(5_000);
    const after = await gateway.get('/directory/v1/teams', { 'if-modified-since': since });
    expect([after.status, after.text.includes('enckeys')]).toEqual([200, true]);
    expect(Date.parse(after.headers.get('last-modified') ?? '')).toBeGreaterThanOrEqual(Date.parse(since));
  });

  it('are joined to their teams by id alone, where the source says no more', async () => {
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
    ['one of them has a key, and only its short name is told', [ALPHA, BETA], [{ team: 'CERT', ...B }], {}],
    [
      'both have one, and only their short name is told',
      [ALPHA, BETA],
      [A, B].map((key) => ({ team: 'CERT', ...key })),
      {},
    ],
    [
      'the source gives both the same id',
      [
        { ...id, ...ALPHA },
        { ...id, ...BETA },
      ],
      [{ ...id, ...B }],
      {},
    ],
    ['only one of them is public', [ALPHA], [A, B].map((key) => ({ team: 'CERT', ...key })), {}],
    ['they are alike in all else', [ALPHA, { ...ALPHA, host: 'Alpha' }], [{ ...ALPHA, ...A }], {}],
    [
      'one is alike in all else, and has two',
      [ALPHA, BETA],
      [
        { ...ALPHA, ...A },
        { ...ALPHA, ...B },
      ],
      {},
    ],
    ['all is told of one of them', [ALPHA, BETA], [{ ...BETA, ...B }], { 'CERT of Beta Grid': '0xBEBEBEBE' }],
    [
      'all is told of both, in another order',
      [ALPHA, BETA],
      [
        { ...BETA, ...B },
        { ...ALPHA, ...A },
      ],
      { 'CERT of Alpha Bank': '0xA1A1A1A1', 'CERT of Beta Grid': '0xBEBEBEBE' },
    ],
  ])('go to no other team where two have one name: %s', async (_title, teams, keyed, expected) => {
    const keys = faulty.body(JSON.stringify({ total: keyed.length, data: keyed }));
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', keys, dataUpstream({ teams }));
    const { gateway, ask } = await startDataGateway({ one: { records: {}, handler } });
    const { json, headers } = await gateway.get('/directory/v1/teams?fields=official-team-name,enckeys');
    const shown = z
      .array(z.object({ 'official-team-name': z.string(), enckeys: z.array(z.string()).optional() }))
      .parse(json);
    const found = shown.flatMap(({ 'official-team-name': name, enckeys = [] }) => enckeys.map((key) => [name, key]));
    expect(Object.fromEntries(found)).toEqual(expected);
    const seen = await ask('/teams?scope=pgp');
    expect(seen.data.map((team) => team['pgp-id']).sort()).toEqual(Object.values(expected));
    // Each that was given to nobody is told.
    const state = found.length === keyed.length ? 'fresh' : 'partial;reason=keys';
    for (const { sourceStatus } of [seen, { sourceStatus: headers.get('source-status') }])
      expect(sourceStatus).toBe(`one;state=${state};records=${teams.length};age=0`);
  });

  it.each([
    ['of a team that is not public is none that is missing', { id: 'hidden', team: 'Hidden CERT' }, 'fresh'],
    ['under another id than its team has', { id: '4711', team: PLAIN.team }, 'partial;reason=keys'],
    ['under the id of a team of another name', { id: PLAIN.id, team: 'Upland CERT' }, 'partial;reason=keys'],
  ])('are given to nobody by a guess, and that is told: one %s', async (_title, more, state) => {
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
      'gives fewer than it counts',
      dataUpstream({ teams: [KEYED] }, { total: 4 }),
      'one;state=inconsistent;reason=total;records=1;age=0',
      200,
    ],
  ])('make a source that %s under scope=pgp as good as that, there alone', async (_title, bad, status, code) => {
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', bad, dataUpstream({ teams: [KEYED] }));
    const { ask } = await startDataGateway({ one: { records: {}, handler } }, { defaults: { timeout: '2s' } });
    expect((await ask('/teams')).sourceStatus).toBe('one;state=fresh;records=1;age=0');
    const seen = await ask('/teams?scope=pgp');
    expect(seen.sourceStatus).toBe(status);
    expect(seen.status).toBe(code);
  });

  it('do not vanish where a later page of them is refused: that is no refusal of the scope', async () => {
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

  it('are on the directory too, wherever the source shows them', async () => {
    const { gateway } = await startDataGateway({
      one: { records: { teams: [KEYED] }, behaviour: { keys: 'public' } },
      two: { records: { teams: [KEYED] }, behaviour: { keys: 'pgp' } },
    });
    const { json } = await gateway.get('/directory/v1/teams?fields=enckeys');
    const enckeys = [`0x${KEYED['pgp-fingerprint']}`];
    expect(json).toEqual([{ enckeys }, { enckeys }]);
  });

  it.each([
    ['refuses scope=pgp, and has none then', faulty.status(400), 'one;state=fresh;records=1;age=0'],
    ['fails under scope=pgp, and may have some', faulty.status(500), 'one;state=partial;reason=keys;records=1;age=0'],
  ])('do not keep a team off the directory whose source %s', async (_title, bad, status) => {
    const handler = faulty.when(({ query }) => query.get('scope') === 'pgp', bad, dataUpstream({ teams: [KEYED] }));
    const { gateway } = await startDataGateway({ one: { records: {}, handler } });
    const { json, headers } = await gateway.get('/directory/v1/teams?fields=short-team-name,enckeys');
    expect(json).toEqual([{ 'short-team-name': 'Harbour CERT' }]);
    expect(headers.get('source-status')).toBe(status);
  });

  it('are not another team’s, where two teams of a source have one id', async () => {
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

describe('a scope', () => {
  const has = { teams: [KEYED, PLAIN] };

  it('minimal has six abbreviated properties, in order', async () => {
    const { ask } = await startDataGateway({ one: { records: has } });
    const seen = await ask('/teams?scope=minimal');
    expect(seen.envelope).toMatchObject({ total: 2, access: 'public' });
    expect(JSON.stringify(seen.data)).toBe(
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

  it('country has the same by their whole names, in order', async () => {
    const { ask } = await startDataGateway({ one: { records: has } });
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

  it('is narrowed by the fields of the scope, and filtered and sorted by those of the public profile', async () => {
    const { ask } = await startDataGateway({ one: { records: has } });
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
    'members needs credentials: 401, and no source is asked (%s)',
    async (query) => {
      const { ask, upstreams } = await startDataGateway({ one: { records: has } });
      const seen = await ask(`/teams${query}`);
      expect(seen.status).toBe(401);
      expect(seen.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(seen.envelope).toMatchObject({ status: 'Unauthorized', 'status-code': 401, version: '1' });
      expect(upstreams['one']?.requests).toHaveLength(0);
    },
  );

  it.each(['other', 'Public', 'PGP', 'members,pgp', 'public ', 'constructor'])(
    'that nobody knows is a 400: %s',
    async (name) => {
      const { ask } = await startDataGateway({ one: { records: has } });
      const seen = await ask(`/teams?scope=${encodeURIComponent(name)}`);
      expect(seen.status).toBe(400);
      expect(seen.envelope['errors']).toMatchObject([{ parameter: 'scope' }]);
    },
  );

  it.each(['/news', '/channels', '/news/1001'])('is no parameter of %s', async (path) => {
    const { ask } = await startDataGateway({ one: { records: has } });
    expect((await ask(`${path}?scope=public`)).status).toBe(400);
  });

  it('is kept by the links to other pages', async () => {
    const { ask, gateway } = await startDataGateway({ one: { records: has } });
    const link = (await ask('/teams?scope=minimal&limit=1')).headers.get('link') ?? '';
    const next = /<([^>]*)>; rel="next"/.exec(link)?.[1] ?? '';
    expect(fieldsOf((await gateway.get(next)).json)['data']).toEqual([
      { s: 'Inland CERT', c: 'XX', 'source-name': 'one' },
    ]);
  });
});
