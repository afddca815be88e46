import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../../support/generated-runs.js';
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

/** Runs of each property; of the last one half as many, for each answer is compared with several lists. */
const RUNS = generatedRuns({ usual: 6, long: 32 });

/** Where there is little, most sources are too large to be held, and what is pushed down is not answered from whole lists. */
const memory = fc.constantFrom<MemoryBudgetSize[]>('enough', 'little', 'little');
const ROOM: Readonly<Record<MemoryBudgetSize, object>> = { enough: {}, little: { memory: '512KiB' } };

const drafts = fc.array(largeQueryDraft, { minLength: 1, maxLength: 8, size: 'max' });

function askOf(draft: LargeQueryDraft, fleet: readonly LargeSource[], depth: FaultDepth): OracleQuery {
  return buildLargeQuery(draft, { all: allRecords(resourceOfLargeDraft(draft), fleet), fleet, depth });
}

describe('an answer', () => {
  it.each<[string, FaultDepth]>([
    ['two records', 2],
    ['a page', 20],
    ['all that there is', Infinity],
  ])(
    'is that of one list in which all stands, whatever lies sources tell that %s show',
    async (_, depth) => {
      const property = fc.asyncProperty(largeSources(depth), drafts, memory, (sketches, some, room) => {
        const fleet = sketches.map(buildLargeSource);
        const work = async ({ gateway }: LargeSourceGateway): Promise<void> => {
          for (const draft of some) {
            const ask = askOf(draft, fleet, depth);
            requireExactResponse(await gateway.get(requestTarget(ask)), ask, fleet, room);
          }
        };
        return withLargeSources(fleet, work, ROOM[room]);
      });
      await fc.assert(property, { numRuns: RUNS, ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );

  it(
    'is that of one list over sources of 5,000 to 20,000 records of which nothing is known',
    async () => {
      const property = fc.asyncProperty(sourceOfUnknownSize, drafts, (sketch, some) => {
        const fleet = [buildLargeSource(sketch)];
        const { directory: teams, news } = sketch.sizes;
        const resource = news > 0 ? 'news' : undefined;
        return withLargeSources(fleet, async ({ gateway, upstreams }) => {
          for (const draft of some.slice(0, 3)) {
            const either = draft.resource === 'news' ? (teams > 0 ? 'directory' : 'teams') : draft.resource;
            const ask = askOf({ ...draft, resource: resource ?? either }, fleet, 2);
            requireExactResponse(await gateway.get(requestTarget(ask)), ask, fleet);
          }
          // Whatever was asked, each list was drained once, and keys and the items of a channel beside it.
          expect(upstreams['alfa']?.requests.length).toBeLessThan(100);
        });
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 8), ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );

  it(
    'is that on every page to which the links lead',
    async () => {
      const property = fc.asyncProperty(
        largeSources(2),
        largeQueryDraft,
        fc.integer({ min: 1, max: 30 }),
        memory,
        (sketches, draft, least, room) => {
          // A list that fits nowhere is drained for each page.
          const limit = room === 'little' ? least + 30 : least;
          const fleet = sketches.map(buildLargeSource);
          const work = async ({ gateway }: LargeSourceGateway): Promise<void> => {
            const ask = { ...askOf(draft, fleet, 2), limit, offset: 0 };
            let next: string | undefined = requestTarget(ask);
            for (let offset = 0; next !== undefined; offset += limit) {
              const got = await gateway.get(next);
              requireExactResponse(got, { ...ask, offset }, fleet, room);
              const more = offset + limit < Number(got.headers.get('x-total-count') ?? 0);
              next = /<([^>]*)>; rel="next"/.exec(got.headers.get('link') ?? '')?.[1];
              expect({ offset, next: next !== undefined }).toEqual({ offset, next: more });
            }
          };
          return withLargeSources(fleet, work, ROOM[room]);
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );

  it(
    'is that of one moment of a source that grows while it is asked, or tells that it is of none',
    async () => {
      const property = fc.asyncProperty(growingSources(2), drafts, (sketches, some) => {
        const fleet = sketches.map(buildLargeSource);
        const [growing, ...others] = fleet;
        const steps = growing?.growth?.records ?? 0;
        const moments =
          growing === undefined
            ? [fleet]
            : Array.from({ length: steps + 1 }, (_, at) => [withFewerRecords(growing, at), ...others]);
        return withLargeSources(fleet, async ({ gateway }) => {
          for (const draft of some) {
            const ask = askOf(draft, fleet, 2);
            requireOneExactResponse(await gateway.get(requestTarget(ask)), ask, moments);
          }
        });
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), ...SHRINK_LIMIT });
    },
    GENERATED_TIMEOUT,
  );
});
