import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Rollcall } from '../support/rollcall.js';
import { PATIENCE, TIMEOUT, runs } from '../support/runs.js';
import { askOf, draft, nounOf, target } from './ask.js';
import { fleet } from './fleet.js';
import { everything, expected } from './oracle.js';
import type { Ask } from './oracle.js';
import { over, recordsOf } from './running.js';

/** The records as text: their keys have an order too. */
const written = (records: readonly object[]): string[] => records.map((record) => JSON.stringify(record));

/** Some of the fleet's sources give keys that belong to no team here, so that an answer without a match is an error otherwise. */
const LENIENT = { prefer: 'handling=lenient' };

it(
  'answers as if all records of all sources stood in one list that is filtered, sorted and cut',
  async () => {
    const property = fc.asyncProperty(fleet, fc.array(draft, { minLength: 1, maxLength: 6 }), (sources, drafts) =>
      over(sources, async (rollcall) => {
        for (const one of drafts) {
          const all = everything(nounOf(one), sources);
          const ask = askOf(one, { all, fleet: sources });
          const got = await rollcall.get(target(ask), LENIENT);
          const data = written(recordsOf(got));
          const { total, data: right } = expected(all, ask);
          expect({ target: target(ask), total: got.headers.get('x-total-count'), data }).toEqual({
            target: target(ask),
            total: String(total),
            data: written(right),
          });
        }
      }),
    );
    await fc.assert(property, { numRuns: runs({ usual: 12, long: 80 }), ...PATIENCE });
  },
  TIMEOUT,
);

it(
  'yields every record exactly once to a client that follows the links to the end',
  async () => {
    const property = fc.asyncProperty(fleet, draft, fc.integer({ min: 1, max: 9 }), (sources, one, pages) =>
      over(sources, async (rollcall) => {
        const all = everything(nounOf(one), sources);
        const whole: Ask = { ...askOf(one, { all, fleet: sources }), offset: 0, limit: 10_000 };
        const { total, data } = expected(all, whole);
        const paged = await follow(rollcall, { ...whole, limit: Math.max(1, Math.ceil(total / pages)) });
        expect(paged).toEqual(written(data));
      }),
    );
    await fc.assert(property, { numRuns: runs({ usual: 6, long: 40 }), ...PATIENCE });
  },
  TIMEOUT,
);

async function follow(rollcall: Rollcall, ask: Ask): Promise<string[]> {
  const records: string[] = [];
  let next: string | undefined = target(ask);
  while (next !== undefined) {
    const got = await rollcall.get(next, LENIENT);
    records.push(...written(recordsOf(got)));
    next = /<([^>]*)>; rel="next"/.exec(got.headers.get('link') ?? '')?.[1];
  }
  return records;
}
