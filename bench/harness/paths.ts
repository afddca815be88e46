/** Root of the project. Compiled benchmarks are in `dist/benchmarks/bench/`. */
export const ROOT = new URL('../../../../', import.meta.url);
