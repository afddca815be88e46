import { expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ContractFixture } from '../contract-fixture.js';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const TOKEN = 'secret-of-a-test';

/** Lists that are read completely, and the requests for them (decisions 4.27, 5.5, 8.4). */
export function testCompleteReads(fixture: ContractFixture): void {
  const { dialect, many } = fixture;

  it('returns every record of a list, and reports the list as fresh', async () => {
    const { list } = await fixture.drain(dialect.serve(dialect.records(many)));
    expect(list).toMatchObject({ ...fixture.fresh(many), total: many });
    expect(list.sources).toBeUndefined();
  });

  const { emptyListReason } = dialect;
  if (emptyListReason === undefined)
    it('returns a list without records, and reports it as fresh', async () => {
      const { list } = await fixture.drain(dialect.serve([]));
      expect(list).toMatchObject({ ...fixture.fresh(0), total: 0 });
    });
  else
    it('fails for a list without records, which nothing distinguishes from a message', async () => {
      const { list } = await fixture.drain(dialect.serve([]));
      expect(list.sourceStatus).toBe(`one;state=failed;reason=${emptyListReason}`);
    });

  it('reads a body that begins with a byte order mark', async () => {
    const edit = (body: Buffer): Buffer => Buffer.concat([BYTE_ORDER_MARK, body]);
    const { list } = await fixture.drain(dialect.serve(dialect.records(3), { edit }));
    expect(list).toMatchObject(fixture.fresh(3));
  });

  it('leaves out a record without a name', async () => {
    const { list } = await fixture.drain(dialect.serve([...dialect.records(30), { host: 'Example Org' }]));
    expect(list).toMatchObject(fixture.fresh(30));
  });

  it('returns a team that the source lists twice, but only one record with an integer id', async () => {
    const [twin = {}, ...records] = dialect.records(30);
    const { list } = await fixture.drain(dialect.serve([twin, twin, ...records]));
    const [first = '', ...names] = fixture.names(30);
    expect(list.names).toEqual(dialect.twins === 'two-records' ? [first, first, ...names] : [first, ...names]);
    expect(list.sourceStatus).toMatch(TWIN_STATUS[dialect.twins]);
  });

  it('sends media types, content codings and its name, and nothing of the client', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(many)));
    const sources = { one: dialect.source(upstream.address) };
    const gateway = await fixture.gateway({ server: { name: 'own-gateway' }, sources });
    await fixture.fetchAll(gateway, { authorization: 'Bearer x', cookie: 'a=b', 'x-client': 'soc', etag: '"a"' });
    expect(upstream.requests.length).toBeGreaterThan(dialect.lastPart);
    for (const { headers } of upstream.requests) {
      expect(headers).toMatchObject({
        accept: dialect.accept,
        'accept-encoding': 'gzip, br',
        via: '1.1 own-gateway',
        'user-agent': 'rollcall',
      });
      for (const name of ['authorization', 'cookie', 'x-client', 'if-none-match'])
        expect(headers).not.toHaveProperty(name);
    }
  });

  it('sends its credential with every request, also after a redirect, and to no client', async () => {
    const upstream = await fixture.upstream(faulty.redirectRepeatedly(1, dialect.serve(dialect.records(many))));
    const credentials = { public: { bearer: TOKEN } };
    const gateway = await fixture.gateway({ sources: { one: { ...dialect.source(upstream.address), credentials } } });
    const response = await fixture.fetchAll(gateway);
    expect(fixture.readList(response)).toMatchObject(fixture.fresh(many));
    const sent = upstream.requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(response.text + JSON.stringify([...response.headers, gateway.log])).not.toContain(TOKEN);
  });

  it('is marked incomplete where the source reports an incomplete source of its own', async () => {
    const headers = { 'Source-Status': 'below;state=failed;reason=timeout', Via: '1.1 below' };
    const { list, response } = await fixture.drain(dialect.serve(dialect.records(3), { headers }));
    expect(list).toMatchObject({
      names: fixture.names(3),
      sourceStatus: 'one;state=partial;reason=upstream;records=3;age=0',
    });
    expect(response.headers.get('via')).toContain('1.1 below');
  });
}

/** Source-Status of thirty records of which the first is sent twice. */
const TWIN_STATUS = {
  'two-records': /^one;state=fresh;records=31;/,
  'one-record': /^one;state=inconsistent;reason=drift;/,
  'two-versions': /^one;state=fresh;records=30;/,
};
