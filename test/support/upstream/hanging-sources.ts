import { vi } from 'vitest';
import { dripBytes } from './faulty-responses.js';
import { neverResponds } from './upstream-server.js';

/** `timeout` of a source that may hang, in milliseconds. No other timer of the tests has the same. */
const TIMEOUT = 9_876;

/** Further settings of a source that may hang. */
export const MAY_HANG = { timeout: `${TIMEOUT}ms` };

/** Whether a source with this fault never ends a response, so that a request to it always times out. */
export function isHanging(fault: unknown): boolean {
  return fault === neverResponds || fault === dripBytes;
}

/**
 * Lets the timeout of a request pass while the source hangs, because what it waits for never comes, and only then: no test
 * waits for it or depends on the speed of the machine. `vi.unstubAllGlobals` ends this.
 */
export function passTimeoutsWhile(hangs: () => boolean): void {
  const { setTimeout } = globalThis;
  const start = (handler: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]): NodeJS.Timeout => {
    if (milliseconds !== TIMEOUT) return setTimeout(handler, milliseconds, ...args);
    const timer = setInterval(() => {
      if (!hangs()) return;
      clearInterval(timer);
      handler(...args);
    }, 10);
    return timer;
  };
  vi.stubGlobal('setTimeout', Object.assign(start, setTimeout));
}
