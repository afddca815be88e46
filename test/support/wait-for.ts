import { vi } from 'vitest';

/** Milliseconds. Far more than any test waits on a machine of any speed, so that only what never happens takes so long. */
const LIMIT = 60_000;

/** Resolves with the result of `check` as soon as it does not throw. */
export function waitFor<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: LIMIT, interval: 20 });
}

/** Resolves with the result of `check` as soon as that is truthy. */
export function waitUntil<T>(check: () => T | Promise<T>): ReturnType<typeof vi.waitUntil<T>> {
  return vi.waitUntil(check, { timeout: LIMIT, interval: 20 });
}
