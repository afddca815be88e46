/** Root of the project. Compiled benchmarks are in `var/scripts/bench/`. */
export const ROOT = new URL('../../../../', import.meta.url);
