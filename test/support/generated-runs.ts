const { LONG, RUNS } = process.env;

if (RUNS !== undefined && !/^[1-9]\d*$/.test(RUNS))
  throw new Error(`RUNS is a whole number from 1, not ${JSON.stringify(RUNS)}`);

const isLong = LONG === '1' || RUNS !== undefined;

/** Number of examples generated for a property: RUNS if it is set, else `long` in `npm run test:long`, else `usual`. */
export function generatedRuns({ usual, long }: { readonly usual: number; readonly long: number }): number {
  if (RUNS !== undefined) return Number(RUNS);
  return isLong ? long : usual;
}

/** Timeout of a test of a generated property, in milliseconds. */
export const GENERATED_TIMEOUT = isLong ? 1_800_000 : 100_000;

/** Parameters of `fc.assert`: shrinking of a counterexample ends before the test times out, so that the counterexample is reported. */
export const SHRINK_LIMIT = { interruptAfterTimeLimit: 0.8 * GENERATED_TIMEOUT, markInterruptAsFailure: true };
