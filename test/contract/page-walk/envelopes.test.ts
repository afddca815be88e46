import { describe, expect, it } from 'vitest';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { useDirectory } from '../directory-teams.js';

/** Envelopes that report an error, and those that do not (decisions 6.14). */
describe('an envelope', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;

  it.each([
    ['an envelope whose status is an error', '{"status":"error","data":[]}'],
    ['an envelope with another status code', '{"status":"OK","status_code":500,"data":[]}'],
    ['an envelope with another status code of the data interface', '{"status":"OK","status-code":500,"data":[]}'],
    ['an empty list beside an error', '{"error":"database down","data":[]}'],
    ['an empty list beside errors', '{"status":"OK","errors":[{"message":"db"}],"data":[]}'],
    ['an empty list beside success: false', '{"success":false,"data":[],"total":0}'],
    ['an empty list beside an error code', '{"code":500,"message":"x","data":[]}'],
    ['an envelope without data', '{"status":"OK"}'],
  ])('is reported as failed with reason schema for %s', async (_title, text) => {
    const { response, list } = await fixture.drain(faulty.body(text));
    expect(response.status).toBe(502);
    expect(list.sourceStatus).toBe('one;state=failed;reason=schema');
    expect(list.sources).toEqual([{ 'source-name': 'one', state: 'failed', reason: 'schema' }]);
  });

  it.each([
    ['an empty list beside success: true and no errors', { error: null, errors: [], success: true, code: 200 }, 0],
    [
      'an empty list beside error: false, empty errors and the code as text',
      { error: false, errors: {}, code: '200' },
      0,
    ],
    ['records beside an error and success: false', { error: 'one of ten shards is late', success: false }, 3],
  ])('accepts %s', async (_title, envelope, count) => {
    const { list } = await fixture.drain(
      faulty.when(
        faulty.atOffset(0),
        dialect.serve(dialect.records(count), { envelope }),
        dialect.serve(dialect.records(count)),
      ),
    );
    expect(list).toMatchObject(fixture.fresh(count));
  });

  it('reads a bare list with the total in a header field, and a byte order mark', async () => {
    const text = `\uFEFF${JSON.stringify(dialect.records(3))}`;
    const { list } = await fixture.drain(faulty.body(text, { 'X-Total-Count': '3' }));
    expect(list).toMatchObject(fixture.fresh(3));
  });

  it('reads few pages of a list without a total that exceeds the cache memory', async () => {
    const upstream = await fixture.upstream(dialect.serve(dialect.records(1_000), { total: 'absent' }));
    const sources = { one: dialect.source(upstream.address) };
    const response = await fixture.fetchAll(await fixture.gateway({ cache: { memory: '8KiB' }, sources }));
    expect(fixture.readList(response).sourceStatus).toMatch(/^one;state=partial;reason=too-large/);
    expect(upstream.requests.length).toBeLessThan(10);
  });
});
