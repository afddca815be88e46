import fc from 'fast-check';
import { describe, it } from 'vitest';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { requestTarget } from '../random-query.js';
import { allRecords } from '../model/expected-list.js';
import { buildLargeQuery, largeQueryDraft, resourceOfLargeDraft } from './random-query.js';
import { changingSources, miscountingSources, fleetStates } from './changing-sources.js';
import { buildLargeSource } from './large-sources.js';
import { withLargeSources, unchangingHandler } from './start-large-sources.js';
import { requireExactResponse, requireOneExactResponse } from './require-exact-response.js';

const RUNS = generatedRuns({ usual: 6, long: 32 });

/** Maximum number of pages that a client requests. */
const PAGES = 8;

describe('a page of a source that changes between the requests of a client', () => {
  it('shows the source at one point in time, or is marked as incomplete', async () => {
    const property = fc.asyncProperty(
      changingSources,
      largeQueryDraft,
      fc.integer({ min: 1, max: 30 }),
      async (changing, draft, limit) => {
        const [first, ...others] = changing.sketches.map(buildLargeSource);
        const states = fleetStates(changing);
        if (first === undefined) return;
        const fleet = [first, ...others];
        const fleets = states.map(({ source }) => [source, ...others]);
        const [starting = fleet] = fleets;
        await withLargeSources(starting, async ({ gateway, upstreams }) => {
          const drawn = buildLargeQuery(draft, {
            all: allRecords(resourceOfLargeDraft(draft), fleet),
            fleet,
            depth: 2,
          });
          let at = 0;
          const applyState = (): void => {
            const { source, behaviours } = states[at] ?? { source: first, behaviours: [] };
            const upstream = upstreams[first.code];
            if (upstream !== undefined) upstream.handler = unchangingHandler(source, behaviours);
          };
          applyState();
          for (let page = 0, total = 1; page < PAGES && page * limit < total; page += 1) {
            if (changing.before.includes(page)) {
              at += 1;
              applyState();
            }
            const query = { ...drawn, limit, offset: page * limit };
            const response = await gateway.get(requestTarget(query));
            requireOneExactResponse(response, query, fleets.slice(0, at + 1));
            total = Number(response.headers.get('x-total-count') ?? 0);
          }
        });
      },
    );
    await fc.assert(boundShrinking(property), { numRuns: RUNS });
  });
});

describe('the total of a filtered query', () => {
  it('is correct or marked as incomplete if sources report wrong totals, for every limit', async () => {
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
            // Without a filter, Rollcall checks the total of a source only when it has read the complete list.
            const query = drawn.filters.some(([name]) => name !== 'source-name')
              ? drawn
              : { ...drawn, ...SOME[drawn.resource.name] };
            const response = await gateway.get(requestTarget(query));
            requireExactResponse(response, query, fleet);
          }
        });
      },
    );
    await fc.assert(boundShrinking(property), { numRuns: RUNS });
  });
});

/** A filter that matches some of the records. */
const SOME = {
  directory: { country: ['NO', 'PT'] },
  teams: { country: ['NO'] },
  news: { before: '2025-12-31T00:00:00Z' },
  channels: {},
};
