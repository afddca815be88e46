import { expect, it } from 'vitest';
import type { ListBehaviour } from '../../support/upstream/paged-responses.js';
import { MANY } from './contract-fixture.js';
import type { ContractFixture } from './contract-fixture.js';

/** Ways to send a list that differ in no record: title, behaviour, number of records. */
const COMPLETE: readonly (readonly [title: string, behaviour: ListBehaviour, count: number])[] = [
  ['a list', {}, MANY],
  ['a list of one record', {}, 1],
  ['a list without records', {}, 0],
  ['a list that is compressed with gzip', { coding: 'gzip' }, MANY],
  ['a list that is compressed with brotli', { coding: 'br' }, MANY],
  ['a body that begins with a byte order mark', { edit: (body) => Buffer.concat([BYTE_ORDER_MARK, body]) }, 3],
  ['a list with a date', { lastModified: () => 'Wed, 13 May 2015 01:56:15 GMT' }, MANY],
];

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Lists that are read completely (decisions 5.5, 4.27). */
export function testCompleteReads(fixture: ContractFixture): void {
  const { dialect } = fixture;

  const readable = COMPLETE.filter(([, , count]) => count > 0 || dialect.emptyListReason === undefined);
  it.each(readable)('returns every record of %s', async (_title, behaviour, count) => {
    const { list } = await fixture.drain(dialect.serve(dialect.records(count), behaviour));
    expect(list).toMatchObject({ ...fixture.fresh(count), total: count });
    expect(list.sources).toBeUndefined();
  });

  if (dialect.emptyListReason !== undefined)
    it('fails for a list without records, which nothing distinguishes from a message', async () => {
      const { list } = await fixture.drain(dialect.serve([]));
      expect(list.sourceStatus).toBe(`one;state=failed;reason=${dialect.emptyListReason}`);
    });

  it('leaves out a record without a name', async () => {
    const { list } = await fixture.drain(dialect.serve([...dialect.records(200), { host: 'Example Org' }]));
    expect(list).toMatchObject(fixture.fresh(200));
  });

  it('sends media types, content codings and its name, and nothing of the client', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(MANY)));
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
}
