import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';
import { buildQuery, queryDraft, resourceOfDraft, requestTarget } from './random-query.js';
import { randomSources } from './random-sources.js';
import { allRecords, expectedList } from './model/expected-list.js';
import type { OracleQuery } from './model/expected-list.js';
import { withGateway, completeRecords } from './start-sources.js';

/** The records as text: their keys have an order too. */
const written = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record));

/** Some of the fleet's sources give keys that belong to no team here, so that an answer without a match is an error otherwise. */
const LENIENT = { prefer: 'handling=lenient' };

it(
  'answers as if all records of all sources stood in one list that is filtered, sorted and cut',
  async () => {
    const property = fc.asyncProperty(
      randomSources,
      fc.array(queryDraft, { minLength: 1, maxLength: 6 }),
      (sources, drafts) =>
        withGateway(sources, async (gateway) => {
          for (const one of drafts) {
            const all = allRecords(resourceOfDraft(one), sources);
            const ask = buildQuery(one, { all, fleet: sources });
            const got = await gateway.get(requestTarget(ask), LENIENT);
            const data = written(completeRecords(got));
            const { total, data: right } = expectedList(all, ask);
            expect({ target: requestTarget(ask), total: got.headers.get('x-total-count'), data }).toEqual({
              target: requestTarget(ask),
              total: String(total),
              data: written(right),
            });
          }
        }),
    );
    await fc.assert(property, { numRuns: generatedRuns({ usual: 12, long: 80 }), ...SHRINK_LIMIT });
  },
  GENERATED_TIMEOUT,
);

it(
  'yields every record exactly once to a client that follows the links to the end',
  async () => {
    const property = fc.asyncProperty(
      randomSources,
      queryDraft,
      fc.integer({ min: 1, max: 9 }),
      (sources, one, pages) =>
        withGateway(sources, async (gateway) => {
          const all = allRecords(resourceOfDraft(one), sources);
          const whole: OracleQuery = { ...buildQuery(one, { all, fleet: sources }), offset: 0, limit: 10_000 };
          const { total, data } = expectedList(all, whole);
          const paged = await follow(gateway, { ...whole, limit: Math.max(1, Math.ceil(total / pages)) });
          expect(paged).toEqual(written(data));
        }),
    );
    await fc.assert(property, { numRuns: generatedRuns({ usual: 6, long: 40 }), ...SHRINK_LIMIT });
  },
  GENERATED_TIMEOUT,
);

async function follow(gateway: TestGateway, ask: OracleQuery): Promise<string[]> {
  const records: string[] = [];
  let next: string | undefined = requestTarget(ask);
  while (next !== undefined) {
    const got = await gateway.get(next, LENIENT);
    records.push(...written(completeRecords(got)));
    next = /<([^>]*)>; rel="next"/.exec(got.headers.get('link') ?? '')?.[1];
  }
  return records;
}
