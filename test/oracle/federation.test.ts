import fc from 'fast-check';
import { expect, it } from 'vitest';
import { directory } from '../support/directory-upstream.js';
import { startRollcall } from '../support/rollcall.js';
import type { Got, Rollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';
import type { Upstream } from '../support/upstream.js';
import { askOf, draft, queryString } from './ask.js';
import { REGISTERED, fleet } from './fleet.js';
import type { Generated } from './fleet.js';
import { everything, expected } from './oracle.js';
import type { Ask } from './oracle.js';

/** Looking for a smaller counterexample ends in time to be told. */
const PATIENCE = { interruptAfterTimeLimit: 80_000, markInterruptAsFailure: true };

const LIST = '/directory/v1/teams';

/** Serves the fleet over HTTP and has a Rollcall over it, for as long as the work lasts. */
async function over(sources: readonly Generated[], work: (rollcall: Rollcall) => Promise<void>): Promise<void> {
  const upstreams = await Promise.all(sources.map(({ records, manners }) => openUpstream(directory(records, manners))));
  const registered = sources.map((source, at) => [source.code, registration(source, upstreams[at])] as const);
  const rollcall = await startRollcall({ sources: Object.fromEntries(registered) });
  try {
    await work(rollcall);
  } finally {
    await rollcall.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  }
}

function registration({ number, sourceName, aggregate, pageSize }: Generated, upstream: Upstream | undefined): object {
  const further = { properties: REGISTERED, 'page-size': pageSize };
  return { number, 'source-name': sourceName, aggregate, directory: upstream?.address, ...further };
}

/** The records as text: their keys have an order too. */
function dataOf({ status, headers, json, text }: Got): string[] {
  expect(status, text).toBe(200);
  expect(headers.get('source-status')).not.toMatch(/state=(?!fresh|excluded)/);
  if (!Array.isArray(json)) throw new Error('not a list');
  return json.map((record) => JSON.stringify(record));
}

it('answers as if all records of all sources stood in one list that is filtered, sorted and cut', async () => {
  const property = fc.asyncProperty(fleet, fc.array(draft, { minLength: 1, maxLength: 5 }), (sources, drafts) =>
    over(sources, async (rollcall) => {
      const all = everything(sources);
      for (const ask of drafts.map((one) => askOf(one, all, sources))) {
        const got = await rollcall.get(`${LIST}?${queryString(ask)}`);
        const { total, data } = expected(all, ask);
        expect({ query: queryString(ask), total: got.headers.get('x-total-count'), data: dataOf(got) }).toEqual({
          query: queryString(ask),
          total: String(total),
          data: data.map((record) => JSON.stringify(record)),
        });
      }
    }),
  );
  await fc.assert(property, { numRuns: 50, ...PATIENCE });
}, 100_000);

it('yields every record exactly once to a client that follows the links to the end', async () => {
  const property = fc.asyncProperty(fleet, draft, fc.integer({ min: 1, max: 9 }), (sources, one, pages) =>
    over(sources, async (rollcall) => {
      const all = everything(sources);
      const whole: Ask = { ...askOf(one, all, sources), offset: 0, limit: 10_000 };
      const { total, data } = expected(all, whole);
      const paged = await follow(rollcall, { ...whole, limit: Math.max(1, Math.ceil(total / pages)) });
      expect(paged).toEqual(data.map((record) => JSON.stringify(record)));
    }),
  );
  await fc.assert(property, { numRuns: 25, ...PATIENCE });
}, 100_000);

async function follow(rollcall: Rollcall, ask: Ask): Promise<string[]> {
  const records: string[] = [];
  let next: string | undefined = `${LIST}?${queryString(ask)}`;
  while (next !== undefined) {
    const got = await rollcall.get(next);
    records.push(...dataOf(got));
    next = /<([^>]*)>; rel="next"/.exec(got.headers.get('link') ?? '')?.[1];
  }
  return records;
}
