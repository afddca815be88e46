import { expect } from 'vitest';

/** Resolves when a number has not changed between two looks. */
export async function waitUntilStable(number: () => number): Promise<void> {
  let before = NaN;
  const look = (): boolean => {
    const seen = number();
    const is = seen === before;
    before = seen;
    return is;
  };
  await expect.poll(look, { interval: 100 }).toBe(true);
}
