import fc from 'fast-check';
import { describe, it } from 'vitest';
import { PATIENCE, TIMEOUT, runs } from '../support/runs.js';
import { target } from './ask.js';
import { everything } from './oracle.js';
import { pushedAsk, pushedDraft, pushedNoun } from './pushed-ask.js';
import { changingFleet, miscountingFleet, momentsOf } from './pushed-changing.js';
import { built } from './pushed-fleet.js';
import { overPushed, standing } from './pushed-running.js';
import { requireExact, requireOneExact } from './told.js';

const RUNS = runs({ usual: 6, long: 32 });

/** Pages that a client reads at most. */
const PAGES = 8;

describe('a page', () => {
  it(
    'is that of one moment of a source that changes between the pages of a client, or tells that it is of none',
    async () => {
      const property = fc.asyncProperty(
        changingFleet,
        pushedDraft,
        fc.integer({ min: 1, max: 30 }),
        async (changing, draft, limit) => {
          const [first, ...others] = changing.sketches.map(built);
          const moments = momentsOf(changing);
          if (first === undefined) return;
          const fleet = [first, ...others];
          const fleets = moments.map(({ source }) => [source, ...others]);
          const [starting = fleet] = fleets;
          await overPushed(starting, async ({ rollcall, upstreams }) => {
            const drawn = pushedAsk(draft, { all: everything(pushedNoun(draft), fleet), fleet, depth: 2 });
            let at = 0;
            const become = (): void => {
              const { source, habits } = moments[at] ?? { source: first, habits: [] };
              const upstream = upstreams[first.code];
              if (upstream !== undefined) upstream.answering = standing(source, habits);
            };
            become();
            for (let page = 0, total = 1; page < PAGES && page * limit < total; page += 1) {
              if (changing.before.includes(page)) {
                at += 1;
                become();
              }
              const ask = { ...drawn, limit, offset: page * limit };
              const got = await rollcall.get(target(ask));
              requireOneExact(got, ask, fleets.slice(0, at + 1));
              total = Number(got.headers.get('x-total-count') ?? 0);
            }
          });
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...PATIENCE });
    },
    TIMEOUT,
  );
});

describe('a total beside a filter', () => {
  it(
    'is right, or told not to be, whatever its sources count, and however few records are asked for',
    async () => {
      const property = fc.asyncProperty(
        miscountingFleet,
        fc.array(pushedDraft, { minLength: 1, maxLength: 6, size: 'max' }),
        fc.constantFrom(0, 1, 5),
        async (sketches, drafts, limit) => {
          const fleet = sketches.map(built);
          await overPushed(fleet, async ({ rollcall }) => {
            for (const draft of drafts) {
              const all = everything(pushedNoun(draft), fleet);
              const drawn = { ...pushedAsk(draft, { all, fleet, depth: 2 }), limit, offset: 0 };
              // The total of all that a source has is not looked into before it is read to its end.
              const ask = drawn.filters.some(([name]) => name !== 'source-name')
                ? drawn
                : { ...drawn, ...SOME[drawn.noun.name] };
              const got = await rollcall.get(target(ask));
              requireExact(got, ask, fleet);
            }
          });
        },
      );
      await fc.assert(property, { numRuns: RUNS, ...PATIENCE });
    },
    TIMEOUT,
  );
});

/** A filter that lets some of the records through. */
const SOME = {
  directory: { country: ['NO', 'PT'] },
  teams: { country: ['NO'] },
  news: { before: '2025-12-31T00:00:00Z' },
  channels: {},
};
