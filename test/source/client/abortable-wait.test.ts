import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { resolveAfter, delay, raceAbort } from '../../../src/source/client/abortable-wait.js';

const never = new Promise<string>(() => undefined);

describe('unlessAborted', () => {
  test('gives what the work gives, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    expect(await raceAbort(Promise.resolve('done'), signal, () => 'late')).toBe('done');
    await expect(raceAbort(Promise.reject(new Error('broken')), signal, () => 'late')).rejects.toThrow('broken');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('gives something else once the signal is aborted', async () => {
    const controller = new AbortController();
    const given = raceAbort(never, controller.signal, () => 'late');
    controller.abort();
    expect(await given).toBe('late');
    expect(await raceAbort(never, controller.signal, () => 'later')).toBe('later');
  });
});

describe('pause', () => {
  test('waits, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    await delay(20, signal);
    expect(events).toEqual(['meanwhile']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects with the reason of a signal that is aborted meanwhile, or was before', async () => {
    const [controller, reason] = [new AbortController(), new Error('the process stops')];
    const waiting = delay(3_600_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(delay(3_600_000, controller.signal)).rejects.toBe(reason);
  });
});

describe('after', () => {
  test('gives something when the time has passed, and not before', async () => {
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    expect(await resolveAfter(20, () => events.join())).toBe('meanwhile');
  });
});
