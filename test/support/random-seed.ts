import { configureGlobal } from 'fast-check';

/**
 * The seed of everything that is generated: one, so that a change is judged by the change. `SEED=random` looks further afield, and
 * `SEED=<number>` at what a failure named again.
 */
const { SEED = '1' } = process.env;
if (SEED !== 'random') {
  if (!/^-?\d+$/.test(SEED)) throw new Error(`SEED is a whole number or "random", not ${JSON.stringify(SEED)}`);
  configureGlobal({ seed: Number(SEED) });
}
