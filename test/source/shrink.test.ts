import { describe, expect, test } from 'vitest';
import { ShrinkGuard } from '../../src/source/shrink.js';

const CONFIRM = 600_000;

describe('the shrink guard', () => {
  test.each([
    [100, 50],
    [100, 101],
    [21, 11],
    [20, 0],
    [1, 0],
    [0, 0],
    [undefined, 0],
    [undefined, 7],
  ])('believes a source that had %s records and gives %i', (before, now) => {
    expect(new ShrinkGuard(CONFIRM).believes('teams', { before, now }, 0)).toBe(true);
  });

  test.each([
    [100, 49],
    [21, 10],
    [21, 0],
  ])('doubts a source that had %i records and gives %i', (before, now) => {
    expect(new ShrinkGuard(CONFIRM).believes('teams', { before, now }, 0)).toBe(false);
  });

  test('believes what it doubted once it is still so after the time to confirm, and doubts anew the next time', () => {
    const guard = new ShrinkGuard(CONFIRM);
    const shrunk = { before: 100, now: 40 };
    expect(guard.believes('teams', shrunk, 1_000)).toBe(false);
    expect(guard.believes('teams', shrunk, 1_000 + CONFIRM - 1)).toBe(false);
    expect(guard.believes('teams', shrunk, 1_000 + CONFIRM)).toBe(true);
    expect(guard.believes('teams', { before: 40, now: 3 }, 1_000 + CONFIRM)).toBe(false);
  });

  test('begins anew when the source has given enough in between', () => {
    const guard = new ShrinkGuard(CONFIRM);
    guard.believes('teams', { before: 100, now: 40 }, 0);
    expect(guard.believes('teams', { before: 100, now: 99 }, 1)).toBe(true);
    expect(guard.believes('teams', { before: 100, now: 40 }, CONFIRM)).toBe(false);
  });

  test('never believes a fall to nothing, not even when the last good copy is gone, until something comes', () => {
    const guard = new ShrinkGuard(CONFIRM);
    for (const at of [0, CONFIRM, 10 * CONFIRM])
      expect(guard.believes('teams', { before: 100, now: 0 }, at)).toBe(false);
    expect(guard.believes('teams', { before: undefined, now: 0 }, 20 * CONFIRM)).toBe(false);
    expect(guard.believes('teams', { before: undefined, now: 1 }, 20 * CONFIRM)).toBe(true);
    expect(guard.believes('teams', { before: 1, now: 0 }, 21 * CONFIRM)).toBe(true);
  });

  test('watches each resource for itself', () => {
    const guard = new ShrinkGuard(CONFIRM);
    guard.believes('teams', { before: 100, now: 40 }, 0);
    expect(guard.believes('news', { before: 100, now: 40 }, CONFIRM)).toBe(false);
  });
});
