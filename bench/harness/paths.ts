/** Root of the project. Compiled benchmarks are in `var/benchmarks/bench/`. */
export const ROOT = new URL('../../../../', import.meta.url);
