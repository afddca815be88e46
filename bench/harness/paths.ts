/** The project's root: benchmarks run as `dist/benchmarks/bench/`. */
export const ROOT = new URL('../../../../', import.meta.url);
