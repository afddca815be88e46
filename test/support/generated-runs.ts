const { LONG, RUNS } = process.env;

if (RUNS !== undefined && !/^[1-9]\d*$/.test(RUNS))
  throw new Error(`RUNS is a whole number from 1, not ${JSON.stringify(RUNS)}`);

const isLong = LONG === '1' || RUNS !== undefined;

/** How many examples of a property are generated: `usual` in `npm test`, `long` in `npm run test:long`, else what RUNS says. */
export function generatedRuns({ usual, long }: { readonly usual: number; readonly long: number }): number {
  if (RUNS !== undefined) return Number(RUNS);
  return isLong ? long : usual;
}

/** Milliseconds for a test of a generated property. */
export const GENERATED_TIMEOUT = isLong ? 1_800_000 : 100_000;

/** Parameters of `fc.assert`: the search for a smaller counterexample ends in time to be reported. */
export const SHRINK_LIMIT = { interruptAfterTimeLimit: 0.8 * GENERATED_TIMEOUT, markInterruptAsFailure: true };
