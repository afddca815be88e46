import { describe, expect, test } from 'vitest';
import { SingleFlight } from '../../src/cache/single-flight.js';

/** Work that counts its starts and ends when `end` is called. */
function work(): { readonly start: () => Promise<number>; readonly starts: () => number; readonly end: () => void } {
  let starts = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const start = async (): Promise<number> => {
    starts += 1;
    const mine = starts;
    await ended;
    return mine;
  };
  return { start, starts: () => starts, end: () => end() };
}

describe('SingleFlight', () => {
  test('runs work once for concurrent callers', async () => {
    const shared = new SingleFlight<number>();
    const { start, starts, end } = work();
    const waiting = Array.from({ length: 100 }, () => shared.run('public a', start));
    await Promise.resolve();
    waiting.push(shared.run('public a', start));
    end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([1]));
    expect(starts()).toBe(1);
  });

  test('runs work separately for each key', async () => {
    const shared = new SingleFlight<string>();
    const both = [
      shared.run('public a', () => Promise.resolve('A')),
      shared.run('public b', () => Promise.resolve('B')),
    ];
    expect(await Promise.all(both)).toEqual(['A', 'B']);
  });

  test('runs work again after it has ended', async () => {
    const shared = new SingleFlight<number>();
    const { start, end } = work();
    end();
    expect(await shared.run('public a', start)).toBe(1);
    expect(await shared.run('public a', start)).toBe(2);
  });

  test('rejects for all waiting callers, and forgets the failure', async () => {
    const shared = new SingleFlight<number>();
    const failing = (): Promise<number> => Promise.reject(new Error('upstream is down'));
    const waiting = [shared.run('public a', failing), shared.run('public a', () => Promise.resolve(1))];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await shared.run('public a', () => Promise.resolve(2))).toBe(2);
  });

  test('forgets work that throws synchronously', async () => {
    const shared = new SingleFlight<number>();
    const broken = (): Promise<number> => {
      throw new Error('synchronous failure');
    };
    expect(() => shared.run('public a', broken)).toThrow('synchronous failure');
    expect(await shared.run('public a', () => Promise.resolve(2))).toBe(2);
  });
});
