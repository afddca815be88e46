import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { requestTarget } from '../random-query.js';
import type { OracleQuery } from '../model/expected-list.js';
import { allRecords } from '../model/expected-list.js';
import { buildLargeQuery, largeQueryDraft, resourceOfLargeDraft } from './random-query.js';
import type { LargeQueryDraft } from './random-query.js';
import {
  buildLargeSource,
  largeSources,
  growingSources,
  withFewerRecords,
  sourceOfUnknownSize,
} from './large-sources.js';
import type { FaultDepth, LargeSource } from './large-sources.js';
import { withLargeSources } from './start-large-sources.js';
import type { LargeSourceGateway } from './start-large-sources.js';
import { requireExactResponse, requireOneExactResponse } from './require-exact-response.js';
import type { MemoryBudgetSize } from './require-exact-response.js';

/** Number of runs of each property. The last one runs half as often, because it compares each response with several lists. */
const RUNS = generatedRuns({ usual: 4, long: 32 });

/** With little memory most lists are too large for the cache, so that push-downs are not evaluated on complete lists. */
const memory = fc.constantFrom<MemoryBudgetSize[]>('enough', 'little', 'little');
const ROOM: Readonly<Record<MemoryBudgetSize, object>> = { enough: {}, little: { memory: '512KiB' } };

const drafts = fc.array(largeQueryDraft, { minLength: 1, maxLength: 8, size: 'max' });

function queryOf(draft: LargeQueryDraft, fleet: readonly LargeSource[], depth: FaultDepth): OracleQuery {
  return buildLargeQuery(draft, { all: allRecords(resourceOfLargeDraft(draft), fleet), fleet, depth });
}

describe('a response with push-down', () => {
  it.each<[string, FaultDepth]>([
    ['two records', 2],
    ['one page', 20],
    ['the complete list', Infinity],
  ])(
    'equals the response from one list of all records, for faults of sources that are visible in %s',
    async (_, depth) => {
      const property = fc.asyncProperty(largeSources(depth), drafts, memory, (sketches, some, room) => {
        const fleet = sketches.map(buildLargeSource);
        const work = async ({ gateway }: LargeSourceGateway): Promise<void> => {
          for (const draft of some) {
            const query = queryOf(draft, fleet, depth);
            requireExactResponse(await gateway.get(requestTarget(query)), query, fleet, room);
          }
        };
        return withLargeSources(fleet, work, ROOM[room]);
      });
      await fc.assert(boundShrinking(property), { numRuns: RUNS });
    },
  );

  it('equals the response from one list for sources of 5,000 to 20,000 records without declared capabilities', async () => {
    const property = fc.asyncProperty(sourceOfUnknownSize, drafts, (sketch, some) => {
      const fleet = [buildLargeSource(sketch)];
      const { directory: teams, news } = sketch.sizes;
      const resource = news > 0 ? 'news' : undefined;
      return withLargeSources(fleet, async ({ gateway, upstreams }) => {
        for (const draft of some.slice(0, 3)) {
          const teamResource = draft.resource === 'news' ? (teams > 0 ? 'directory' : 'teams') : draft.resource;
          const query = queryOf({ ...draft, resource: resource ?? teamResource }, fleet, 2);
          requireExactResponse(await gateway.get(requestTarget(query)), query, fleet);
        }
        // For all queries together each list is drained once, and the keys and the items of a channel as well.
        expect(upstreams['alfa']?.requests.length).toBeLessThan(100);
      });
    });
    await fc.assert(boundShrinking(property), { numRuns: Math.ceil(RUNS / 8) });
  });

  it('equals the page from one list on every page that the links lead to', async () => {
    const property = fc.asyncProperty(
      largeSources(2),
      largeQueryDraft,
      fc.integer({ min: 1, max: 30 }),
      memory,
      (sketches, draft, least, room) => {
        // A list that does not fit in the cache is drained for each page; larger pages limit the number of drains.
        const limit = room === 'little' ? least + 30 : least;
        const fleet = sketches.map(buildLargeSource);
        const work = async ({ gateway }: LargeSourceGateway): Promise<void> => {
          const query = { ...queryOf(draft, fleet, 2), limit, offset: 0 };
          let next: string | undefined = requestTarget(query);
          for (let offset = 0; next !== undefined; offset += limit) {
            const response = await gateway.get(next);
            requireExactResponse(response, { ...query, offset }, fleet, room);
            const hasNext = offset + limit < Number(response.headers.get('x-total-count') ?? 0);
            next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
            expect({ offset, next: next !== undefined }).toEqual({ offset, next: hasNext });
          }
        };
        return withLargeSources(fleet, work, ROOM[room]);
      },
    );
    await fc.assert(boundShrinking(property), { numRuns: RUNS });
  });

  it('shows a source that grows between requests at one point in time, or is marked as incomplete', async () => {
    const property = fc.asyncProperty(growingSources(2), drafts, (sketches, some) => {
      const fleet = sketches.map(buildLargeSource);
      const [growing, ...others] = fleet;
      const steps = growing?.growth?.records ?? 0;
      const states =
        growing === undefined
          ? [fleet]
          : Array.from({ length: steps + 1 }, (_, at) => [withFewerRecords(growing, at), ...others]);
      return withLargeSources(fleet, async ({ gateway }) => {
        for (const draft of some) {
          const query = queryOf(draft, fleet, 2);
          requireOneExactResponse(await gateway.get(requestTarget(query)), query, states);
        }
      });
    });
    await fc.assert(boundShrinking(property), { numRuns: Math.ceil(RUNS / 2) });
  });
});
