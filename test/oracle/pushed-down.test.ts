import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PATIENCE, TIMEOUT, runs } from '../support/runs.js';
import { target } from './ask.js';
import type { Ask } from './oracle.js';
import { everything } from './oracle.js';
import { pushedAsk, pushedDraft, pushedNoun } from './pushed-ask.js';
import type { PushedDraft } from './pushed-ask.js';
import { built, fleetOf, growingFleet, lacking, unknownLarge } from './pushed-fleet.js';
import type { Depth, Pushed } from './pushed-fleet.js';
import { overPushed } from './pushed-running.js';
import type { Scene } from './pushed-running.js';
import { requireExact, requireOneExact } from './told.js';
import type { Memory } from './told.js';

/** Runs of each property; of the last one half as many, for each answer is compared with several lists. */
const RUNS = runs({ usual: 6, long: 32 });

/** Where there is little, most sources are too large to be held, and what is pushed down is not answered from whole lists. */
const memory = fc.constantFrom<Memory[]>('enough', 'little', 'little');
const ROOM: Readonly<Record<Memory, object>> = { enough: {}, little: { memory: '512KiB' } };

const drafts = fc.array(pushedDraft, { minLength: 1, maxLength: 8, size: 'max' });

function askOf(draft: PushedDraft, fleet: readonly Pushed[], depth: Depth): Ask {
  return pushedAsk(draft, { all: everything(pushedNoun(draft), fleet), fleet, depth });
}

describe('an answer', () => {
  it.each<[string, Depth]>([
    ['two records', 2],
    ['a page', 20],
    ['all that there is', Infinity],
  ])(
    'is that of one list in which all stands, whatever lies sources tell that %s show',
    async (_, depth) => {
      const property = fc.asyncProperty(fleetOf(depth), drafts, memory, (sketches, some, room) => {
        const fleet = sketches.map(built);
        const work = async ({ rollcall }: Scene): Promise<void> => {
          for (const draft of some) {
            const ask = askOf(draft, fleet, depth);
            requireExact(await rollcall.get(target(ask)), ask, fleet, room);
          }
        };
        return overPushed(fleet, work, ROOM[room]);
      });
      await fc.assert(property, { numRuns: RUNS, ...PATIENCE });
    },
    TIMEOUT,
  );

  it(
    'is that of one list over sources of 5,000 to 20,000 records of which nothing is known',
    async () => {
      const property = fc.asyncProperty(unknownLarge, drafts, (sketch, some) => {
        const fleet = [built(sketch)];
        const { directory: teams, news } = sketch.sizes;
        const resource = news > 0 ? 'news' : undefined;
        return overPushed(fleet, async ({ rollcall, upstreams }) => {
          for (const draft of some.slice(0, 3)) {
            const either = draft.resource === 'news' ? (teams > 0 ? 'directory' : 'teams') : draft.resource;
            const ask = askOf({ ...draft, resource: resource ?? either }, fleet, 2);
            requireExact(await rollcall.get(target(ask)), ask, fleet);
          }
          // Whatever was asked, each list was drained once, and keys and the items of a channel beside it.
          expect(upstreams['alfa']?.requests.length).toBeLessThan(100);
        });
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 8), ...PATIENCE });
    },
    TIMEOUT,
  );

  it(
    'is that on every page to which the links lead',
    async () => {
      const property = fc.asyncProperty(
        fleetOf(2),
        pushedDraft,
        fc.integer({ min: 1, max: 30 }),
        memory,
        (sketches, draft, least, room) => {
          // A list that fits nowhere is drained for each page.
          const limit = room === 'little' ? least + 30 : least;
          const fleet = sketches.map(built);
          const work = async ({ rollcall }: Scene): Promise<void> => {
            const ask = { ...askOf(draft, fleet, 2), limit, offset: 0 };
            let next: string | undefined = target(ask);
            for (let offset = 0; next !== undefined; offset += limit) {
              const got = await rollcall.get(next);
              requireExact(got, { ...ask, offset }, fleet, room);
              const more = offset + limit < Number(got.headers.get('x-total-count') ?? 0);
              next = /<([^>]*)>; rel="next"/.exec(got.headers.get('link') ?? '')?.[1];
              expect({ offset, next: next !== undefined }).toEqual({ offset, next: more });
            }
          };
          return overPushed(fleet, work, ROOM[room]);
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...PATIENCE });
    },
    TIMEOUT,
  );

  it(
    'is that of one moment of a source that grows while it is asked, or tells that it is of none',
    async () => {
      const property = fc.asyncProperty(growingFleet(2), drafts, (sketches, some) => {
        const fleet = sketches.map(built);
        const [growing, ...others] = fleet;
        const steps = growing?.growth?.records ?? 0;
        const moments =
          growing === undefined
            ? [fleet]
            : Array.from({ length: steps + 1 }, (_, at) => [lacking(growing, at), ...others]);
        return overPushed(fleet, async ({ rollcall }) => {
          for (const draft of some) {
            const ask = askOf(draft, fleet, 2);
            requireOneExact(await rollcall.get(target(ask)), ask, moments);
          }
        });
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), ...PATIENCE });
    },
    TIMEOUT,
  );
});
