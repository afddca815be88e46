import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { buildQuery, queryDraft, resourceOfDraft, requestTarget } from './random-query.js';
import { randomSources } from './random-sources.js';
import { allRecords, expectedList } from './model/expected-list.js';
import type { OracleQuery } from './model/expected-list.js';
import type { OracleSource } from './model/read-records.js';
import { learnIds } from './feeds/learn-ids.js';
import { LENIENT, withGateway, completeRecords } from './start-sources.js';

/** The records as text, so that the order of their properties is compared too. */
const written = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record));

it('returns the records that the oracle selects from one list of all records of all sources', async () => {
  const property = fc.asyncProperty(
    randomSources,
    fc.array(queryDraft, { minLength: 1, maxLength: 6 }),
    (sources, drafts) =>
      withGateway(sources, async (gateway) => {
        const fleet = await learnIds(gateway, sources);
        for (const draft of drafts) {
          const all = allRecords(resourceOfDraft(draft), fleet);
          const query = buildQuery(draft, { all, fleet });
          const response = await gateway.get(requestTarget(query), LENIENT);
          const data = written(completeRecords(response, { query, fleet }));
          const { total, data: expected } = expectedList(all, query);
          expect({ target: requestTarget(query), total: response.headers.get('x-total-count'), data }).toEqual({
            target: requestTarget(query),
            total: String(total),
            data: written(expected),
          });
        }
      }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 8, long: 80 }) });
});

it('returns every record exactly once to a client that follows the links to the last page', async () => {
  const property = fc.asyncProperty(
    randomSources,
    queryDraft,
    fc.integer({ min: 1, max: 9 }),
    (sources, draft, pages) =>
      withGateway(sources, async (gateway) => {
        const fleet = await learnIds(gateway, sources);
        const all = allRecords(resourceOfDraft(draft), fleet);
        const whole: OracleQuery = { ...buildQuery(draft, { all, fleet }), offset: 0, limit: 10_000 };
        const { total, data } = expectedList(all, whole);
        const paged = await follow(gateway, { ...whole, limit: Math.max(1, Math.ceil(total / pages)) }, fleet);
        expect(paged).toEqual(written(data));
      }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 4, long: 40 }) });
});

async function follow(gateway: TestGateway, query: OracleQuery, fleet: readonly OracleSource[]): Promise<string[]> {
  const records: string[] = [];
  let next: string | undefined = requestTarget(query);
  while (next !== undefined) {
    const response = await gateway.get(next, LENIENT);
    records.push(...written(completeRecords(response, { query, fleet })));
    next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return records;
}
