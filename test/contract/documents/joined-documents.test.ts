import { describe, expect, it } from 'vitest';
import { send, sendByTarget, startDocument } from './document-scene.js';

const ENTRIES = [
  { id: 1, name: 'ACORN', mail: 'acorn@example.org' },
  { id: 2, name: 'BIRCH', mail: 'birch@example.org' },
  { id: 3, name: 'CEDAR', mail: 'cedar@example.org' },
];

const FINGERPRINTS = { a: 'A'.repeat(40), b: 'B'.repeat(40), c: 'C'.repeat(40) };

const KEYS = {
  list: [
    { owner: 1, type: 'pgp', print: FINGERPRINTS.a, revoked: false },
    { owner: 1, type: 'pgp', print: FINGERPRINTS.b, revoked: false },
    { owner: '2', type: 'pgp', print: FINGERPRINTS.c, revoked: true },
    { owner: 9, type: 'pgp', print: FINGERPRINTS.c, revoked: false },
  ],
};

const document = (address: string): object => ({
  url: `${address}/teams`,
  map: { 'short-team-name': 'name', email: 'mail', enckeys: 'keys[?!revoked].print' },
  join: { url: `${address}/keys`, records: 'list', on: ['id', 'owner'], as: 'keys' },
});

const TEAMS = '/directory/v1/teams?pretty=0&fields=short-team-name,enckeys';

describe('a second document', () => {
  it('adds its entries to those of the first with the same key, and to no other', async () => {
    const scene = await startDocument(sendByTarget({ '/teams': ENTRIES, '/keys': KEYS }), document);
    expect((await scene.gateway.get(TEAMS)).json).toEqual([
      { 'short-team-name': 'ACORN', enckeys: [FINGERPRINTS.a, FINGERPRINTS.b] },
      { 'short-team-name': 'BIRCH' },
      { 'short-team-name': 'CEDAR' },
    ]);
    expect(scene.targets().toSorted()).toEqual(['/keys', '/teams']);
  });

  it('is read with all its pages, and in the worker thread', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({ id: at, name: `T${at}`, mail: `t${at}@example.org` }));
    const keys = many.map(({ id }) => ({ owner: id, print: id.toString(16).padStart(40, '0'), revoked: false }));
    const scene = await startDocument(
      sendByTarget({
        '/teams': many,
        '/keys?p=1': { list: keys.slice(0, 1_500) },
        '/keys?p=2': { list: keys.slice(1_500) },
        '/keys?p=3': { list: [] },
      }),
      (address) => ({
        ...document(address),
        join: { url: `${address}/keys`, records: 'list', page: { parameter: 'p' }, on: ['id', 'owner'], as: 'keys' },
      }),
    );
    const response = await scene.gateway.get(`${TEAMS}&short-team-name=T2999`);
    expect(response.json).toEqual([{ 'short-team-name': 'T2999', enckeys: [(2_999).toString(16).padStart(40, '0')] }]);
    expect(response.headers.get('source-status')).toContain('state=fresh;records=3000');
  });

  it('that cannot be read makes the source fail: its teams would seem to have no keys', async () => {
    const scene = await startDocument(sendByTarget({ '/teams': ENTRIES, '/keys': KEYS }), document);
    const before = (await scene.gateway.get(TEAMS)).text;
    scene.upstream.handler = sendByTarget({ '/teams': ENTRIES });
    scene.clock.advance(3_600_000);
    const stale = await scene.gateway.get(TEAMS);
    expect(stale.text).toBe(before);
    expect(stale.headers.get('source-status')).toMatch(/state=stale;.*reason=status;status=404/);
  });

  it('is read again together with the first when either has changed', async () => {
    let keys = KEYS;
    const scene = await startDocument((request, response) => {
      const body = request.path.endsWith('/keys') ? keys : ENTRIES;
      const tag = `"${JSON.stringify(body).length}"`;
      const isKnown = request.headers['if-none-match'] === tag;
      response.writeHead(isKnown ? 304 : 200, { ETag: tag }).end(isKnown ? undefined : JSON.stringify(body));
    }, document);
    await scene.gateway.get(TEAMS);
    scene.clock.advance(3_000_000);
    expect((await scene.gateway.get(TEAMS)).headers.get('source-status')).toContain('state=fresh');
    expect(scene.targets()).toHaveLength(4);
    keys = { list: [{ owner: 3, type: 'pgp', print: FINGERPRINTS.c, revoked: false }] };
    scene.clock.advance(3_000_000);
    expect((await scene.gateway.get(TEAMS)).json).toEqual([
      { 'short-team-name': 'ACORN' },
      { 'short-team-name': 'BIRCH' },
      { 'short-team-name': 'CEDAR', enckeys: [FINGERPRINTS.c] },
    ]);
  });

  it('that is no list makes the source fail', async () => {
    const scene = await startDocument(sendByTarget({ '/teams': ENTRIES, '/keys': { error: 'none' } }), document);
    expect((await scene.gateway.get(TEAMS)).headers.get('source-status')).toContain('reason=schema');
  });
});

describe('the properties of the data interface', () => {
  it('are served on both interfaces, with the keys', async () => {
    const { gateway, targets } = await startDocument(
      send([{ uuid: 'u-1', name: 'ACORN', phones: ['+47 5550 0100'], key: 'A'.repeat(40), zone: 'Europe/Oslo' }]),
      (address) => ({
        url: `${address}/teams`,
        map: {
          id: 'uuid',
          'short-team-name': 'name',
          'phone-numbers': 'phones',
          'pgp-fingerprint': 'key',
          timezone: 'zone',
        },
      }),
    );
    expect((await gateway.get('/data/v1/teams?scope=pgp&pretty=0')).json).toMatchObject({
      data: [{ id: 'one.u-1', team: 'ACORN', 'pgp-fingerprint': 'A'.repeat(40) }],
    });
    expect((await gateway.get('/data/v1/teams?pretty=0')).json).toMatchObject({
      data: [{ id: 'one.u-1', phone: ['+47 5550 0100'], timezone: 'Europe/Oslo' }],
    });
    expect((await gateway.get('/directory/v1/teams?pretty=0')).json).toEqual([
      {
        'short-team-name': 'ACORN',
        'phone-numbers': ['+47 5550 0100'],
        enckeys: [`0x${'A'.repeat(40)}`],
        'source-name': 'One',
      },
    ]);
    expect(targets()).toEqual(['/teams']);
  });
});
