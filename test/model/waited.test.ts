import { describe, expect, test } from 'vitest';
import { allWaited } from '../../src/model/waited.js';

const began = { collapsed: false };
const joined = { collapsed: true };

describe('allWaited', () => {
  test('is nothing where nothing was waited for', () => {
    expect(allWaited([])).toBeUndefined();
  });

  test('is a miss as soon as one source had nothing usable', () => {
    const stale = { why: 'stale', ...began } as const;
    expect(allWaited([stale, stale])).toEqual({ why: 'stale', collapsed: false });
    expect(allWaited([stale, { why: 'miss', ...began }, stale])).toEqual({ why: 'miss', collapsed: false });
  });

  test('is collapsed only when all of it had been under way for somebody else', () => {
    const why = 'miss';
    expect(allWaited([{ why, ...joined }])).toEqual({ why, collapsed: true });
    expect(
      allWaited([
        { why, ...joined },
        { why, ...began },
      ]),
    ).toEqual({ why, collapsed: false });
  });
});
