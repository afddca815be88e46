import { describe, expect, test } from 'vitest';
import { combineWaits } from '../../src/model/cache-result.js';

const began = { collapsed: false };
const joined = { collapsed: true };

describe('combineWaits', () => {
  test('is nothing where nothing was waited for', () => {
    expect(combineWaits([])).toBeUndefined();
  });

  test('is a miss as soon as one source had nothing usable', () => {
    const stale = { reason: 'stale', ...began } as const;
    expect(combineWaits([stale, stale])).toEqual({ reason: 'stale', collapsed: false });
    expect(combineWaits([stale, { reason: 'miss', ...began }, stale])).toEqual({ reason: 'miss', collapsed: false });
  });

  test('is collapsed only when all of it had been under way for somebody else', () => {
    const why = 'miss';
    expect(combineWaits([{ reason: why, ...joined }])).toEqual({ reason: why, collapsed: true });
    expect(
      combineWaits([
        { reason: why, ...joined },
        { reason: why, ...began },
      ]),
    ).toEqual({ reason: why, collapsed: false });
  });
});
