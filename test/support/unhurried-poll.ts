/** Options of `expect.poll` for what comes soon, but on a busy machine not within a second, which is its default. */
export const UNHURRIED = { timeout: 30_000 };
