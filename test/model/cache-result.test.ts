import { describe, expect, test } from 'vitest';
import { combineWaits } from '../../src/model/cache-result.js';

const began = { collapsed: false };
const joined = { collapsed: true };

describe('combineWaits', () => {
  test('returns undefined without waits', () => {
    expect(combineWaits([])).toBeUndefined();
  });

  test('returns a miss if one source had no usable snapshot', () => {
    const stale = { reason: 'stale', ...began } as const;
    expect(combineWaits([stale, stale])).toEqual({ reason: 'stale', collapsed: false });
    expect(combineWaits([stale, { reason: 'miss', ...began }, stale])).toEqual({ reason: 'miss', collapsed: false });
  });

  test('returns collapsed only if every wait joined a request in progress', () => {
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
