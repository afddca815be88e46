import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/source/client/http-client-types.js';
import { createDeadlineSignal, withTimeout } from '../../../src/source/client/timeout.js';
import { calm, request } from './layers.js';

/** A request that ends only when its signal is aborted, and rejects with the reason of the signal. */
const hanging: Fetch<string> = (_, signal) =>
  new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail);
  });

const HOUR = 3_600_000;

describe('createDeadlineSignal', () => {
  test('aborts after the given time and not before', async () => {
    const signal = createDeadlineSignal(20);
    expect(signal.aborted).toBe(false);
    await expect(hanging(request(), signal)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(signal.aborted).toBe(true);
  });
});

describe('withTimeout', () => {
  test('ends a request that takes too long', async () => {
    await expect(withTimeout(hanging, 5)(request(), calm)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('aborts a request with the reason of the caller’s signal', async () => {
    const controller = new AbortController();
    const pending = withTimeout(hanging, HOUR)(request(), controller.signal);
    controller.abort(new Error('the process stops'));
    await expect(pending).rejects.toThrow('the process stops');
  });

  test('aborts a request at once where the caller’s signal is already aborted', async () => {
    const gone = AbortSignal.abort(new Error('the process stops'));
    await expect(withTimeout(hanging, HOUR)(request(), gone)).rejects.toThrow('the process stops');
  });

  test('passes on the request and its response', async () => {
    const sent = request('/b');
    const next: Fetch<string> = (received, signal) =>
      Promise.resolve(received === sent && !signal.aborted ? 'reply' : 'another request');
    expect(await withTimeout(next, HOUR)(sent, calm)).toBe('reply');
  });

  test.each<[title: string, next: Fetch<string>]>([
    ['succeeded', () => Promise.resolve('reply')],
    ['failed', () => Promise.reject(new Error('reset'))],
    [
      'threw synchronously',
      () => {
        throw new Error('no request');
      },
    ],
  ])('leaves neither a listener nor a timer behind when the request %s', async (_title, next) => {
    const { signal } = new AbortController();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await withTimeout(next, HOUR)(request(), signal).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(timers()).toBe(before);
  });

  test('leaves no listener behind after a timeout', async () => {
    const { signal } = new AbortController();
    await expect(withTimeout(hanging, 5)(request(), signal)).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('allows many listeners on its signal and on a deadline without a warning of Node.js', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error): number => warnings.push(name);
    process.on('warning', warned);
    const listen = (signal: AbortSignal): Promise<void> => {
      for (let count = 0; count < 50; count += 1) signal.addEventListener('abort', () => undefined);
      return Promise.resolve();
    };
    await listen(createDeadlineSignal(HOUR));
    await withTimeout((_, signal) => listen(signal), HOUR)(request(), calm);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test('does not abort the caller’s signal', async () => {
    const { signal } = new AbortController();
    await expect(withTimeout(hanging, 5)(request(), signal)).rejects.toThrow();
    expect(signal.aborted).toBe(false);
  });
});
