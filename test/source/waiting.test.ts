import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { after, pause, unlessAborted } from '../../src/source/waiting.js';

const never = new Promise<string>(() => undefined);

describe('unlessAborted', () => {
  test('gives what the work gives, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve('done'), signal, () => 'late')).toBe('done');
    await expect(unlessAborted(Promise.reject(new Error('broken')), signal, () => 'late')).rejects.toThrow('broken');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('gives something else once the signal is aborted', async () => {
    const controller = new AbortController();
    const given = unlessAborted(never, controller.signal, () => 'late');
    controller.abort();
    expect(await given).toBe('late');
    expect(await unlessAborted(never, controller.signal, () => 'later')).toBe('later');
  });
});

describe('pause', () => {
  test('waits, and leaves nothing on the signal', async () => {
    const { signal } = new AbortController();
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    await pause(20, signal);
    expect(events).toEqual(['meanwhile']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('rejects with the reason of a signal that is aborted meanwhile, or was before', async () => {
    const [controller, reason] = [new AbortController(), new Error('the process stops')];
    const waiting = pause(3_600_000, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(pause(3_600_000, controller.signal)).rejects.toBe(reason);
  });
});

describe('after', () => {
  test('gives something when the time has passed, and not before', async () => {
    const events: string[] = [];
    setTimeout(() => events.push('meanwhile'), 1);
    expect(await after(20, () => events.join())).toBe('meanwhile');
  });
});
