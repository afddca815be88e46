import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { generateKey, readKey, readKeys } from 'openpgp';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway, DataSourceSetup } from '../support/gateway/data-gateway.js';
import { formats } from '../../src/render/formats.js';
import type { Format } from '../../src/render/formats.js';
import { readFeatureCollection } from '../support/formats/geojson-reader.js';
import { readVcards, valuesOf } from '../support/formats/vcard-reader.js';
import { readWorkbook } from '../support/formats/workbook-reader.js';
import { descendants, readXml } from '../support/formats/xml-reader.js';
import { craftKey } from '../support/crafted-openpgp-key.js';
import { openpgpKeys, openpgpKeyStates } from '../support/openpgp-keys.js';
import { keyReader } from '../support/gateway/threads/key-reader.js';
import { moduleFromCode } from '../support/gateway/threads/worker-modules.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

afterEach(closeDataGateways);

const reader = keyReader();
afterAll(() => {
  reader.close();
});

const [alpha, beta] = openpgpKeys;
if (alpha === undefined || beta === undefined) throw new Error('no keys');

const TEAM = { id: 'a', team: 'Alpha', country: 'NO', email: 'cert@a.example', 'pgp-key': alpha.armored };
const NEWS = { id: 1, title: 'One', link: 'https://a.example/1', published: '2025-12-01' };
const HARBOUR: DataSourceSetup = { records: { teams: [TEAM], news: [NEWS] }, behaviour: { keys: 'public' } };
const LAGOON = { teams: [{ id: 'b', team: 'Beta', country: 'SE' }], news: [{ id: 1, title: 'Two' }] };

/** The address of a list in each format. */
const TARGETS: Readonly<Record<Format['name'], string>> = {
  json: '/data/v1/teams.json',
  yaml: '/data/v1/teams.yaml',
  xml: '/data/v1/teams.xml',
  csv: '/data/v1/teams.csv',
  xlsx: '/data/v1/teams.xlsx',
  ndjson: '/data/v1/teams.ndjson',
  vcf: '/data/v1/teams.vcf',
  asc: '/data/v1/teams.asc?scope=pgp',
  atom: '/data/v1/news.atom',
  rss: '/data/v1/news.rss',
  geojson: '/data/v1/teams.geojson',
};

/** CSV has no place for it besides the name of the file. */
const STATEMENTS = formats.filter(({ name }) => name !== 'csv');

async function fetchList(
  gateway: DataGateway['gateway'],
  target: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(gateway.origin + target);
  const body = Buffer.from(await response.arrayBuffer());
  const isWorkbook = response.headers.get('content-type')?.includes('spreadsheetml') === true;
  const text = isWorkbook ? JSON.stringify(readWorkbook(body)) : body.toString();
  return { status: response.status, headers: response.headers, text: text.replaceAll('\r\n ', '') };
}

/** A source that answers until it is switched off. */
function createSwitch(): { readonly handler: RequestHandler; off: (failure: RequestHandler) => void } {
  let current = dataUpstream(LAGOON, { keys: 'public' });
  return {
    handler: (request, response) => current(request, response),
    off: (failure) => {
      current = failure;
    },
  };
}

const HOUR = 3_600_000;

describe.each(STATEMENTS)('a list as $name', (format) => {
  const target = TARGETS[format.name];

  it('names a source that failed, and is not complete by its file name', async () => {
    const lagoon = createSwitch();
    lagoon.off(faulty.status(500));
    const { gateway } = await startDataGateway(
      { harbour: HARBOUR, lagoon: { records: {}, handler: lagoon.handler } },
      { defaults: { retries: 0 } },
      { keys: reader },
    );
    const { status, headers, text } = await fetchList(gateway, target);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(text).toMatch(/lagoon[^]*(?:failed|missing)/);
    const name = headers.get('content-disposition') ?? '';
    expect(name.includes('.partial.')).toBe(format.isAttachment);
  });

  it('names a source that is stale', async () => {
    const lagoon = createSwitch();
    const { gateway, clock } = await startDataGateway(
      { harbour: HARBOUR, lagoon: { records: {}, handler: lagoon.handler } },
      { defaults: { retries: 0, ttl: '1h' } },
      { keys: reader },
    );
    const complete = await fetchList(gateway, target);
    expect(complete.text).not.toMatch(/lagoon[^,]*stale|Not up to date|last good response/);
    lagoon.off(faulty.status(500));
    clock.advance(3 * HOUR);
    const { status, headers, text } = await fetchList(gateway, target);
    expect(status).toBe(200);
    expect(text).toMatch(/lagoon[^]*(?:stale|as of its last good response)/);
    expect((headers.get('content-disposition') ?? '').includes('.stale.')).toBe(format.isAttachment);
  });

  it('names a source that is too large to be read', async () => {
    const long = 'far too much '.repeat(100);
    const large = Array.from({ length: 40 }, (_, at) => ({
      id: `t${at}`,
      team: `T${at}`,
      'pgp-id': '0x0123',
      host: long,
    }));
    const largeNews = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, title: `T${at}`, summary: long }));
    const behaviour = { keys: 'public', cap: 5 } as const;
    const { gateway } = await startDataGateway(
      { harbour: HARBOUR, lagoon: { records: { teams: large, news: largeNews }, behaviour } },
      { cache: { memory: '8KiB' }, defaults: { retries: 0 } },
      { keys: reader },
    );
    const { status, text } = await fetchList(gateway, target);
    expect(status).toBe(200);
    expect(/lagoon[^]*(?:too-large|too many records)/.test(text)).toBe(true);
    if (['ndjson', 'geojson', 'xlsx'].includes(format.name)) expect(text).toMatch(/"total"[^]*40/);
  });

  it('is a 502 where nothing matches and a source is missing, in the format if that can carry an error', async () => {
    const { gateway } = await startDataGateway(
      { harbour: HARBOUR, lagoon: { records: {}, handler: faulty.status(500) } },
      { defaults: { retries: 0 } },
      { keys: reader },
    );
    const filter = target.includes('/news') ? 'q=nothing' : 'team=nothing';
    const { status, headers, text } = await fetchList(gateway, `${target}${target.includes('?') ? '&' : '?'}${filter}`);
    expect([status, headers.get('content-disposition')]).toEqual([502, null]);
    const type = format.carriesErrors ? format.mediaTypes[0] : 'application/json';
    expect(headers.get('content-type')).toBe(`${type ?? ''}; charset=utf-8`);
    expect(text).toContain('no match was found, but');
  });

  it('has a body, an entity tag and a media type that HEAD, If-None-Match, gzip and Accept agree with', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR }, {}, { keys: reader });
    const get = await fetch(gateway.origin + target);
    const bytes = Buffer.from(await get.arrayBuffer());
    const etag = get.headers.get('etag') ?? '';
    const head = await fetch(gateway.origin + target, { method: 'HEAD' });
    expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([`${bytes.length}`, etag]);
    const unchanged = await fetch(gateway.origin + target, { headers: { 'If-None-Match': etag } });
    expect(unchanged.status).toBe(304);
    const again = Buffer.from(await (await fetch(gateway.origin + target)).arrayBuffer());
    expect(again.equals(bytes)).toBe(true);
    const bare = target.replace(/\.[a-z]+(?=\?|$)/, '');
    for (const type of format.mediaTypes) {
      const accepted = await fetch(gateway.origin + bare, { headers: { Accept: `text/plain, ${type};q=0.5` } });
      expect([accepted.status, accepted.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
    }
    const browser = { Accept: `text/html,application/xhtml+xml,${format.mediaTypes[0] ?? ''};q=0.9` };
    expect((await fetch(gateway.origin + bare, { headers: browser })).headers.get('content-type')).toContain('json');
  });
});

describe.each(STATEMENTS.filter(({ name }) => name !== 'json'))('a callback with $name', ({ name }) => {
  it('is a parameter error', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const target = TARGETS[name];
    const { status, text } = await gateway.get(`${target}${target.includes('?') ? '&' : '?'}callback=f`);
    expect([status, text.includes(`requires JSON, but ${name} was requested`)]).toEqual([400, true]);
  });
});

describe('a response over 64 MiB', () => {
  it('is a 400 that says what to request less of, and a smaller one is sent', async () => {
    const teams = Array.from({ length: 300 }, (_, index) => ({
      id: `${index}`,
      team: 'Alpha',
      description: '&'.repeat(50_000),
    }));
    const { gateway } = await startDataGateway({ harbour: { records: { teams } } });
    const refused = await fetchList(gateway, '/data/v1/teams.xml?limit=300');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('larger than 64 MiB: request fewer records (limit)');
    expect((await fetchList(gateway, '/data/v1/teams.xml?limit=1')).status).toBe(200);
  });
});

describe('the formats of a path', () => {
  it.each([
    ['/data/v1/teams.asc', 'only teams of the data interface with scope=pgp are served as asc'],
    ['/directory/v1/teams.asc', 'only teams of the data interface with scope=pgp are served as asc'],
    ['/data/v1/teams.atom', 'teams are never served as atom'],
    ['/data/v1/channels.ndjson', 'channels are never served as ndjson'],
    ['/data/v1/news.geojson', 'news are never served as geojson'],
    ['/data/v1/news/1001.rss', 'single records of news are never served as rss'],
    ['/data/v1/teams/harbour.a.geojson', 'single records of teams are never served as geojson'],
    ['/directory/v1/teams/harbour.a/same.vcf', 'teams of other repositories are never served as vcf'],
  ])('do not include %s: 406 in JSON', async (target, message) => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const { status, headers, text } = await gateway.get(target);
    expect([status, headers.get('content-type')]).toEqual([406, 'application/json; charset=utf-8']);
    expect(text).toContain(`${message}; supported formats are application/json, `);
  });

  it('are preferred by Accept among those that are served', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const accept = { Accept: 'application/pgp-keys, application/atom+xml, text/csv;q=0.1' };
    expect((await gateway.get('/data/v1/teams', accept)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });
});

describe('a vCard', () => {
  it('of the scope pgp has the public profile and the key, and fields narrows it', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const [card] = readVcards((await gateway.get('/data/v1/teams.vcf?scope=pgp')).text);
    const [, data = ''] = /^data:application\/pgp-keys;base64,(.*)$/.exec(valuesOf(card, 'key').join()) ?? [];
    const key = await readKey({ armoredKey: Buffer.from(data, 'base64').toString() });
    expect([valuesOf(card, 'email'), key.getFingerprint().toUpperCase()]).toEqual([
      ['cert@a.example'],
      alpha.fingerprint,
    ]);
    const [narrow] = readVcards((await gateway.get('/data/v1/teams.vcf?scope=pgp&fields=team')).text);
    expect([valuesOf(narrow, 'fn'), valuesOf(narrow, 'email'), valuesOf(narrow, 'key')]).toEqual([['Alpha'], [], []]);
  });

  it('states which of its keys a program cannot use, until that changes', async () => {
    const { expiring } = openpgpKeyStates;
    const { privateKey } = await generateKey({ userIDs: { name: 'A team' }, format: 'object' });
    const date = '2025-11-01 00:00:00+00:00';
    const team = {
      ...TEAM,
      'last-modified': date,
      'pgp-key': [alpha.armored, expiring.armored, privateKey.armor()].join('\n'),
    };
    const { gateway, clock } = await startDataGateway(
      { harbour: { records: { teams: [team] }, behaviour: { keys: 'public' } } },
      {},
      { keys: reader },
    );
    const fetchCard = (target: string): Promise<{ headers: Headers; text: string }> => fetchList(gateway, target);
    const before = await fetchCard('/data/v1/teams.vcf?scope=pgp');
    expect(before.text).toContain('NOTE:Key: is a secret key: its source must withdraw it\\nSource: harbour.');
    expect(before.headers.get('last-modified')).toBeNull();
    clock.advance(365 * 24 * HOUR);
    const after = await fetchCard('/data/v1/teams.vcf?scope=pgp');
    expect(after.text).toContain(`NOTE:Key ${expiring.fingerprint}: has expired\\nKey: is a secret key`);
    expect(valuesOf(readVcards(after.text)[0], 'key')).toHaveLength(1);
    for (const target of ['/data/v1/teams.vcf', '/data/v1/teams.vcf?scope=pgp&fields=team']) {
      const { headers, text } = await fetchCard(target);
      expect(text).toContain('NOTE:Source: harbour.');
      expect(headers.get('last-modified')).toBe('Sat, 01 Nov 2025 00:00:00 GMT');
    }
  });

  it('says that its keys are not checked where keys cannot be read', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const { status, headers, text } = await fetchList(gateway, '/data/v1/teams.vcf?scope=pgp');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=0, stale-while-revalidate=0']);
    expect(text).toContain('NOTE:Key: not checked\\, because keys cannot be read at present\\n');
  });

  it('of the scope public has no key', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR });
    const [card] = readVcards((await gateway.get('/data/v1/teams.vcf')).text);
    expect(valuesOf(card, 'key')).toEqual([]);
  });

  it('of a single team has its address, and the same id as in every list of both interfaces', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR }, { server: { 'public-url': 'https://r.example' } });
    for (const target of ['/data/v1/teams/harbour.a.vcf', '/data/v1/teams.vcf', '/data/v1/teams.vcf?scope=pgp']) {
      const [card] = readVcards((await gateway.get(target)).text);
      expect([valuesOf(card, 'uid'), valuesOf(card, 'source')]).toEqual([
        ['harbour.a'],
        ['https://r.example/data/v1/teams/harbour.a.json'],
      ]);
    }
    const [card] = readVcards((await gateway.get('/directory/v1/teams.vcf')).text);
    expect(valuesOf(card, 'uid')).toEqual(['harbour.a']);
  });
});

describe('a file of directory teams whose keys could not be fetched', () => {
  const lagoon: DataSourceSetup = {
    records: { teams: [{ id: 'b', team: 'Beta', country: 'SE', 'pgp-fingerprint': alpha.fingerprint }] },
    behaviour: { keys: 'pgp', keysRefused: 500 },
  };
  const start = (more: DataSourceSetup = lagoon): Promise<DataGateway> =>
    startDataGateway({ harbour: HARBOUR, lagoon: more }, { defaults: { retries: 0 } }, { keys: reader });
  const list = '/directory/v1/teams';

  it.each([
    ['.vcf', 'Incomplete: lagoon may lack keys (did not return its PGP keys).'],
    ['/lagoon.b.vcf', 'Incomplete: lagoon may lack keys (did not return its PGP keys).'],
    ['.ndjson', '{"-rollcall-sources":[{"source-name":"lagoon","state":"partial","reason":"keys"'],
    ['.xlsx', 'keys'],
    ['.csv', 'lagoon'],
    ['/../search.csv?q=beta', 'lagoon'],
  ])('is partial as %s, also after a complete list, and says so', async (path, statement) => {
    const { gateway } = await start();
    expect((await gateway.get(`${list}.json`)).headers.get('source-status')).toContain('lagoon;state=fresh');
    const { status, headers, text } = await fetchList(gateway, list + path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(headers.get('source-status')).toContain('lagoon;state=partial;reason=keys');
    expect(headers.get('content-disposition')).toContain('.partial.');
    expect(text.replaceAll('\\,', ',')).toContain(statement);
    const strict = await fetch(gateway.origin + list + path, { headers: { Prefer: 'handling=strict' } });
    expect(strict.status).toBe(502);
    expect((await gateway.get(`${list}.json`)).headers.get('source-status')).toContain('lagoon;state=fresh');
  });

  it.each(['.vcf?fields=email', '.csv?fields=short-team-name', '.geojson'])(
    'is complete as %s, which shows no keys',
    async (path) => {
      const { gateway } = await start();
      const { headers } = await fetchList(gateway, list + path);
      expect(headers.get('source-status')).toContain('lagoon;state=fresh');
      expect(headers.get('content-disposition')).not.toContain('.partial.');
    },
  );

  it('is complete when the keys are there', async () => {
    const { gateway } = await start({ ...lagoon, behaviour: { keys: 'pgp' } });
    const { headers, text } = await fetchList(gateway, `${list}.vcf`);
    expect(headers.get('content-disposition')).toContain('filename="teams-2026-01-01.vcf"');
    expect(valuesOf(readVcards(text)[1], 'key')).toEqual([`openpgp4fpr:${alpha.fingerprint}`]);
    expect(text).not.toContain('Incomplete');
  });
});

/** The beginning of a secret key. */
const PRIVATE = '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nxVgEawXk\n-----END PGP PRIVATE KEY BLOCK-----';

describe('a keyring', () => {
  const { expiring, revoked, unsigned } = openpgpKeyStates;
  const teams = [
    TEAM,
    { id: 'b', team: 'B', 'pgp-key': `${beta.armored}\n${expiring.armored}` },
    { id: 'c', team: 'C', 'pgp-key': revoked.armored },
    { id: 'd', team: 'D', 'pgp-key': unsigned.armored },
    { id: 'e', team: 'E', 'pgp-key': 'on request' },
    { id: 'f', team: 'F', 'pgp-key': alpha.armored, 'pgp-fingerprint': beta.fingerprint },
    { id: 'g', team: 'G', 'pgp-fingerprint': beta.fingerprint },
    { id: 'h', team: 'H', 'pgp-key': `${beta.armored}\n${PRIVATE}\n${alpha.armored.slice(0, 400)}` },
    { id: 'i', team: 'I', 'pgp-key': PRIVATE },
  ];
  const start = (keys = reader): Promise<DataGateway> =>
    startDataGateway({ harbour: { records: { teams }, behaviour: { keys: 'public' } } }, {}, { keys });
  const fingerprintsOf = async (text: string): Promise<readonly string[]> => {
    const keys = await readKeys({ armoredKeys: text.slice(text.indexOf('-----BEGIN')) });
    return keys.map((key) => key.getFingerprint().toUpperCase());
  };

  it('has every usable key of the page, and lists every other one with its team and the reason', async () => {
    const { gateway, clock } = await start();
    const { text } = await gateway.get('/data/v1/teams.asc?scope=pgp');
    expect(await fingerprintsOf(text)).toEqual([alpha.fingerprint, beta.fingerprint, expiring.fingerprint]);
    const left = [
      ['c', revoked.fingerprint, 'is revoked'],
      ['d', unsigned.fingerprint, 'has no valid signature of its own'],
      ['e', 'no fingerprint', 'cannot be read'],
      ['f', alpha.fingerprint, 'the source states another fingerprint'],
      ['g', beta.fingerprint, 'the source states no key, only ids or fingerprints'],
      ['h', 'no fingerprint', 'is a secret key: its source must withdraw it'],
      ['h', 'no fingerprint', 'cannot be read'],
      ['i', 'no fingerprint', 'is a secret key: its source must withdraw it'],
    ];
    for (const [team, fingerprint, reason] of left)
      expect(text).toContain(`\n  harbour.${team} of harbour: ${fingerprint}: ${reason}\n`);
    expect(text).toContain('Left out: 8\n');
    clock.advance(365 * 24 * HOUR);
    const later = (await gateway.get('/data/v1/teams.asc?scope=pgp')).text;
    expect(await fingerprintsOf(later)).toEqual([alpha.fingerprint, beta.fingerprint]);
    expect(later).toContain(`harbour.b of harbour: ${expiring.fingerprint}: has expired`);
  });

  it('has no Last-Modified, because it changes when a key expires, and is cached until then at most', async () => {
    const { gateway, clock } = await start();
    const target = '/data/v1/teams.asc?scope=pgp&source-name=harbour';
    clock.advance(Date.UTC(2026, 6, 1) - Date.UTC(2026, 0, 1) - 1_000);
    const before = await gateway.get(target);
    expect(before.headers.get('last-modified')).toBeNull();
    expect(before.headers.get('cache-control')).toBe('public, max-age=1, stale-while-revalidate=0');
    const again = await gateway.get(target);
    expect([again.text, again.headers.get('cache-control')]).toEqual([
      before.text,
      before.headers.get('cache-control'),
    ]);
    clock.advance(1_000);
    expect((await gateway.get(target)).text).toContain('has expired');
  });

  it('of a single team is served', async () => {
    const { gateway } = await start();
    const { headers, text } = await gateway.get('/data/v1/teams/harbour.a.asc?scope=pgp');
    expect(headers.get('content-disposition')).toContain('teams-harbour.a.asc');
    const address = /^OpenPGP keys of (.*)$/m.exec(text)?.[1] ?? '';
    expect((await gateway.get(address)).text).toBe(text);
    expect(await fingerprintsOf(text)).toEqual([alpha.fingerprint]);
  });

  it.each([
    ['numbers of 16,384 bits', { p: 16_384, q: 16_384, signatures: 3 }],
    ['more signatures than are verified', { p: 1_024, q: 160, signatures: 101 }],
  ])('lists a key with %s, and has all others', async (_title, crafted) => {
    const teams = [
      { id: 'a', team: 'A', 'pgp-key': craftKey(crafted) },
      { id: 'b', team: 'B', 'pgp-key': `${craftKey(crafted)}\n${beta.armored}` },
    ];
    const behaviour = { keys: 'public' } as const;
    const { gateway } = await startDataGateway(
      {
        harbour: { records: { teams: [{ id: 'a', team: 'A', 'pgp-key': alpha.armored }] }, behaviour },
        other: { records: { teams }, behaviour },
      },
      {},
      { keys: reader },
    );
    const { status, text } = await gateway.get('/data/v1/teams.asc?scope=pgp');
    expect([status, await fingerprintsOf(text)]).toEqual([200, [alpha.fingerprint, beta.fingerprint]]);
    for (const team of ['a', 'b'])
      expect(text).toContain(`  other.${team} of other: no fingerprint: takes too long to check`);
  });

  it('lists the keys that were not read in time, and is partial and not cached', async () => {
    const never = keyReader({
      module: moduleFromCode(
        "export default ({ depth }) => (depth === 'packets' ? new Promise(() => undefined) : null);",
      ),
      patience: 50,
    });
    const { gateway } = await start(never);
    const { status, headers, text } = await gateway.get('/data/v1/teams.asc?scope=pgp');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(text).toContain('harbour.a of harbour: no fingerprint: is not checked yet: request it again');
    never.close();
  });

  it('is a 503 where keys cannot be read, and never lacks keys unnoticed', async () => {
    const broken = keyReader({ module: moduleFromCode("export default () => { throw new Error('broken'); };") });
    const { gateway } = await start(broken);
    const { status, headers, text } = await gateway.get('/data/v1/teams.asc?scope=pgp');
    expect([status, headers.get('retry-after'), headers.get('cache-control')]).toEqual([503, '60', 'no-store']);
    expect(text).toContain('the keys cannot be read at present');
    broken.close();
  });
});

describe('a feed', () => {
  it('has the addresses of the gateway where it has a public URL', async () => {
    const { gateway } = await startDataGateway({ harbour: HARBOUR }, { server: { 'public-url': 'https://r.example' } });
    const feed = readXml((await gateway.get('/data/v1/news.atom?limit=1')).text);
    const ids = descendants(feed, 'id').map(({ text }) => text);
    expect(ids).toEqual(['https://r.example/data/v1/news.atom', 'https://r.example/data/v1/news/1001.json']);
  });
});

describe.each(['news.atom', 'news.rss', 'teams.xlsx', 'teams.asc'])('%s', (path) => {
  it('has the address of its own request, also where an equal one was answered before', async () => {
    const { gateway } = await startDataGateway(
      { harbour: HARBOUR },
      { server: { 'public-url': 'https://r.example' } },
      { keys: reader },
    );
    const scope = path === 'teams.asc' ? '&scope=pgp' : '';
    for (const query of [
      'pretty=true&source-name=harbour',
      'source-name=harbour&pretty=true',
      'pretty=true&source-name=harbour',
    ]) {
      const { text } = await fetchList(gateway, `/data/v1/${path}?${query}${scope}`);
      const [first = ''] = query.split('&');
      expect(text.replaceAll('&amp;', '&')).toMatch(new RegExp(`r\\.example/data/v1/${path}\\?${first}`));
    }
  });
});

describe('GeoJSON', () => {
  it('is partial where it does not count all teams of a large source, and names that source', async () => {
    const teams = Array.from({ length: 300 }, (_, at) => ({ id: `t${at}`, team: `T${at + 100}`, country: 'FI' }));
    const supports = { teams: { sort: ['team'], total: true } };
    const { gateway } = await startDataGateway(
      {
        harbour: HARBOUR,
        delta: { records: { teams }, registration: { 'drain-threshold': 10, supports } },
      },
      { defaults: { retries: 0 } },
    );
    const { status, headers, text } = await fetchList(gateway, '/data/v1/teams.geojson?limit=2&sort=team');
    const { members, features } = readFeatureCollection(text);
    const uncounted = Number(members['teams-not-counted']);
    expect([status, uncounted > 0]).toEqual([200, true]);
    expect(features.find(({ id }) => id === 'FI')?.properties['teams']).toBe(300 - uncounted);
    expect(members).toMatchObject({
      total: 301,
      completeness: 'partial',
      sources: [{ 'source-name': 'harbour' }, { 'source-name': 'delta', records: 300, 'teams-not-counted': uncounted }],
    });
    expect(members['sources']).not.toHaveProperty('0.teams-not-counted');
    expect([headers.get('content-disposition'), headers.get('cache-control'), headers.get('last-modified')]).toEqual([
      'attachment; filename="teams-2026-01-01.partial.geojson"',
      'no-store',
      null,
    ]);
    const page = await fetchList(gateway, '/data/v1/teams.vcf?limit=2&sort=team');
    expect(page.headers.get('content-disposition')).toBe('attachment; filename="teams-2026-01-01.vcf"');
    expect(page.text).toContain('NOTE:Source: harbour. Cards 1 to 2 of 301.\r\n');
  });

  it('counts all matches, whatever the page is, and each country of a team', async () => {
    const teams = [
      { id: 'a', team: 'A', country: 'NO' },
      { id: 'b', team: 'B', country: 'NO', 'country-other': ['SE'] },
      { id: 'c', team: 'C' },
    ];
    const { gateway } = await startDataGateway({ harbour: { records: { teams } } });
    const { text } = await gateway.get('/data/v1/teams.geojson?limit=1');
    const { features, members } = readFeatureCollection(text);
    expect(features.map(({ properties }) => [properties['country'], properties['teams']])).toEqual([
      ['NO', 2],
      ['SE', 1],
    ]);
    expect(members).toMatchObject({ total: 3, 'teams-without-country': 1, 'teams-not-counted': 0 });
    const filtered = readFeatureCollection((await gateway.get('/data/v1/teams.geojson?country=SE')).text);
    expect(filtered.members).toMatchObject({ total: 1, 'teams-without-country': 0 });
  });
});
