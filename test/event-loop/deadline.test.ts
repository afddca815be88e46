import { describe, expect, it, vi } from 'vitest';
import { withDeadline } from '../../src/event-loop/deadline.js';

describe('withDeadline', () => {
  it('settles as the promise does', async () => {
    await expect(withDeadline(Promise.resolve('reply'), 50)).resolves.toBe('reply');
    await expect(withDeadline(Promise.reject(new Error('refused')), 50)).rejects.toThrow('refused');
  });

  it('rejects where the promise is not settled in time', async () => {
    await expect(withDeadline(new Promise(() => undefined), 5)).rejects.toThrow('no reply within 5 ms');
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers();
    await withDeadline(Promise.resolve('reply'), 50);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('reads a reply that has arrived while the event loop was busy', async () => {
    const reply = new Promise<string>((resolve) => {
      setImmediate(() => resolve('reply'));
    });
    const result = withDeadline(reply, 5);
    const busyUntil = performance.now() + 20;
    while (performance.now() < busyUntil);
    await expect(result).resolves.toBe('reply');
  });
});
