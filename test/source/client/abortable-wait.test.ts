import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { resolveAfter, delay, raceAbort } from '../../../src/source/client/abortable-wait.js';

const never = new Promise<string>(() => undefined);

describe('raceAbort', () => {
  test('returns the result of the work, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(Promise.resolve('done'), signal, () => 'late')).toBe('done');
    await expect(raceAbort(Promise.reject(new Error('broken')), signal, () => 'late')).rejects.toThrow('broken');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('returns the alternative result once the signal is aborted', async () => {
    const controller = new AbortController();
    const result = raceAbort(never, controller.signal, () => 'late');
    controller.abort();
    expect(await result).toBe('late');
    expect(await raceAbort(never, controller.signal, () => 'later')).toBe('later');
  });
});

describe('delay', () => {
  test('waits, and leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    await delay(20, signal);
    expect(events).toEqual(['meanwhile']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects with the reason of the signal, aborted during the wait or before', async () => {
    const [controller, reason] = [new AbortController(), new Error('the process stops')];
    const waiting = delay(3_600_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(delay(3_600_000, controller.signal)).rejects.toBe(reason);
  });
});

describe('resolveAfter', () => {
  test('returns the result after the given time and not before', async () => {
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    expect(await resolveAfter(20, () => events.join())).toBe('meanwhile');
  });
});
