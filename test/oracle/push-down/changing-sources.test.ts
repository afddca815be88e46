import fc from 'fast-check';
import { describe, it } from 'vitest';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../../support/generated-runs.js';
import { requestTarget } from '../random-query.js';
import { allRecords } from '../model/expected-list.js';
import { buildLargeQuery, largeQueryDraft, resourceOfLargeDraft } from './random-query.js';
import { changingSources, miscountingSources, fleetStates } from './changing-sources.js';
import { buildLargeSource } from './large-sources.js';
import { withLargeSources, unchangingHandler } from './start-large-sources.js';
import { requireExactResponse, requireOneExactResponse } from './require-exact-response.js';

const RUNS = generatedRuns({ usual: 6, long: 32 });

/** Pages that a client reads at most. */
const PAGES = 8;

describe('a page', () => {
  it(
    'is that of one moment of a source that changes between the pages of a client, or tells that it is of none',
    async () => {
      const property = fc.asyncProperty(
        changingSources,
        largeQueryDraft,
        fc.integer({ min: 1, max: 30 }),
        async (changing, draft, limit) => {
          const [first, ...others] = changing.sketches.map(buildLargeSource);
          const moments = fleetStates(changing);
          if (first === undefined) return;
          const fleet = [first, ...others];
          const fleets = moments.map(({ source }) => [source, ...others]);
          const [starting = fleet] = fleets;
          await withLargeSources(starting, async ({ gateway, upstreams }) => {
            const drawn = buildLargeQuery(draft, {
              all: allRecords(resourceOfLargeDraft(draft), fleet),
              fleet,
              depth: 2,
            });
            let at = 0;
            const become = (): void => {
              const { source, behaviours } = moments[at] ?? { source: first, behaviours: [] };
              const upstream = upstreams[first.code];
              if (upstream !== undefined) upstream.handler = unchangingHandler(source, behaviours);
            };
            become();
            for (let page = 0, total = 1; page < PAGES && page * limit < total; page += 1) {
              if (changing.before.includes(page)) {
                at += 1;
                become();
              }
              const ask = { ...drawn, limit, offset: page * limit };
              const got = await gateway.get(requestTarget(ask));
              requireOneExactResponse(got, ask, fleets.slice(0, at + 1));
              total = Number(got.headers.get('x-total-count') ?? 0);
            }
          });
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );
});

describe('a total beside a filter', () => {
  it(
    'is right, or told not to be, whatever its sources count, and however few records are asked for',
    async () => {
      const property = fc.asyncProperty(
        miscountingSources,
        fc.array(largeQueryDraft, { minLength: 1, maxLength: 6, size: 'max' }),
        fc.constantFrom(0, 1, 5),
        async (sketches, drafts, limit) => {
          const fleet = sketches.map(buildLargeSource);
          await withLargeSources(fleet, async ({ gateway }) => {
            for (const draft of drafts) {
              const all = allRecords(resourceOfLargeDraft(draft), fleet);
              const drawn = { ...buildLargeQuery(draft, { all, fleet, depth: 2 }), limit, offset: 0 };
              // The total of all that a source has is not looked into before it is read to its end.
              const ask = drawn.filters.some(([name]) => name !== 'source-name')
                ? drawn
                : { ...drawn, ...SOME[drawn.resource.name] };
              const got = await gateway.get(requestTarget(ask));
              requireExactResponse(got, ask, fleet);
            }
          });
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );
});

/** A filter that lets some of the records through. */
const SOME = {
  directory: { country: ['NO', 'PT'] },
  teams: { country: ['NO'] },
  news: { before: '2025-12-31T00:00:00Z' },
  channels: {},
};
