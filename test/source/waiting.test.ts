import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { unlessAborted } from '../../src/source/waiting.js';

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
