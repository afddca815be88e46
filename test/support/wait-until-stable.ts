import { expect } from 'vitest';

/** Resolves when a number is the same in two successive polls, 100 ms apart. */
export async function waitUntilStable(readNumber: () => number): Promise<void> {
  let previous = NaN;
  const isStable = (): boolean => {
    const current = readNumber();
    const isUnchanged = current === previous;
    previous = current;
    return isUnchanged;
  };
  await expect.poll(isStable, { interval: 100 }).toBe(true);
}
