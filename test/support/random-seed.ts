import { configureGlobal } from 'fast-check';

/**
 * The seed of all generated tests. It is fixed, so that a test result depends on the code only. `SEED=random` uses another seed;
 * `SEED=<number>` repeats the seed of a reported failure.
 */
const { SEED = '1' } = process.env;
if (SEED !== 'random') {
  if (!/^-?\d+$/.test(SEED)) throw new Error(`SEED is a whole number or "random", not ${JSON.stringify(SEED)}`);
  configureGlobal({ seed: Number(SEED) });
}
