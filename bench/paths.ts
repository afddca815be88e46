/** The project's root: benchmarks run as `dist/benchmarks/bench/*.js`. */
export const ROOT = new URL('../../../', import.meta.url);
