import { vi } from 'vitest';
import { dripBytes } from './faulty-responses.js';
import { neverResponds } from './upstream-server.js';

/** `timeout` of a source that may hang, in milliseconds. No other timer of the tests has the same. */
const TIMEOUT = 9_876;

/** Further settings of a source that may hang. */
export const MAY_HANG = { timeout: `${TIMEOUT}ms` };

/** Milliseconds after which the timeout of a hanging source passes. */
const SOON = 20;

/** Whether a source with this fault never ends a response, so that a request to it always times out. */
export function isHanging(fault: unknown): boolean {
  return fault === neverResponds || fault === dripBytes;
}

/**
 * Lets the timeout of a request pass soon while the source hangs, because what it waits for never comes. It keeps its length
 * while the source works, so that no test depends on the speed of the machine. `vi.unstubAllGlobals` ends this.
 */
export function passTimeoutsSoon(hangs: () => boolean): void {
  const { setTimeout } = globalThis;
  const start = (handler: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]): NodeJS.Timeout =>
    setTimeout(handler, milliseconds === TIMEOUT && hangs() ? SOON : milliseconds, ...args);
  vi.stubGlobal('setTimeout', Object.assign(start, setTimeout));
}
