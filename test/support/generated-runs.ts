import type fc from 'fast-check';

const { LONG, RUNS } = process.env;

if (RUNS !== undefined && !/^[1-9]\d*$/.test(RUNS))
  throw new Error(`RUNS is a whole number from 1, not ${JSON.stringify(RUNS)}`);

const isLong = LONG === '1' || RUNS !== undefined;

/** Number of examples generated for a property: RUNS if it is set, else `long` in `npm run test:long`, else `usual`. */
export function generatedRuns({ usual, long }: { readonly usual: number; readonly long: number }): number {
  if (RUNS !== undefined) return Number(RUNS);
  return isLong ? long : usual;
}

/** Smaller examples that are tried when a property does not hold for one. */
const MAX_SHRINKS = 500;

/** Bounds the search for the smallest counterexample by the number of examples, so that a result never depends on the time. */
export function boundShrinking<P extends fc.IRawProperty<unknown>>(property: P): P {
  const shrink = property.shrink.bind(property);
  let tried = 0;
  property.shrink = (value) => shrink(value).takeWhile(() => (tried += 1) <= MAX_SHRINKS);
  return property;
}
