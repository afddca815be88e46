import { describe, expect, it } from 'vitest';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';
import { send, startDocument, startDocuments } from './document-scene.js';
import type { DocumentScene } from './document-scene.js';

const ENTRIES = [
  {
    uuid: 'a1',
    short_name: 'ACORN',
    name: 'Acorn CERT',
    country: { code: 'no' },
    contact: { mail: 'acorn@example.org', phone: '+1 555 0100', fax: '+1 555 0101' },
    keys: [{ id: '0x00000000DEADBEEF' }, { id: '0x00000000CAFEBABE' }],
    accreditation: { level: 'listed' },
    status: 'active',
  },
  { uuid: 'b2', short_name: 'BIRCH', contact: { mail: 'birch@example.org' }, status: 'active' },
  { uuid: 'c3', short_name: 'CEDAR', country: { code: 'PT' }, status: 'retired' },
];

const DOCUMENT = {
  records: 'data.teams[]',
  map: {
    'short-team-name': 'short_name',
    'official-team-name': 'name',
    'country-code': 'upper(country.code)',
    email: 'contact.mail',
    'phone-numbers': "[contact.phone, contact.fax && join('', [contact.fax, ' (fax)'])]",
    enckeys: 'keys[].id',
    '-one-status': 'accreditation.level',
  },
  defaults: { 'country-code': 'AT' },
  only: "status != 'retired'",
};

const start = (handler: RequestHandler, settings: object = {}): Promise<DocumentScene> =>
  startDocument(handler, (address) => ({ url: `${address}/teams.json?list=all`, ...DOCUMENT }), settings);

describe('a published document', () => {
  it('is read with one request, by the expressions of its registration', async () => {
    const { gateway, upstream } = await start(send({ data: { teams: ENTRIES } }));
    const response = await gateway.get('/directory/v1/teams?pretty=0');
    expect(response.json).toEqual([
      {
        'short-team-name': 'ACORN',
        'official-team-name': 'Acorn CERT',
        'country-code': 'NO',
        email: 'acorn@example.org',
        'phone-numbers': ['+1 555 0100', '+1 555 0101 (fax)'],
        enckeys: ['0x00000000DEADBEEF', '0x00000000CAFEBABE'],
        'source-name': 'One',
        '-one-status': 'listed',
      },
      { 'short-team-name': 'BIRCH', 'country-code': 'AT', email: 'birch@example.org', 'source-name': 'One' },
    ]);
    expect(upstream.requests.map(({ path, query }) => `${path}?${query.toString()}`)).toEqual([
      '/v1/teams.json?list=all',
    ]);
  });

  it('has its teams on the data interface too, and every filter, order and page is computed here', async () => {
    const { gateway, upstream } = await start(send({ data: { teams: ENTRIES } }));
    const data = await gateway.get('/data/v1/teams?pretty=0&country=AT');
    expect(data.json).toMatchObject({ total: 1, data: [{ id: 'one.birch', team: 'BIRCH', country: 'AT' }] });
    const page = await gateway.get('/directory/v1/teams?sort=-short-team-name&limit=1&q=cert&envelope=true&pretty=0');
    expect(page.json).toMatchObject({ total: 1, data: [{ 'short-team-name': 'ACORN' }] });
    expect(upstream.requests).toHaveLength(1);
  });

  it('keeps records for which an expression fails, without that property', async () => {
    const broken = {
      short_name: 'DOGWOOD',
      country: { code: 7 },
      contact: { mail: 'd@example.org' },
      status: 'active',
    };
    const { gateway } = await start(send({ data: { teams: [...ENTRIES, broken] } }));
    const response = await gateway.get('/directory/v1/teams?q=dogwood&pretty=0');
    expect(response.json).toMatchObject([
      { 'short-team-name': 'DOGWOOD', 'country-code': 'AT', email: 'd@example.org' },
    ]);
    const drained = gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({ findings: { 'expression-failed country-code': 1 } });
  });

  it('is served stale when its list is gone, when most records lack the name, and when it is HTML', async () => {
    const renamed = ENTRIES.map(({ short_name: short, ...entry }) => ({ ...entry, name: undefined, shortName: short }));
    const bodies = [{ data: {} }, { data: { teams: renamed } }, { data: { teams: 'none' } }, '<html>Login</html>'];
    for (const body of bodies) {
      const { gateway, upstream, clock } = await start(send({ data: { teams: ENTRIES } }));
      await gateway.get('/directory/v1/teams');
      upstream.handler = send(body);
      clock.advance(3_600_000);
      const response = await gateway.get('/directory/v1/teams');
      expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '2']);
      expect(response.headers.get('source-status')).toMatch(/state=stale;.*reason=(?:schema|body)/);
    }
  });

  it('is an error when nothing of it was ever read', async () => {
    const { gateway } = await start(send({ data: { teams: null } }));
    expect((await gateway.get('/directory/v1/teams')).status).toBe(502);
  });

  it('costs one conditional request as long as it is unchanged', async () => {
    const { gateway, upstream, clock } = await start((request, response) => {
      const isKnown = request.headers['if-none-match'] === '"v1"';
      response.writeHead(isKnown ? 304 : 200, { ETag: '"v1"' });
      response.end(isKnown ? undefined : JSON.stringify({ data: { teams: ENTRIES } }));
    });
    const first = await gateway.get('/directory/v1/teams');
    clock.advance(600_000);
    const second = await gateway.get('/directory/v1/teams');
    expect(second.text).toBe(first.text);
    expect(second.headers.get('source-status')).toContain('state=fresh');
    expect(upstream.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
  });

  it('of many records is read in the worker thread, and beyond the drain-threshold too', async () => {
    const many = Array.from({ length: 6_000 }, (_, at) => ({
      short_name: `T${at}`,
      country: { code: 'pt' },
      status: 'a',
    }));
    const { gateway } = await start(send({ data: { teams: many } }));
    const response = await gateway.get('/directory/v1/teams?limit=1&short-team-name=T4711&pretty=0');
    expect(response.json).toEqual([{ 'short-team-name': 'T4711', 'country-code': 'PT', 'source-name': 'One' }]);
    expect(response.headers.get('source-status')).toContain('state=fresh;records=6000');
  });

  it("that is one record is read where records is '@', and its addresses are read from their URLs", async () => {
    const team = {
      name: 'ACORN',
      mail: 'mailto:cert@example.org?subject=Incident',
      phones: ['tel:+1-202-555-0100', '+1 202 555 0101 (fax)'],
      site: 'https://acorn.example.org/',
    };
    const map = { 'short-team-name': 'name', email: 'mail', 'phone-numbers': 'phones', website: 'site' };
    const { gateway } = await startDocuments(send(team), (address) => {
      const document = { url: `${address}/a.json`, map };
      return { one: { document: { ...document, records: '@' } }, two: { document } };
    });
    const response = await gateway.get('/directory/v1/teams?pretty=0');
    expect(response.json).toEqual([
      {
        'short-team-name': 'ACORN',
        website: ['https://acorn.example.org/'],
        email: 'cert@example.org',
        'phone-numbers': ['+1-202-555-0100', '+1 202 555 0101 (fax)'],
        'source-name': 'one',
      },
    ]);
    expect(response.headers.get('source-status')).toMatch(/one;state=fresh.*two;state=failed;reason=schema/);
    const drained = gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({ findings: { 'address-form email': 1, 'address-form phone-numbers': 1 } });
  });

  it('as CSV is read by its media type, in the worker thread too, and is stale when an HTML page comes in its place', async () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => `T${at};pt;${'x'.repeat(30)}`);
    const document = { map: { 'short-team-name': 'Team', 'country-code': 'upper(Country)' }, records: '@' };
    const csv = send(['Team;Country;Note', ...rows].join('\r\n'), { 'content-type': 'text/csv; charset=utf-8' });
    const { gateway, upstream, clock } = await startDocuments(csv, (address) => ({
      one: { document: { url: `${address}/teams`, ...document } },
    }));
    const found = await gateway.get('/directory/v1/teams?short-team-name=T4711&pretty=0');
    expect(found.json).toEqual([{ 'short-team-name': 'T4711', 'country-code': 'PT', 'source-name': 'one' }]);
    expect(upstream.requests[0]?.headers.accept).toContain('text/csv');
    upstream.handler = send('<html><body>\nPlease, log in\n</body></html>', { 'content-type': 'text/csv' });
    clock.advance(3_600_000);
    const stale = await gateway.get('/directory/v1/teams?limit=1');
    expect([stale.status, stale.headers.get('x-total-count')]).toEqual([200, '5000']);
    expect(stale.headers.get('source-status')).toMatch(/state=stale;.*reason=body/);
  });

  it('gets the credential of its registration, and keeps its own query', async () => {
    const credentials = { public: { query: 'token=secret-of-a-test' } };
    const { gateway, upstream } = await start(send({ data: { teams: ENTRIES } }), { credentials });
    await gateway.get('/directory/v1/teams');
    expect(upstream.requests.map(({ query }) => query.toString())).toEqual(['list=all&token=secret-of-a-test']);
    expect(JSON.stringify(gateway.log)).not.toContain('secret-of-a-test');
  });
});
