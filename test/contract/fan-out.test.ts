import { describe, expect, it } from 'vitest';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { GatewayResponse } from '../support/gateway/test-gateway.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { asObject } from './contract-fixture.js';
import { useDirectory } from './directory-teams.js';

/** One response from several sources (decisions 6.2, 6.4, 6.6, 6.7). */
describe('a response from several sources', () => {
  const fixture = useDirectory();
  const { dialect } = fixture;

  const fetchFromTwo = async (
    first: RequestHandler,
    second: RequestHandler,
    defaults: object = {},
  ): Promise<GatewayResponse> => {
    const [one, other] = [await fixture.upstream(first), await fixture.upstream(second)];
    const sources = { one: dialect.source(one.address), other: dialect.source(other.address) };
    return fixture.fetchAll(await fixture.gateway({ defaults, sources }));
  };

  it('sends the plain envelope, cacheable, when all sources are complete', async () => {
    const lastModified = (): string => 'Wed, 13 May 2015 01:56:15 GMT';
    const response = await fetchFromTwo(
      dialect.serve(dialect.records(3)),
      dialect.serve(dialect.records(2), { lastModified }),
    );
    expect(fixture.readList(response)).toMatchObject({
      status: 200,
      total: 5,
      sources: undefined,
      sourceStatus: 'one;state=fresh;records=3;age=0, other;state=fresh;records=2;age=0',
    });
    expect(response.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=60');
    expect(response.headers.get('last-modified')).toBe('Wed, 13 May 2015 01:56:15 GMT');
  });

  it('responds 502 with the sources, and no data, when all sources fail', async () => {
    const [one, other] = [await fixture.upstream(faulty.status(500)), await fixture.upstream(neverResponds)];
    // The first source keeps the default timeout, because a busy machine may delay its response.
    const sources = { one: dialect.source(one.address), other: { ...dialect.source(other.address), timeout: '150ms' } };
    const response = await fixture.fetchAll(await fixture.gateway({ sources }));
    expect(response.status).toBe(502);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(asObject(response.json)).not.toHaveProperty('data');
    expect(fixture.readList(response).sources).toEqual([
      { 'source-name': 'one', state: 'failed', reason: 'status', status: 500 },
      { 'source-name': 'other', state: 'failed', reason: 'timeout' },
    ]);
  });

  it('responds 504 when all sources time out', async () => {
    const response = await fetchFromTwo(neverResponds, neverResponds, { timeout: '150ms' });
    expect(response.status).toBe(504);
    expect(fixture.readList(response).sourceStatus).toBe(
      'one;state=failed;reason=timeout, other;state=failed;reason=timeout',
    );
  });

  it('responds 200 with a total of 0 when no source has a match', async () => {
    const one = await fixture.upstream(dialect.serve(dialect.records(3)));
    const gateway = await fixture.gateway({ sources: { one: dialect.source(one.address) } });
    const response = await gateway.get(`${dialect.list}?envelope=true&q=absent`);
    expect(fixture.readList(response)).toMatchObject({ status: 200, names: [], total: 0 });
  });

  it('requests only the sources that source-name selects', async () => {
    const [one, other] = [
      await fixture.upstream(neverResponds),
      await fixture.upstream(dialect.serve(dialect.records(3))),
    ];
    const sources = { one: dialect.source(one.address), other: dialect.source(other.address) };
    const gateway = await fixture.gateway({ sources });
    const response = await gateway.get(`${dialect.list}?envelope=true&source-name=OTHER`);
    expect(fixture.readList(response)).toMatchObject({
      names: fixture.names(3),
      sourceStatus: 'one;state=excluded;reason=source-name, other;state=fresh;records=3;age=0',
    });
    expect(one.requests).toHaveLength(0);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=60');
  });
});
