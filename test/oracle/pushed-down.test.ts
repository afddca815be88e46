import fc from 'fast-check';
import { it } from 'vitest';
import { target } from './ask.js';
import { everything } from './oracle.js';
import { pushedAsk, pushedDraft, pushedNoun } from './pushed-ask.js';
import { built, fleetOf } from './pushed-fleet.js';
import type { Depth } from './pushed-fleet.js';
import { overPushed } from './pushed-running.js';
import { PATIENCE } from './running.js';
import { requireExact } from './told.js';

const RUNS = Number(process.env['RUNS'] ?? 20);

it.each<[string, Depth]>([
  ['two records', 2],
  ['a page', 20],
  ['all that there is', Infinity],
])(
  'answers as if all stood in one list, whatever lies sources tell that %s show',
  async (_, depth) => {
    const drafts = fc.array(pushedDraft, { minLength: 1, maxLength: 6 });
    const property = fc.asyncProperty(fleetOf(depth), drafts, (sketches, some) => {
      const fleet = sketches.map(built);
      return overPushed(fleet, async ({ rollcall }) => {
        for (const draft of some) {
          const all = everything(pushedNoun(draft), fleet);
          const ask = pushedAsk(draft, { all, fleet, depth });
          requireExact(await rollcall.get(target(ask)), ask, fleet);
        }
      });
    });
    await fc.assert(property, { numRuns: RUNS, ...PATIENCE });
  },
  100_000,
);
